//! Relative clauses: a verb that has a place for the noun.

use super::clause::Ask;
use super::frame::Frame;
use super::noun_phrase::Want;
use super::{Entity, Planner};
use crate::features::{Case, Number};
use crate::lexicon::{EnglishSlot, GermanSlot, Verb};
use crate::meaning::{
    Clause, Complement, Determiner, Filler, Front, Gap, Id, Nominal, NounPhrase, Predicate,
    Relative, RelativeWord,
};

impl Planner<'_> {
    /// Adds a relative clause if there is room for one.
    pub(super) fn add_relative(&mut self, phrase: &mut NounPhrase) {
        if self.depth == 0 || !self.spend(5) {
            return;
        }
        self.depth -= 1;
        let clause = match self.rng.weighted(&[(5.0, 0), (4.0, 1), (0.6, 2)]) {
            Some(0) => self.subject_relative(phrase),
            Some(1) => self.object_relative(phrase),
            _ => self.possessive_relative(phrase),
        };
        if let Some(clause) = clause {
            let extraposed = self.chance(0.25, 0.8);
            phrase.relative = Some(Box::new(Relative { id: Id::fresh(), clause, extraposed }));
        }
    }

    fn relative_frame(&mut self) -> Frame {
        self.rng
            .weighted(&[(4.0, Frame::Past), (1.5, Frame::Now), (1.0, Frame::Perfect)])
            .unwrap_or(Frame::Past)
    }

    fn is_person(&self, phrase: &NounPhrase) -> bool {
        phrase.noun.classes.meets(self.lexicon.class("person"))
    }

    /// *der Mann, der schläft*.
    fn subject_relative(&mut self, phrase: &NounPhrase) -> Option<Clause> {
        let english = match self.is_person(phrase) {
            true => RelativeWord::Who,
            false if self.rng.chance(0.7) => RelativeWord::That,
            false => RelativeWord::Which,
        };
        let gap = Nominal::Gap(Id::fresh(), Gap { host: phrase.referent(), english });
        let subject = Entity { nominal: gap, classes: phrase.noun.classes };
        let frame = self.relative_frame();
        let ask = Ask { subject: Some(subject), statement: false, adjuncts: 1, ..Ask::new(frame) };
        let mut clause = (0..20).find_map(|_| self.relative_attempt(&ask))?;
        clause.moved = Some(match clause.verb().is_some_and(|verb| verb.has("swap")) {
            true => return None,
            false => Front::Subject,
        });
        Some(clause)
    }

    fn relative_attempt(&mut self, ask: &Ask) -> Option<Clause> {
        let clause = self.clause(ask);
        let fits = clause
            .verb()
            .is_some_and(|verb| !verb.expletive && (clause.passive || self.selects(verb, ask)));
        (fits || clause.verb().is_none()).then_some(clause)
    }

    fn selects(&self, verb: &Verb, ask: &Ask) -> bool {
        ask.subject.as_ref().is_some_and(|subject| verb.subject.meets(subject.classes))
    }

    /// *der Mann, den ich kenne*; *die Frau, mit der er spricht*.
    fn object_relative(&mut self, phrase: &NounPhrase) -> Option<Clause> {
        let frame = self.relative_frame();
        let (verb, number) = self.place_for(phrase, frame)?;
        self.used.push(verb.english.base);
        let slot = verb.slots.get(number)?;

        let subject =
            self.entity(Want { classes: verb.subject, owner: None, pronoun: 0.55, light: true })?;
        let short = slot.english == EnglishSlot::Object && subject.nominal.is_pronoun();
        let english = self.object_word(phrase, short);
        let mut clause = Clause::new(Predicate::Verb(verb), subject.nominal);
        self.complements(&mut clause, verb, Some(number))?;
        let gap = Nominal::Gap(Id::fresh(), Gap { host: phrase.referent(), english });
        clause.complements.push(Complement {
            id: Id::fresh(),
            slot: *slot,
            filler: Filler::Nominal(gap),
        });
        clause.moved = Some(Front::Complement(clause.complements.len() - 1));
        clause.stranded = true;
        let ask = Ask { statement: false, adjuncts: 1, ..Ask::new(frame) };
        self.finish(&mut clause, &ask)?;
        Some(clause)
    }

    fn object_word(&mut self, phrase: &NounPhrase, short: bool) -> RelativeWord {
        let person = self.is_person(phrase);
        let choices = [
            (if person { 1.0 } else { 0.0 }, RelativeWord::Who),
            (if person { 0.0 } else { 1.0 }, RelativeWord::Which),
            (2.0, RelativeWord::That),
            (if short { 1.5 } else { 0.0 }, RelativeWord::Nothing),
        ];
        self.rng.weighted(&choices).unwrap_or(RelativeWord::That)
    }

    /// A verb and the number of its place that takes this noun.
    fn place_for(&mut self, phrase: &NounPhrase, frame: Frame) -> Option<(&'static Verb, usize)> {
        let mut places = Vec::new();
        for verb in &self.lexicon.verbs {
            if verb.expletive
                || verb.has("swap")
                || !verb.clausal.is_empty()
                || !frame.admits(verb, false)
                || self.used.contains(&verb.english.base)
            {
                continue;
            }
            for (number, slot) in verb.slots.iter().enumerate() {
                let takes = slot.takes_nominal() && slot.classes.meets(phrase.noun.classes);
                if takes && slot.german != GermanSlot::Bare(Case::Genitive) {
                    places.push((verb, number));
                }
            }
        }
        self.rng.pick(&places)
    }

    /// *der Mann, dessen Hund bellt*.
    fn possessive_relative(&mut self, phrase: &NounPhrase) -> Option<Clause> {
        if !self.is_person(phrase) {
            return None;
        }
        let noun = self.noun(self.lexicon.classes("kin pet home"))?;
        let determiner = Determiner::Whose(Id::fresh(), phrase.referent());
        let number = if self.rng.chance(0.2) { Number::Plural } else { Number::Singular };
        let owned = NounPhrase::new(noun, number, determiner);
        let subject = Entity { nominal: Nominal::Noun(Box::new(owned)), classes: noun.classes };
        let ask =
            Ask { subject: Some(subject), statement: false, adjuncts: 1, ..Ask::new(Frame::Past) };
        let mut clause = (0..20).find_map(|_| self.relative_attempt(&ask))?;
        if clause.verb().is_some_and(|verb| verb.has("swap")) {
            return None;
        }
        clause.moved = Some(Front::Subject);
        Some(clause)
    }
}
