//! Phrases of time.

use super::adjective::{Declension, attributive};
use super::article::{contraction, der_word};
use super::{German, Slot};
use crate::features::{Case, Gender, Number};
use crate::meaning::{Id, Numeral, Part, Unit};
use crate::time::{Calendar, TimePhrase};
use crate::words::{Node, Phrase};

impl German {
    /// The phrase and its label.
    pub(super) fn time(&mut self, id: Id, time: &TimePhrase) -> (Phrase, &'static str) {
        match *time {
            TimePhrase::Day(entry) | TimePhrase::PartOfDay(entry) => {
                (self.dated("an", id, entry), "obl")
            }
            TimePhrase::Month(entry) | TimePhrase::Season(entry) => {
                (self.dated("in", id, entry), "obl")
            }
            TimePhrase::Every(unit) => (self.unit_phrase(id, unit, "jed"), "obl:tmod"),
            TimePhrase::Last(unit) => (self.unit_phrase(id, unit, "letzt"), "obl:tmod"),
            TimePhrase::Next(unit) => (self.unit_phrase(id, unit, "nächst"), "obl:tmod"),
            TimePhrase::Ago(numeral, unit) => (self.counted("vor", id, numeral, unit), "obl"),
            TimePhrase::Since(numeral, unit) => (self.counted("seit", id, numeral, unit), "obl"),
            TimePhrase::Clock(numeral) => (self.clock(id, numeral), "obl"),
            TimePhrase::Year(year) => (self.year(id, year), "obl"),
            TimePhrase::For(numeral, unit) => (self.lasting(id, numeral, unit), "advmod"),
        }
    }

    fn calendar_noun(&mut self, id: Id, form: &'static str, slot: Slot) -> Node {
        let node = self.words.add(form, form, ("NOUN", "NN"), slot.feats());
        self.words.link(node, id, Part::Head)
    }

    /// *am Montag*, *im Mai*.
    fn dated(&mut self, preposition: &'static str, id: Id, entry: &Calendar) -> Phrase {
        let slot = Slot { gender: entry.gender, number: Number::Singular, case: Case::Dative };
        let noun = self.calendar_noun(id, entry.german, slot);
        let form = contraction(preposition, slot).unwrap_or(preposition);
        let node = self.merged(form, preposition, slot, noun);
        self.words.link(node, id, Part::Preposition);
        self.words.link(node, id, Part::Determiner);
        Phrase { head: noun, order: vec![node, noun], later: Vec::new() }
    }

    /// *jeden Tag*, *letzte Woche*, *nächstes Jahr*.
    fn unit_phrase(&mut self, id: Id, unit: Unit, stem: &'static str) -> Phrase {
        let (form, gender) = unit.german();
        let slot = Slot { gender, number: Number::Singular, case: Case::Accusative };
        let noun = self.calendar_noun(id, form, slot);
        let before = if stem == "jed" {
            let feats = format!("{}|PronType=Tot", slot.feats());
            let node = self.words.add(der_word(stem, slot), "jeder", ("DET", "PIAT"), feats);
            self.words.attach(node, noun, "det")
        } else {
            let form = attributive(stem, Declension::Strong, slot);
            let node = self.words.add(form, stem, ("ADJ", "ADJA"), slot.feats());
            self.words.attach(node, noun, "amod")
        };
        self.words.link(before, id, Part::Determiner);
        Phrase { head: noun, order: vec![before, noun], later: Vec::new() }
    }

    /// *drei Jahre*, in a case; *ein* agrees.
    pub(super) fn measure(&mut self, id: Id, numeral: Numeral, unit: Unit, case: Case) -> Phrase {
        let (singular, gender) = unit.german();
        let one = matches!(numeral, Numeral::Words(1) | Numeral::Digits(1));
        let number = if one { Number::Singular } else { Number::Plural };
        let slot = Slot { gender, number, case };
        let form = if one { singular } else { unit.german_plural(case == Case::Dative) };
        let noun = self.words.add(form, singular, ("NOUN", "NN"), slot.feats());
        self.words.link(noun, id, Part::Unit);
        let count = self.numeral(numeral, id, noun);
        Phrase { head: noun, order: vec![count, noun], later: Vec::new() }
    }

    /// *vor zwei Jahren*, *seit drei Tagen*.
    fn counted(
        &mut self,
        preposition: &'static str,
        id: Id,
        numeral: Numeral,
        unit: Unit,
    ) -> Phrase {
        let mut built = self.measure(id, numeral, unit, Case::Dative);
        let node = self.words.add(preposition, preposition, ("ADP", "APPR"), "_");
        self.words.link(node, id, Part::Preposition);
        self.words.attach(node, built.head, "case");
        built.prepend([node]);
        built
    }

    /// *um acht Uhr*.
    fn clock(&mut self, id: Id, numeral: Numeral) -> Phrase {
        let slot =
            Slot { gender: Gender::Feminine, number: Number::Singular, case: Case::Accusative };
        let noun = self.words.add("Uhr", "Uhr", ("NOUN", "NN"), slot.feats());
        self.words.link(noun, id, Part::Unit);
        let count = self.numeral(numeral, id, noun);
        let node = self.words.add("um", "um", ("ADP", "APPR"), "_");
        self.words.link(node, id, Part::Preposition);
        self.words.attach(node, noun, "case");
        Phrase { head: noun, order: vec![node, count, noun], later: Vec::new() }
    }

    /// *im Jahr 1998*.
    fn year(&mut self, id: Id, year: usize) -> Phrase {
        let slot = Slot { gender: Gender::Neuter, number: Number::Singular, case: Case::Dative };
        let noun = self.words.add("Jahr", "Jahr", ("NOUN", "NN"), slot.feats());
        self.words.link(noun, id, Part::Unit);
        let node = self.merged("im", "in", slot, noun);
        self.words.link(node, id, Part::Preposition);
        let digits = year.to_string();
        let digits = self.words.add(digits.clone(), digits, ("NUM", "CARD"), "NumType=Card");
        self.words.link(digits, id, Part::Numeral);
        self.words.attach(digits, noun, "nmod");
        Phrase { head: noun, order: vec![node, noun, digits], later: Vec::new() }
    }

    /// *zwei Stunden lang*.
    fn lasting(&mut self, id: Id, numeral: Numeral, unit: Unit) -> Phrase {
        let measure = self.measure(id, numeral, unit, Case::Accusative);
        let lang = self.words.add("lang", "lang", ("ADV", "ADJD"), "Degree=Pos");
        self.words.link(lang, id, Part::Preposition);
        self.words.attach(measure.head, lang, "obl");
        let mut built = Phrase::of(lang);
        built.prepend(measure.order);
        built
    }
}
