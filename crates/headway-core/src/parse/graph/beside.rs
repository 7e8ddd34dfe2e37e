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
    lines: Vec<Line>,
}

const NONE: u32 = u32::MAX;

/// Rows grow by so many left ends at once.
const STEP: usize = 32;

/// With more lines than this all begins anew with the next sentence: 2 MB, beside their rows.
const MOST_LINES: usize = 1 << 15;

impl Beside {
    /// Starts a sentence, for which numbers have to be asked for anew.
    pub fn begin(&mut self) {
        if self.numbers.is_empty() || self.lines.len() > MOST_LINES {
            *self = Beside { numbers: vec![NONE; 1 << 16], ..Beside::default() };
        }
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
        let Beside { two_tags, rows, lines, .. } = self;
        let rows = &mut rows[pair as usize];
        if rows.len() <= right as usize {
            rows.resize_with(right as usize + 1, Vec::new);
        }
        let row = &mut rows[right as usize];
        if row.len() <= left as usize {
            row.resize((left as usize + 1).next_multiple_of(STEP), NONE);
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
