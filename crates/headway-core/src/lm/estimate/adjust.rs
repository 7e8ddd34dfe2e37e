//! Adjusted counts of every order, out of the counts of the highest.
//!
//! Below the highest order an n-gram counts as often as different words stand before it
//! (Kneser & Ney, 1995); where it begins a sentence nothing stands before it, and it keeps its
//! count. The contexts of the sorted n-grams form a tree: below the context *c* stand the
//! contexts that end in *c*. One walk over the n-grams closes each context after all contexts
//! below it, and hands its words to the one above.

use std::sync::Arc;

use rayon::prelude::*;

use super::Begin;
use super::corpus::BEGIN;
use super::discount::CountsOfCounts;
use super::key::{Key, Packing};
use super::table::{Layout, Row, Table, TableWriter, Union};
use super::tape::Space;
use crate::{Monitor, Result};

/// n-grams between two looks at the monitor.
const STEP: u64 = 1 << 14;

/// How counts become adjusted counts.
pub struct Adjuster<'a> {
    pub order: usize,
    pub packing: Packing,
    pub begin: Begin,
    /// n-grams of length n are dropped if their count is not above `prune[n - 1]`.
    pub prune: &'a [u64],
    pub words: usize,
    /// No count is larger.
    pub largest: u64,
    pub space: &'a Arc<Space>,
}

/// The n-grams whose context ends in one of a range of words: `tables[n - 2]` holds those of
/// length n, with values made by `Counted`.
pub struct Part<K> {
    pub tables: Vec<Table<K>>,
}

/// An adjusted count and whether its n-gram is dropped, as one number.
#[derive(Debug, Clone, Copy)]
pub struct Counted {
    pub count: u64,
    pub pruned: bool,
}

impl Counted {
    fn pack(self) -> u64 {
        self.count << 1 | u64::from(self.pruned)
    }

    pub fn unpack(value: u64) -> Self {
        Counted { count: value >> 1, pruned: value & 1 == 1 }
    }
}

pub struct Adjusted<K> {
    pub parts: Vec<Part<K>>,
    /// Adjusted counts of single words.
    pub unigrams: Vec<u64>,
    /// By order.
    pub counts: Vec<CountsOfCounts>,
}

impl<K> Adjusted<K> {
    /// n-grams of each length that pruning leaves.
    pub fn kept(&self) -> Vec<u64> {
        self.counts.iter().map(|counts| counts.kept).collect()
    }
}

impl Adjuster<'_> {
    /// `bounds` are the words that begin parts, the first part beginning with the first word.
    pub fn adjust<K: Key>(
        &self,
        tables: &[Table<K>],
        bounds: &[u32],
        monitor: &Monitor,
    ) -> Result<Adjusted<K>> {
        let shift = self.packing.span(self.order - 1);
        let bound = |index: usize| bounds.get(index).map(|&word| K::at(word, shift));
        let walk = |part: usize| {
            let low = part.checked_sub(1).and_then(bound);
            self.part(Union::between(tables, low, bound(part))?, monitor)
        };
        let walked: Vec<_> = (0..=bounds.len()).into_par_iter().map(walk).collect::<Result<_>>()?;
        Ok(self.join(walked))
    }

    fn part<K: Key>(&self, mut ngrams: Union<'_, K>, monitor: &Monitor) -> Result<Walked<K>> {
        let mut walk = Walk::new(self);
        let (mut done, mut step) = (0, 0);
        while let Some(row) = ngrams.next()? {
            walk.add(row)?;
            done += row.value;
            step += 1;
            if step == STEP {
                monitor.advance(done)?;
                (done, step) = (0, 0);
            }
        }
        monitor.advance(done)?;
        walk.finish()
    }

    fn join<K: Key>(&self, walked: Vec<Walked<K>>) -> Adjusted<K> {
        let mut unigrams = vec![0; self.words];
        let mut counts = vec![CountsOfCounts::default(); self.order];
        let mut parts = Vec::with_capacity(walked.len());
        for part in walked {
            for tallied in part.unigrams {
                unigrams[tallied.word as usize] += tallied.adjusted;
            }
            for (all, some) in counts.iter_mut().zip(&part.counts) {
                all.merge(some);
            }
            parts.push(Part { tables: part.tables });
        }
        for &count in &unigrams {
            counts[0].add(count, false);
        }
        Adjusted { parts, unigrams, counts }
    }
}

/// What one walk brings home.
struct Walked<K> {
    tables: Vec<Table<K>>,
    unigrams: Vec<Tallied>,
    counts: Vec<CountsOfCounts>,
}

/// The contexts that are open, from the empty one down.
struct Walk<'a, K> {
    adjuster: &'a Adjuster<'a>,
    /// `contexts[n]` and `tallies[n]` belong to the open context of n words.
    contexts: Vec<K>,
    tallies: Vec<Tally>,
    /// Words of the longest open context.
    depth: usize,
    /// `writers[n - 1]` and `counts[n]` are for n-grams with contexts of n words.
    writers: Vec<TableWriter<K>>,
    counts: Vec<CountsOfCounts>,
}

