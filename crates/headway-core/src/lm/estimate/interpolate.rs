//! Probabilities and back-off weights out of adjusted counts.
//!
//! For a context *c* with Σ adjusted counts and the discounts D of its order,
//!
//! ```text
//! p(w | c) = (count(w) − D(count(w))) / Σ  +  γ(c) · p(w | c without its first word)
//! ```
//!
//! where γ(c), the back-off weight, is what was taken: all discounts, and the counts of n-grams
//! that are dropped. One walk takes each context before the contexts that end in it, so the
//! lower probabilities are at hand.

use std::sync::Arc;

use rayon::prelude::*;

use super::adjust::{Adjusted, Counted, Part};
use super::corpus::UNKNOWN;
use super::discount::Discounts;
use super::key::{Key, Packing};
use super::table::{Layout, Row, Rows, Table, TableWriter, gather};
use super::tape::{Space, Tape, TapeWriter};
use crate::{Monitor, Result};

/// n-grams between two looks at the monitor.
const STEP: u64 = 1 << 14;

/// How adjusted counts become probabilities.
pub struct Interpolator<'a> {
    pub order: usize,
    pub packing: Packing,
    pub discounts: &'a [Discounts],
    pub space: &'a Arc<Space>,
    /// Bytes for back-off weights being sorted, on all threads together.
    pub memory: u64,
}

/// Everything a model says, in the order of the adjusted counts it was made from.
pub struct Estimates<K> {
    /// Probabilities of single words; 0 for those that are never predicted.
    pub unigrams: Vec<f64>,
    pub unigram_backoffs: Vec<f32>,
    /// `probs[part][n - 2]`: log10 probabilities of the n-grams of length n that are kept.
    pub probs: Vec<Vec<Tape>>,
    /// `backoffs[n - 2]`: log10 back-off weights of n-grams of length n, by n-gram.
    pub backoffs: Vec<Vec<Table<K>>>,
}

impl Interpolator<'_> {
    pub fn interpolate<K: Key>(
        &self,
        adjusted: &Adjusted<K>,
        monitor: &Monitor,
    ) -> Result<Estimates<K>> {
        let unigrams = self.unigrams(&adjusted.unigrams);
        let walk = |part: &Part<K>| Walk::new(self, part, &unigrams)?.run(monitor);
        let walked: Vec<_> = adjusted.parts.par_iter().map(walk).collect::<Result<_>>()?;
        let mut estimates = Estimates {
            unigram_backoffs: vec![0.0; unigrams.len()],
            unigrams,
            probs: Vec::with_capacity(walked.len()),
            backoffs: (2..self.order).map(|_| Vec::new()).collect(),
        };
        for part in walked {
            for (word, backoff) in part.unigram_backoffs {
                estimates.unigram_backoffs[word as usize] = backoff;
            }
            for (all, some) in estimates.backoffs.iter_mut().zip(part.backoffs) {
                all.extend(some);
            }
            estimates.probs.push(part.probs);
        }
        for tables in &mut estimates.backoffs {
            *tables = gather(std::mem::take(tables), self.space, monitor)?;
        }
        Ok(estimates)
    }

    /// Single words are interpolated with all words that can be predicted being alike: those
    /// that were, and the unknown one.
    fn unigrams(&self, counts: &[u64]) -> Vec<f64> {
        let discounts = &self.discounts[0];
        let total: u64 = counts.iter().sum();
        let taken: f64 = counts.iter().map(|&count| discounts.get(count)).sum();
        let predicted = |(word, &count): (usize, &u64)| count > 0 || word == UNKNOWN as usize;
        let alike = 1.0 / counts.iter().enumerate().filter(|&word| predicted(word)).count() as f64;
        let total = total as f64;
        let prob = |word: (usize, &u64)| {
            let count = *word.1;
            if !predicted(word) {
                return 0.0;
            }
            (count as f64 - discounts.get(count)) / total + taken / total * alike
        };
        counts.iter().enumerate().map(prob).collect()
    }
}

/// What one walk brings home.
struct Walked<K> {
    probs: Vec<Tape>,
    unigram_backoffs: Vec<(u32, f32)>,
    backoffs: Vec<Vec<Table<K>>>,
}

