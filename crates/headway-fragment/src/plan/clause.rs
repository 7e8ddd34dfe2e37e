//! A clause: who does what, when, and with which helping verbs.

use super::extraposition::settle;
use super::frame::Frame;
use super::noun_phrase::Want;
use super::{Entity, Planner};
use crate::features::Case;
use crate::lexicon::{GermanSlot, Verb};
use crate::meaning::{Adjunct, AdjunctKind, Clause, EnglishTense, Id, Nominal, Predicate, Tense};
use crate::modal::{MODALS, Modal, must};

/// What the surroundings ask of a clause.
#[derive(Debug, Clone)]
pub struct Ask {
    pub frame: Frame,
    /// Somebody known already.
    pub subject: Option<Entity>,
    /// Another clause's subject is understood: no turned-round verbs, no expletives.
    pub shared: bool,
    /// May be negated, have a modal, be passive.
    pub free: bool,
    /// Something happens: no copula.
    pub verbal: bool,
    /// How many adjuncts at most.
    pub adjuncts: usize,
    pub statement: bool,
    /// Only verbs with manner adverbs and the like; None for any.
    pub filter: fn(&Verb) -> bool,
}

impl Ask {
    pub fn new(frame: Frame) -> Self {
        Ask {
            frame,
            subject: None,
            shared: false,
            free: true,
            verbal: false,
            adjuncts: 2,
            statement: true,
            filter: |_| true,
        }
    }
}

const TRIES: usize = 60;

