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
        let hope = search.hope;
        phrases.sort_by(|a, b| b.estimate.total_cmp(&a.estimate));
        phrases.truncate(search.options);
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
/// Phrases kept in a shard; then it starts anew.
const MOST: usize = 8_000;

#[derive(Default)]
struct Shard {
    options: HashMap<u64, Options, FxBuildHasher>,
    phrases: usize,
}

pub struct Cache {
    shards: Vec<Mutex<Shard>>,
}

impl Default for Cache {
    fn default() -> Self {
        Cache { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }
}

impl Cache {
    /// The options of a node, made if they are not there.
    pub fn get(&self, node: NodeId, make: impl FnOnce() -> Result<Options>) -> Result<Options> {
        let key = u64::from(node.0);
        let shard = &self.shards[node.0 as usize % SHARDS];
        let lock = || shard.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(options) = lock().options.get(&key) {
            return Ok(Arc::clone(options));
        }
        let options = make()?;
        let mut shard = lock();
        if shard.phrases > MOST {
            *shard = Shard::default();
        }
        shard.phrases += options.phrases.len();
        shard.options.insert(key, Arc::clone(&options));
        Ok(options)
    }
}