struct Walk<'a, K> {
    interpolator: &'a Interpolator<'a>,
    unigrams: &'a [f64],
    /// By length of the context less one, as everything below.
    levels: Vec<Level<'a, K>>,
    unigram_backoffs: Vec<(u32, f32)>,
    backoffs: Vec<Backoffs<'a, K>>,
    done: u64,
}

/// The n-grams of one length.
struct Level<'a, K> {
    rows: Rows<'a, K>,
    discounts: Discounts,
    probs: TapeWriter,
    /// Words and adjusted counts of the context at hand.
    counts: Vec<(u32, Counted)>,
    /// Words that are kept and their probabilities there.
    known: Vec<(u32, f64)>,
}

impl<'a, K: Key> Walk<'a, K> {
    fn new(
        interpolator: &'a Interpolator<'a>,
        part: &'a Part<K>,
        unigrams: &'a [f64],
    ) -> Result<Self> {
        let level = |(table, &discounts): (&'a Table<K>, &Discounts)| {
            Ok(Level {
                rows: table.rows()?,
                discounts,
                probs: TapeWriter::new(interpolator.space, 4),
                counts: Vec::new(),
                known: Vec::new(),
            })
        };
        let levels = part.tables.iter().zip(&interpolator.discounts[1..]).map(level);
        Ok(Walk {
            interpolator,
            unigrams,
            levels: levels.collect::<Result<_>>()?,
            unigram_backoffs: Vec::new(),
            backoffs: (2..interpolator.order).map(|n| Backoffs::new(interpolator, n)).collect(),
            done: 0,
        })
    }

    fn run(mut self, monitor: &Monitor) -> Result<Walked<K>> {
        while let Some(context) = self.next_context(0) {
            self.context(0, context, monitor)?;
        }
        monitor.advance(self.done)?;
        let backoffs = self.backoffs.into_iter().map(Backoffs::finish).collect::<Result<_>>()?;
        Ok(Walked {
            probs: self.levels.into_iter().map(|level| level.probs.finish()).collect(),
            unigram_backoffs: self.unigram_backoffs,
            backoffs,
        })
    }

    fn next_context(&self, level: usize) -> Option<K> {
        let row = self.levels.get(level)?.rows.head()?;
        Some(self.interpolator.packing.context(row.key))
    }

    /// All n-grams of a context, then those of all longer contexts that end in it.
    fn context(&mut self, level: usize, context: K, monitor: &Monitor) -> Result<()> {
        let packing = self.interpolator.packing;
        let (shorter, rest) = self.levels.split_at_mut(level);
        let here = &mut rest[0];
        here.gather(context, packing)?;
        let taken = here.taken();
        match shorter.last() {
            None => here.interpolate(taken, |word| self.unigrams[word as usize])?,
            Some(shorter) => {
                let mut lower = Lookup { known: &shorter.known, from: 0 };
                here.interpolate(taken, |word| lower.get(word))?;
            }
        }
        if !here.known.is_empty() {
            self.back_off(level, context, taken)?;
        }
        self.done += self.levels[level].counts.len() as u64;
        if self.done > STEP {
            monitor.advance(self.done)?;
            self.done = 0;
        }
        while let Some(longer) = self.next_context(level + 1) {
            if longer.drop(packing.bits) != context {
                break;
            }
            self.context(level + 1, longer, monitor)?;
        }
        Ok(())
    }

    fn back_off(&mut self, level: usize, context: K, taken: f64) -> Result<()> {
        let packing = self.interpolator.packing;
        let backoff = taken.log10() as f32;
        match level {
            0 => self.unigram_backoffs.push((context.low(packing.bits), backoff)),
            _ => {
                let ngram = packing.context_as_ngram(context, level + 1);
                self.backoffs[level - 1].push(ngram, backoff)?;
            }
        }
        Ok(())
    }
}

