//! Which variant of a rule is kept.
//!
//! A variant is bytes in three parts: the tree (kind and heads), labels, links. The tree seen most
//! often is kept, of its variants the labels seen most often, and of theirs the links; the first
//! of equally frequent ones. Variants come sorted, so that those that begin alike stand together.

use std::ops::Range;

/// Parts of a variant: what is chosen first stands first.
pub const LEVELS: usize = 3;

/// What is known of a variant besides its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Variant {
    /// Where each part ends.
    pub ends: [usize; LEVELS],
    /// Kept only where there is no other: words without a tree, whatever their number.
    pub last_resort: bool,
}

/// Variants of one rule while they are counted.
#[derive(Debug, Default)]
pub struct Choice {
    /// The variant being counted now, and where it lies.
    current: Option<(Variant, usize)>,
    /// How often what is current was seen, up to each part.
    counts: [u64; LEVELS],
    /// The best that ended so far, among those that begin like the current one before each part.
    best: [Option<(u64, (usize, usize))>; LEVELS],
}

impl Choice {
    /// Counts a variant; if it is a new one, its bytes are put behind `bytes`.
    pub fn add(&mut self, bytes: &mut Vec<u8>, variant: &[u8], about: Variant, weight: u64) {
        if let Some(level) = self.first_difference(bytes, variant, about) {
            self.close(level);
            self.current = Some((about, bytes.len()));
            bytes.extend_from_slice(variant);
        }
        self.counts[LEVELS - 1] += weight;
    }

    /// The place of the variant that is kept, of those counted since this was last asked.
    pub fn take(&mut self) -> Option<(usize, usize)> {
        self.close(0);
        self.current = None;
        self.best[0].take().map(|(_, place)| place)
    }

    /// The first part that is another than that of the current variant; none if all are the same.
    fn first_difference(&self, bytes: &[u8], variant: &[u8], about: Variant) -> Option<usize> {
        let Some((current, start)) = self.current else { return Some(0) };
        let known = &bytes[start..];
        let part = |ends: [usize; LEVELS], level: usize| -> Range<usize> {
            let begin = if level == 0 { 0 } else { ends[level - 1] };
            begin..ends[level]
        };
        (0..LEVELS)
            .find(|&level| known[part(current.ends, level)] != variant[part(about.ends, level)])
    }

    /// Ends what is current from a part on.
    fn close(&mut self, level: usize) {
        let Some((variant, start)) = self.current else { return };
        for level in (level..LEVELS).rev() {
            let inner = self.best.get_mut(level + 1).and_then(Option::take);
            let place = inner.map_or((start, start + variant.ends[LEVELS - 1]), |(_, place)| place);
            let mut count = std::mem::take(&mut self.counts[level]);
            if level > 0 {
                self.counts[level - 1] += count;
            } else if variant.last_resort {
                count = 0;
            }
            if self.best[level].is_none_or(|(most, _)| count > most) {
                self.best[level] = Some((count, place));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use proptest::prelude::*;

    type Counts = BTreeMap<[u8; LEVELS], u64>;

    /// Part by part by its definition. Tree 0 is none.
    fn expected(counts: &Counts) -> [u8; LEVELS] {
        let mut chosen: Vec<u8> = Vec::new();
        while chosen.len() < LEVELS {
            let level = chosen.len();
            let mut totals: BTreeMap<u8, u64> = BTreeMap::new();
            for (variant, count) in counts.iter().filter(|it| it.0.starts_with(&chosen)) {
                *totals.entry(variant[level]).or_default() += count;
            }
            if level == 0 && totals.len() > 1 {
                totals.remove(&0);
            }
            let most = totals.values().max().copied().unwrap_or_default();
            chosen.extend(totals.iter().find(|it| *it.1 == most).map(|it| it.0));
        }
        [chosen[0], chosen[1], chosen[2]]
    }

    fn chosen(counts: &Counts) -> Vec<u8> {
        let (mut choice, mut bytes) = (Choice::default(), vec![9; 4]);
        for (variant, &count) in counts {
            let about = Variant { ends: [1, 2, 3], last_resort: variant[0] == 0 };
            // The same variant may come in several parts.
            choice.add(&mut bytes, variant, about, count - count / 2);
            choice.add(&mut bytes, variant, about, count / 2);
        }
        let (start, end) = choice.take().unwrap();
        assert_eq!(choice.take(), None);
        bytes[start..end].to_vec()
    }

    proptest! {
        #[test]
        fn parts_are_chosen_one_after_the_other(
            counts in proptest::collection::btree_map(any::<[u8; 3]>(), 1_u64..9, 1..40),
        ) {
            let small = |variant: [u8; 3]| variant.map(|part| part % 3);
            let mut folded = Counts::new();
            for (variant, count) in counts {
                *folded.entry(small(variant)).or_default() += count;
            }
            prop_assert_eq!(chosen(&folded), expected(&folded).to_vec());
        }
    }

    #[test]
    fn a_tree_that_is_seen_once_goes_before_none() {
        let counts = Counts::from([([0, 0, 1], 100), ([2, 1, 1], 1)]);
        assert_eq!(chosen(&counts), [2, 1, 1]);
        assert_eq!(chosen(&Counts::from([([0, 0, 1], 3), ([0, 0, 2], 4)])), [0, 0, 2]);
    }
}
