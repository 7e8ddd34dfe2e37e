//! Two tags at each end of an arc, in four ways, as the paper's features see them.
//!
//! Two of the ways see the same two tags at the right end. What both add with two tags at the left
//! end, in all bins of distances, is one line of the processor's cache; few of all pairs of tags
//! ever meet, so that lines are made when they are asked for. Neighbouring words see the same line.

use super::features::{BINS, Slot, beside_keys};
use super::model::GraphModel;

/// The weights of a feature of the arc rightwards and of one of that leftwards, in units of the
/// model's scale.
pub type Units = [i16; 2];

/// Which two tags of the right end a sum is of, its own one being the second or the first.
#[derive(Debug, Clone, Copy)]
pub enum RightPair {
    Here,
    Behind,
}

/// What two tags at the right end add with two at the left one: by bin, then with the left end the
/// second of its tags, and the first.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Line([[Units; 2]; BINS]);

/// What is known of pairs of tags at both ends; it serves one sentence after the other.
#[derive(Default)]
pub struct Beside {
    /// For each two tags, a byte each, their number.
    numbers: Vec<u32>,
    two_tags: Vec<[u64; 2]>,
    /// For either pair of the right end, by its number and that of the left end's, where the line
    /// is. Frequent pairs of tags come first, so that most rows stay short.
    rows: [Vec<Vec<u32>>; 2],
    /// In all rows.
    places: usize,
    lines: Vec<Line>,
}

const NONE: u32 = u32::MAX;

/// Rows grow by so many left ends at once.
const STEP: usize = 32;

/// With more lines than this all begins anew with the next sentence: 2 MB.
const MOST_LINES: usize = 1 << 15;

/// With more places in rows, too: 8 MB. Pairs of tags that are rare at both ends have long rows
/// with few lines, so that lines alone would not bound them.
const MOST_PLACES: usize = 1 << 21;

impl Beside {
    /// Starts a sentence, for which numbers have to be asked for anew.
    pub fn begin(&mut self) {
        if self.numbers.is_empty() || self.is_full() {
            *self = Beside { numbers: vec![NONE; 1 << 16], ..Beside::default() };
        }
    }

    /// Whether there is more than should be kept from sentence to sentence.
    fn is_full(&self) -> bool {
        self.lines.len() > MOST_LINES || self.places > MOST_PLACES
    }

    /// The number of two tags.
    #[inline]
    pub fn two(&mut self, tags: u64) -> u32 {
        let number = &mut self.numbers[tags as usize];
        if *number == NONE {
            *number = self.two_tags.len() as u32;
            self.two_tags.push([tags >> 8, tags & 0xFF]);
        }
        *number
    }

    /// What two tags at the right end add with both pairs of the left end's: that ending there,
    /// that ending behind.
    #[inline]
    pub fn sum(
        &mut self,
        model: &GraphModel,
        bin: usize,
        (pair, right): (RightPair, u32),
        lefts: [u32; 2],
    ) -> [i32; 2] {
        let row = self.rows[pair as usize].get(right as usize).map_or(&[][..], |row| row);
        let known = |left: u32| row.get(left as usize).copied().unwrap_or(NONE);
        let mut lines = lefts.map(known);
        for (line, left) in lines.iter_mut().zip(lefts) {
            if *line == NONE {
                *line = self.find(model, (pair, right), left);
            }
        }
        let [one, other] = lines.map(|line| self.lines[line as usize].0[bin]);
        std::array::from_fn(|arc| i32::from(one[0][arc]) + i32::from(other[1][arc]))
    }

    /// The line of two pairs of tags, made if it is new.
    #[cold]
    fn find(&mut self, model: &GraphModel, (pair, right): (RightPair, u32), left: u32) -> u32 {
        let Beside { two_tags, rows, places, lines, .. } = self;
        let rows = &mut rows[pair as usize];
        if rows.len() <= right as usize {
            rows.resize_with(right as usize + 1, Vec::new);
        }
        let row = &mut rows[right as usize];
        if row.len() <= left as usize {
            let longer = (left as usize + 1).next_multiple_of(STEP);
            *places += longer - row.len();
            // Doubling would leave half of it unused.
            row.reserve_exact(longer - row.len());
            row.resize(longer, NONE);
        }
        let line = &mut row[left as usize];
        if *line == NONE {
            let [left, right] = [left, right].map(|two| two_tags[two as usize]);
            let ways = [pair as usize, 2 + pair as usize];
            let weights =
                ways.map(|way| beside_keys(way, left, right).map(|key| model.weights.line(key)));
            *line = lines.len() as u32;
            lines.push(Line(std::array::from_fn(|bin| {
                let [onward, back] = Slot::of_bin(bin).map(|slot| slot.distance);
                weights.map(|weights| [weights[0][onward], weights[1][back]])
            })));
        }
        *line
    }
}

/// The weights of a feature of the arc rightwards and of another of that leftwards.
pub fn units(model: &GraphModel, [onward, back]: [u64; 2], bin: usize) -> Units {
    let slots = Slot::of_bin(bin);
    [model.weights.units(onward, slots[0]), model.weights.units(back, slots[1])]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::graph::compact::CompactWeights;
    use crate::parse::graph::model::Numbering;
    use crate::parse::graph::scorer::WINDOWED;
    use crate::parse::graph::weights::Weights;
    use crate::random::Random;

    fn model() -> GraphModel {
        let none: &[String] = &[];
        let mut weights = Weights::new(14);
        let mut random = Random::new(3, 1);
        for key in 0..2000_u64 {
            for place in weights.places(key * 0x9E37_79B9, Slot::of(3, 1)) {
                weights.add(place, random.next_f64() as f32 - 0.5);
            }
        }
        GraphModel {
            numbering: Numbering::new(none.iter(), none.iter(), false),
            features: WINDOWED,
            weights: CompactWeights::new(&weights),
        }
    }

    /// Pairs of tags drawn evenly: the longest rows there can be, with the fewest lines.
    #[test]
    fn rows_and_lines_are_bounded_over_sentences() {
        const TAGS: usize = 60;
        let (model, mut random) = (model(), Random::new(7, 1));
        let (mut kept, mut begun_anew) = (Beside::default(), 0);
        for _ in 0..60 {
            let before = kept.places;
            kept.begin();
            begun_anew += usize::from(kept.places < before);
            assert!(kept.places <= MOST_PLACES && kept.lines.len() <= MOST_LINES);
            for _ in 0..200 {
                let mut pair = || (random.below(TAGS) << 8 | random.below(TAGS)) as u64;
                let asked = [pair(), pair(), pair()];
                let ask = |beside: &mut Beside| {
                    let [right, one, other] = asked.map(|tags| beside.two(tags));
                    beside.sum(&model, 1, (RightPair::Here, right), [one, other])
                };
                let mut fresh = Beside::default();
                fresh.begin();
                assert_eq!(ask(&mut kept), ask(&mut fresh));
            }
            let places: usize = kept.rows.iter().flatten().map(Vec::capacity).sum();
            assert_eq!(places, kept.places);
        }
        assert!(begun_anew > 0);
    }
}
