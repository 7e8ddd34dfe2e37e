//! Hashed weights while they are learnt: a line of sixteen for each feature.

use super::features::{SLOTS, Slot};

/// Weights of one feature: by direction, then by direction and distance.
pub type TrainingLine = [f32; 2 + SLOTS];

/// What a feature adds to an arc's score, by direction and distance.
pub type Line = [f32; SLOTS];

/// Weights of features, found by their keys.
pub trait ArcWeights: Sync {
    /// What a feature adds to the score of an arc.
    fn get(&self, key: u64, slot: Slot) -> f32;

    /// What several features add together.
    #[inline]
    fn sum(&self, keys: &[u64], slot: Slot) -> f32 {
        keys.iter().map(|&key| self.get(key, slot)).sum()
    }

    /// Adds what a feature adds to arcs of all directions and distances.
    fn add_to(&self, key: u64, sum: &mut Line);
}

/// Lines of weights. A key's line is told by its highest bits; features whose bits agree share
/// a line. One line is one line of the processor's cache.
#[derive(Debug, Clone)]
pub struct Weights {
    lines: Vec<TrainingLine>,
    shift: u32,
}

/// What `bits` may be: 2^bits weights.
pub const BITS: std::ops::RangeInclusive<u32> = 12..=28;

/// The line of a key among 2^(64 − shift): the highest bits are the best mixed ones.
#[inline]
pub fn place(key: u64, shift: u32) -> usize {
    (key.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> shift) as usize
}

/// The shift for 2^bits weights.
pub fn shift(bits: u32) -> u32 {
    64 - (bits - 4)
}

impl Weights {
    /// 2^bits weights, all zero.
    pub fn new(bits: u32) -> Self {
        let bits = bits.clamp(*BITS.start(), *BITS.end());
        Weights { lines: vec![[0.0; 2 + SLOTS]; 1 << (bits - 4)], shift: shift(bits) }
    }

    /// The numbers of the two weights of a feature that speak for an arc.
    #[inline]
    pub fn places(&self, key: u64, slot: Slot) -> [u32; 2] {
        let line = place(key, self.shift) as u32 * 16;
        [line + slot.side as u32, line + 2 + slot.distance as u32]
    }

    pub fn at(&self, place: u32) -> f32 {
        self.lines[place as usize / 16][place as usize % 16]
    }

    pub fn add(&mut self, place: u32, change: f32) {
        self.lines[place as usize / 16][place as usize % 16] += change;
    }

    /// For each line in order, what it adds by direction and distance.
    pub fn summed(&self) -> impl Iterator<Item = Line> {
        self.lines.iter().map(sum)
    }

    pub fn shift(&self) -> u32 {
        self.shift
    }
}

fn sum(line: &TrainingLine) -> Line {
    std::array::from_fn(|slot| line[slot / (SLOTS / 2)] + line[2 + slot])
}

impl ArcWeights for Weights {
    #[inline]
    fn get(&self, key: u64, slot: Slot) -> f32 {
        let line = &self.lines[place(key, self.shift)];
        line[slot.side] + line[2 + slot.distance]
    }

    fn add_to(&self, key: u64, total: &mut Line) {
        let line = sum(&self.lines[place(key, self.shift)]);
        total.iter_mut().zip(line).for_each(|(total, weight)| *total += weight);
    }
}
