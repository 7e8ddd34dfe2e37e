//! Hash tables, one per n-gram length, with linear probing.
//!
//! Entries stand in the order of their homes, each as near behind its home as those before
//! it leave room. So a search ends at the first entry that is nearer to its home than the
//! one searched would be.

use std::sync::Arc;

use super::hash::{Hash, MAX_SHIFT, Probe, SHIFT_BITS};
use super::info::Info;
use super::sections::{Array, Sections};
use super::{Found, Table, prefetch};
use crate::Result;
use crate::lm::build::{NO_EXTENSION, Values};

/// The key of a place without entry: a tag that no entry has, at its home.
pub const EMPTY: u32 = u32::MAX << SHIFT_BITS;

/// One length: rows of a key and `ROW - 1` values.
struct Level<const ROW: usize> {
    hash: Hash,
    rows: Array<[u32; ROW]>,
}

pub struct Hashed {
    order: usize,
    unigrams: Array<Values>,
    /// Lengths 2 up to `order` - 1, with back-offs.
    middle: Vec<Level<3>>,
    longest: Option<Level<2>>,
}

impl Hashed {
    pub fn open(sections: &Arc<Sections>, info: &Info) -> Result<Self> {
        let unigrams: Array<Values> = sections.array("1-grams")?;
        if unigrams.len() as u64 != info.words + 1 {
            return Err(sections.damaged("the 1-grams are not as many as the words"));
        }
        let order = info.order();
        let middle = (2..order).map(|length| Level::open(sections, info, length));
        let middle = middle.collect::<Result<_>>()?;
        let longest = if order > 1 { Some(Level::open(sections, info, order)?) } else { None };
        Ok(Hashed { order, unigrams, middle, longest })
    }

    /// All entries of length `order` (from 2 on): context, word, and what was found.
    pub fn entries(&self, order: usize) -> Box<dyn Iterator<Item = (u32, u32, Found)> + '_> {
        match self.middle.get(order.wrapping_sub(2)) {
            Some(level) => Box::new(level.entries()),
            None => Box::new(self.longest.iter().flat_map(Level::entries)),
        }
    }

    /// Context and word of the entry of length `order` at `place`.
    pub fn parts(&self, order: usize, place: u32) -> Option<(u32, u32)> {
        match self.middle.get(order.wrapping_sub(2)) {
            Some(level) => level.parts(place),
            None => self.longest.as_ref().and_then(|level| level.parts(place)),
        }
    }
}

impl<const ROW: usize> Level<ROW> {
    fn open(sections: &Arc<Sections>, info: &Info, length: usize) -> Result<Self> {
        let damaged = || sections.damaged(&format!("the table of {length}-grams has a wrong size"));
        let buckets = info.buckets[length - 1];
        let hash = hash_of(info, length).filter(|hash| hash.buckets() == buckets);
        let rows: Array<[u32; ROW]> = sections.array(&format!("{length}-grams"))?;
        if rows.len() as u64 != places(buckets) {
            return Err(damaged());
        }
        Ok(Level { hash: hash.ok_or_else(damaged)?, rows })
    }

    #[inline]
    fn probe(&self, context: u32, word: u32) -> Probe {
        let probe = self.hash.probe(self.hash.mix(context, word));
        prefetch(&self.rows, probe.home as usize);
        probe
    }

    #[inline]
    fn find(&self, probe: Probe) -> Option<Found> {
        let home = probe.home as usize;
        let rows = self.rows.get(home..home + MAX_SHIFT + 1)?;
        let mut key = probe.tag << SHIFT_BITS;
        for (shift, row) in rows.iter().enumerate() {
            if row[0] == key {
                return Some(Found { place: (home + shift) as u32, values: values(row) });
            }
            if row[0] & (MAX_SHIFT as u32) < shift as u32 {
                return None;
            }
            key += 1;
        }
        None
    }

    fn entries(&self) -> impl Iterator<Item = (u32, u32, Found)> + '_ {
        let places = 0..self.rows.len() as u32;
        places.filter_map(|place| {
            let (context, word) = self.parts(place)?;
            let values = values(self.rows.get(place as usize)?);
            Some((context, word, Found { place, values }))
        })
    }

    fn parts(&self, place: u32) -> Option<(u32, u32)> {
        let key = self.rows.get(place as usize)?[0];
        let home = place.checked_sub(key & MAX_SHIFT as u32)?;
        let in_use = key != EMPTY && u64::from(home) < self.hash.buckets();
        in_use.then(|| self.hash.restore(Probe { home, tag: key >> SHIFT_BITS }))
    }
}

#[inline]
fn values<const ROW: usize>(row: &[u32; ROW]) -> Values {
    Values { prob: row[1], backoff: row.get(2).copied().unwrap_or(NO_EXTENSION) }
}

/// Rows of a table with so many homes: the last entries may lie behind the last home.
pub fn places(buckets: u64) -> u64 {
    buckets + MAX_SHIFT as u64 + 1
}

/// How n-grams of a length are hashed, given the homes that `info` states for it and for the
/// next shorter ones.
pub fn hash_of(info: &Info, length: usize) -> Option<Hash> {
    let contexts = if length == 2 { info.words } else { places(info.buckets[length - 2]) };
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
        match self.middle.get(order.wrapping_sub(2)) {
            Some(level) => level.probe(context, word),
            None => self.longest.as_ref().map_or_else(Probe::default, |l| l.probe(context, word)),
        }
    }

    #[inline]
    fn find(&self, order: usize, probe: Probe) -> Option<Found> {
        match self.middle.get(order.wrapping_sub(2)) {
            Some(level) => level.find(probe),
            None => self.longest.as_ref()?.find(probe),
        }
    }
}
