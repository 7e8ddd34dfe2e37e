//! What a model remembers of the words before.

use std::hash::{Hash, Hasher};

use crate::lm::MAX_ORDER;

/// The context of the next word: the longest ending of what came before on which any next
/// word can depend. Contexts that score everything alike are equal.
///
/// It holds where the contexts of each length lie in the model and what backing off from
/// them costs, so that the next look-ups need nothing else. States belong to their model.
#[derive(Debug, Clone, Copy, Default)]
pub struct State {
    pub(super) length: u8,
    pub(super) places: [u32; MAX_ORDER - 1],
    pub(super) backoffs: [f32; MAX_ORDER - 1],
}

impl State {
    /// How many words it remembers.
    pub fn len(&self) -> usize {
        usize::from(self.length)
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Where the context of `index` + 1 words lies.
    pub(in crate::lm) fn place(&self, index: usize) -> u32 {
        self.places[index]
    }

    /// The place of the longest context stands for all its words.
    fn identity(&self) -> (u8, u32) {
        match self.length {
            0 => (0, 0),
            length => (length, self.places[usize::from(length) - 1]),
        }
    }

    /// log10 of the cost of backing off from all contexts longer than `length`.
    pub(super) fn backoff_beyond(&self, length: usize) -> f32 {
        let end = self.len();
        self.backoffs[length.min(end)..end].iter().sum()
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.identity().hash(hasher);
    }
}
