//! Lexical translation probabilities t(f | e) for the word pairs that occur together.
//!
//! Pairs stand in one sorted list, so that the translations of a word are neighbours, with a
//! hash index beside it. Expected counts are fixed-point integers added atomically: sums of
//! integers do not depend on their order, hence not on the number of threads.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::prelude::*;

use super::bitext::Side;
use super::punctuation::Kind;
use crate::{Monitor, Result};

/// The empty word that generates what has no counterpart. Word w is number w + 1 here.
pub const NULL: u32 = 0;

/// Sentences are worked on in chunks of this many, whatever the number of threads.
pub const CHUNK: usize = 256;

/// What t(f | e) is taken to be for pairs never seen together: small, but not impossible.
pub const UNSEEN: f32 = 1e-7;

/// Marks a pair that is not in the lexicon.
pub const ABSENT: u32 = u32::MAX;

#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    /// e in the upper half, f in the lower; sorted.
    keys: Vec<u64>,
    probabilities: Vec<f32>,
    /// The same had one link of the pair not been seen; empty unless counts are of whole links.
    without_one: Vec<f32>,
    /// Open addressing over `keys`.
    slots: Vec<u32>,
}

fn key(given: u32, word: u32) -> u64 {
    u64::from(given) << 32 | u64::from(word)
}

impl Lexicon {
    /// All pairs that occur together in some sentence pair, uniformly distributed; none of a
    /// word and a punctuation mark if `punctuation_apart`.
    pub fn uniform(
        given: &Side,
        generated: &Side,
        punctuation_apart: bool,
        monitor: &Monitor,
    ) -> Result<Self> {
        let chunks = generated.len().div_ceil(CHUNK);
        let kinds = punctuation_apart.then(|| (Kind::of_words(given), Kind::of_words(generated)));
        let may_stand = |key: &u64| match (&kinds, (key >> 32).checked_sub(1)) {
            (Some((by, words)), Some(given)) => {
                by[given as usize].may_stand_for(words[*key as u32 as usize])
            }
            _ => true,
        };
        let merged = (0..chunks)
            .into_par_iter()
            .map(|chunk| {
                monitor.check()?;
                let mut keys = pairs_of_chunk(given, generated, chunk);
                keys.retain(may_stand);
                Ok(keys)
            })
            .try_reduce(Vec::new, |first, second| Ok(merge(first, second)))?;
        let mut lexicon = Lexicon::from_keys(merged);
        lexicon.update_rows(
            |counts| {
                let uniform = 1.0 / counts.len() as f32;
                vec![uniform; counts.len()]
            },
            &Counts::zero(lexicon.len()),
        );
        Ok(lexicon)
    }

    /// A lexicon of these sorted distinct pairs, all with probability 0.
    fn from_keys(keys: Vec<u64>) -> Self {
        let probabilities = vec![0.0; keys.len()];
        Lexicon::from_parts(keys, probabilities)
    }

    pub fn from_parts(keys: Vec<u64>, probabilities: Vec<f32>) -> Self {
        let mut lexicon = Lexicon { keys, probabilities, ..Lexicon::default() };
        lexicon.index();
        lexicon
    }

    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    pub fn probabilities(&self) -> &[f32] {
        &self.probabilities
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Drops entries less probable than `least`; answers the new number of each old entry.
    pub fn prune(&mut self, least: f32) -> Vec<u32> {
        let mut numbers = Vec::with_capacity(self.len());
        let mut kept = 0;
        for entry in 0..self.len() {
            if self.probabilities[entry] < least {
                numbers.push(ABSENT);
                continue;
            }
            self.keys[kept] = self.keys[entry];
            self.probabilities[kept] = self.probabilities[entry];
            numbers.push(kept as u32);
            kept += 1;
        }
        self.keys.truncate(kept);
        self.probabilities.truncate(kept);
        self.index();
        numbers
    }

    fn index(&mut self) {
        let capacity = (self.keys.len() * 2).next_power_of_two().max(2);
        self.slots = vec![ABSENT; capacity];
        for (entry, &key) in self.keys.iter().enumerate() {
            let mut slot = self.home(key);
            while self.slots[slot] != ABSENT {
                slot = (slot + 1) & (capacity - 1);
            }
            self.slots[slot] = entry as u32;
        }
    }

    fn home(&self, key: u64) -> usize {
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> 32) as usize & (self.slots.len() - 1)
    }

