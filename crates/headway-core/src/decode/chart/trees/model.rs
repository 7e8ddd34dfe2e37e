//! Target structures in search: what the dependency model and labels say of them.
//!
//! Shen, Xu and Weischedel (2010), §5.4 to §5.6. A structure is built by joining; where a join
//! is undefined, or a rule has no structure, the null structure stands, and each word that is
//! left without a head pays.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use crate::WordId;
use crate::deplm::{DependencyModel, Structure};
use crate::table::{GENERIC_LABEL, RuleTable};
use crate::tree::structure::Operation;

/// The label that fits nothing, in search.
pub const GENERIC: u32 = 0;

/// A target structure as search sees it; equal ones have equal futures.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Piece {
    /// None is the null structure.
    pub structure: Option<Structure>,
    pub label: u32,
    /// Words whose head is not there yet.
    pub open: u32,
}

/// What a step of a derivation adds to the features of trees.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Gain {
    pub log_prob: f32,
    pub ill_formed: u32,
    pub unmatched: u32,
}

impl std::ops::AddAssign for Gain {
    fn add_assign(&mut self, other: Gain) {
        self.log_prob += other.log_prob;
        self.ill_formed += other.ill_formed;
        self.unmatched += other.unmatched;
    }
}

impl Gain {
    /// The weighted sum; without a weight for labels they do not count.
    #[inline]
    pub fn weighted(self, weights: &[f32]) -> f32 {
        let unmatched = weights.get(2).copied().unwrap_or(0.0);
        weights[0] * self.log_prob
            + weights[1] * self.ill_formed as f32
            + unmatched * self.unmatched as f32
    }

    /// Adds the values, one for each name.
    pub fn add(self, values: &mut [f64]) {
        let own = [f64::from(self.log_prob), self.ill_formed.into(), self.unmatched.into()];
        values.iter_mut().zip(own).for_each(|(value, own)| *value += own);
    }
}

/// The dependency model, for the target sides of a table.
pub struct TreeModel {
    model: Arc<DependencyModel>,
    /// Whether the table has labels, so that these count.
    pub labelled: bool,
    /// The table's number of the generic label.
    generic: Option<WordId>,
    /// Numbers of the table's target words, once they were needed.
    words: Vec<AtomicU32>,
}

const UNSEEN: u32 = u32::MAX;

impl TreeModel {
    pub fn new(model: Arc<DependencyModel>, table: &RuleTable) -> Self {
        let generic = table.labels().get(GENERIC_LABEL);
        TreeModel {
            model,
            labelled: table.labels().len() > usize::from(generic.is_some()),
            generic,
            words: (0..table.target().len()).map(|_| AtomicU32::new(UNSEEN)).collect(),
        }
    }

    /// A label of the table as search numbers it.
    pub fn label(&self, label: WordId) -> u32 {
        if self.generic == Some(label) { GENERIC } else { label.0 + 1 }
    }

    /// A target word of the table without children.
    pub fn leaf(&self, table: &RuleTable, word: WordId, label: u32) -> Piece {
        let place = self.words.get(word.index());
        let known = place.map_or(UNSEEN, |place| place.load(Relaxed));
        if known != UNSEEN {
            return self.leaf_of(WordId(known), label);
        }
        let id = self.model.word(table.target().word(word).unwrap_or_default());
        place.into_iter().for_each(|place| place.store(id.0, Relaxed));
        self.leaf_of(id, label)
    }

    /// A word that the table does not have.
    pub fn unknown(&self, word: &str) -> Piece {
        self.leaf_of(self.model.word(word), GENERIC)
    }

    fn leaf_of(&self, word: WordId, label: u32) -> Piece {
        Piece { structure: Some(self.model.leaf(word)), label, open: 1 }
    }

    /// Joins two neighbours. With a null structure all operations are defined and leave the
    /// other one as it is.
    pub fn join(&self, operation: Operation, first: &Piece, second: &Piece) -> (Piece, Gain) {
        let (Some(one), Some(two)) = (&first.structure, &second.structure) else {
            let left = if first.structure.is_some() { first } else { second };
            return (left.clone(), Gain::default());
        };
        let Some((structure, log_prob)) = self.model.combine(operation, one, two) else {
            let (one, two) = (self.drop(first), self.drop(second));
            let ill_formed = one.ill_formed + two.ill_formed;
            return (Piece::default(), Gain { ill_formed, ..Gain::default() });
        };
        let (label, open) = match operation {
            Operation::LeftAdjoin => (second.label, 1),
            Operation::RightAdjoin => (first.label, 1),
            _ => (GENERIC, first.open + second.open),
        };
        let piece = Piece { structure: Some(structure), label, open };
        (piece, Gain { log_prob: log_prob as f32, ..Gain::default() })
    }

    /// What it costs to make a structure the null one: its open words find no head.
    pub fn drop(&self, piece: &Piece) -> Gain {
        Gain { ill_formed: piece.open, ..Gain::default() }
    }

    /// What a structure is worth as the tree of a sentence: its root, if it has a single one.
    pub fn finish(&self, piece: &Piece) -> Gain {
        let Some(structure) = &piece.structure else { return Gain::default() };
        match self.model.finish(structure) {
            Some(log_prob) => Gain { log_prob: log_prob as f32, ..Gain::default() },
            None => self.drop(piece),
        }
    }

    /// Whether a structure with one label in a slot with the other counts as unmatched.
    #[inline]
    pub fn is_unmatched(&self, slot: u32, label: u32) -> bool {
        self.labelled && (slot != label || label == GENERIC)
    }

    /// What the open words will probably add to the logarithm of the probability.
    pub fn outlook(&self, piece: &Piece) -> f32 {
        piece.structure.as_ref().map_or(0.0, |it| self.model.outlook(it)) as f32
    }
}
