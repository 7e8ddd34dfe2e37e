//! The German side: forms of words, then their order and their tree.

mod adjective;
mod article;
mod clause;
mod complement;
mod determiner;
mod noun;
mod phrase;
mod pronoun;
mod time;
mod verb;
mod verbs;

pub use verb::{GermanVerb, Parts, irregular};

use super::features::{Case, Gender, Number};
use super::meaning::{Id, Joint, Mood, Part, Utterance};
use super::words::{Node, Phrase, Tag, Token, Words};
use clause::Shape;

/// The cell of a paradigm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    pub gender: Gender,
    pub number: Number,
    pub case: Case,
}

impl Slot {
    fn feats(self) -> String {
        let (case, gender) = (self.case.feature(), self.gender.feature());
        format!("Case={case}|Gender={gender}|Number={}", self.number.feature())
    }
}

const COMMA: Tag = ("PUNCT", "$,");

/// A German sentence being built.
#[derive(Debug, Default)]
pub struct German {
    words: Words,
}

impl German {
    pub fn sentence(utterance: &Utterance) -> Vec<Token> {
        let mut german = German::default();
        let clause = &utterance.clause;
        let (shape, mark) = match (utterance.mood, clause.moved) {
            (Mood::Statement, _) => (Shape::Second, "."),
            (Mood::Question, Some(_)) => (Shape::Second, "?"),
            (Mood::Question, None) => (Shape::First, "?"),
        };
        let mut phrase = german.joined_clauses(clause, shape);
        let stop = german.words.add(mark, mark, ("PUNCT", "$."), "_");
        german.words.glue(stop);
        german.words.attach(stop, phrase.head, "punct");
        german.words.link(stop, utterance.id, Part::Stop);
        phrase.order.push(stop);
        german.words.finish(&phrase.order)
    }

    /// *und*, *aber* … before what it joins on.
    fn conjunction(&mut self, joint: Joint, id: Id, head: Node) -> Node {
        let word = match joint {
            Joint::And => "und",
            Joint::But => "aber",
        };
        let node = self.words.add(word, word, ("CCONJ", "KON"), "_");
        self.words.link(node, id, Part::Conjunction);
        self.words.attach(node, head, "cc")
    }

    fn comma(&mut self, head: Node, id: Id, part: Part) -> Node {
        self.words.comma(head, COMMA, id, part)
    }

    /// A clause between commas.
    fn set_off(&mut self, id: Id, phrase: &mut Phrase) {
        let before = self.comma(phrase.head, id, Part::CommaBefore);
        let after = self.comma(phrase.head, id, Part::CommaAfter);
        phrase.order.insert(0, before);
        phrase.order.push(after);
    }
}