    /// The number of the pair's entry, if the pair is known.
    fn find(&self, given: u32, word: u32) -> u32 {
        let key = key(given, word);
        let mut slot = self.home(key);
        loop {
            let entry = self.slots[slot];
            if entry == ABSENT || self.keys[entry as usize] == key {
                return entry;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds the entries of a sentence pair: for each generated word one row, NULL first, then
    /// the given words in order.
    pub fn find_entries(&self, given: &[u32], generated: &[u32], entries: &mut Vec<u32>) {
        for &word in generated {
            entries.push(self.find(NULL, word));
            entries.extend(given.iter().map(|&given| self.find(given + 1, word)));
        }
    }

    /// Probabilities of those entries.
    pub fn look_up(&self, entries: &[u32], probabilities: &mut Vec<f32>) {
        probabilities.clear();
        probabilities.extend(entries.iter().map(|&entry| {
            if entry == ABSENT { UNSEEN } else { self.probabilities[entry as usize].max(UNSEEN) }
        }));
    }

    /// Takes back, in the probabilities of a sentence pair, what its own links (a generator for
    /// each generated word, 0 is NULL) have added to the counts.
    pub fn leave_out(&self, entries: &[u32], links: &[u32], probabilities: &mut [f32]) {
        let width = entries.len() / links.len().max(1);
        for (word, &link) in links.iter().enumerate() {
            let row = word * width..(word + 1) * width;
            let own = entries[row.start + link as usize];
            if let Some(&without) = self.without_one.get(own as usize) {
                let cells = probabilities[row.clone()].iter_mut().zip(&entries[row]);
                cells
                    .filter(|&(_, &entry)| entry == own)
                    .for_each(|(cell, _)| *cell = without.max(UNSEEN));
            }
        }
    }

    /// Sets the probabilities of each given word from whole counts of links: what the next link
    /// would be under a symmetric Dirichlet prior over `words` words.
    pub fn predict(&mut self, counts: &Counts, prior: f64, words: usize) {
        let prior = prior.max(1e-9);
        let mass = prior * words.max(1) as f64;
        let predicted = |less: f64| {
            move |row: &[f64]| {
                let total: f64 = row.iter().sum();
                let share = |&count: &f64| {
                    ((count - less).max(0.0) + prior) / ((total - less).max(0.0) + mass)
                };
                row.iter().map(|count| share(count) as f32).collect()
            }
        };
        self.update_rows(predicted(1.0), counts);
        self.without_one = self.probabilities.clone();
        self.update_rows(predicted(0.0), counts);
    }

    /// Sets the probabilities of each given word from the expected counts of its row.
    ///
    /// With `prior` 0 this is the maximum-likelihood step of EM. Above 0 it is the variational
    /// step under a symmetric Dirichlet prior, which takes mass from words seen once or twice
    /// (Riley & Gildea 2012).
    pub fn maximise(&mut self, counts: &Counts, prior: f64) {
        self.update_rows(|row| maximised(row, prior), counts);
    }

    fn update_rows(&mut self, update: impl Fn(&[f64]) -> Vec<f32> + Sync, counts: &Counts) {
        let rows: Vec<(usize, Vec<f32>)> = self
            .rows()
            .into_par_iter()
            .map(|row| {
                let expected: Vec<f64> = row.clone().map(|entry| counts.get(entry)).collect();
                (row.start, update(&expected))
            })
            .collect();
        for (start, row) in rows {
            self.probabilities[start..start + row.len()].copy_from_slice(&row);
        }
    }

    /// The ranges of entries with the same given word.
    fn rows(&self) -> Vec<std::ops::Range<usize>> {
        let mut start = 0;
        let same_word = |a: &u64, b: &u64| a >> 32 == b >> 32;
        let lengths = self.keys.chunk_by(same_word).map(<[u64]>::len);
        lengths
            .map(|length| {
                start += length;
                start - length..start
            })
            .collect()
    }
}

fn pairs_of_chunk(given: &Side, generated: &Side, chunk: usize) -> Vec<u64> {
    let mut keys = Vec::new();
    for pair in chunk * CHUNK..((chunk + 1) * CHUNK).min(generated.len()) {
        for &word in generated.sentence(pair) {
            keys.push(key(NULL, word));
            keys.extend(given.sentence(pair).iter().map(|&given| key(given + 1, word)));
        }
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// Two sorted lists as one, without repetition.
fn merge(first: Vec<u64>, second: Vec<u64>) -> Vec<u64> {
    let mut merged = Vec::with_capacity(first.len() + second.len());
    let (mut first, mut second) = (first.into_iter().peekable(), second.into_iter().peekable());
    loop {
        let next = match (first.peek(), second.peek()) {
            (Some(a), Some(b)) if a <= b => first.next(),
            (Some(_), None) => first.next(),
            (_, Some(_)) => second.next(),
            (None, None) => return merged,
        };
        if next != merged.last().copied() {
            merged.extend(next);
        }
    }
}

fn maximised(counts: &[f64], prior: f64) -> Vec<f32> {
    let total: f64 = counts.iter().sum();
    if prior == 0.0 {
        return counts.iter().map(|&count| (count / total.max(f64::MIN_POSITIVE)) as f32).collect();
    }
    let normaliser = digamma(total + prior * counts.len() as f64);
    counts.iter().map(|&count| (digamma(count + prior) - normaliser).exp() as f32).collect()
}

/// Derivative of the logarithm of the gamma function, for positive arguments: recurrence up to
/// 6, then the asymptotic series.
fn digamma(mut x: f64) -> f64 {
    let mut value = 0.0;
    while x < 6.0 {
        value -= 1.0 / x;
        x += 1.0;
    }
    let inverse = 1.0 / (x * x);
    let series = inverse * (1.0 / 12.0 - inverse * (1.0 / 120.0 - inverse / 252.0));
    value + x.ln() - 0.5 / x - series
}

/// Expected counts, added to from any thread.
pub struct Counts(Vec<AtomicU64>);

const NEGLIGIBLE: f32 = 1e-5;

/// One, in fixed point.
const ONE: f32 = (1_u64 << 32) as f32;

impl Counts {
    pub fn zero(length: usize) -> Self {
        Counts((0..length).map(|_| AtomicU64::new(0)).collect())
    }

    pub fn add(&self, entry: u32, amount: f32) {
        if entry != ABSENT {
            self.0[entry as usize].fetch_add((amount * ONE) as u64, Relaxed);
        }
    }

    /// Adds a row of amounts; what is too small to matter is left out, to save time.
    pub fn add_row(&self, entries: &[u32], amounts: &[f32]) {
        for (&entry, &amount) in entries.iter().zip(amounts) {
            if amount > NEGLIGIBLE {
                self.add(entry, amount);
            }
        }
    }

    pub fn get(&self, entry: usize) -> f64 {
        self.0[entry].load(Relaxed) as f64 / f64::from(ONE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(sentences: &[&str]) -> Side {
        let mut side = Side::default();
        for sentence in sentences {
            side.push(sentence.split_whitespace());
        }
        side
    }

    #[test]
    fn pairs_that_occur_together_are_found_and_others_are_not() {
        let (given, generated) = (side(&["a b", "c"]), side(&["x y", "x"]));
        let lexicon = Lexicon::uniform(&given, &generated, true, &Monitor::default()).unwrap();
        // NULL with x, y; a with x, y; b with x, y; c with x.
        assert_eq!(lexicon.len(), 7);
        let (mut entries, mut probabilities) = (Vec::new(), Vec::new());
        lexicon.find_entries(&[0, 2], &[0, 1], &mut entries);
        lexicon.look_up(&entries, &mut probabilities);
        assert_eq!(probabilities, [0.5, 0.5, 1.0, 0.5, 0.5, UNSEEN]);
    }

    #[test]
    fn a_pair_left_out_is_estimated_as_if_it_had_never_been_counted() {
        let (given, generated) = (side(&["a b", "a"]), side(&["x y", "x"]));
        let mut lexicon = Lexicon::uniform(&given, &generated, true, &Monitor::default()).unwrap();
        let mut entries = Vec::new();
        lexicon.find_entries(&[0, 1, 0], &[0, 1], &mut entries);
        // x of `a` three times, y of `a` once, y of NULL once.
        let links = [(1, 3.0), (5, 1.0), (4, 1.0)];
        let predict = |lexicon: &mut Lexicon, less: usize| {
            let counts = Counts::zero(lexicon.len());
            for &(cell, count) in &links {
                counts.add(entries[cell], if cell == less { count - 1.0 } else { count });
            }
            lexicon.predict(&counts, 0.5, 2);
            let mut probabilities = Vec::new();
            lexicon.look_up(&entries, &mut probabilities);
            probabilities
        };
        let without = predict(&mut lexicon, 1);
        let mut found = predict(&mut lexicon, usize::MAX);
        assert_eq!(found[1], 3.5 / 5.0);
        lexicon.leave_out(&entries, &[1, 0], &mut found);
        // Both places of `a` in the row of x; that y's own link is to NULL changes no other cell.
        assert_eq!((found[1], found[3]), (without[1], without[3]));
        assert_eq!(found[1], 2.5 / 4.0);
        assert_eq!(found[4], 0.5 / 1.0);
        assert_eq!(found[5], 1.5 / 5.0);
    }

    #[test]
    fn marks_and_words_are_no_pairs_unless_wanted() {
        let (given, generated) = (side(&["a , %"]), side(&["x ."]));
        let pairs =
            |apart| Lexicon::uniform(&given, &generated, apart, &Monitor::default()).unwrap().len();
        // NULL and % with both, a with x, the comma with the stop.
        assert_eq!((pairs(true), pairs(false)), (6, 8));
    }

    #[test]
    fn digamma_is_right() {
        for (x, value) in [(1.0, -0.577_215_664_9), (0.5, -1.963_510_026), (10.0, 2.251_752_589)] {
            assert!((digamma(x) - value).abs() < 1e-8, "{x}");
        }
    }

    #[test]
    fn a_prior_takes_from_the_rare() {
        let plain = maximised(&[9.0, 1.0], 0.0);
        assert_eq!(plain, [0.9, 0.1]);
        let with_prior = maximised(&[9.0, 1.0], 0.01);
        assert!(with_prior[1] / with_prior[0] < plain[1] / plain[0]);
        assert!(with_prior.iter().sum::<f32>() < 1.0);
    }
}