impl<'a, K: Key> Walk<'a, K> {
    fn new(adjuster: &'a Adjuster<'a>) -> Self {
        let writer = |length: usize| {
            let largest = Counted { count: adjuster.largest, pruned: true }.pack();
            let layout = Layout::new(adjuster.packing.span(length), largest);
            TableWriter::new(adjuster.space, layout)
        };
        Walk {
            adjuster,
            contexts: vec![K::default(); adjuster.order],
            tallies: (0..adjuster.order).map(|_| Tally::default()).collect(),
            depth: 0,
            writers: (2..=adjuster.order).map(writer).collect(),
            counts: vec![CountsOfCounts::default(); adjuster.order],
        }
    }

    fn add(&mut self, row: Row<K>) -> Result<()> {
        let packing = self.adjuster.packing;
        let (context, word) = (packing.context(row.key), packing.last_word(row.key));
        let depth = self.counted_at(context);
        while self.depth > 0 && !self.holds(context, depth) {
            self.close()?;
        }
        while self.depth < depth {
            self.depth += 1;
            self.contexts[self.depth] = self.ending(context, self.depth);
        }
        self.tallies[depth].add(Tallied { word, adjusted: row.value, raw: row.value });
        Ok(())
    }

    /// The last `length` words of a whole context.
    fn ending(&self, context: K, length: usize) -> K {
        context.drop(self.adjuster.packing.span(self.adjuster.order - 1 - length))
    }

    /// Whether the longest open context is an ending, of at most `depth` words, of this one.
    fn holds(&self, context: K, depth: usize) -> bool {
        self.depth <= depth && self.contexts[self.depth] == self.ending(context, self.depth)
    }

    /// The length of the context in which an n-gram keeps its count: all of it, unless it
    /// reaches beyond the beginning of the sentence.
    fn counted_at(&self, context: K) -> usize {
        let length = self.adjuster.order - 1;
        let begins = |&depth: &usize| {
            self.adjuster.packing.context_word(context, length, depth - 1) == BEGIN
        };
        match (1..=length).find(begins) {
            Some(depth) if self.adjuster.begin == Begin::FirstWord => depth - 1,
            Some(depth) => depth,
            None => length,
        }
    }

    /// Writes the n-grams of the longest open context, and counts it for the one above as one
    /// more word that stands before.
    fn close(&mut self) -> Result<()> {
        let (depth, context) = (self.depth, self.contexts[self.depth]);
        let (above, here) = self.tallies.split_at_mut(depth);
        for tallied in here[0].drain() {
            let pruned = tallied.raw <= self.adjuster.prune[depth];
            let key = self.adjuster.packing.ngram(context, tallied.word);
            let value = Counted { count: tallied.adjusted, pruned }.pack();
            self.writers[depth - 1].push(Row { key, value })?;
            self.counts[depth].add(tallied.adjusted, pruned);
            above[depth - 1].add(Tallied { adjusted: 1, ..tallied });
        }
        self.depth -= 1;
        Ok(())
    }

    fn finish(mut self) -> Result<Walked<K>> {
        while self.depth > 0 {
            self.close()?;
        }
        Ok(Walked {
            tables: self.writers.into_iter().map(TableWriter::finish).collect(),
            unigrams: self.tallies[0].drain().collect(),
            counts: self.counts,
        })
    }
}

/// A word in a context: how often as Kneser & Ney count, and how often in the text.
#[derive(Debug, Clone, Copy)]
struct Tallied {
    word: u32,
    adjusted: u64,
    raw: u64,
}

/// The words of one context, gathered from the contexts below it.
#[derive(Default)]
struct Tally {
    entries: Vec<Tallied>,
    /// True if out of order, or with a word more than once.
    loose: bool,
    /// Entries at which it is time to bring equal words together.
    full: usize,
}

impl Tally {
    const SMALLEST: usize = 1 << 12;

    #[inline]
    fn add(&mut self, tallied: Tallied) {
        match self.entries.last_mut() {
            Some(last) if last.word == tallied.word => {
                last.adjusted += tallied.adjusted;
                last.raw += tallied.raw;
                return;
            }
            Some(last) if last.word > tallied.word => self.loose = true,
            _ => {}
        }
        // Keeps memory within twice the vocabulary, however many n-grams end here.
        if self.entries.len() >= self.full.max(Self::SMALLEST) {
            self.tidy();
            self.full = self.entries.len() * 2;
        }
        self.entries.push(tallied);
    }

    fn tidy(&mut self) {
        if self.loose {
            self.entries.sort_unstable_by_key(|tallied| tallied.word);
            self.entries.dedup_by(|next, last| {
                let same = next.word == last.word;
                if same {
                    last.adjusted += next.adjusted;
                    last.raw += next.raw;
                }
                same
            });
            self.loose = false;
        }
    }

    /// All words in order, leaving none.
    fn drain(&mut self) -> impl Iterator<Item = Tallied> {
        self.tidy();
        self.full = 0;
        self.entries.drain(..)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn a_tally_adds_up_in_bounded_memory(words in prop::collection::vec(0_u32..20, 0..20_000)) {
            let mut tally = Tally::default();
            let mut expected = BTreeMap::new();
            for &word in &words {
                tally.add(Tallied { word, adjusted: 1, raw: 2 });
                *expected.entry(word).or_insert(0) += 1;
            }
            prop_assert!(tally.entries.len() <= Tally::SMALLEST);
            let found: Vec<_> = tally.drain().map(|t| (t.word, t.adjusted, t.raw)).collect();
            let expected: Vec<_> = expected.into_iter().map(|(w, n)| (w, n, 2 * n)).collect();
            prop_assert_eq!(found, expected);
            prop_assert!(tally.drain().next().is_none());
        }
    }
}
