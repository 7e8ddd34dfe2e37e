//! Sorted runs of keys with weights, in memory while the allowance lasts, then on disk.
//!
//! A run is a row of blocks; within a block a key is written as what it does not share with
//! the key before it. The first key of each block is known, so that several parts of all runs can be
//! merged at the same time.

use std::sync::{Mutex, PoisonError};

use super::buffer::Buffer;
use super::code::{self, Decoder};
use crate::Result;
use crate::scratch::Scratch;

const BLOCK: usize = 16 << 10;

#[derive(Debug)]
struct Block {
    first_key: Box<[u8]>,
    start: u64,
    length: u32,
}

#[derive(Debug)]
pub struct Run {
    blocks: Vec<Block>,
    /// None if it is on disk.
    bytes: Option<Vec<u8>>,
}

impl Run {
    /// The block before `next`, in memory here or `loaded` from disk; empty before the first.
    fn block<'a>(&'a self, next: usize, loaded: &'a [u8]) -> &'a [u8] {
        match (&self.bytes, next.checked_sub(1)) {
            (Some(bytes), Some(number)) => {
                let block = &self.blocks[number];
                &bytes[block.start as usize..][..block.length as usize]
            }
            _ => loaded,
        }
    }

    /// The first keys of all blocks, with their lengths.
    pub fn landmarks(&self) -> impl Iterator<Item = (&[u8], u64)> {
        self.blocks.iter().map(|block| (&*block.first_key, u64::from(block.length)))
    }
}

/// Where workers leave their runs.
#[derive(Debug)]
pub struct Runs {
    scratch: Scratch,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    runs: Vec<Run>,
    allowance: usize,
}

impl Runs {
    /// Runs of at most `allowance` bytes are kept in memory.
    pub fn new(scratch: Scratch, allowance: usize) -> Self {
        Runs { scratch, held: Mutex::new(Held { runs: Vec::new(), allowance }) }
    }

    /// Takes over what the buffer holds, as one run.
    pub fn push(&self, buffer: &mut Buffer) -> Result<()> {
        if buffer.is_empty() {
            return Ok(());
        }
        let mut writer = RunWriter::default();
        buffer.drain_sorted(|key, weight| writer.push(key, weight));
        let (mut blocks, bytes) = writer.finish();
        let bytes = if self.keeps(bytes.len()) {
            Some(bytes)
        } else {
            let start = self.scratch.append(&bytes)?;
            blocks.iter_mut().for_each(|block| block.start += start);
            None
        };
        self.lock().runs.push(Run { blocks, bytes });
        Ok(())
    }

    fn keeps(&self, size: usize) -> bool {
        let mut held = self.lock();
        let left = held.allowance.checked_sub(size);
        held.allowance = left.unwrap_or(held.allowance);
        left.is_some()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// All runs, and the file in which some of them are.
    pub fn finish(self) -> (Vec<Run>, Scratch) {
        let held = self.held.into_inner().unwrap_or_else(PoisonError::into_inner);
        (held.runs, self.scratch)
    }
}

#[derive(Default)]
struct RunWriter {
    bytes: Vec<u8>,
    blocks: Vec<Block>,
    previous: Vec<u8>,
}

impl RunWriter {
    fn push(&mut self, key: &[u8], weight: u64) {
        let block_start = self.blocks.last().map_or(0, |block| block.start as usize);
        if self.blocks.is_empty() || self.bytes.len() - block_start >= BLOCK {
            self.close_block();
            let start = self.bytes.len() as u64;
            self.blocks.push(Block { first_key: key.into(), start, length: 0 });
            self.previous.clear();
        }
        let shared = key.iter().zip(&self.previous).take_while(|(one, other)| one == other).count();
        code::push_number(&mut self.bytes, shared as u64);
        code::push_number(&mut self.bytes, (key.len() - shared) as u64);
        self.bytes.extend_from_slice(&key[shared..]);
        code::push_number(&mut self.bytes, weight);
        self.previous.truncate(shared);
        self.previous.extend_from_slice(&key[shared..]);
    }

    fn close_block(&mut self) {
        if let Some(block) = self.blocks.last_mut() {
            block.length = (self.bytes.len() as u64 - block.start) as u32;
        }
    }

    fn finish(mut self) -> (Vec<Block>, Vec<u8>) {
        self.close_block();
        self.bytes.shrink_to_fit();
        (self.blocks, self.bytes)
    }
}

/// Reads a run from some key on.
pub struct RunReader<'a> {
    run: &'a Run,
    scratch: &'a Scratch,
    next_block: usize,
    /// The block being read, if it came from disk, and where in it we are.
    loaded: Vec<u8>,
    position: usize,
    pub key: Vec<u8>,
    pub weight: u64,
}

impl<'a> RunReader<'a> {
    /// At the first key that is not before `from`; None if there is none.
    pub fn open(run: &'a Run, scratch: &'a Scratch, from: &[u8]) -> Result<Option<Self>> {
        let after = run.blocks.partition_point(|block| *block.first_key <= *from);
        let mut reader = RunReader {
            run,
            scratch,
            next_block: after.saturating_sub(1),
            loaded: Vec::new(),
            position: usize::MAX,
            key: Vec::new(),
            weight: 0,
        };
        while reader.advance()? {
            if *reader.key >= *from {
                return Ok(Some(reader));
            }
        }
        Ok(None)
    }

    /// Goes to the next key; false at the end.
    pub fn advance(&mut self) -> Result<bool> {
        if self.position >= self.run.block(self.next_block, &self.loaded).len() && !self.load()? {
            return Ok(false);
        }
        let block = self.run.block(self.next_block, &self.loaded);
        let mut decoder = Decoder::new(&block[self.position..]);
        let (shared, length) = (decoder.number() as usize, decoder.number() as usize);
        self.key.truncate(shared);
        self.key.extend_from_slice(decoder.bytes(length));
        self.weight = decoder.number();
        self.position += decoder.position();
        Ok(true)
    }

    fn load(&mut self) -> Result<bool> {
        let Some(block) = self.run.blocks.get(self.next_block) else { return Ok(false) };
        if self.run.bytes.is_none() {
            self.loaded.resize(block.length as usize, 0);
            self.scratch.read(block.start, &mut self.loaded)?;
        }
        self.next_block += 1;
        self.position = 0;
        self.key.clear();
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u32) -> Vec<u8> {
        let mut key = format!("{:07}", number).into_bytes();
        key.push(0);
        key
    }

    #[test]
    fn runs_are_read_from_any_key_in_memory_and_on_disk() {
        for allowance in [usize::MAX, 0] {
            let runs = Runs::new(Scratch::new(&std::env::temp_dir()), allowance);
            let mut buffer = Buffer::default();
            for number in (0..30_000).rev() {
                buffer.push(&key(number * 2), u64::from(number));
            }
            runs.push(&mut buffer).unwrap();
            runs.push(&mut buffer).unwrap();
            let (runs, scratch) = runs.finish();
            assert_eq!(runs.len(), 1);
            assert_eq!(runs[0].bytes.is_some(), allowance > 0);
            for from in [0, 1, 2, 29_999, 30_000, 59_998] {
                let mut reader = RunReader::open(&runs[0], &scratch, &key(from)).unwrap().unwrap();
                for number in from.div_ceil(2)..30_000 {
                    assert_eq!((&reader.key, reader.weight), (&key(number * 2), u64::from(number)));
                    assert_eq!(reader.advance().unwrap(), number < 29_999);
                }
            }
            assert!(RunReader::open(&runs[0], &scratch, &key(59_999)).unwrap().is_none());
        }
    }
}