impl Planner<'_> {
    /// A clause as asked; tries until its places can be filled.
    pub(super) fn clause(&mut self, ask: &Ask) -> Clause {
        for _ in 0..TRIES {
            let used = self.used.len();
            if let Some(clause) = self.attempt(ask) {
                return clause;
            }
            self.used.truncate(used);
        }
        self.last_resort(ask)
    }

    /// *Es regnet* can always be said, *er schläft* of nothing but people and animals: with a
    /// subject, the plan is given up.
    fn last_resort(&mut self, ask: &Ask) -> Clause {
        self.stuck |= ask.subject.is_some();
        let lemma = if ask.subject.is_some() { "schlafen" } else { "regnen" };
        let verb = self.lexicon.verb(lemma).unwrap_or(&self.lexicon.verbs[0]);
        let subject = ask
            .subject
            .clone()
            .map_or_else(|| Nominal::Expletive(Id::fresh()), |entity| entity.nominal);
        let mut clause = Clause::new(Predicate::Verb(verb), subject);
        self.set_tense(&mut clause, ask.frame, false);
        clause
    }

    fn attempt(&mut self, ask: &Ask) -> Option<Clause> {
        let timely = matches!(ask.frame, Frame::Past | Frame::Perfect | Frame::Now);
        if ask.free
            && !ask.shared
            && timely
            && self.rng.chance(0.06)
            && let Some(clause) = self.passive(ask)
        {
            return Some(clause);
        }
        let copula = matches!(ask.frame, Frame::Past | Frame::Now | Frame::Habit);
        if copula && !ask.shared && !ask.verbal && self.rng.chance(0.13) {
            return self.copula_clause(ask);
        }
        let modal = self.modal(ask);
        let verb = self.verb(ask, modal.is_some())?;
        self.used.push(verb.english.base);
        let subject = self.subject(ask, verb)?;
        let mut clause = Clause::new(Predicate::Verb(verb), subject.nominal.clone());
        clause.modal = modal
            .filter(|_| !verb.expletive && subject.classes.meets(self.lexicon.class("person")));
        if modal.is_some() && clause.modal.is_none() && !ask.frame.admits(verb, false) {
            return None;
        }
        self.complements(&mut clause, verb, None)?;
        self.finish(&mut clause, ask)?;
        Some(clause)
    }

    /// Adjuncts, tense and negation of a clause whose places are filled.
    pub(super) fn finish(&mut self, clause: &mut Clause, ask: &Ask) -> Option<()> {
        let dated = self.adjuncts(clause, ask)?;
        self.set_tense(clause, ask.frame, dated);
        if ask.free {
            self.epistemic(clause, ask.frame);
            self.negate(clause, ask);
        }
        settle(clause);
        Some(())
    }

    fn verb(&mut self, ask: &Ask, modal: bool) -> Option<&'static Verb> {
        let classes = ask.subject.as_ref().map(|entity| entity.classes);
        let verbs: Vec<&'static Verb> = self
            .lexicon
            .verbs
            .iter()
            .filter(|verb| verb.clausal.is_empty() && !verb.has("exist"))
            .filter(|verb| classes.is_none_or(|classes| verb.subject.meets(classes)))
            .filter(|verb| !(ask.shared && (verb.expletive || verb.has("swap"))))
            .filter(|verb| ask.frame.admits(verb, modal) && (ask.filter)(verb))
            .filter(|verb| !self.used.contains(&verb.english.base))
            .filter(|verb| !(modal && verb.has("unwilled")))
            .collect();
        // Separable verbs make long brackets.
        let separable: Vec<_> =
            verbs.iter().copied().filter(|verb| !verb.german.particle.is_empty()).collect();
        if !separable.is_empty() && self.chance(0.05, 0.35) {
            return self.rng.pick(&separable);
        }
        self.rng.pick(&verbs)
    }

    pub(super) fn subject(&mut self, ask: &Ask, verb: &'static Verb) -> Option<Entity> {
        if let Some(subject) = &ask.subject {
            return Some(subject.clone());
        }
        if verb.expletive {
            let nominal = Nominal::Expletive(Id::fresh());
            return Some(Entity { nominal, classes: verb.subject });
        }
        self.entity(Want { classes: verb.subject, owner: None, pronoun: 0.35, light: false })
    }

    fn modal(&mut self, ask: &Ask) -> Option<&'static Modal> {
        let fits = matches!(ask.frame, Frame::Past | Frame::Now | Frame::Habit);
        if !ask.free || !fits || !self.chance(0.15, 0.28) {
            return None;
        }
        let past = ask.frame == Frame::Past;
        let modals: Vec<_> = MODALS
            .iter()
            .filter(|modal| !past || modal.past.is_some())
            .filter(|modal| ask.statement || !modal.plain)
            .collect();
        self.rng.pick(&modals)
    }

    /// *muss gelesen haben*: a conclusion about the past.
    fn epistemic(&mut self, clause: &mut Clause, frame: Frame) {
        let plain = clause.verb().is_some_and(|verb| !verb.has("stative") && !verb.expletive);
        let third = clause.agreement.is_third();
        let words =
            clause.adjuncts.iter().any(|adjunct| matches!(adjunct.kind, AdjunctKind::Adverb(_)));
        if frame != Frame::Past
            || clause.modal.is_some()
            || clause.passive
            || !plain
            || !third
            || words
            || self.asking
        {
            return;
        }
        if self.chance(0.02, 0.1) {
            clause.modal = Some(must());
            clause.epistemic = true;
            clause.tense = Tense::Present;
            clause.english_tense = EnglishTense::Present;
        }
    }

    fn copula_clause(&mut self, ask: &Ask) -> Option<Clause> {
        let subject = match &ask.subject {
            Some(subject) => subject.clone(),
            None => {
                let classes = self.lexicon.classes(
                    "person animal food vehicle building furniture clothing device reading show idea room settlement weather trouble",
                );
                self.entity(Want { classes, owner: None, pronoun: 0.15, light: false })?
            }
        };
        let predicate = self.copula(&subject)?;
        let mut clause = Clause::new(predicate, subject.nominal);
        let frame = if ask.frame == Frame::Habit { Frame::Now } else { ask.frame };
        self.finish(&mut clause, &Ask { frame, adjuncts: 1.min(ask.adjuncts), ..ask.clone() })?;
        Some(clause)
    }

    /// *Das Haus wurde vor zwei Jahren gebaut*.
    fn passive(&mut self, ask: &Ask) -> Option<Clause> {
        let verbs: Vec<&'static Verb> = self
            .lexicon
            .verbs
            .iter()
            .filter(|verb| {
                verb.has("passive")
                    && !self.used.contains(&verb.english.base)
                    && verb.clausal.is_empty()
                    && ask.frame.admits(verb, false)
            })
            .filter(|verb| {
                verb.slots
                    .iter()
                    .all(|slot| slot.optional || slot.german == GermanSlot::Bare(Case::Accusative))
            })
            .filter(|verb| match (&ask.subject, verb.slots.first()) {
                (Some(subject), Some(slot)) => slot.classes.meets(subject.classes),
                _ => true,
            })
            .collect();
        let verb = self.rng.pick(&verbs)?;
        self.used.push(verb.english.base);
        let subject = match &ask.subject {
            Some(subject) => subject.clone(),
            None => self.entity(Want {
                classes: verb.slots.first()?.classes,
                owner: None,
                pronoun: 0.0,
                light: false,
            })?,
        };
        let mut clause = Clause::new(Predicate::Verb(verb), subject.nominal);
        clause.passive = true;
        if self.rng.chance(0.35) && self.spend(2) {
            let want = Want {
                classes: verb.subject,
                owner: Some(clause.agreement),
                pronoun: 0.1,
                light: true,
            };
            let doer = self.entity(want)?;
            clause
                .adjuncts
                .push(Adjunct { id: Id::fresh(), kind: AdjunctKind::Agent(doer.nominal) });
        }
        self.finish(&mut clause, &Ask { adjuncts: 1.min(ask.adjuncts), ..ask.clone() })?;
        Some(clause)
    }
}
