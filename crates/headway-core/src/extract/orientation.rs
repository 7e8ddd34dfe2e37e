//! How a phrase pair stands to the phrases before and after it on the target side.
//!
//! Decided as Moses' extraction does, for the word-based, phrase-based and hierarchical models
//! of Galley & Manning (2008): monotone if the phrase before ends where this one starts on both
//! sides, swapped if it starts where this one ends on the source side, else discontinuous. What
//! counts as the phrase before is a link at the corner, or also a phrase pair that has its own
//! corner there, of limited or of any length. Sentence ends count as links.

use super::bits::BitMatrix;
use super::options::{Neighbours, Reordering};
use super::pair::{Aligned, Pair, Phrase};
use super::phrases::blocks;

/// Number of orientations that are told apart in keys.
pub const ORIENTATIONS: usize = 5;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orientation {
    Monotone,
    Swap,
    /// Discontinuous with the phrase before to the right: a jump to the left. For msd, all
    /// that is discontinuous. Left stands before right, as in Moses' tables.
    Left,
    /// Discontinuous with the phrase before to the left: a jump to the right.
    Right,
    /// Discontinuous, with nothing that says on which side: not counted for mslr.
    Other,
}

/// Corners of phrase pairs: by target place, then by source place; ends are not in the phrases.
#[derive(Debug, Default)]
struct Corners {
    starts: BitMatrix,
    ends: BitMatrix,
}

/// Answers for one sentence pair. Reused from pair to pair.
#[derive(Debug, Default)]
pub struct Orientations {
    /// Row t + 1, column s + 1; the places before and after the sentences are linked.
    links: BitMatrix,
    /// Where phrase pairs start, and end, on the source side, by where their targets end.
    before: Corners,
    /// The same by where their targets start.
    after: Corners,
    source_words: usize,
}

/// What stands next to a corner of the phrase, seen in the direction of looking.
struct Touching {
    /// A link at the monotone corner, and at the swap corner.
    linked: (bool, bool),
    /// A phrase pair there.
    met: (bool, bool),
    /// Anything farther on the monotone side, and on the swap side.
    far: (bool, bool),
}

impl Orientations {
    pub fn set(&mut self, pair: &Pair, aligned: &Aligned, model: &Reordering, longest: usize) {
        let (sources, targets) = (pair.source.len(), pair.target.len());
        self.source_words = sources;
        self.links.reset(targets + 2, sources + 2);
        self.links.set(0, 0);
        self.links.set(targets + 1, sources + 1);
        for &(source, target) in &pair.links {
            self.links.set(usize::from(target) + 1, usize::from(source) + 1);
        }
        match model.neighbours {
            Neighbours::Words => {}
            Neighbours::Phrases => self.set_corners(aligned, longest),
            Neighbours::Blocks => self.set_corners(aligned, usize::MAX),
        }
    }

    fn set_corners(&mut self, aligned: &Aligned, longest: usize) {
        let (rows, columns) = (aligned.target_reach.len() + 1, aligned.source_reach.len() + 1);
        for corners in [&mut self.before, &mut self.after] {
            corners.starts.reset(rows, columns);
            corners.ends.reset(rows, columns);
        }
        blocks(aligned, longest, |block| {
            let [first_start, start, end, last_end] =
                [block.first_start, block.start, block.end, block.last_end].map(usize::from);
            let rows = [
                (&mut self.before, usize::from(block.target.1)),
                (&mut self.after, usize::from(block.target.0)),
            ];
            for (corners, row) in rows {
                corners.starts.set_range(row, first_start, start);
                corners.ends.set_range(row, end, last_end);
            }
        });
    }

