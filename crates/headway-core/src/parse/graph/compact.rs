//! Weights as they are used: only lines that say something, in two bytes a weight.
//!
//! Most features that a sentence asks for were never seen. A bit for each line of the hashed
//! space tells them apart, and the number of bits before it says where the line is kept.

use crate::container::{Container, ContainerWriter};
use crate::parse::multiclass::numbers;
use crate::{Error, Result, large};

use super::features::{SLOTS, Slot};
use super::weights::{ArcWeights, BITS, Line, Weights, place, shift};

/// A line of weights in units of the model's scale, padded to 32 bytes.
type SmallLine = [i16; 16];

/// 64 lines of the hashed space: which are kept, and how many are kept before them.
#[derive(Debug, Clone, Copy, Default)]
struct Block {
    kept: u64,
    before: u32,
}

/// The line of features that say nothing, the first of all.
const NOTHING: SmallLine = [0; 16];

/// Lines without a weight of this size are dropped: margins are 1 and more, so half of all
/// lines decide nothing.
const LEAST: f32 = 0.01;

/// No scale is larger: sums of weights stay finite.
const MOST_SCALE: f32 = 1e6;

#[derive(Debug, Clone)]
pub struct CompactWeights {
    blocks: Vec<Block>,
    lines: Vec<SmallLine>,
    scale: f32,
    shift: u32,
}

impl CompactWeights {
    /// Weights of training, rounded to a 32,767th of the largest.
    pub fn new(weights: &Weights) -> Self {
        let largest = |line: &Line| line.iter().fold(0.0_f32, |most, one| most.max(one.abs()));
        let most = weights.summed().map(|line| largest(&line)).fold(0.0_f32, f32::max);
        let scale = if most > 0.0 { most / f32::from(i16::MAX) } else { 1.0 };
        let (mut kept, mut lines) = (Vec::new(), vec![NOTHING]);
        for (at, line) in weights.summed().enumerate() {
            if at % 64 == 0 {
                kept.push(0_u64);
            }
            let small: SmallLine = std::array::from_fn(|slot| {
                line.get(slot).map_or(0, |weight| (weight / scale).round() as i16)
            });
            if largest(&line) >= LEAST {
                lines.push(small);
                *kept.last_mut().unwrap_or(&mut 0) |= 1 << (at % 64);
            }
        }
        CompactWeights { blocks: blocks(&kept), lines, scale, shift: weights.shift() }
    }

    /// The number of a feature's line. Whether there is one cannot be foretold, so nothing
    /// branches on it.
    #[inline]
    fn find(&self, key: u64) -> u32 {
        let place = place(key, self.shift);
        let block = self.blocks[place / 64];
        let bit = 1_u64 << (place % 64);
        let before = (block.kept & (bit - 1)).count_ones() + block.before;
        let there = u32::from(block.kept & bit != 0);
        (before + 1) * there
    }

    /// A feature's weights in units of the scale, by `Slot::distance`: more than `i16::MIN`.
    #[inline]
    pub fn line(&self, key: u64) -> &SmallLine {
        &self.lines[self.find(key) as usize]
    }

    /// One of these.
    #[inline]
    pub fn units(&self, key: u64, slot: Slot) -> i16 {
        self.line(key)[slot.distance]
    }

    pub fn scale(&self) -> f32 {
        self.scale
    }

    pub const SECTIONS: usize = 3;

    pub fn write_sections(&self, writer: &mut ContainerWriter) -> Result<()> {
        let kept: Vec<u64> = self.blocks.iter().map(|block| block.kept).collect();
        writer.section("scale")?;
        writer.write(&self.scale.to_le_bytes())?;
        writer.section("kept")?;
        writer.write(bytemuck::cast_slice(&kept))?;
        writer.section("weights")?;
        writer.write(bytemuck::cast_slice(&self.lines[1..]))
    }

    pub fn read_sections(container: &Container) -> Result<Self> {
        let damaged = || Error::model(container.path(), "the weights in it are damaged");
        let scales: Vec<f32> = numbers(container, "scale")?;
        let kept: Vec<u64> = numbers(container, "kept")?;
        let weights = numbers::<SmallLine>(container, "weights")?;
        let mut lines = large::with_room(weights.len() + 1);
        lines.push(NOTHING);
        lines.extend(weights);
        let bits = kept.len().checked_ilog2().unwrap_or(0) + 10;
        let ones: u64 = kept.iter().map(|word| u64::from(word.count_ones())).sum();
        let whole = kept.len().is_power_of_two()
            && BITS.contains(&bits)
            && ones + 1 == lines.len() as u64
            && scales.len() == 1
            && scales[0].abs() <= MOST_SCALE;
        if !whole {
            return Err(damaged());
        }
        Ok(CompactWeights { blocks: blocks(&kept), lines, scale: scales[0], shift: shift(bits) })
    }
}

fn blocks(kept: &[u64]) -> Vec<Block> {
    let mut before = 0;
    let block = |&kept: &u64| {
        let block = Block { kept, before };
        before += kept.count_ones();
        block
    };
    let mut blocks = large::with_room(kept.len());
    blocks.extend(kept.iter().map(block));
    blocks
}

impl ArcWeights for CompactWeights {
    #[inline]
    fn get(&self, key: u64, slot: Slot) -> f32 {
        f32::from(self.lines[self.find(key) as usize][slot.distance]) * self.scale
    }

    /// First all places, then all weights: the memory answers many questions at once.
    #[inline]
    fn sum(&self, keys: &[u64], slot: Slot) -> f32 {
        let mut total = 0_i32;
        for some in keys.chunks(32) {
            let mut found = [0_u32; 32];
            for (found, &key) in found.iter_mut().zip(some) {
                *found = self.find(key);
            }
            let weight = |&line: &u32| i32::from(self.lines[line as usize][slot.distance]);
            total += found[..some.len()].iter().map(weight).sum::<i32>();
        }
        total as f32 * self.scale
    }

    fn add_to(&self, key: u64, sum: &mut Line) {
        let line = &self.lines[self.find(key) as usize];
        for (sum, &weight) in sum.iter_mut().zip(&line[..SLOTS]) {
            *sum += f32::from(weight) * self.scale;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn small_weights_are_those_of_training() {
        let mut weights = Weights::new(14);
        let mut random = Random::new(3, 1);
        let slots = [Slot::of(3, 1), Slot::of(0, 9), Slot::of(2, 3)];
        for key in (0..4000_u64).step_by(3) {
            for place in weights.places(key * 0x9E37_79B9, slots[key as usize % 3]) {
                weights.add(place, random.next_f64() as f32 - 0.5);
            }
        }
        let compact = CompactWeights::new(&weights);
        assert!(compact.lines.len() < 1 << 10);
        for key in 0..4000 {
            for slot in slots {
                let (one, other) = (weights.get(key, slot), compact.get(key, slot));
                assert!((one - other).abs() <= LEAST.max(compact.scale * 0.51), "{one} {other}");
            }
        }
    }
}
