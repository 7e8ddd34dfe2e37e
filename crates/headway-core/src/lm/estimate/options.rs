//! What is asked of an estimation, and what it reports.

use std::path::PathBuf;

use super::Symbols;
use crate::lm::MAX_ORDER;
use crate::{Error, Result};

/// What a model is to be like.
#[derive(Debug, Clone)]
pub struct Options {
    pub order: usize,
    /// Bytes the process may take. The vocabulary must fit; everything else adapts.
    pub memory: u64,
    /// n-grams of length n seen `prune[n - 1]` times or less are dropped; the last value goes
    /// for all longer ones, and no value means none.
    pub prune: Vec<u64>,
    /// Words to keep, the most frequent first; all others become `<unk>`.
    pub vocabulary_limit: Option<usize>,
    pub symbols: Symbols,
    pub boundaries: Boundaries,
    /// Where temporary files go; the system's choice if None.
    pub temp: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            order: 5,
            memory: 2 << 30,
            prune: Vec::new(),
            vocabulary_limit: None,
            symbols: Symbols::Refuse,
            boundaries: Boundaries::default(),
            temp: None,
        }
    }
}

/// Memory for each thread: its stack, buffers, and enough rows to sort at once.
const PER_THREAD: u64 = 24 << 20;

/// What stands before and after the words of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Boundaries {
    pub begin: Begin,
    /// Whether `</s>` is predicted after the last word.
    pub end: bool,
}

impl Default for Boundaries {
    fn default() -> Self {
        Boundaries { begin: Begin::Marker, end: true }
    }
}

/// What the first words of a sentence are predicted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// From `<s>`.
    Marker,
    /// From the first word itself, which is given and never predicted. An n-gram that begins
    /// with it keeps its count, as one that begins with `<s>` does. Empty sentences count for
    /// nothing.
    FirstWord,
}

/// What was estimated.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub sentences: u64,
    pub words: u64,
    /// Distinct words, with `<unk>`, `<s>` and `</s>`.
    pub vocabulary: usize,
    /// n-grams of each length, and how many pruning left.
    pub counts: Vec<u64>,
    pub kept: Vec<u64>,
    /// D₁, D₂, D₃₊ of each length.
    pub discounts: Vec<[f64; 3]>,
    /// Lengths for which the text gave no discounts, so that fixed ones were taken.
    pub fallback: Vec<usize>,
}

impl Options {
    /// As many threads as asked for (0 is one per core), but no more than the memory is enough
    /// for.
    pub fn threads(&self, asked: usize) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get());
        let wanted = if asked == 0 { cores() } else { asked };
        wanted.min((self.memory / PER_THREAD).max(1) as usize)
    }

    /// One pruning threshold per order, after checking everything.
    pub(super) fn thresholds(&self) -> Result<Vec<u64>> {
        let (order, prune) = (self.order, &self.prune);
        if !(1..=MAX_ORDER).contains(&order) {
            return Err(Error::setting(format!("order {order}: expected 1 to {MAX_ORDER}")));
        }
        if prune.len() > order {
            let given = prune.len();
            return Err(Error::setting(format!(
                "{given} pruning thresholds for a model of order {order}"
            )));
        }
        if prune.first().is_some_and(|&words| words > 0) {
            return Err(Error::setting(
                "the first pruning threshold, for single words, must be 0; limit the vocabulary instead",
            ));
        }
        if let Some(pair) = prune.windows(2).find(|pair| pair[1] < pair[0]) {
            let (first, second) = (pair[0], pair[1]);
            return Err(Error::setting(format!(
                "pruning thresholds must not fall with the order, but {second} follows {first}"
            )));
        }
        let last = prune.last().copied().unwrap_or(0);
        Ok((0..order).map(|n| prune.get(n).copied().unwrap_or(last)).collect())
    }
}
