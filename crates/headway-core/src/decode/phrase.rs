//! What may stand for a source phrase, with all that can be scored before search.

use smallvec::SmallVec;

use super::local;
use super::model::Model;
use super::reordering::{ORIENTATIONS, Oriented};
use super::settings::{Orienting, Search, UnknownWords};
use crate::WordId;
use crate::lm::{ChartState, Piece};
use crate::table::{Rule, Symbol};

/// A word without a rule of its own, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    pub treatment: UnknownWords,
    /// What stands in the translation; none if it was dropped.
    pub word: Option<String>,
}

impl Unknown {
    pub fn new(treatment: UnknownWords, word: &str) -> Self {
        let shown = match treatment {
            UnknownWords::Copy => Some(word.to_string()),
            UnknownWords::Drop => None,
            UnknownWords::Mark => Some(format!("UNK:{word}")),
        };
        Unknown { treatment, word: shown }
    }
}

/// One option, prepared under a model.
#[derive(Debug, Clone)]
pub struct Phrase {
    /// Words of the table's target side; empty for unknown words.
    pub target: SmallVec<[WordId; 6]>,
    pub links: SmallVec<[(u8, u8); 6]>,
    /// The table's features as the model sees them, then those added.
    pub values: Box<[f32]>,
    pub unknown: Option<Box<Unknown>>,
    /// Its place among the rules of its source side.
    pub place: u32,
    /// Weighted: what is its own; the same with language models, without context.
    pub local: f32,
    pub estimate: f32,
    /// Weighted: what language models would add if they found its first words, which lack
    /// context here, certain once they see what stands before.
    pub slack: f32,
    /// Weighted reordering scores by orientation, if phrases decide it.
    pub backward: [f32; ORIENTATIONS],
    pub forward: [f32; ORIENTATIONS],
    /// For each language model, both ends of its words.
    pub parts: SmallVec<[ChartState; 1]>,
    /// A hash of the forward scores.
    pub forward_key: u64,
}

impl Phrase {
    /// The option that a rule is, with the values of added features.
    pub fn of_rule(model: &Model, search: &Search, rule: &Rule, place: u32, added: &[f32]) -> Self {
        let words = rule.target.iter().filter_map(|symbol| match symbol {
            Symbol::Word(word) => Some(*word),
            Symbol::Slot(_) => None,
        });
        let target: SmallVec<[WordId; 6]> = words.collect();
        let values = local::values_of(model, rule, added);
        let mut phrase = Phrase::new(values);
        phrase.links = rule.links.iter().copied().collect();
        phrase.place = place;
        phrase.prepare(model, search, target.len(), |lm, place| model.lm_word(lm, target[place]));
        phrase.target = target;
        phrase
    }

    /// The fallback for a word.
    pub fn of_unknown(model: &Model, search: &Search, word: &str) -> Self {
        let unknown = Unknown::new(search.unknown, word);
        let shown = unknown.word.clone();
        let mut phrase = Phrase::new(vec![0.0; local::value_count(model)]);
        if shown.is_some() {
            phrase.links.push((0, 0));
        }
        phrase.unknown = Some(Box::new(unknown));
        phrase.prepare(model, search, phrase.links.len(), |lm, _| {
            model.lms()[lm].1.word_id(shown.as_deref().unwrap_or_default())
        });
        phrase
    }

    /// Of no words, for tests.
    #[cfg(test)]
    pub fn empty() -> Self {
        Phrase::new(Vec::new())
    }

    fn new(values: Vec<f32>) -> Self {
        Phrase {
            target: SmallVec::new(),
            links: SmallVec::new(),
            values: values.into(),
            unknown: None,
            place: u32::MAX,
            local: 0.0,
            estimate: 0.0,
            slack: 0.0,
            backward: [0.0; ORIENTATIONS],
            forward: [0.0; ORIENTATIONS],
            parts: SmallVec::new(),
            forward_key: 0,
        }
    }

    /// Scores all that needs no context.
    fn prepare(
        &mut self,
        model: &Model,
        search: &Search,
        words: usize,
        id: impl Fn(usize, usize) -> WordId,
    ) {
        let (weights, columns) = (model.weights(), model.columns());
        self.local = local::weighted(model, &self.values, words, self.unknown.is_some());
        self.estimate = self.local;
        for (index, (_, lm)) in model.lms().iter().enumerate() {
            let pieces = (0..words).map(|place| Piece::Word(id(index, place)));
            let (part, log_prob) = lm.join(pieces);
            self.estimate += weights[columns.lms + index] * log_prob as f32;
            self.slack -= weights[columns.lms + index] * part.left_log_prob();
            self.parts.push(part);
        }
        let reordering = model.reordering();
        if search.orienting == Orienting::Phrase {
            self.backward = self.oriented(model, reordering.backward);
            self.forward = self.oriented(model, reordering.forward);
        }
        self.forward_key = self.hash_of(reordering.forward);
    }

    fn oriented(&self, model: &Model, columns: Option<Oriented>) -> [f32; ORIENTATIONS] {
        let weighted = |column: usize| self.values[column] * model.weights()[column];
        columns.map_or([0.0; ORIENTATIONS], |columns| columns.map(weighted))
    }

    fn hash_of(&self, columns: Option<Oriented>) -> u64 {
        let columns = columns.into_iter().flatten();
        columns.fold(0, |hash: u64, column| {
            (hash.rotate_left(5) ^ u64::from(self.values[column].to_bits()))
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        })
    }

    /// Whether the next phrase cannot tell the two apart by their forward scores.
    pub fn same_forward(&self, other: &Phrase, columns: Option<Oriented>) -> bool {
        let mut columns = columns.into_iter().flatten();
        self.forward_key == other.forward_key
            && columns.all(|column| self.values[column].to_bits() == other.values[column].to_bits())
    }

    /// Target words as text.
    pub fn words<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = &'a str> {
        let unknown = self.unknown.iter().filter_map(|unknown| unknown.word.as_deref());
        self.target.iter().map(|&word| spelling(model, word)).chain(unknown)
    }

    /// How many target words it has.
    pub fn len(&self) -> usize {
        let unknown = self.unknown.as_ref().and_then(|unknown| unknown.word.as_ref());
        self.target.len() + usize::from(unknown.is_some())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the values of all features that need no context.
    pub fn add_local(&self, model: &Model, values: &mut [f64]) {
        local::add(model, &self.values, self.len(), self.unknown.is_some(), values);
    }
}

fn spelling(model: &Model, word: WordId) -> &str {
    model.table().target().word(word).unwrap_or_default()
}
