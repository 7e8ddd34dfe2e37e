//! How often each variant of a tag went with some items: words, or classes of words.

use crate::container::{Container, ContainerWriter};
use crate::parse::multiclass::numbers;
use crate::random::Random;
use crate::{Error, Result};

use super::grammar::Grammar;

/// For each item a few rows: a tag, and a count for each of its variants.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Rows {
    /// The first row of each item; one more for the end.
    pub starts: Vec<u32>,
    pub tags: Vec<u16>,
    /// The first count of each row; one more for the end.
    at: Vec<u32>,
    counts: Vec<f64>,
}

impl Rows {
    /// Rows of one count each, from pairs of an item and a tag in order, without repetition.
    pub fn new(items: usize, pairs: &[(u32, u16)]) -> Self {
        let mut starts = vec![0; items + 1];
        for &(item, _) in pairs {
            starts[item as usize + 1] += 1;
        }
        for item in 0..items {
            starts[item + 1] += starts[item];
        }
        let tags: Vec<u16> = pairs.iter().map(|&(_, tag)| tag).collect();
        let at = (0..=pairs.len() as u32).collect();
        Rows { starts, counts: vec![0.0; tags.len()], tags, at }
    }

    pub fn of(&self, item: usize) -> std::ops::Range<usize> {
        self.starts[item] as usize..self.starts[item + 1] as usize
    }

    /// The row of an item and a tag.
    pub fn find(&self, item: usize, tag: u16) -> Option<usize> {
        self.of(item).find(|&row| self.tags[row] == tag)
    }

    pub fn counts(&self, row: usize) -> &[f64] {
        &self.counts[self.at[row] as usize..self.at[row + 1] as usize]
    }

    pub fn counts_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.counts[self.at[row] as usize..self.at[row + 1] as usize]
    }

    /// The counts of all rows of an item together.
    pub fn total(&self, item: usize) -> f64 {
        self.of(item).map(|row| self.counts(row).iter().sum::<f64>()).sum()
    }

    pub fn clear(&mut self) {
        self.counts.fill(0.0);
    }

    /// Gives half of each count to each half of its variant, more or less by a share of `noise`.
    pub fn split(&mut self, noise: f64, random: &mut Random) {
        let halves = self.counts.iter().flat_map(|&count| {
            let more = noise * (2.0 * random.next_f64() - 1.0);
            [count / 2.0 * (1.0 + more), count / 2.0 * (1.0 - more)]
        });
        self.counts = halves.collect();
        self.at.iter_mut().for_each(|at| *at *= 2);
    }

    /// Adds the counts of variants that become one; `becomes` says which, for each tag.
    pub fn merge(&mut self, becomes: &[Vec<usize>]) {
        let mut merged = Rows { at: vec![0], counts: Vec::new(), ..self.clone() };
        for (row, &tag) in self.tags.iter().enumerate() {
            let becomes = &becomes[tag as usize];
            let start = merged.counts.len();
            merged.counts.resize(start + 1 + becomes[becomes.len() - 1], 0.0);
            for (&to, count) in becomes.iter().zip(self.counts(row)) {
                merged.counts[start + to] += count;
            }
            merged.at.push(merged.counts.len() as u32);
        }
        *self = merged;
    }

    /// Rounds counts to what a file keeps of them.
    pub fn round(&mut self) {
        self.counts.iter_mut().for_each(|count| *count = f64::from(*count as f32));
    }

    pub fn write_sections(&self, writer: &mut ContainerWriter, name: &str) -> Result<()> {
        writer.section(&format!("{name}-starts"))?;
        writer.write(bytemuck::cast_slice(&self.starts))?;
        writer.section(&format!("{name}-tags"))?;
        writer.write(bytemuck::cast_slice(&self.tags))?;
        writer.section(&format!("{name}-counts"))?;
        let counts: Vec<f32> = self.counts.iter().map(|&count| count as f32).collect();
        writer.write(bytemuck::cast_slice(&counts))
    }

    /// The rows of so many items, whose tags are symbols of the grammar.
    pub fn read_sections(
        container: &Container,
        name: &str,
        items: usize,
        grammar: &Grammar,
    ) -> Result<Self> {
        let damaged = || Error::model(container.path(), format!("the {name} in it are damaged"));
        let starts: Vec<u32> = numbers(container, &format!("{name}-starts"))?;
        let tags: Vec<u16> = numbers(container, &format!("{name}-tags"))?;
        let counts: Vec<f32> = numbers(container, &format!("{name}-counts"))?;
        let ordered = starts.windows(2).all(|pair| pair[0] <= pair[1]);
        let ends = (starts.first().copied(), starts.last().copied());
        if starts.len() != items + 1 || !ordered || ends != (Some(0), Some(tags.len() as u32)) {
            return Err(damaged());
        }
        if tags.iter().any(|&tag| tag as usize >= grammar.symbols()) {
            return Err(damaged());
        }
        let mut at = vec![0];
        let mut end = 0;
        for &tag in &tags {
            end += grammar.size(tag);
            at.push(end as u32);
        }
        // Beyond any treebank, sums of counts would be infinite.
        let sound = |count: &f32| (0.0..1e15).contains(count);
        if end != counts.len() || !counts.iter().all(sound) {
            return Err(damaged());
        }
        Ok(Rows { starts, tags, at, counts: counts.into_iter().map(f64::from).collect() })
    }
}