impl<K: Key> Level<'_, K> {
    /// Takes the rows of `context`.
    fn gather(&mut self, context: K, packing: Packing) -> Result<()> {
        self.counts.clear();
        while let Some(row) = self.rows.head().filter(|row| packing.context(row.key) == context) {
            self.counts.push((packing.last_word(row.key), Counted::unpack(row.value)));
            self.rows.advance()?;
        }
        Ok(())
    }

    fn total(&self) -> f64 {
        self.counts.iter().map(|(_, counted)| counted.count).sum::<u64>() as f64
    }

    /// The share of all counts that is taken from them.
    fn taken(&self) -> f64 {
        // By how often each discount applies, so that rounding does not depend on the order.
        let (mut applied, mut dropped) = ([0_u64; 3], 0);
        for (_, counted) in &self.counts {
            if counted.pruned {
                dropped += counted.count;
            } else {
                applied[(counted.count.clamp(1, 3) - 1) as usize] += 1;
            }
        }
        let discounts = self.discounts.amounts.iter().zip(applied);
        let discounted: f64 = discounts.map(|(amount, times)| amount * times as f64).sum();
        (discounted + dropped as f64) / self.total()
    }

    fn interpolate(&mut self, taken: f64, mut lower: impl FnMut(u32) -> f64) -> Result<()> {
        let total = self.total();
        self.known.clear();
        for &(word, Counted { count, pruned }) in &self.counts {
            if pruned {
                continue;
            }
            let own = (count as f64 - self.discounts.get(count)) / total;
            let prob = own + taken * lower(word);
            self.known.push((word, prob));
            self.probs.row()?.copy_from_slice(&(prob.log10() as f32).to_le_bytes());
        }
        Ok(())
    }
}

/// Finds words that are asked for in order.
struct Lookup<'a> {
    known: &'a [(u32, f64)],
    from: usize,
}

impl Lookup<'_> {
    /// The probability of a word. A kept n-gram's ending is kept too, so every word is there.
    fn get(&mut self, word: u32) -> f64 {
        let rest = &self.known[self.from..];
        let mut reach = 1;
        while rest.get(reach).is_some_and(|&(found, _)| found <= word) {
            reach *= 2;
        }
        let near = &rest[..rest.len().min(reach)];
        let place = near.partition_point(|&(found, _)| found < word);
        self.from += place;
        debug_assert!(near.get(place).is_some_and(|&(found, _)| found == word));
        near.get(place).map_or(0.0, |&(_, prob)| prob)
    }
}

/// Back-off weights of n-grams of one length, on their way into sorted tables.
struct Backoffs<'a, K> {
    space: &'a Arc<Space>,
    layout: Layout,
    pending: Vec<(K, f32)>,
    most: usize,
    tables: Vec<Table<K>>,
}

impl<'a, K: Key> Backoffs<'a, K> {
    const FEWEST: usize = 1 << 12;

    fn new(interpolator: &'a Interpolator<'a>, length: usize) -> Self {
        let buffers = rayon::current_num_threads() * (interpolator.order - 2);
        let most = interpolator.memory as usize / buffers / size_of::<(K, f32)>();
        Backoffs {
            space: interpolator.space,
            layout: Layout::new(interpolator.packing.span(length), u64::from(u32::MAX)),
            pending: Vec::new(),
            most: most.max(Self::FEWEST),
            tables: Vec::new(),
        }
    }

    fn push(&mut self, ngram: K, backoff: f32) -> Result<()> {
        if self.pending.len() >= self.most {
            self.sort()?;
        }
        self.pending.push((ngram, backoff));
        Ok(())
    }

    fn sort(&mut self) -> Result<()> {
        self.pending.sort_unstable_by_key(|&(ngram, _)| ngram);
        let mut writer = TableWriter::new(self.space, self.layout);
        for (key, backoff) in self.pending.drain(..) {
            writer.push(Row { key, value: u64::from(backoff.to_bits()) })?;
        }
        self.tables.push(writer.finish());
        Ok(())
    }

    fn finish(mut self) -> Result<Vec<Table<K>>> {
        self.sort()?;
        Ok(self.tables)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lookups_in_order_find_every_word() {
        let known: Vec<(u32, f64)> = (0..100).map(|n| (n * 3, f64::from(n))).collect();
        for step in [1, 2, 7, 50] {
            let mut lookup = Lookup { known: &known, from: 0 };
            for n in (0..100).step_by(step) {
                assert_eq!(lookup.get(n * 3), f64::from(n));
            }
        }
    }
}
