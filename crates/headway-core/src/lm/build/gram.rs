//! An n-gram on its way into a binary model, and how its two values are stored.

use bytemuck::{Pod, Zeroable};

use crate::WordId;
use crate::lm::{Entry, MAX_ORDER, MOST_LOG10};

/// The words of an n-gram, padded with 0. Among n-grams of one length they sort as their
/// words do, so that those with a common context stand together.
pub(in crate::lm) type Words = [u32; MAX_ORDER];

#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
pub(in crate::lm) struct Gram {
    pub words: Words,
    pub values: Values,
}

impl Gram {
    pub fn new(words: &[WordId], entry: Entry) -> Self {
        let mut padded = [0; MAX_ORDER];
        padded.iter_mut().zip(words).for_each(|(id, word)| *id = word.0);
        Gram { words: padded, values: Values::new(entry) }
    }

    /// An n-gram that no source states, but longer ones need: it scores as its parts do.
    pub fn blank(words: Words) -> Self {
        Gram { words, values: Values { prob: BLANK, backoff: NO_EXTENSION } }
    }
}

/// Probability and back-off as binary models store them: the bits of the two `f32`, where the
/// sign of the probability (none is above 0) says whether a longer n-gram ends in this one,
/// and a back-off of -0 that nothing follows from this context.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
pub struct Values {
    pub(crate) prob: u32,
    pub(crate) backoff: u32,
}

pub(crate) const EXTENDS_LEFT: u32 = 1 << 31;
/// A probability that is none.
pub(super) const BLANK: u32 = 0x7fc0_0000;
/// -0.0
pub(crate) const NO_EXTENSION: u32 = 1 << 31;

impl Values {
    fn new(entry: Entry) -> Self {
        let prob = entry.log10_prob.to_bits() & !EXTENDS_LEFT;
        let backoff =
            if entry.log10_backoff == 0.0 { NO_EXTENSION } else { entry.log10_backoff.to_bits() };
        Values { prob, backoff }
    }

    /// The values of a word that the model does not know.
    pub(crate) fn unknown(log10_prob: f32) -> Self {
        Values::new(Entry { log10_prob, log10_backoff: 0.0 })
    }

    pub(super) fn extended(mut self, left: bool, right: bool) -> Self {
        if left {
            self.prob |= EXTENDS_LEFT;
        }
        if right && self.backoff == NO_EXTENSION {
            self.backoff = 0;
        }
        self
    }

    /// What a source states of the n-gram; None if no source has it.
    pub fn entry(self) -> Option<Entry> {
        let log10_backoff = f32::from_bits(self.backoff) + 0.0;
        (!self.is_blank()).then(|| Entry { log10_prob: self.log10_prob(), log10_backoff })
    }

    /// Whether both are numbers within range; a damaged file may hold anything.
    pub(crate) fn are_sound(self) -> bool {
        is_sound_prob(self.prob) && is_sound_backoff(self.backoff)
    }

    /// NaN if blank.
    #[inline]
    pub fn log10_prob(self) -> f32 {
        0.0 - f32::from_bits(self.prob & !EXTENDS_LEFT)
    }

    #[inline]
    pub fn log10_backoff(self) -> f32 {
        f32::from_bits(self.backoff)
    }

    #[inline]
    pub fn is_blank(self) -> bool {
        self.prob & !EXTENDS_LEFT == BLANK
    }

    /// Whether some longer n-gram ends in this one.
    #[inline]
    pub fn extends_left(self) -> bool {
        self.prob & EXTENDS_LEFT != 0
    }

    /// Whether what follows can depend on this n-gram as its context.
    #[inline]
    pub fn extends_right(self) -> bool {
        self.backoff != NO_EXTENSION
    }
}

/// Whether these are the bits of a probability, marked or not.
pub(crate) fn is_sound_prob(prob: u32) -> bool {
    f32::from_bits(prob & !EXTENDS_LEFT) <= MOST_LOG10
}

/// The same, or no probability at all.
pub(crate) fn is_sound_code(prob: u32) -> bool {
    prob == BLANK || is_sound_prob(prob)
}

pub(crate) fn is_sound_backoff(backoff: u32) -> bool {
    f32::from_bits(backoff).abs() <= MOST_LOG10
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_keep_what_was_stated_beside_the_marks() {
        for (log10_prob, log10_backoff) in [(-1.25, 0.5), (0.0, 0.0), (-99.0, -0.1)] {
            for (left, right) in [(false, false), (false, true), (true, false), (true, true)] {
                let entry = Entry { log10_prob, log10_backoff };
                let values = Values::new(entry).extended(left, right);
                assert_eq!(values.entry(), Some(entry));
                assert_eq!(values.extends_left(), left);
                assert_eq!(values.extends_right(), right || log10_backoff != 0.0);
            }
        }
        let blank = Gram::blank([0; MAX_ORDER]).values.extended(true, true);
        assert_eq!(blank.entry(), None);
        assert!(blank.log10_prob().is_nan() && blank.extends_left() && blank.extends_right());
    }
}
