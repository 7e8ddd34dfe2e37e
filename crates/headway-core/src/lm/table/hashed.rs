//! Hash tables, one per n-gram length, of buckets that fill one cache line each.
//!
//! Entries stand in the order of their homes and tags, each in its home or the next bucket
//! after it that those before it leave room in. A search ends where a later entry stands, or
//! none.

use std::sync::Arc;

use super::hash::{Hash, MAX_SHIFT, Probe, SHIFT_BITS};
use super::info::Info;
use super::sections::{Array, Sections};
use super::{Found, Table, prefetch};
use crate::Result;
use crate::lm::build::{NO_EXTENSION, Values};

/// A cache line: the keys of all its entries, then their probabilities, then, but for the
/// longest n-grams, their back-offs.
pub type Bucket = [u32; 16];

/// Entries of a bucket with back-offs, and of one without.
pub const MIDDLE: usize = 5;
pub const LONGEST: usize = 8;

/// The key of a place without entry.
pub const EMPTY: u32 = u32::MAX;

/// The n-grams of one length.
struct Level {
    hash: Hash,
    buckets: Array<Bucket>,
    /// Entries of a bucket.
    slots: u32,
}

pub struct Hashed {
    order: usize,
    unigrams: Array<Values>,
    /// From length 2 on.
    levels: Vec<Level>,
}

impl Hashed {
    pub fn open(sections: &Arc<Sections>, info: &Info) -> Result<Self> {
        let unigrams: Array<Values> = sections.array("1-grams")?;
        if unigrams.len() as u64 != info.words + 1 {
            return Err(sections.damaged("the 1-grams are not as many as the words"));
        }
        if !unigrams.iter().all(|values| values.are_sound()) {
            return Err(sections.damaged("a 1-gram has a value that is no logarithm"));
        }
        let levels = (2..=info.order()).map(|length| Level::open(sections, info, length));
        Ok(Hashed { order: info.order(), unigrams, levels: levels.collect::<Result<_>>()? })
    }

    /// All entries of length `order` (from 2 on): context, word, and what was found.
    pub fn entries(&self, order: usize) -> impl Iterator<Item = (u32, u32, Found)> + '_ {
        self.levels.get(order.wrapping_sub(2)).into_iter().flat_map(Level::entries)
    }

    /// Context and word of the entry of length `order` at `place`.
    pub fn parts(&self, order: usize, place: u32) -> Option<(u32, u32)> {
        self.levels.get(order.wrapping_sub(2))?.parts(place)
    }
}

impl Level {
    fn open(sections: &Arc<Sections>, info: &Info, length: usize) -> Result<Self> {
        let damaged = || sections.damaged(&format!("the table of {length}-grams has a wrong size"));
        let homes = info.buckets[length - 1];
        let hash = hash_of(info, length).filter(|hash| hash.buckets() == homes);
        let buckets: Array<Bucket> = sections.array(&format!("{length}-grams"))?;
        if buckets.len() as u64 != all_buckets(homes) {
            return Err(damaged());
        }
        let slots = slots(info, length) as u32;
        Ok(Level { hash: hash.ok_or_else(damaged)?, buckets, slots })
    }

    #[inline]
    fn probe(&self, context: u32, word: u32) -> Probe {
        let probe = self.hash.probe(self.hash.mix(context, word));
        prefetch(&self.buckets, probe.home as usize);
        probe
    }

    #[inline]
    fn find(&self, probe: Probe) -> Option<Found> {
        let bucket = self.buckets.get(probe.home as usize)?;
        let key = probe.tag << SHIFT_BITS;
        let slot = position(bucket, key);
        if slot < self.slots {
            return Some(self.found(bucket, probe.home, slot));
        }
        if self.may_be_after(bucket, key) { self.find_later(probe) } else { None }
    }

    /// Searches the buckets after home.
    #[cold]
    fn find_later(&self, probe: Probe) -> Option<Found> {
        for shift in 1..=MAX_SHIFT {
            let (index, key) = (probe.home + shift, probe.tag << SHIFT_BITS | shift);
            let bucket = self.buckets.get(index as usize)?;
            let slot = position(bucket, key);
            if slot < self.slots {
                return Some(self.found(bucket, index, slot));
            }
            if !self.may_be_after(bucket, key) {
                return None;
            }
        }
        None
    }

