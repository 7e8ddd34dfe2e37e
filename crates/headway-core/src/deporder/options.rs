//! What the model is conditioned on.

use crate::align::WordKind;
use crate::{Error, Result};

/// The last word counts of the size classes; what is larger is in one more class.
const SIZES: [u32; 4] = [1, 2, 4, 8];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Condition on the words at both ends too (§3.4.3).
    pub lexical: bool,
    /// Condition on the size of the dependent's subtree: 1, 2, 3–4, 5–8, 9 and more words (§5.2).
    pub sizes: bool,
    /// Leave out punctuation: no dependency with a mark at one end is counted or scored, and
    /// offsets and sizes do not count marks (§5.2).
    pub punctuation_apart: bool,
    /// Offsets of at least this many words are one event, on either side.
    pub longest: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options { lexical: true, sizes: false, punctuation_apart: false, longest: 20 }
    }
}

impl Options {
    pub fn check(&self) -> Result<()> {
        match self.longest {
            1..=1000 => Ok(()),
            longest => Err(Error::setting(format!(
                "offsets of up to {longest} words; 1 to 1000 are possible"
            ))),
        }
    }

    /// How many classes of sizes there are.
    pub(super) fn classes(&self) -> usize {
        if self.sizes { SIZES.len() + 1 } else { 1 }
    }

    /// The class of a subtree of `size` words.
    pub(super) fn class(&self, size: u32) -> usize {
        if self.sizes { SIZES.partition_point(|&last| last < size) } else { 0 }
    }

    /// How many different offsets there are.
    pub(super) fn outcomes(&self) -> usize {
        2 * self.longest as usize
    }

    /// The number of an offset: from −longest to −1, then from 1 to longest. Offsets beyond are the
    /// nearest of these; 0, which no two words have, is 1.
    pub(super) fn outcome(&self, offset: i32) -> usize {
        let distance = offset.unsigned_abs().clamp(1, self.longest) as usize;
        let longest = self.longest as usize;
        if offset < 0 { longest - distance } else { longest + distance - 1 }
    }

    /// All offsets, from the farthest before the governor to the farthest after it.
    pub fn offsets(&self) -> impl Iterator<Item = i32> + use<> {
        let longest = self.longest as i32;
        (-longest..=longest).filter(|&offset| offset != 0)
    }
}

/// Whether a word is a mark such as a comma: what `punctuation_apart` leaves out. Words decide and
/// not tags, because translations have no tags.
pub fn is_punctuation(word: &str) -> bool {
    WordKind::of(word) == WordKind::Mark
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_have_numbers() {
        let options = Options { longest: 3, ..Options::default() };
        let numbers: Vec<i32> = options.offsets().collect();
        assert_eq!(numbers, [-3, -2, -1, 1, 2, 3]);
        for (outcome, &offset) in numbers.iter().enumerate() {
            assert_eq!(options.outcome(offset), outcome);
        }
        let far = [-4, 4, i32::MIN, i32::MAX, 0].map(|offset| options.outcome(offset));
        assert_eq!(far, [0, 5, 0, 5, 3]);
    }

    #[test]
    fn sizes_have_classes() {
        let options = Options { sizes: true, ..Options::default() };
        let classes = [1, 2, 3, 4, 5, 8, 9, 1000].map(|size| options.class(size));
        assert_eq!(classes, [0, 1, 2, 2, 3, 3, 4, 4]);
        assert_eq!((options.classes(), Options::default().classes()), (5, 1));
        assert_eq!(Options::default().class(7), 0);
    }

    #[test]
    fn commas_are_punctuation() {
        assert!([",", ".", "「", "\""].map(is_punctuation).iter().all(|&is| is));
        assert!(!["a", "'s", "%", "-", "z.B."].map(is_punctuation).contains(&true));
    }

    #[test]
    fn offsets_have_a_limit() {
        for longest in [0, 1001] {
            let options = Options { longest, ..Options::default() };
            assert!(options.check().unwrap_err().to_string().contains("1 to 1000"));
        }
    }
}
