//! Pairs in their fixed order, none twice.

use std::collections::VecDeque;

use rayon::prelude::*;
use rustc_hash::FxHashSet;
use xxhash_rust::xxh3::xxh3_64;

use super::pair::Pair;
use super::render::raw;
use headway_core::{Error, Result};

/// Candidates made at a time: enough for any number of threads, little enough for memory.
const BATCH: u64 = 2048;
/// Batches without a single new sentence after which there is nothing left to say.
const BARREN: u32 = 50;

/// What becomes of a pair on the thread that made it.
pub type Finish<T> = fn(Pair, index: u64, seed: u64) -> T;

/// The pairs of a seed and a difficulty. No German and no English sentence comes twice, so any
/// cut through the stream leaves two parts without a sentence in common.
pub struct Stream<T> {
    seed: u64,
    difficulty: f64,
    next: u64,
    finish: Finish<T>,
    /// 64-bit hashes: a collision drops one pair in some 10^7 runs of a million pairs.
    seen: [FxHashSet<u64>; 2],
    ready: VecDeque<T>,
}

impl<T: Send> Stream<T> {
    pub fn new(seed: u64, difficulty: f64, finish: Finish<T>) -> Result<Self> {
        if !(0.0..=1.0).contains(&difficulty) {
            let message = format!("difficulty: expected a number from 0 to 1, found {difficulty}");
            return Err(Error::setting(message));
        }
        let (seen, ready) = (Default::default(), VecDeque::new());
        Ok(Stream { seed, difficulty, next: 0, finish, seen, ready })
    }

    /// The next `count` pairs. The same ones for any number of threads.
    pub fn read(&mut self, count: usize) -> Result<Vec<T>> {
        let mut barren = 0;
        while self.ready.len() < count {
            let before = self.ready.len();
            self.refill();
            barren = if self.ready.len() == before { barren + 1 } else { 0 };
            if barren == BARREN {
                return Err(Error::setting("the fragment has no more new sentences to give"));
            }
        }
        Ok(self.ready.drain(..count).collect())
    }

    fn refill(&mut self) {
        let (seed, difficulty, finish) = (self.seed, self.difficulty, self.finish);
        let made: Vec<_> = (self.next..self.next + BATCH)
            .into_par_iter()
            .map(|index| {
                let pair = Pair::generate(seed, index, difficulty);
                let hashes =
                    [&pair.german, &pair.english].map(|words| xxh3_64(raw(words).as_bytes()));
                (hashes, finish(pair, index, seed))
            })
            .collect();
        self.next += BATCH;
        for (hashes, finished) in made {
            let [german, english] = &mut self.seen;
            if !german.contains(&hashes[0]) && !english.contains(&hashes[1]) {
                german.insert(hashes[0]);
                english.insert(hashes[1]);
                self.ready.push_back(finished);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use headway_core::monitor::pool;

    fn german(pair: Pair, _: u64, _: u64) -> String {
        raw(&pair.german)
    }

    fn read(threads: usize, sizes: &[usize]) -> Vec<String> {
        let mut stream = Stream::new(5, 0.3, german).unwrap();
        let read = || sizes.iter().flat_map(|&size| stream.read(size).unwrap()).collect();
        pool(threads).unwrap().install(read)
    }

    #[test]
    fn neither_threads_nor_portions_change_the_order() {
        let whole = read(1, &[5000]);
        assert_eq!(whole, read(3, &[5000]));
        assert_eq!(whole, read(2, &[1, 2047, 2952]));
    }

    #[test]
    fn no_sentence_comes_twice() {
        let mut sentences = read(2, &[8000]);
        sentences.sort_unstable();
        sentences.dedup();
        assert_eq!(sentences.len(), 8000);
    }

    #[test]
    fn difficulty_is_a_proportion() {
        for difficulty in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(matches!(Stream::new(1, difficulty, german), Err(Error::Setting(_))));
        }
    }
}