    /// Whether `key` may stand in a later bucket: if the last entry of this one is of an earlier
    /// home, or of the same home with a smaller tag.
    #[inline]
    fn may_be_after(&self, bucket: &Bucket, key: u32) -> bool {
        let last = bucket[(self.slots - 1) as usize & 15];
        let (last_shift, shift) = (last & MAX_SHIFT, key & MAX_SHIFT);
        last != EMPTY && (last_shift > shift || (last_shift == shift && last < key))
    }

    #[inline]
    fn found(&self, bucket: &Bucket, index: u32, slot: u32) -> Found {
        // All within the bucket; masked only so that the compiler knows.
        let prob = bucket[(self.slots + slot) as usize & 15];
        let backoff = bucket[(2 * self.slots + slot) as usize & 15];
        let backoff = if self.slots == MIDDLE as u32 { backoff } else { NO_EXTENSION };
        Found { place: index * self.slots + slot, values: Values { prob, backoff } }
    }

    fn entries(&self) -> impl Iterator<Item = (u32, u32, Found)> + '_ {
        (0..self.buckets.len() as u32 * self.slots).filter_map(|place| {
            let (context, word) = self.parts(place)?;
            let (index, slot) = (place / self.slots, place % self.slots);
            Some((context, word, self.found(self.buckets.get(index as usize)?, index, slot)))
        })
    }

    fn parts(&self, place: u32) -> Option<(u32, u32)> {
        let index = place / self.slots;
        let key = self.buckets.get(index as usize)?[(place % self.slots) as usize];
        let home = index.checked_sub(key & MAX_SHIFT)?;
        let in_use = key != EMPTY && u64::from(home) < self.hash.buckets();
        in_use.then(|| self.hash.restore(Probe { home, tag: key >> SHIFT_BITS }))
    }
}

/// Where `key` stands first among the first eight numbers; more than that if it does not. All
/// are compared at once, so that there is nothing for the processor to guess.
#[inline]
fn position(bucket: &Bucket, key: u32) -> u32 {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every x86-64 has SSE2; eight of the bucket's sixteen numbers are read.
    let found = unsafe {
        use std::arch::x86_64::{
            __m128i, _mm_castsi128_ps, _mm_cmpeq_epi32, _mm_loadu_si128, _mm_movemask_ps,
            _mm_set1_epi32,
        };
        let (key, numbers) = (_mm_set1_epi32(key as i32), bucket.as_ptr().cast::<__m128i>());
        let same = [0, 1].map(|half| _mm_cmpeq_epi32(_mm_loadu_si128(numbers.add(half)), key));
        let same = same.map(|same| _mm_movemask_ps(_mm_castsi128_ps(same)));
        same[0] | same[1] << 4
    };
    #[cfg(not(target_arch = "x86_64"))]
    let found = (0..8).fold(0, |found, slot| found | i32::from(bucket[slot] == key) << slot);
    found.trailing_zeros()
}

/// Buckets of a table with so many homes: the last entries may lie behind the last home.
pub fn all_buckets(homes: u64) -> u64 {
    homes + u64::from(MAX_SHIFT)
}

/// Entries of a bucket of n-grams of a length.
pub fn slots(info: &Info, length: usize) -> usize {
    if length < info.order() { MIDDLE } else { LONGEST }
}

/// How n-grams of a length are hashed, given the homes that `info` states for it and for the
/// next shorter ones.
pub fn hash_of(info: &Info, length: usize) -> Option<Hash> {
    let contexts = match length {
        2 => info.words,
        _ => all_buckets(info.buckets[length - 2]) * MIDDLE as u64,
    };
    Hash::new(contexts, info.words, info.buckets[length - 1])
}

impl Table for Hashed {
    type Probe = Probe;

    fn order(&self) -> usize {
        self.order
    }

    #[inline]
    fn unigram(&self, word: u32) -> Values {
        let last = self.unigrams.len() - 1;
        self.unigrams[(word as usize).min(last)]
    }

    #[inline]
    fn probe(&self, order: usize, context: u32, word: u32) -> Probe {
        match self.levels.get(order - 2) {
            Some(level) => level.probe(context, word),
            None => Probe::default(),
        }
    }

    #[inline]
    fn find(&self, order: usize, probe: Probe) -> Option<Found> {
        self.levels.get(order - 2)?.find(probe)
    }
}
