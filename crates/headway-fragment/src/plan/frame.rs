//! Frames of time: which tenses of the two languages say the same.

use super::Planner;
use crate::features::Person;
use crate::lexicon::Verb;
use crate::meaning::{Clause, EnglishTense, Predicate, Tense};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// *liest gerade*, *is reading*.
    Now,
    /// *liest oft*, *often reads*.
    Habit,
    /// *las* or *hat gelesen*, *read*.
    Past,
    /// *hat schon gelesen*, *has already read*.
    Perfect,
    /// *liest morgen* or *wird lesen*, *will read*.
    Future,
    /// *wohnt seit drei Jahren*, *has lived for three years*.
    Since,
    /// *hatte gelesen*, *had read*.
    Before,
    /// *las* as background, *was reading*.
    Background,
}

impl Frame {
    /// The name by which adverbs know it.
    pub fn name(self) -> &'static str {
        match self {
            Frame::Now => "now",
            Frame::Habit => "habit",
            Frame::Past | Frame::Background => "past",
            Frame::Perfect => "perfect",
            Frame::Future => "future",
            Frame::Since | Frame::Before => "none",
        }
    }

    /// Whether a verb can be said in this frame, with a modal or without.
    pub fn admits(self, verb: &Verb, modal: bool) -> bool {
        let stative = verb.has("stative");
        if modal && stative {
            return false;
        }
        match self {
            Frame::Now => modal || !verb.has("brief"),
            Frame::Habit => !verb.has("once"),
            Frame::Past => true,
            Frame::Perfect | Frame::Future | Frame::Before => !stative && !verb.has("exist"),
            Frame::Background => !stative && !verb.has("brief"),
            Frame::Since => verb.has("lasting"),
        }
    }
}

impl Planner<'_> {
    /// A frame for a main clause.
    pub(super) fn frame(&mut self) -> Frame {
        let frames = [
            (3.5, Frame::Past),
            (1.6, Frame::Now),
            (1.3, Frame::Habit),
            (1.5, Frame::Perfect),
            (1.2, Frame::Future),
            (0.4, Frame::Since),
        ];
        self.rng.weighted(&frames).unwrap_or(Frame::Past)
    }

    /// Tenses for a clause; `dated` if a word says that it is to come.
    pub(super) fn set_tense(&mut self, clause: &mut Clause, frame: Frame, dated: bool) {
        let stative = clause.verb().is_none_or(|verb| verb.has("stative") || verb.has("exist"));
        (clause.tense, clause.english_tense) = match frame {
            Frame::Now if stative => (Tense::Present, EnglishTense::Present),
            Frame::Now => (Tense::Present, EnglishTense::Progressive),
            Frame::Habit => (Tense::Present, EnglishTense::Present),
            Frame::Past => (self.past(clause), EnglishTense::Past),
            Frame::Background => (self.past(clause), EnglishTense::PastProgressive),
            Frame::Perfect => (Tense::Perfect, EnglishTense::Perfect),
            Frame::Before => (Tense::Pluperfect, EnglishTense::PastPerfect),
            Frame::Future if dated && self.rng.chance(0.5) => (Tense::Present, EnglishTense::Will),
            Frame::Future => (Tense::Future, EnglishTense::Will),
            Frame::Since if stative => (Tense::Present, EnglishTense::Perfect),
            Frame::Since => (Tense::Present, EnglishTense::PerfectProgressive),
        };
        if clause.modal.is_some() {
            self.set_modal_tense(clause, frame);
        }
    }

    fn set_modal_tense(&mut self, clause: &mut Clause, frame: Frame) {
        let past = matches!(frame, Frame::Past | Frame::Background);
        clause.english_tense = if past { EnglishTense::Past } else { EnglishTense::Present };
        // *hat lesen müssen*: a cluster of three at the end of a subordinate clause.
        clause.tense = match past {
            true if self.chance(0.02, 0.3) => Tense::Perfect,
            true => Tense::Past,
            false => Tense::Present,
        };
    }

    /// Preterite or perfect; spoken to *du* and *ihr* it is the perfect, of *sein* the preterite.
    fn past(&mut self, clause: &Clause) -> Tense {
        let plain = match clause.predicate {
            Predicate::Verb(verb) => {
                verb.has("exist")
                    || matches!(verb.german.infinitive, "haben" | "wissen" | "kennen" | "mögen")
            }
            _ => true,
        };
        let second = clause.agreement.person == Person::Second;
        match plain || !second && !self.spoken {
            true => Tense::Past,
            false => Tense::Perfect,
        }
    }
}
