//! What may stand for a source phrase, with all that can be scored before search.

use smallvec::SmallVec;

use super::constraint::Forced;
use super::local;
use super::model::Model;
use super::reordering::{ORIENTATIONS, Oriented};
use super::settings::{Orienting, Search, UnknownWords};
use crate::WordId;
use crate::lm::{ChartState, Piece};
use crate::table::{Rule, Symbol};

/// What stands for source words without a rule of the table: words by their spelling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spelled {
    /// What became of an unknown word; none if a constraint says what stands for the words.
    pub unknown: Option<UnknownWords>,
    /// None if an unknown word was dropped.
    pub words: Vec<String>,
}

impl Spelled {
    pub fn unknown(treatment: UnknownWords, word: &str) -> Self {
        let shown = match treatment {
            UnknownWords::Copy => Some(word.to_string()),
            UnknownWords::Drop => None,
            UnknownWords::Mark => Some(format!("UNK:{word}")),
        };
        Spelled { unknown: Some(treatment), words: shown.into_iter().collect() }
    }

    pub fn forced(words: &[String]) -> Self {
        Spelled { unknown: None, words: words.to_vec() }
    }
}

/// Links of source words and target words of which it is not known what stands for what: along
/// the diagonal, so that each word has one. Places beyond what a rule counts have none.
pub fn diagonal(source: usize, target: usize) -> SmallVec<[(u8, u8); 6]> {
    let of_target = (0..target).map(|place| (place * source / target, place));
    let of_source =
        (0..source).filter(|_| target > 0).map(|place| (place, place * target / source));
    let mut links: Vec<(usize, usize)> = of_target.chain(of_source).collect();
    links.sort_unstable();
    links.dedup();
    let small = |(one, other)| Some((u8::try_from(one).ok()?, u8::try_from(other).ok()?));
    links.into_iter().filter_map(small).collect()
}

/// One option, prepared under a model.
#[derive(Debug, Clone)]
pub struct Phrase {
    /// Words of the table's target side; empty for what is spelled.
    pub target: SmallVec<[WordId; 6]>,
    pub links: SmallVec<[(u8, u8); 6]>,
    /// The table's features as the model sees them, then those added.
    pub values: Box<[f32]>,
    pub spelled: Option<Box<Spelled>>,
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
        let values = vec![0.0; local::value_count(model)];
        Phrase::of_spelled(model, search, Spelled::unknown(search.unknown, word), 1, values)
    }

    /// What a constraint puts in place of so many source words.
    pub fn of_forced(model: &Model, search: &Search, forced: &Forced) -> Self {
        let values = local::forced_values(model, forced.score);
        let source = forced.span.len();
        Phrase::of_spelled(model, search, Spelled::forced(&forced.target), source, values)
    }

    fn of_spelled(
        model: &Model,
        search: &Search,
        spelled: Spelled,
        source: usize,
        values: Vec<f32>,
    ) -> Self {
        let mut phrase = Phrase::new(values);
        phrase.links = diagonal(source, spelled.words.len());
        let words = spelled.words.clone();
        phrase.spelled = Some(Box::new(spelled));
        phrase.prepare(model, search, words.len(), |lm, place| {
            model.lms()[lm].1.word_id(&words[place])
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
            spelled: None,
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
        self.local = local::weighted(model, &self.values, words, self.is_unknown());
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

    /// The words that stand for it by their spelling; none of a rule of the table.
    #[inline]
    pub fn spelled(&self) -> &[String] {
        self.spelled.as_ref().map_or(&[], |spelled| &spelled.words)
    }

    /// Whether it is a word without a rule of its own.
    pub fn is_unknown(&self) -> bool {
        self.spelled.as_ref().is_some_and(|spelled| spelled.unknown.is_some())
    }

    /// Target words as text.
    pub fn words<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = &'a str> {
        let spelled = self.spelled().iter().map(String::as_str);
        self.target.iter().map(|&word| spelling(model, word)).chain(spelled)
    }

    /// How many target words it has.
    pub fn len(&self) -> usize {
        self.target.len() + self.spelled().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds the values of all features that need no context.
    pub fn add_local(&self, model: &Model, values: &mut [f64]) {
        local::add(model, &self.values, self.len(), self.is_unknown(), values);
    }
}

fn spelling(model: &Model, word: WordId) -> &str {
    model.table().target().word(word).unwrap_or_default()
}
