//! Laying out a model as hash tables.

use bytemuck::{Pod, Zeroable, cast_slice};

use super::gram::Values;
use super::levels::Levels;
use super::sort::Sorted;
use crate::lm::table::{
    Bucket, EMPTY, Hash, Info, Layout, Lexicon, MAX_SHIFT, SHIFT_BITS, SectionSink, all_buckets,
    hash_of, slots,
};
use crate::{Error, Monitor, Result};

/// How full buckets are on average: fuller ones run over more often, emptier ones cost space.
const FILL: f64 = 0.8;

/// An entry before it has its place.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Pod, Zeroable)]
struct Placed {
    mixed: u64,
    values: Values,
    /// Which n-gram of its length this is, in the order of words.
    rank: u32,
    unused: u32,
}

/// Writes all sections of the model.
pub fn write_hashed(levels: &Levels, out: &mut dyn SectionSink, monitor: &Monitor) -> Result<()> {
    let mut info = levels.describe(Layout::Hashed)?;
    Lexicon::write(&levels.vocabulary, out)?;
    write_unigrams(levels, out)?;
    // Places of the n-grams of the last length done, by rank; a word's place is its id.
    let mut contexts: Vec<u32> = (0..info.words as u32).collect();
    for length in 2..=info.order() {
        monitor.check()?;
        let hash = choose_hash(&mut info, length, levels.grams[length - 1].len())?;
        let entries = mixed_entries(levels, length, &contexts, hash)?;
        let hash = with_room(&entries, &mut info, length, hash)?;
        out.section(&format!("{length}-grams"))?;
        contexts = write_buckets(&entries, hash, slots(&info, length), out)?;
    }
    info.write(out)
}

fn write_unigrams(levels: &Levels, out: &mut dyn SectionSink) -> Result<()> {
    out.section("1-grams")?;
    let mut reader = levels.grams[0].reader();
    while let Some(gram) = reader.next()? {
        out.write(bytemuck::bytes_of(&gram.values))?;
    }
    out.write(bytemuck::bytes_of(&levels.unknown_values()?))
}

fn choose_hash(info: &mut Info, length: usize, entries: u64) -> Result<Hash> {
    let room = entries as f64 / (FILL * slots(info, length) as f64);
    info.buckets[length - 1] = room.ceil().max(1.0) as u64;
    let hash = hash_of(info, length).ok_or_else(too_large)?;
    info.buckets[length - 1] = hash.buckets();
    Ok(hash)
}

fn too_large() -> Error {
    Error::setting("the model is too large for hash tables; use the trie layout or prune it")
}

/// The n-grams of a length, sorted by where they belong.
fn mixed_entries(
    levels: &Levels,
    length: usize,
    contexts: &[u32],
    hash: Hash,
) -> Result<Sorted<Placed>> {
    let mut sorter = levels.workspace.sorter();
    let mut parents = levels.grams[length - 2].reader();
    let mut grams = levels.grams[length - 1].reader();
    let (mut parent, mut next_rank) = (parents.next()?, 0_usize);
    for rank in 0.. {
        let Some(gram) = grams.next()? else { break };
        while parent.is_some_and(|parent| parent.words[..length - 1] != gram.words[..length - 1]) {
            parent = parents.next()?;
            next_rank += 1;
        }
        let mixed = hash.mix(contexts[next_rank], gram.words[length - 1]);
        sorter.push(Placed { mixed, values: gram.values, rank, unused: 0 })?;
    }
    sorter.finish()
}

/// The hash with as many homes as it takes to have each entry near enough to its own.
fn with_room(
    entries: &Sorted<Placed>,
    info: &mut Info,
    length: usize,
    mut hash: Hash,
) -> Result<Hash> {
    while largest_shift(entries, hash, slots(info, length))? > MAX_SHIFT {
        info.buckets[length - 1] += info.buckets[length - 1] / 8 + 1;
        hash = hash_of(info, length).ok_or_else(too_large)?;
    }
    Ok(hash)
}

fn largest_shift(entries: &Sorted<Placed>, hash: Hash, slots: usize) -> Result<u32> {
    let (mut filling, mut largest) = (Filling::new(slots), 0);
    let mut reader = entries.reader()?;
    while let Some(entry) = reader.next()? {
        let home = hash.probe(entry.mixed).home;
        filling.step(home);
        largest = largest.max(filling.bucket - home);
    }
    Ok(largest)
}

/// Where the next entry goes.
struct Filling {
    slots: usize,
    bucket: u32,
    slot: usize,
}

impl Filling {
    fn new(slots: usize) -> Self {
        Filling { slots, bucket: 0, slot: slots }
    }

    /// Moves to the next free place for an entry of that home.
    fn step(&mut self, home: u32) {
        self.slot += 1;
        if self.slot >= self.slots || self.bucket < home {
            // Before the first entry, `slot` is behind the end of no bucket.
            let after = self.bucket + u32::from(self.slot == self.slots);
            self.bucket = home.max(after);
            self.slot = 0;
        }
    }
}

/// Writes the table; answers the place of each entry by rank.
fn write_buckets(
    entries: &Sorted<Placed>,
    hash: Hash,
    slots: usize,
    out: &mut dyn SectionSink,
) -> Result<Vec<u32>> {
    let mut ranked = vec![0; entries.len() as usize];
    let mut buckets = Buckets::new(slots, out);
    let mut filling = Filling::new(slots);
    let mut reader = entries.reader()?;
    while let Some(entry) = reader.next()? {
        let probe = hash.probe(entry.mixed);
        filling.step(probe.home);
        let key = probe.tag << SHIFT_BITS | (filling.bucket - probe.home);
        buckets.put(&filling, key, entry.values)?;
        ranked[entry.rank as usize] = filling.bucket * slots as u32 + filling.slot as u32;
    }
    buckets.fill_up_to(all_buckets(hash.buckets()))?;
    buckets.flush()?;
    Ok(ranked)
}

/// Buckets on their way out, some thousand at a time.
struct Buckets<'a> {
    slots: usize,
    out: &'a mut dyn SectionSink,
    written: u64,
    pending: Vec<Bucket>,
}

impl<'a> Buckets<'a> {
    fn new(slots: usize, out: &'a mut dyn SectionSink) -> Self {
        Buckets { slots, out, written: 0, pending: Vec::new() }
    }

    fn put(&mut self, filling: &Filling, key: u32, values: Values) -> Result<()> {
        let (slots, slot) = (self.slots, filling.slot);
        self.fill_up_to(u64::from(filling.bucket) + 1)?;
        if let Some(bucket) = self.pending.last_mut() {
            bucket[slot] = key;
            bucket[slots + slot] = values.prob;
            if 3 * slots <= bucket.len() {
                bucket[2 * slots + slot] = values.backoff;
            }
        }
        Ok(())
    }

    /// Adds empty buckets until there are so many.
    fn fill_up_to(&mut self, many: u64) -> Result<()> {
        while self.written + (self.pending.len() as u64) < many {
            if self.pending.len() == 1 << 12 {
                self.flush()?;
            }
            let mut empty: Bucket = [0; 16];
            empty[..self.slots].fill(EMPTY);
            self.pending.push(empty);
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.out.write(cast_slice(&self.pending))?;
        self.written += self.pending.len() as u64;
        self.pending.clear();
        Ok(())
    }
}
