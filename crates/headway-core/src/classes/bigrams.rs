//! How often words follow each other, ready to be walked from either side.

use std::cmp::Reverse;
use std::path::Path;

use rustc_hash::FxHashMap;

use crate::text::Lines;
use crate::{Monitor, Result, Vocabulary};

/// A neighbour and how often it was one.
pub type Neighbour = (u32, u32);

/// Words that follow and precede each word. The number after the last word's is the edge of
/// sentences, which is a neighbour but no word.
#[derive(Debug)]
pub struct Bigrams {
    pub next: Neighbours,
    pub previous: Neighbours,
    /// Words, the most frequent first.
    pub by_frequency: Vec<u32>,
}

/// For each word its neighbours on one side, in one array.
#[derive(Debug)]
pub struct Neighbours {
    ends: Vec<usize>,
    all: Vec<Neighbour>,
}

impl Neighbours {
    /// Of `(word, neighbour)` pairs with counts, sorted.
    fn new(words: usize, pairs: &[((u32, u32), u32)]) -> Self {
        let mut ends = vec![0; words + 1];
        for ((word, _), _) in pairs {
            ends[*word as usize] += 1;
        }
        let mut total = 0;
        for end in &mut ends {
            total += *end;
            *end = total;
        }
        Neighbours { ends, all: pairs.iter().map(|&((_, other), count)| (other, count)).collect() }
    }

    pub fn of(&self, word: u32) -> &[Neighbour] {
        let word = word as usize;
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        &self.all[start..self.ends[word]]
    }

    fn total(&self, word: u32) -> u64 {
        self.of(word).iter().map(|&(_, count)| u64::from(count)).sum()
    }
}

impl Bigrams {
    pub fn count(texts: &[impl AsRef<Path>], monitor: &Monitor) -> Result<(Vocabulary, Bigrams)> {
        const EDGE: u32 = u32::MAX;
        let mut words = Vocabulary::default();
        let mut counts: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut count = |left, right| {
            let known = counts.entry((left, right)).or_insert(0);
            *known = known.saturating_add(1);
        };
        for text in texts {
            let mut lines = Lines::open(text.as_ref())?;
            while let Some(line) = lines.next()? {
                monitor.check()?;
                let mut before = EDGE;
                for word in line.split_whitespace() {
                    let word = words.add(word).0;
                    count(before, word);
                    before = word;
                }
                if before != EDGE {
                    count(before, EDGE);
                }
            }
        }
        let edge = words.len() as u32;
        let number = |word| if word == EDGE { edge } else { word };
        let pairs = counts.into_iter();
        let pairs = pairs.map(|((left, right), count)| ((number(left), number(right)), count));
        let bigrams = Bigrams::new(words.len(), pairs.collect());
        Ok((words, bigrams))
    }

    /// Of `(left, right)` pairs with their counts, where `words` is the edge of sentences.
    pub fn new(words: usize, mut pairs: Vec<((u32, u32), u32)>) -> Self {
        pairs.sort_unstable();
        let next = Neighbours::new(words, &pairs);
        for ((left, right), _) in &mut pairs {
            std::mem::swap(left, right);
        }
        pairs.sort_unstable();
        let previous = Neighbours::new(words, &pairs);
        let mut by_frequency: Vec<u32> = (0..words as u32).collect();
        by_frequency.sort_by_cached_key(|&word| Reverse(next.total(word)));
        Bigrams { next, previous, by_frequency }
    }

    /// How often a word occurs.
    pub fn frequency(&self, word: u32) -> u64 {
        self.next.total(word)
    }

    pub fn words(&self) -> usize {
        self.by_frequency.len()
    }
}