    /// Towards the phrase before.
    pub fn backward(&self, phrase: &Phrase, model: &Reordering) -> Orientation {
        let (start, end) = (usize::from(phrase.source.0), usize::from(phrase.source.1));
        // Rows and columns of `links` are one further, so the row before the phrase is its start.
        let row = usize::from(phrase.target.0);
        let linked = (self.links.get(row, start), self.links.get(row, end + 1));
        let touching = if model.neighbours == Neighbours::Words {
            let left = start > 0 && self.links.any(row, 1, start - 1);
            let right = self.links.any(row, end + 2, self.source_words);
            Touching { linked, met: (false, false), far: (left, right) }
        } else {
            let Corners { starts, ends } = &self.before;
            let left = start > 0 && ends.any(row, 0, start - 1);
            let right = starts.any(row, end + 1, self.source_words);
            let met = (ends.get(row, start), starts.get(row, end));
            Touching { linked, met, far: (left, right) }
        };
        decide(&touching, model)
    }

    /// Towards the phrase after: the same, looked at from the other end.
    pub fn forward(&self, phrase: &Phrase, model: &Reordering) -> Orientation {
        let (start, end) = (usize::from(phrase.source.0), usize::from(phrase.source.1));
        let row = usize::from(phrase.target.1);
        let linked = (self.links.get(row + 1, end + 1), self.links.get(row + 1, start));
        let touching = if model.neighbours == Neighbours::Words {
            let right = self.links.any(row + 1, end + 2, self.source_words);
            let left = start > 0 && self.links.any(row + 1, 1, start - 1);
            Touching { linked, met: (false, false), far: (right, left) }
        } else {
            let Corners { starts, ends } = &self.after;
            let right = starts.any(row, end + 1, self.source_words);
            let left = start > 0 && ends.any(row, 0, start - 1);
            let met = (starts.get(row, end), ends.get(row, start));
            Touching { linked, met, far: (right, left) }
        };
        decide(&touching, model)
    }
}

