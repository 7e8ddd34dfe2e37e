//! Adverbial clauses and the times that go with their conjunctions.

use super::Planner;
use super::clause::Ask;
use super::frame::Frame;
use crate::lexicon::Verb;
use crate::meaning::{
    Adjunct, AdjunctKind, Clause, Conjunction, Id, Mood, Negation, Subordinate, Utterance,
};
use crate::modal::MODALS;

const fn conjunction(german: &'static str, english: &'static str) -> Conjunction {
    Conjunction { german, english, infinitive: false }
}

static WEIL: Conjunction = conjunction("weil", "because");
static DA: Conjunction = conjunction("da", "since");
static OBWOHL: Conjunction = conjunction("obwohl", "although");
static WENN_IF: Conjunction = conjunction("wenn", "if");
static WENN_WHEN: Conjunction = conjunction("wenn", "when");
static ALS: Conjunction = conjunction("als", "when");
static WAEHREND: Conjunction = conjunction("während", "while");
static BEVOR: Conjunction = conjunction("bevor", "before");
static NACHDEM: Conjunction = conjunction("nachdem", "after");
static BIS: Conjunction = conjunction("bis", "until");
static SOBALD: Conjunction = conjunction("sobald", "as soon as");
static DAMIT: Conjunction = conjunction("damit", "so that");
static UM: Conjunction = Conjunction { german: "um", english: "in order", infinitive: true };

/// A conjunction with the frames of the main and of its own clause.
type Row = (f64, &'static Conjunction, Frame, Frame);

static ROWS: [Row; 20] = [
    (2.0, &WEIL, Frame::Past, Frame::Past),
    (1.0, &WEIL, Frame::Now, Frame::Now),
    (1.0, &WEIL, Frame::Future, Frame::Now),
    (0.5, &WEIL, Frame::Past, Frame::Now),
    (0.7, &DA, Frame::Past, Frame::Past),
    (1.0, &OBWOHL, Frame::Past, Frame::Past),
    (0.7, &OBWOHL, Frame::Now, Frame::Now),
    (0.6, &OBWOHL, Frame::Now, Frame::Past),
    (1.5, &WENN_IF, Frame::Future, Frame::Habit),
    (1.2, &WENN_WHEN, Frame::Habit, Frame::Habit),
    (1.8, &ALS, Frame::Past, Frame::Past),
    (0.6, &ALS, Frame::Background, Frame::Past),
    (1.0, &WAEHREND, Frame::Past, Frame::Background),
    (1.0, &BEVOR, Frame::Past, Frame::Past),
    (1.0, &NACHDEM, Frame::Past, Frame::Before),
    (0.5, &SOBALD, Frame::Future, Frame::Habit),
    (0.5, &BIS, Frame::Past, Frame::Past),
    (0.8, &DAMIT, Frame::Past, Frame::Past),
    (1.0, &UM, Frame::Past, Frame::Past),
    (0.6, &UM, Frame::Future, Frame::Past),
];

impl Planner<'_> {
    pub(super) fn with_subordinate(&mut self) -> Utterance {
        let rows = ROWS.each_ref().map(|row| (row.0, row));
        let row = self.rng.weighted(&rows).unwrap_or(&ROWS[0]);
        self.depth = self.depth.saturating_sub(1);
        let mut main = self.main_clause(row);
        let inner = self.inner_clause(&main, row);
        let kind = AdjunctKind::Clause(Box::new(Subordinate { conjunction: row.1, clause: inner }));
        main.adjuncts.push(Adjunct { id: Id::fresh(), kind });
        self.say(Mood::Statement, main)
    }

    fn main_clause(&mut self, &(_, conjunction, frame, _): &Row) -> Clause {
        let infinitive = conjunction.infinitive;
        let timed = matches!(
            conjunction.german,
            "als" | "während" | "bevor" | "nachdem" | "bis" | "wenn" | "sobald"
        );
        let ask = Ask {
            adjuncts: usize::from(!timed && !infinitive),
            free: !infinitive,
            ..Ask::new(frame)
        };
        let ask = match conjunction.german {
            "bis" => Ask {
                filter: |verb| verb.has("lasting") && !verb.has("stative"),
                free: false,
                ..ask
            },
            "um" | "damit" => {
                Ask { verbal: true, filter: |verb| !verb.has("stative") && !verb.expletive, ..ask }
            }
            _ => ask,
        };
        for _ in 0..20 {
            let clause = self.clause(&ask);
            let somebody = clause.subject.as_ref().is_some_and(|subject| self.is_somebody(subject));
            if !infinitive || somebody && clause.verb().is_some_and(|verb| !verb.has("swap")) {
                return clause;
            }
        }
        self.clause(&ask)
    }

    fn inner_clause(&mut self, main: &Clause, &(_, conjunction, _, frame): &Row) -> Clause {
        let known = main
            .subject
            .as_ref()
            .filter(|_| self.rng.chance(0.55))
            .and_then(|subject| self.again(subject));
        if conjunction.infinitive {
            return self.infinitive(main.agreement, true);
        }
        let ask = Ask {
            subject: known,
            statement: false,
            adjuncts: usize::from(frame == Frame::Past),
            ..Ask::new(frame)
        };
        match conjunction.german {
            "damit" => self.purpose(&ask),
            "weil" | "obwohl" | "da" => self.nested(&ask),
            "wenn" | "sobald" => self.clause(&Ask {
                adjuncts: 0,
                free: false,
                filter: |verb| !verb.has("stative"),
                ..ask
            }),
            _ => self.clause(&Ask {
                verbal: true,
                free: false,
                filter: |verb: &Verb| !verb.has("stative"),
                ..ask
            }),
        }
    }

    /// *damit sie ihn sehen kann*.
    fn purpose(&mut self, ask: &Ask) -> Clause {
        let ask = Ask {
            verbal: true,
            free: false,
            adjuncts: 0,
            filter: |verb| !verb.has("stative") && !verb.expletive && !verb.has("lasting"),
            ..ask.clone()
        };
        for _ in 0..20 {
            let mut clause = self.clause(&ask);
            let somebody = clause.subject.as_ref().is_some_and(|subject| self.is_somebody(subject));
            if somebody
                && clause.verb().is_some()
                && clause.negation == Negation::None
                && !clause.passive
            {
                clause.modal = Some(&MODALS[0]);
                self.set_tense(&mut clause, Frame::Past, false);
                return clause;
            }
        }
        self.clause(&ask)
    }
}
