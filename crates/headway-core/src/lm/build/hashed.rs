//! Laying out a model as hash tables.

use bytemuck::{Pod, Zeroable, cast_slice};

use super::gram::Values;
use super::levels::Levels;
use super::sort::Sorted;
use crate::lm::table::{
    EMPTY, Hash, Info, Layout, Lexicon, MAX_SHIFT, SHIFT_BITS, SectionSink, hash_of, places,
};
use crate::{Error, Monitor, Result};

/// Homes per entry. With 4/3 an entry that is there is found in the second row looked at, on
/// average, and one that is not in the third.
const ROOM: f64 = 4.0 / 3.0;

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
        let row = if length < info.order() { 3 } else { 2 };
        out.section(&format!("{length}-grams"))?;
        contexts = write_rows(&entries, hash, row, out)?;
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
    info.buckets[length - 1] = ((entries as f64 * ROOM) as u64).max(1);
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
    while largest_shift(entries, hash)? > MAX_SHIFT as u64 {
        info.buckets[length - 1] += info.buckets[length - 1] / 8 + 1;
        hash = hash_of(info, length).ok_or_else(too_large)?;
    }
    Ok(hash)
}

fn largest_shift(entries: &Sorted<Placed>, hash: Hash) -> Result<u64> {
    let (mut free, mut largest) = (0, 0);
    let mut reader = entries.reader()?;
    while let Some(entry) = reader.next()? {
        let home = u64::from(hash.probe(entry.mixed).home);
        let place = home.max(free);
        largest = largest.max(place - home);
        free = place + 1;
    }
    Ok(largest)
}

/// Writes the table; answers the place of each entry by rank.
fn write_rows(
    entries: &Sorted<Placed>,
    hash: Hash,
    row: usize,
    out: &mut dyn SectionSink,
) -> Result<Vec<u32>> {
    let mut ranked = vec![0; entries.len() as usize];
    let mut free = 0;
    let mut reader = entries.reader()?;
    let mut rows = Rows { row, out, buffer: Vec::new() };
    while let Some(entry) = reader.next()? {
        let probe = hash.probe(entry.mixed);
        while free < probe.home {
            rows.write([EMPTY, 0, 0])?;
            free += 1;
        }
        let key = probe.tag << SHIFT_BITS | (free - probe.home);
        rows.write([key, entry.values.prob, entry.values.backoff])?;
        ranked[entry.rank as usize] = free;
        free += 1;
    }
    for _ in u64::from(free)..places(hash.buckets()) {
        rows.write([EMPTY, 0, 0])?;
    }
    rows.flush()?;
    Ok(ranked)
}

/// Rows on their way out, some thousand at a time.
struct Rows<'a> {
    row: usize,
    out: &'a mut dyn SectionSink,
    buffer: Vec<u32>,
}

impl Rows<'_> {
    fn write(&mut self, row: [u32; 3]) -> Result<()> {
        self.buffer.extend_from_slice(&row[..self.row]);
        if self.buffer.len() >= 1 << 14 { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.out.write(cast_slice(&self.buffer))?;
        self.buffer.clear();
        Ok(())
    }
}
