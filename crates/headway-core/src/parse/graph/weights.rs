//! Hashed weights: a line of sixteen for each feature, found by the feature's key.

use crate::container::{Container, ContainerWriter};
use crate::{Error, Result};

use super::features::Line;

/// Lines of weights. A key's line is told by its highest bits; features whose bits agree share
/// a line. One line is one line of the processor's cache.
#[derive(Debug, Clone)]
pub struct Weights {
    lines: Vec<Line>,
    shift: u32,
}

/// What `bits` may be: 2^bits weights.
pub const BITS: std::ops::RangeInclusive<u32> = 12..=28;

impl Weights {
    /// 2^bits weights, all zero.
    pub fn new(bits: u32) -> Self {
        let bits = bits.clamp(*BITS.start(), *BITS.end());
        Weights { lines: vec![[0.0; 16]; 1 << (bits - 4)], shift: 64 - (bits - 4) }
    }

    #[inline]
    pub fn place(&self, key: u64) -> usize {
        // The highest bits are the best mixed ones.
        (key.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> self.shift) as usize
    }

    #[inline]
    pub fn line(&self, key: u64) -> &Line {
        &self.lines[self.place(key)]
    }

    pub fn at(&self, place: usize, slot: usize) -> f32 {
        self.lines[place][slot]
    }

    pub fn add(&mut self, place: usize, slot: usize, change: f32) {
        self.lines[place][slot] += change;
    }

    pub fn write_section(&self, writer: &mut ContainerWriter) -> Result<()> {
        writer.section("weights")?;
        writer.write(bytemuck::cast_slice(&self.lines))
    }

    pub fn read_section(container: &Container) -> Result<Self> {
        let bytes = container.section("weights")?;
        let lines: Vec<Line> =
            bytes.chunks_exact(size_of::<Line>()).map(bytemuck::pod_read_unaligned).collect();
        let bits = lines.len().checked_ilog2().unwrap_or(0) + 4;
        if !lines.len().is_power_of_two() || !BITS.contains(&bits) {
            return Err(Error::model(container.path(), "the weights in it are damaged"));
        }
        Ok(Weights { lines, shift: 64 - (bits - 4) })
    }
}