fn decide(touching: &Touching, model: &Reordering) -> Orientation {
    let (mono_link, swap_link) = touching.linked;
    if mono_link && !swap_link || touching.met.0 {
        return Orientation::Monotone;
    }
    if swap_link && !mono_link || touching.met.1 {
        return Orientation::Swap;
    }
    if !model.sides {
        return Orientation::Left;
    }
    match touching.far {
        // Between two links the word-based model does not look farther.
        _ if model.neighbours == Neighbours::Words && mono_link => Orientation::Other,
        (true, true) if model.neighbours == Neighbours::Words => Orientation::Other,
        (true, _) => Orientation::Right,
        (false, true) => Orientation::Left,
        (false, false) => Orientation::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::super::options::{Edges, PhraseLimits};
    use super::super::pair::Place;
    use super::super::phrases::phrases;
    use super::super::phrases::tests::{literal, pairs};
    use super::*;
    use proptest::prelude::*;

    /// Moses' definition: `is_linked` with places that may lie outside, corners looked up among
    /// all phrase pairs. `unit` is 1 to look backward and −1 to look forward; with −1 start and
    /// end change places.
    struct Literal<'a> {
        pair: &'a Pair,
        phrases: Vec<Phrase>,
        unit: i32,
    }

    impl Literal<'_> {
        fn is_linked(&self, source: i32, target: i32) -> bool {
            let (sources, targets) = (self.pair.source.len() as i32, self.pair.target.len() as i32);
            (source, target) == (-1, -1)
                || (source, target) == (sources, targets)
                || self
                    .pair
                    .links
                    .iter()
                    .any(|&(s, t)| (i32::from(s), i32::from(t)) == (source, target))
        }

        /// Is there a phrase whose target edge that faces us is at `target` and whose source edge
        /// (the one that faces us if `near`) is at `source`, both places in the phrase?
        fn has_corner(&self, target: i32, source: i32, near: bool) -> bool {
            self.phrases.iter().any(|phrase| {
                let first = (i32::from(phrase.source.0), i32::from(phrase.target.0));
                let last = (i32::from(phrase.source.1) - 1, i32::from(phrase.target.1) - 1);
                let (facing, averted) = if self.unit == 1 { (last, first) } else { (first, last) };
                facing.1 == target && (if near { facing.0 } else { averted.0 }) == source
            })
        }

        fn orientation(&self, phrase: &Phrase, model: &Reordering) -> Orientation {
            let first = (i32::from(phrase.source.0), i32::from(phrase.target.0));
            let last = (i32::from(phrase.source.1) - 1, i32::from(phrase.target.1) - 1);
            let (start, end) = if self.unit == 1 { (first, last) } else { (last, first) };
            let unit = self.unit;
            let target = start.1 - unit;
            let words = model.neighbours == Neighbours::Words;
            let left = self.is_linked(start.0 - unit, target);
            let right = self.is_linked(end.0 + unit, target);
            if left && !right || !words && self.has_corner(target, start.0 - unit, true) {
                return Orientation::Monotone;
            }
            if right && !left || !words && self.has_corner(target, end.0 + unit, false) {
                return Orientation::Swap;
            }
            if !model.sides {
                return Orientation::Left;
            }
            let sources = 0..self.pair.source.len() as i32;
            let beyond = |place: i32, from: i32, direction: i32| (place - from) * direction >= 0;
            let mut far_left = sources.clone().filter(|&s| beyond(s, start.0 - 2 * unit, -unit));
            let mut far_right = sources.filter(|&s| beyond(s, end.0 + 2 * unit, unit));
            if words {
                let left = left || far_left.any(|source| self.is_linked(source, target));
                let right = right || far_right.any(|source| self.is_linked(source, target));
                return match (left, right) {
                    (true, false) => Orientation::Right,
                    (false, true) => Orientation::Left,
                    _ => Orientation::Other,
                };
            }
            if far_left.any(|source| self.has_corner(target, source, true)) {
                Orientation::Right
            } else if far_right.any(|source| self.has_corner(target, source, false)) {
                Orientation::Left
            } else {
                Orientation::Other
            }
        }
    }

    fn check(pair: &Pair, neighbours: Neighbours, sides: bool, longest: usize) {
        let model = Reordering {
            neighbours,
            sides,
            backward: true,
            forward: true,
            source_only: false,
            smoothing: 0.5,
        };
        let limits = PhraseLimits { length: longest, edges: Edges::Loose };
        let mut aligned = Aligned::default();
        aligned.set(pair);
        let mut orientations = Orientations::default();
        orientations.set(pair, &aligned, &model, longest);
        let mut found = Vec::new();
        phrases(&aligned, limits, &mut found);
        let among = PhraseLimits {
            length: if neighbours == Neighbours::Blocks { 100 } else { longest },
            edges: Edges::Loose,
        };
        let mut slow = Literal { pair, phrases: literal(pair, among), unit: 1 };
        for phrase in &found {
            slow.unit = 1;
            let expected = slow.orientation(phrase, &model);
            assert_eq!(orientations.backward(phrase, &model), expected, "{phrase:?} {pair:?}");
            slow.unit = -1;
            let expected = slow.orientation(phrase, &model);
            assert_eq!(orientations.forward(phrase, &model), expected, "{phrase:?} {pair:?}");
        }
    }

    proptest! {
        #[test]
        fn orientations_are_those_of_the_definition(pair in pairs(7), longest in 1usize..5) {
            for (_, neighbours) in Neighbours::ALL {
                check(&pair, neighbours, false, longest);
                check(&pair, neighbours, true, longest);
            }
        }
    }

    #[test]
    fn a_swap_is_seen_from_both_phrases() {
        let links: Vec<(Place, Place)> = vec![(0, 1), (1, 0)];
        let pair = Pair { source: vec![0, 1], target: vec![0, 1], links, tree: None };
        let mut aligned = Aligned::default();
        aligned.set(&pair);
        let model = Reordering {
            neighbours: Neighbours::Words,
            sides: false,
            backward: true,
            forward: true,
            source_only: false,
            smoothing: 0.5,
        };
        let mut orientations = Orientations::default();
        orientations.set(&pair, &aligned, &model, 7);
        let first = Phrase { source: (1, 2), target: (0, 1) };
        let second = Phrase { source: (0, 1), target: (1, 2) };
        assert_eq!(orientations.forward(&first, &model), Orientation::Swap);
        assert_eq!(orientations.backward(&second, &model), Orientation::Swap);
        assert_eq!(orientations.backward(&first, &model), Orientation::Left);
    }
}
