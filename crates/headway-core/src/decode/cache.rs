//! Prepared options of source phrases, kept between sentences.
//!
//! What the table holds of a frequent word is read, scored and sorted once, not once in every
//! sentence. What is kept never changes a result.

use std::sync::{Arc, Mutex, PoisonError};

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::phrase::Phrase;
use super::reordering::ORIENTATIONS;
use super::settings::Search;
use crate::Result;
use crate::table::NodeId;

/// Options of one source phrase: the best by estimate first.
#[derive(Debug)]
pub struct Prepared {
    pub phrases: Vec<Phrase>,
    /// Their places in the order of estimate, hope and backward score, by orientation.
    pub orders: [Vec<u16>; ORIENTATIONS],
}

pub type Options = Arc<Prepared>;

impl Prepared {
    /// Keeps the best `options`; ties stay in the table's order.
    pub fn new(mut phrases: Vec<Phrase>, search: &Search) -> Options {
        phrases.sort_by(|a, b| b.estimate.total_cmp(&a.estimate));
        phrases.truncate(search.options);
        Prepared::of(phrases, search)
    }

    /// Keeps all, in the order of estimates.
    pub fn all(mut phrases: Vec<Phrase>, search: &Search) -> Options {
        phrases.sort_by(|a, b| b.estimate.total_cmp(&a.estimate));
        Prepared::of(phrases, search)
    }

    fn of(phrases: Vec<Phrase>, search: &Search) -> Options {
        let hope = search.hope;
        let orders = std::array::from_fn(|orientation| {
            let mut order: Vec<u16> = (0..phrases.len() as u16).collect();
            let key = |place: u16| {
                let phrase = &phrases[usize::from(place)];
                phrase.estimate + hope * phrase.slack + phrase.backward[orientation]
            };
            order.sort_by(|&a, &b| key(b).total_cmp(&key(a)));
            order
        });
        Arc::new(Prepared { phrases, orders })
    }
}

const SHARDS: usize = 16;

/// What is kept of a source side.
pub trait Kept {
    /// So many bytes are kept, about.
    const MOST: usize;

    fn bytes(&self) -> usize;
}

impl Kept for Prepared {
    const MOST: usize = 20 << 20;

    fn bytes(&self) -> usize {
        // Values lie apart, and so do some words; places come once for each orientation.
        const APART: usize = 64 + ORIENTATIONS * size_of::<u16>();
        size_of::<Self>() + self.phrases.len() * (size_of::<Phrase>() + APART)
    }
}

type Known<T> = HashMap<u64, Arc<T>, FxBuildHasher>;

/// What was asked for lately, and what was before. Once there is much of the former it becomes
/// the latter, which goes: what is frequent stays, however much is asked for only once.
struct Shard<T> {
    recent: Known<T>,
    before: Known<T>,
    /// Of what is recent.
    bytes: usize,
}

impl<T> Default for Shard<T> {
    fn default() -> Self {
        Shard { recent: HashMap::default(), before: HashMap::default(), bytes: 0 }
    }
}

impl<T: Kept> Shard<T> {
    fn get(&mut self, key: u64) -> Option<Arc<T>> {
        if let Some(options) = self.recent.get(&key) {
            return Some(Arc::clone(options));
        }
        let options = self.before.remove(&key)?;
        self.insert(key, Arc::clone(&options));
        Some(options)
    }

    fn insert(&mut self, key: u64, options: Arc<T>) {
        let bytes = options.bytes();
        if self.bytes + bytes > T::MOST / SHARDS / 2 {
            self.before = std::mem::take(&mut self.recent);
            self.bytes = 0;
        }
        self.bytes += bytes;
        // Two threads may have made the same.
        let replaced = self.recent.insert(key, options);
        self.bytes -= replaced.map_or(0, |other| other.bytes());
    }
}

pub struct Cache<T> {
    shards: Vec<Mutex<Shard<T>>>,
}

impl<T> Default for Cache<T> {
    fn default() -> Self {
        Cache { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }
}

impl<T: Kept> Cache<T> {
    /// The options of a node, made if they are not there.
    pub fn get(&self, node: NodeId, make: impl FnOnce() -> Result<Arc<T>>) -> Result<Arc<T>> {
        let key = u64::from(node.0);
        let shard = &self.shards[node.0 as usize % SHARDS];
        let lock = || shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(options) = lock().get(key) {
            return Ok(options);
        }
        let options = make()?;
        lock().insert(key, Arc::clone(&options));
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    struct Block;

    impl Kept for Block {
        const MOST: usize = 100 * SHARDS;

        fn bytes(&self) -> usize {
            10
        }
    }

    #[test]
    fn the_frequent_stays_and_the_rare_goes() -> Result<()> {
        let cache: Cache<Block> = Cache::default();
        let made = Cell::new(0);
        let ask = |node: usize| {
            cache.get(NodeId((node * SHARDS) as u32), || {
                made.set(made.get() + 1);
                Ok(Arc::new(Block))
            })
        };
        for node in 1..1000 {
            ask(0)?;
            ask(node)?;
            let shard = cache.shards[0].lock().unwrap_or_else(PoisonError::into_inner);
            assert!(shard.recent.len() + shard.before.len() <= 10);
        }
        assert_eq!(made.get(), 1000, "what is always asked for was made once");
        ask(1)?;
        assert_eq!(made.get(), 1001, "what was asked for once is gone");
        Ok(())
    }
}
