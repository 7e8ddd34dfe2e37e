//! Phrases as numbers: the rank of a hash of their words. So numbers are spread evenly, and every
//! look-up needs one guess and a few steps.

use super::column::{Column, Mapped, Stored};
use super::options::Options;
use super::search::lower_bound;
use crate::container::ContainerWriter;
use crate::extract::buffer::Buffer;
use crate::extract::code::{self, Decoder};
use crate::extract::merge::{Merge, Part};
use crate::extract::runs::Runs;
use crate::table::Symbol;
use crate::{Error, Monitor, Result};

/// More could not be numbered together with a direction.
const MOST: usize = 1 << 30;

/// Phrases at hand: all in arrays, mapped from a file.
#[derive(Debug, Clone, Copy)]
pub struct Phrases<'a> {
    /// The upper half of the hash of each.
    pub hashes: &'a [u32],
    /// Where the words of each end.
    pub ends: &'a [u32],
    pub tokens: &'a [u32],
}

impl<'a> Phrases<'a> {
    pub fn len(self) -> usize {
        self.hashes.len()
    }

    /// The number of a phrase.
    pub fn find(self, words: &[u32]) -> Option<u32> {
        let hash = (hash(words) >> 32) as u32;
        let start = lower_bound(self.len(), 1 << 32, hash, |place| self.hashes[place]);
        let alike = self.hashes[start..].iter().take_while(|&&other| other == hash);
        let mut places = start..start + alike.count();
        places.find(|&place| self.words(place) == Some(words)).map(|place| place as u32)
    }

    /// The words of a phrase; None if there is none of this number.
    pub fn words(self, phrase: usize) -> Option<&'a [u32]> {
        let end = *self.ends.get(phrase)?;
        let start = if phrase == 0 { 0 } else { self.ends[phrase - 1] };
        self.tokens.get(start as usize..end as usize)
    }
}

/// The same for whoever reads the files: part of the format.
fn hash(words: &[u32]) -> u64 {
    let mut hash = 0u64;
    for &word in words {
        hash = (hash.rotate_left(5) ^ (u64::from(word) + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
    // The last steps of SplitMix64, which spread the bits evenly.
    hash = (hash ^ hash >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    hash = (hash ^ hash >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    hash ^ hash >> 31
}

/// Phrases on their way into sorted runs.
pub struct Collector<'r> {
    runs: &'r Runs,
    run_size: usize,
    buffer: Buffer,
    key: Vec<u8>,
}

impl<'r> Collector<'r> {
    pub fn new(runs: &'r Runs, run_size: usize) -> Self {
        Collector { runs, run_size, buffer: Buffer::default(), key: Vec::new() }
    }

    pub fn add(&mut self, words: &[u32]) -> Result<()> {
        self.key.clear();
        self.key.extend(hash(words).to_be_bytes());
        words.iter().for_each(|&word| code::push_word(&mut self.key, word));
        code::push_end(&mut self.key);
        self.buffer.push(&self.key, 1);
        if self.buffer.size() >= self.run_size { self.flush() } else { Ok(()) }
    }

    pub fn flush(&mut self) -> Result<()> {
        self.runs.push(&mut self.buffer)
    }
}

/// All phrases of a corpus, complete but in no file yet.
pub struct Collected {
    hashes: Stored<u32>,
    ends: Stored<u32>,
    tokens: Stored<u32>,
}

/// The same for looking phrases up.
pub struct Mapping {
    hashes: Mapped<u32>,
    ends: Mapped<u32>,
    tokens: Mapped<u32>,
}

impl Mapping {
    pub fn phrases(&self) -> Phrases<'_> {
        let (hashes, ends) = (self.hashes.values(), self.ends.values());
        Phrases { hashes, ends, tokens: self.tokens.values() }
    }
}

impl Collected {
    pub fn new(runs: Runs, options: &Options, monitor: &Monitor) -> Result<Self> {
        let (runs, scratch) = runs.finish();
        let column = || Column::new(options.scratch());
        let (mut hashes, mut ends, mut tokens) = (column(), column(), column());
        let whole = Part::default();
        let mut merge = Merge::new(&runs, &scratch, &whole)?;
        let mut words = Vec::new();
        while merge.advance()? {
            monitor.check()?;
            let mut key = Decoder::new(&merge.key[8..]);
            words.clear();
            while let Some(Symbol::Word(word)) = key.symbol() {
                words.push(word.0);
            }
            let first = merge.key.first_chunk().copied().unwrap_or_default();
            hashes.push(u32::from_be_bytes(first))?;
            tokens.extend(&words)?;
            ends.push(tokens.len() as u32)?;
            if hashes.len() > MOST || tokens.len() > u32::MAX as usize {
                return Err(Error::setting("too many phrases for one table; use less text"));
            }
        }
        let (hashes, ends, tokens) = (hashes.finish()?, ends.finish()?, tokens.finish()?);
        Ok(Collected { hashes, ends, tokens })
    }

    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        4 * (2 * self.hashes.len() + self.tokens.len()) as u64
    }

    pub fn map(&self) -> Result<Mapping> {
        let (hashes, ends, tokens) = (self.hashes.map()?, self.ends.map()?, self.tokens.map()?);
        Ok(Mapping { hashes, ends, tokens })
    }

    pub fn write(&self, writer: &mut ContainerWriter, level: &str) -> Result<()> {
        self.hashes.write(writer, &format!("{level}-hashes"))?;
        self.ends.write(writer, &format!("{level}-ends"))?;
        self.tokens.write(writer, &format!("{level}-tokens"))
    }
}
