//! Questions.

use super::Planner;
use super::clause::Ask;
use super::frame::Frame;
use super::noun_phrase::Want;
use crate::features::{Case, Number};
use crate::lexicon::{Classes, GermanSlot, Slot, Verb};
use crate::meaning::{
    Adjunct, AdjunctKind, Asked, AskedAdverb, Clause, Complement, Determiner, Filler, Front, Id,
    Mood, Nominal, NounPhrase, Predicate, Utterance,
};

impl Planner<'_> {
    fn question_frame(&mut self) -> Frame {
        self.asking = true;
        self.spoken = self.rng.chance(0.7);
        self.rng
            .weighted(&[
                (4.0, Frame::Past),
                (2.0, Frame::Now),
                (1.0, Frame::Perfect),
                (0.7, Frame::Future),
            ])
            .unwrap_or(Frame::Past)
    }

    pub(super) fn yes_no_question(&mut self) -> Utterance {
        let frame = self.question_frame();
        let ask = Ask { statement: false, adjuncts: 2, ..Ask::new(frame) };
        let clause = self.clause(&ask);
        self.say(Mood::Question, clause)
    }

    pub(super) fn wh_question(&mut self) -> Utterance {
        let frame = self.question_frame();
        match (0..10).find_map(|_| self.asked_clause(frame)) {
            Some(clause) => self.say(Mood::Question, clause),
            None => self.yes_no_question(),
        }
    }

    /// A clause that asks for one of its parts.
    pub(super) fn asked_clause(&mut self, frame: Frame) -> Option<Clause> {
        // Since when and how often are other questions.
        let frame = if matches!(frame, Frame::Perfect) { Frame::Past } else { frame };
        match self.rng.weighted(&[(2.0, 0), (4.0, 1), (3.0, 2), (1.5, 3)])? {
            0 => self.asked_subject(frame),
            1 => self.asked_complement(frame),
            2 => self.asked_adverb(frame),
            _ => self.asked_place(frame),
        }
    }

    fn question_verb(
        &mut self,
        frame: Frame,
        fits: impl Fn(&Verb) -> bool,
    ) -> Option<&'static Verb> {
        let verbs: Vec<&'static Verb> = self
            .lexicon
            .verbs
            .iter()
            .filter(|verb| verb.clausal.is_empty() && !verb.expletive && !verb.has("swap"))
            .filter(|verb| frame.admits(verb, false) && fits(verb))
            .collect();
        let verb = self.rng.pick(&verbs)?;
        self.used.push(verb.english.base);
        Some(verb)
    }

    fn end_question(
        &mut self,
        mut clause: Clause,
        frame: Frame,
        adjuncts: usize,
    ) -> Option<Clause> {
        self.finish(
            &mut clause,
            &Ask { statement: false, adjuncts, free: false, ..Ask::new(frame) },
        )?;
        Some(clause)
    }

    /// *Wer hat …?*, *Welcher Mann hat …?*
    fn asked_subject(&mut self, frame: Frame) -> Option<Clause> {
        let person = self.lexicon.class("person");
        let verb = self.question_verb(frame, |verb| verb.subject.meets(person))?;
        let subject = if self.rng.chance(0.65) {
            Nominal::Asked(Id::fresh(), Asked::Who)
        } else {
            self.asked_noun(verb.subject)?
        };
        let mut clause = Clause::new(Predicate::Verb(verb), subject);
        self.complements(&mut clause, verb, None)?;
        clause.moved = Some(Front::Subject);
        self.end_question(clause, frame, 1)
    }

    /// *welcher Hund*, *wie viele Hunde*.
    fn asked_noun(&mut self, classes: Classes) -> Option<Nominal> {
        let noun = self.noun(classes)?;
        noun.plural?;
        // Which brother wants to know whose.
        if noun.classes.meets(self.lexicon.class("kin")) {
            return None;
        }
        let (number, determiner) = self.rng.weighted(&[
            (3.0, (Number::Singular, Determiner::Which)),
            (1.0, (Number::Plural, Determiner::Which)),
            (1.5, (Number::Plural, Determiner::HowMany)),
        ])?;
        Some(Nominal::Noun(Box::new(NounPhrase::new(noun, number, determiner))))
    }

    /// *Was hat er …?*, *Wem …?*, *Mit wem …?*
    fn asked_complement(&mut self, frame: Frame) -> Option<Clause> {
        let verb = self.question_verb(frame, |verb| {
            verb.slots.iter().any(|slot| slot.takes_nominal() && !slot.optional)
        })?;
        let (number, slot) = verb
            .slots
            .iter()
            .enumerate()
            .find(|(_, slot)| slot.takes_nominal() && (!slot.optional))?;
        let person = slot.classes.meets(self.lexicon.class("person"));
        let bare = matches!(slot.german, GermanSlot::Bare(Case::Accusative));
        let asked = match (person, bare) {
            (true, _) if self.rng.chance(0.6) => Nominal::Asked(Id::fresh(), Asked::Who),
            (false, true) if self.rng.chance(0.6) => Nominal::Asked(Id::fresh(), Asked::What),
            _ => self.asked_noun(slot.classes)?,
        };
        let subject =
            self.entity(Want { classes: verb.subject, owner: None, pronoun: 0.6, light: true })?;
        let mut clause = Clause::new(Predicate::Verb(verb), subject.nominal);
        self.complements(&mut clause, verb, Some(number))?;
        clause.complements.push(Complement {
            id: Id::fresh(),
            slot: *slot,
            filler: Filler::Nominal(asked),
        });
        clause.moved = Some(Front::Complement(clause.complements.len() - 1));
        clause.stranded = true;
        self.end_question(clause, frame, usize::from(bare))
    }

    /// *Wann …?*, *Warum …?*, *Wo …?*
    fn asked_adverb(&mut self, frame: Frame) -> Option<Clause> {
        let asked = self.rng.pick(&[
            AskedAdverb::When,
            AskedAdverb::Why,
            AskedAdverb::Why,
            AskedAdverb::Where,
            AskedAdverb::How,
        ])?;
        let asked = if asked == AskedAdverb::When && frame == Frame::Now {
            AskedAdverb::Why
        } else {
            asked
        };
        let verb = self.question_verb(frame, |verb| match asked {
            AskedAdverb::Where => verb.has("place"),
            AskedAdverb::When | AskedAdverb::How => !verb.has("stative") && !verb.has("unwilled"),
            _ => true,
        })?;
        let subject =
            self.entity(Want { classes: verb.subject, owner: None, pronoun: 0.6, light: true })?;
        let mut clause = Clause::new(Predicate::Verb(verb), subject.nominal);
        self.complements(&mut clause, verb, None)?;
        clause.adjuncts.push(Adjunct { id: Id::fresh(), kind: AdjunctKind::Asked(asked) });
        clause.moved = Some(Front::Adjunct(0));
        self.end_question(clause, frame, usize::from(asked == AskedAdverb::Why))
    }

    /// *Wohin geht er?*, *Wo wohnt sie?*
    fn asked_place(&mut self, frame: Frame) -> Option<Clause> {
        let local =
            |slot: &Slot| matches!(slot.german, GermanSlot::At | GermanSlot::To | GermanSlot::Nach);
        let verb = self.question_verb(frame, |verb| verb.slots.iter().any(local))?;
        let number = verb.slots.iter().position(local)?;
        let asked = if verb.slots[number].german == GermanSlot::At {
            AskedAdverb::Where
        } else {
            AskedAdverb::Whither
        };
        let subject =
            self.entity(Want { classes: verb.subject, owner: None, pronoun: 0.6, light: true })?;
        let mut clause = Clause::new(Predicate::Verb(verb), subject.nominal);
        self.complements(&mut clause, verb, Some(number))?;
        clause.adjuncts.push(Adjunct { id: Id::fresh(), kind: AdjunctKind::Asked(asked) });
        clause.moved = Some(Front::Adjunct(0));
        self.end_question(clause, frame, 1)
    }
}
