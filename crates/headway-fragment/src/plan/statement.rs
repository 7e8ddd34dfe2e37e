//! Statements: plain, joined, with a clause as complement, of existence.

use super::clause::Ask;
use super::extraposition::settle;
use super::frame::Frame;
use super::negation::can_be_negated;
use super::noun_phrase::Want;
use super::{Entity, Planner};
use crate::features::{Number, Referent};
use crate::lexicon::{Clausal, Verb};
use crate::meaning::{
    Adjunct, Clause, Complement, Conjunct, Content, ContentKind, Determiner, EnglishNo,
    EnglishTense, Filler, Id, Joint, Mood, Negation, Nominal, NounPhrase, Numeral, Predicate,
    Tense, Utterance,
};
use crate::modal::EnglishModal;

impl Planner<'_> {
    pub(super) fn say(&mut self, mood: Mood, mut clause: Clause) -> Utterance {
        settle(&mut clause);
        if mood == Mood::Statement {
            self.choose_front(&mut clause);
        }
        Utterance { id: Id::fresh(), mood, clause }
    }

    pub(super) fn plain_statement(&mut self) -> Utterance {
        let frame = self.frame();
        let clause = self.clause(&Ask::new(frame));
        self.say(Mood::Statement, clause)
    }

    /// Two verbs of one subject, or two clauses.
    pub(super) fn coordinated(&mut self) -> Utterance {
        let frame = self.frame();
        let joinable = matches!(frame, Frame::Past | Frame::Now | Frame::Future);
        let frame = if joinable { frame } else { Frame::Past };
        let mut clause = self.clause(&Ask { adjuncts: 1, ..Ask::new(frame) });
        let join_verbs = self.rng.chance(0.6) && self.can_share(&clause);
        let conjunct = if join_verbs {
            self.second_verb(&clause, frame)
        } else {
            self.second_clause(&clause, frame)
        };
        clause.conjunct = Some(Box::new(conjunct));
        self.say(Mood::Statement, clause)
    }

    fn can_share(&self, clause: &Clause) -> bool {
        let plain = clause.verb().is_some_and(|verb| !verb.expletive && !verb.has("swap"));
        let person = clause.subject.as_ref().is_some_and(|subject| self.is_somebody(subject));
        let heavy = clause.complements.iter().any(|item| super::complement::is_heavy(&item.filler));
        let matrix =
            clause.modal.is_some_and(|modal| matches!(modal.present, EnglishModal::To(..)));
        plain
            && person
            && !heavy
            && !matrix
            && clause.negation == Negation::None
            && !clause.passive
            && !clause.epistemic
    }

    /// Whether a nominal is a person.
    pub(super) fn is_somebody(&self, nominal: &Nominal) -> bool {
        match nominal {
            Nominal::Noun(phrase) => phrase.noun.classes.meets(self.lexicon.class("person")),
            Nominal::Join(_, members) => members.iter().all(|member| self.is_somebody(member)),
            Nominal::Expletive(_) => false,
            _ => true,
        }
    }

    /// *… und geht in den Park*.
    pub(super) fn second_verb(&mut self, first: &Clause, frame: Frame) -> Conjunct {
        let subject = Entity {
            nominal: Nominal::Pronoun(Id::fresh(), first.agreement),
            classes: self.anyone(),
        };
        let ask = Ask {
            subject: Some(subject),
            shared: true,
            free: false,
            adjuncts: 0,
            ..Ask::new(frame)
        };
        let mut clause = self.clause(&ask);
        clause.subject = None;
        clause.modal = first.modal;
        clause.tense = first.tense;
        let stative = clause.verb().is_some_and(|verb| verb.has("stative"));
        clause.english_tense = match first.english_tense {
            EnglishTense::Progressive if stative => EnglishTense::Present,
            tense => tense,
        };
        let moves = |clause: &Clause| clause.verb().is_some_and(|verb| verb.german.moves);
        let modal = clause.modal.is_some();
        let alike = clause.english_tense == first.english_tense;
        let helped = modal || !matches!(clause.tense, Tense::Present | Tense::Past);
        let english =
            modal || !matches!(clause.english_tense, EnglishTense::Present | EnglishTense::Past);
        let shares_auxiliary = helped && alike && (modal || moves(&clause) == moves(first));
        let english_shares_auxiliary = english && alike;
        Conjunct {
            id: Id::fresh(),
            joint: Joint::And,
            clause,
            shares_auxiliary,
            english_shares_auxiliary,
        }
    }

    /// *…, aber seine Schwester bleibt zu Hause*.
    fn second_clause(&mut self, first: &Clause, frame: Frame) -> Conjunct {
        let known = first
            .subject
            .as_ref()
            .filter(|_| self.rng.chance(0.5))
            .and_then(|subject| self.again(subject));
        let mut clause = self.clause(&Ask { subject: known, adjuncts: 1, ..Ask::new(frame) });
        self.choose_front(&mut clause);
        let joint = if self.rng.chance(0.5) { Joint::And } else { Joint::But };
        Conjunct {
            id: Id::fresh(),
            joint,
            clause,
            shares_auxiliary: false,
            english_shares_auxiliary: false,
        }
    }

    /// The pronoun for somebody or something said before.
    pub(super) fn again(&self, nominal: &Nominal) -> Option<Entity> {
        let classes = match nominal {
            Nominal::Noun(phrase) => phrase.noun.classes,
            Nominal::Expletive(_) | Nominal::Asked(..) | Nominal::Gap(..) => return None,
            _ => self.anyone(),
        };
        let referent = nominal.referent();
        Some(Entity { nominal: Nominal::Pronoun(Id::fresh(), referent), classes })
    }

    /// *Er sagt, dass …*; *sie versucht, … zu …*.
    pub(super) fn with_content(&mut self) -> Utterance {
        let frame = self
            .rng
            .weighted(&[(4.0, Frame::Past), (2.0, Frame::Habit), (1.0, Frame::Perfect)])
            .unwrap_or(Frame::Past);
        let clause = (0..10).find_map(|_| self.content_clause(frame, None));
        let clause = clause.unwrap_or_else(|| self.clause(&Ask::new(Frame::Past)));
        self.say(Mood::Statement, clause)
    }

    /// A clause with a clause as complement.
    pub(super) fn content_clause(
        &mut self,
        frame: Frame,
        subject: Option<Entity>,
    ) -> Option<Clause> {
        let verbs: Vec<&'static Verb> = self
            .lexicon
            .verbs
            .iter()
            .filter(|verb| {
                !verb.clausal.is_empty()
                    && !self.used.contains(&verb.english.base)
                    && (frame != Frame::Habit || verb.has("stative"))
                    && (frame != Frame::Perfect || !verb.has("stative"))
            })
            .collect();
        let verb = self.rng.pick(&verbs)?;
        self.used.push(verb.english.base);
        let kind = self.rng.pick(&verb.clausal)?;
        // *hoffen, dass* looks ahead.
        let hope = verb.english.base == "hope";
        let ahead = match kind {
            Clausal::That => !hope || frame == Frame::Habit,
            Clausal::Infinitive => hope || frame != Frame::Habit,
            _ => true,
        };
        if !ahead {
            return None;
        }
        let want = Want { classes: verb.subject, owner: None, pronoun: 0.45, light: true };
        let subject = match subject {
            Some(subject) => subject,
            None => self.entity(want)?,
        };
        let mut clause = Clause::new(Predicate::Verb(verb), subject.nominal);
        self.complements(&mut clause, verb, None)?;
        let ask = Ask { adjuncts: 1, free: false, ..Ask::new(frame) };
        self.depth = self.depth.saturating_sub(1);
        if kind != Clausal::Infinitive || frame == Frame::Perfect {
            self.finish(&mut clause, &Ask { adjuncts: usize::from(!verb.has("stative")), ..ask })?;
        } else {
            self.set_tense(&mut clause, frame, false);
        }
        // Who asks whether does not know it.
        if verb.german.infinitive == "wissen" && kind != Clausal::That {
            if !can_be_negated(&clause) {
                return None;
            }
            clause.negation = Negation::Not;
            clause.contracted = self.rng.chance(0.5);
        }
        clause.content = Some(Box::new(self.content(kind, frame, &clause)));
        settle(&mut clause);
        Some(clause)
    }

    fn content(&mut self, kind: Clausal, frame: Frame, outer: &Clause) -> Content {
        let hope = outer.verb().is_some_and(|verb| verb.english.base == "hope");
        let inner = match frame {
            Frame::Past => Frame::Past,
            _ if hope => Frame::Future,
            _ => self
                .rng
                .weighted(&[(2.0, Frame::Past), (2.0, Frame::Now), (1.0, Frame::Future)])
                .unwrap_or(Frame::Past),
        };
        let known = outer
            .subject
            .as_ref()
            .filter(|_| self.rng.chance(0.45))
            .and_then(|subject| self.again(subject));
        let ask = Ask { subject: known, statement: false, adjuncts: 2, ..Ask::new(inner) };
        self.asking |= matches!(kind, Clausal::Whether | Clausal::Question);
        let (kind, clause) = match kind {
            Clausal::That => (
                ContentKind::That { spoken: self.rng.chance(0.75) },
                if hope { self.clause(&ask) } else { self.nested(&ask) },
            ),
            Clausal::Whether => (ContentKind::Whether, self.nested(&ask)),
            Clausal::Question => match (0..10).find_map(|_| self.asked_clause(inner)) {
                Some(clause) => (ContentKind::Question, clause),
                None => (ContentKind::Whether, self.nested(&ask)),
            },
            Clausal::Infinitive => {
                (ContentKind::Infinitive, self.infinitive(outer.agreement, false))
            }
        };
        Content { id: Id::fresh(), kind, clause }
    }

    /// A clause that may again hold a clause.
    pub(super) fn nested(&mut self, ask: &Ask) -> Clause {
        if self.depth > 0 && self.chance(0.05, 0.35) && self.spend(5) {
            let frame = if ask.frame == Frame::Past { Frame::Past } else { Frame::Habit };
            let subject = ask.subject.clone().filter(|subject| self.is_somebody(&subject.nominal));
            if let Some(clause) = self.content_clause(frame, subject) {
                return clause;
            }
        }
        self.clause(ask)
    }

    /// An infinitive whose subject is understood.
    pub(super) fn infinitive(&mut self, subject: Referent, goal: bool) -> Clause {
        let entity =
            Entity { nominal: Nominal::Pronoun(Id::fresh(), subject), classes: self.anyone() };
        let filter = if goal {
            |verb: &Verb| verb.has("goal")
        } else {
            |verb: &Verb| !verb.has("stative") && !verb.has("unwilled")
        };
        let ask = Ask {
            subject: Some(entity),
            shared: true,
            free: false,
            adjuncts: 0,
            statement: false,
            filter,
            ..Ask::new(Frame::Past)
        };
        let mut clause = self.clause(&ask);
        clause.subject = None;
        clause.english_tense = EnglishTense::Present;
        clause.tense = Tense::Present;
        clause
    }

    /// *In der Stadt gibt es ein Museum*.
    pub(super) fn existence(&mut self) -> Utterance {
        let clause = self.existence_clause().unwrap_or_else(|| self.clause(&Ask::new(Frame::Past)));
        self.say(Mood::Statement, clause)
    }

    fn existence_clause(&mut self) -> Option<Clause> {
        let verb = self.lexicon.verbs.iter().find(|verb| verb.has("exist"))?;
        let slot = verb.slots.first()?;
        let subject = Nominal::Expletive(Id::fresh());
        let mut clause = Clause::new(Predicate::Verb(verb), subject);
        let place = self.noun(self.lexicon.classes("settlement outdoor"))?;
        let fits = self.lexicon.classes(if place.classes.meets(self.lexicon.class("settlement")) {
            "building"
        } else {
            "animal plant"
        });
        let noun = self.noun(fits)?;
        let number = if self.rng.chance(0.5) { Number::Plural } else { Number::Singular };
        let plural = number == Number::Plural;
        let determiner = match plural {
            true => self.rng.pick(&[
                Determiner::Many,
                Determiner::Some,
                Determiner::Numeral(Numeral::Words(3)),
            ])?,
            false => Determiner::Indefinite,
        };
        let thing = Nominal::Noun(Box::new(NounPhrase::new(noun, number, determiner)));
        clause.complements.push(Complement {
            id: Id::fresh(),
            slot: *slot,
            filler: Filler::Nominal(thing),
        });
        let place = NounPhrase::new(
            place,
            Number::Singular,
            self.rng.pick(&[Determiner::Definite, Determiner::This])?,
        );
        let kind = self.at(Nominal::Noun(Box::new(place)))?;
        clause.adjuncts.push(Adjunct { id: Id::fresh(), kind });
        let frame = self.rng.pick(&[Frame::Now, Frame::Past])?;
        self.set_tense(&mut clause, frame, false);
        if !plural && self.rng.chance(0.25) {
            self.negate_existence(&mut clause);
        }
        Some(clause)
    }

    fn negate_existence(&mut self, clause: &mut Clause) {
        let id = clause.id;
        for complement in &mut clause.complements {
            if let Filler::Nominal(Nominal::Noun(phrase)) = &mut complement.filler {
                phrase.determiner = Determiner::No(id, EnglishNo::No);
                clause.negation = Negation::Determiner(EnglishNo::No);
            }
        }
    }
}
