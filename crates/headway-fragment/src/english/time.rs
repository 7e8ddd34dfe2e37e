//! Phrases of time.

use super::English;
use crate::meaning::{Id, Numeral, Part, Unit};
use crate::time::{Calendar, TimePhrase};
use crate::words::{Node, Phrase};

impl English {
    /// The phrase and its label.
    pub(super) fn time(&mut self, id: Id, time: &TimePhrase) -> (Phrase, &'static str) {
        match *time {
            TimePhrase::Day(entry) => (self.dated("on", id, entry), "obl"),
            TimePhrase::Month(entry) | TimePhrase::Season(entry) => {
                (self.dated("in", id, entry), "obl")
            }
            TimePhrase::PartOfDay(entry) => (self.part_of_day(id, entry), "obl"),
            TimePhrase::Every(unit) => (self.unit_phrase(id, unit, "every"), "obl:tmod"),
            TimePhrase::Last(unit) => (self.unit_phrase(id, unit, "last"), "obl:tmod"),
            TimePhrase::Next(unit) => (self.unit_phrase(id, unit, "next"), "obl:tmod"),
            TimePhrase::Ago(numeral, unit) => (self.ago(id, numeral, unit), "advmod"),
            TimePhrase::Since(numeral, unit) | TimePhrase::For(numeral, unit) => {
                let mut built = self.measure(id, numeral, unit);
                let nodes = self.preposition(id, "for", built.head);
                built.prepend(nodes);
                (built, "obl")
            }
            TimePhrase::Clock(numeral) => (self.clock(id, numeral), "obl"),
            TimePhrase::Year(year) => (self.year(id, year), "obl"),
        }
    }

    fn calendar_noun(&mut self, id: Id, word: &'static str) -> Node {
        let capital = word.starts_with(|letter: char| letter.is_uppercase());
        let tag = if capital { ("PROPN", "NNP") } else { ("NOUN", "NN") };
        let node = self.words.add(word, word, tag, "Number=Sing");
        self.words.link(node, id, Part::Head)
    }

    fn dated(&mut self, preposition: &'static str, id: Id, entry: &Calendar) -> Phrase {
        let noun = self.calendar_noun(id, entry.english);
        let mut built = Phrase::of(noun);
        let nodes = self.preposition(id, preposition, noun);
        built.prepend(nodes);
        built
    }

    fn part_of_day(&mut self, id: Id, entry: &Calendar) -> Phrase {
        let noun = self.calendar_noun(id, entry.english);
        let article = self.plain_determiner("the", id, noun);
        let mut built = Phrase::of(noun);
        built.prepend([article]);
        let nodes = self.preposition(id, "in", noun);
        built.prepend(nodes);
        built
    }

    fn unit_phrase(&mut self, id: Id, unit: Unit, word: &'static str) -> Phrase {
        let noun = self.calendar_noun(id, unit.english());
        let before = if word == "every" {
            self.plain_determiner("every", id, noun)
        } else {
            let node = self.words.add(word, word, ("ADJ", "JJ"), "Degree=Pos");
            self.words.link(node, id, Part::Determiner);
            self.words.attach(node, noun, "amod")
        };
        Phrase { head: noun, order: vec![before, noun], later: Vec::new() }
    }

    /// *three years*.
    pub(super) fn measure(&mut self, id: Id, numeral: Numeral, unit: Unit) -> Phrase {
        let noun =
            self.words.add(unit.english_plural(), unit.english(), ("NOUN", "NNS"), "Number=Plur");
        self.words.link(noun, id, Part::Unit);
        let count = self.numeral(numeral, id, noun);
        Phrase { head: noun, order: vec![count, noun], later: Vec::new() }
    }

    fn ago(&mut self, id: Id, numeral: Numeral, unit: Unit) -> Phrase {
        let measure = self.measure(id, numeral, unit);
        let ago = self.words.add("ago", "ago", ("ADV", "RB"), "_");
        self.words.link(ago, id, Part::Preposition);
        self.words.attach(measure.head, ago, "obl:npmod");
        let mut built = Phrase::of(ago);
        built.prepend(measure.order);
        built
    }

    fn clock(&mut self, id: Id, numeral: Numeral) -> Phrase {
        let form = numeral.english();
        let head = self.words.add(form.clone(), form, ("NUM", "CD"), "NumType=Card");
        self.words.link(head, id, Part::Numeral);
        let clock = self.words.add("o'clock", "o'clock", ("ADV", "RB"), "_");
        self.words.link(clock, id, Part::Unit);
        self.words.attach(clock, head, "advmod");
        let mut built = Phrase::of(head);
        built.order.push(clock);
        let nodes = self.preposition(id, "at", head);
        built.prepend(nodes);
        built
    }

    fn year(&mut self, id: Id, year: usize) -> Phrase {
        let digits = year.to_string();
        let head = self.words.add(digits.clone(), digits, ("NUM", "CD"), "NumType=Card");
        self.words.link(head, id, Part::Numeral);
        let mut built = Phrase::of(head);
        let nodes = self.preposition(id, "in", head);
        built.prepend(nodes);
        built
    }
}
