//! Rows of bytes in sequence: in memory while the allowance lasts, after that on disk.
//!
//! Files are unnamed from the start, so nothing is left behind however the process ends.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::Result;
use crate::scratch::Scratch;

const SMALLEST_BLOCK: u64 = 4 << 10;
const LARGEST_BLOCK: u64 = 512 << 10;

/// What all tapes of one estimation share: how much they may keep in memory, and where the
/// rest goes.
#[derive(Debug)]
pub struct Space {
    directory: PathBuf,
    left: AtomicU64,
    block: usize,
}

impl Space {
    /// `memory` bytes for all tapes together.
    pub fn new(directory: &Path, memory: u64) -> Arc<Self> {
        Arc::new(Space {
            directory: directory.to_path_buf(),
            left: AtomicU64::new(memory),
            block: (memory / 2048).clamp(SMALLEST_BLOCK, LARGEST_BLOCK) as usize,
        })
    }

    /// Says at once, and not after an hour, that files cannot be made.
    pub fn check(&self) -> Result<()> {
        self.scratch().check()
    }

    /// Lets tapes keep `bytes` more in memory.
    pub fn give(&self, bytes: u64) {
        self.left.fetch_add(bytes, Relaxed);
    }

    /// Takes from the tapes what something else needs, as far as there is any left.
    pub fn charge(&self, bytes: u64) {
        let charged = |left: u64| Some(left.saturating_sub(bytes));
        let _ = self.left.fetch_update(Relaxed, Relaxed, charged);
    }

    fn take(&self, bytes: u64) -> bool {
        self.left.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(bytes)).is_ok()
    }

    fn scratch(&self) -> Scratch {
        Scratch::new(&self.directory)
    }
}

#[derive(Debug)]
enum Block {
    Memory(Vec<u8>),
    /// At this offset of the tape's file.
    Disk(u64),
}

/// A tape being written.
#[derive(Debug)]
pub struct TapeWriter {
    tape: Tape,
    open: Vec<u8>,
}

impl TapeWriter {
    /// A tape of rows of `width` bytes each.
    pub fn new(space: &Arc<Space>, width: usize) -> Self {
        let tape = Tape {
            space: Arc::clone(space),
            blocks: Vec::new(),
            scratch: space.scratch(),
            width,
            rows_per_block: (space.block / width).max(1),
            rows: 0,
        };
        TapeWriter { tape, open: Vec::new() }
    }

    /// Room for the next row, to be filled by the caller.
    pub fn row(&mut self) -> Result<&mut [u8]> {
        if self.open.len() == self.tape.block_bytes() {
            self.seal()?;
        }
        let start = self.open.len();
        self.open.resize(start + self.tape.width, 0);
        self.tape.rows += 1;
        Ok(&mut self.open[start..])
    }

    pub fn finish(mut self) -> Tape {
        self.open.shrink_to_fit();
        self.tape.blocks.push(Block::Memory(self.open));
        self.tape
    }

    fn seal(&mut self) -> Result<()> {
        if self.tape.space.take(self.open.len() as u64) {
            let full = std::mem::take(&mut self.open);
            self.open.reserve_exact(full.len());
            self.tape.blocks.push(Block::Memory(full));
            return Ok(());
        }
        let start = self.tape.scratch.append(&self.open)?;
        self.tape.blocks.push(Block::Disk(start));
        self.open.clear();
        Ok(())
    }
}

/// A finished tape. All blocks but the last are full.
#[derive(Debug)]
pub struct Tape {
    space: Arc<Space>,
    blocks: Vec<Block>,
    scratch: Scratch,
    width: usize,
    rows_per_block: usize,
    rows: u64,
}

impl Tape {
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The rows from `row` on that lie together in memory; None if they are on disk. Empty at the
    /// end of the tape.
    pub fn in_memory(&self, row: u64) -> Option<&[u8]> {
        let (block, skipped) = self.place(row);
        match self.blocks.get(block) {
            Some(Block::Memory(bytes)) => Some(bytes.get(skipped..).unwrap_or(&[])),
            Some(Block::Disk(_)) => None,
            None => Some(&[]),
        }
    }

    /// Reads the rows from `row` on that lie together on disk.
    pub fn load(&self, row: u64, buffer: &mut Vec<u8>) -> Result<()> {
        let (block, skipped) = self.place(row);
        if let Some(Block::Disk(offset)) = self.blocks.get(block) {
            buffer.resize(self.block_bytes() - skipped, 0);
            self.scratch.read(offset + skipped as u64, buffer)?;
        }
        Ok(())
    }

    /// The rows from `row` on that lie together, wherever that is.
    pub fn from<'a>(&'a self, row: u64, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        if let Some(bytes) = self.in_memory(row) {
            return Ok(bytes);
        }
        self.load(row, buffer)?;
        Ok(buffer)
    }

    /// Reads one row, wherever it lies.
    pub fn read_row(&self, row: u64, into: &mut [u8]) -> Result<()> {
        let (block, skipped) = self.place(row);
        match self.blocks.get(block) {
            Some(Block::Memory(bytes)) => {
                into.copy_from_slice(&bytes[skipped..skipped + self.width]);
                Ok(())
            }
            Some(Block::Disk(offset)) => self.scratch.read(offset + skipped as u64, into),
            None => Ok(()),
        }
    }

    /// The block a row lies in, and the bytes before it there.
    fn place(&self, row: u64) -> (usize, usize) {
        let per_block = self.rows_per_block as u64;
        ((row / per_block) as usize, (row % per_block) as usize * self.width)
    }

    fn block_bytes(&self) -> usize {
        self.rows_per_block * self.width
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        let full = self.block_bytes() as u64;
        for block in &self.blocks[..self.blocks.len().saturating_sub(1)] {
            if let Block::Memory(_) = block {
                self.space.give(full);
            }
        }
    }
}

/// Rows of four bytes.
pub fn quads(bytes: &[u8]) -> impl Iterator<Item = [u8; 4]> {
    bytes.chunks_exact(4).map(|row| [row[0], row[1], row[2], row[3]])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(space: &Arc<Space>, rows: u64) -> Tape {
        let mut writer = TapeWriter::new(space, 8);
        for row in 0..rows {
            writer.row().unwrap().copy_from_slice(&(row * 7).to_le_bytes());
        }
        writer.finish()
    }

    fn all(tape: &Tape, from: u64) -> Vec<u64> {
        let (mut found, mut buffer) = (Vec::new(), Vec::new());
        let mut row = from;
        loop {
            let bytes = tape.from(row, &mut buffer).unwrap();
            if bytes.is_empty() {
                return found;
            }
            row += bytes.len() as u64 / 8;
            found.extend(bytes.chunks(8).map(|b| u64::from_le_bytes(b.try_into().unwrap())));
        }
    }

    #[test]
    fn rows_come_back_from_memory_and_from_disk() {
        let directory = tempfile::tempdir().unwrap();
        for (memory, rows) in [(0, 0), (0, 5), (0, 5000), (1 << 20, 5000), (9000, 5000)] {
            let space = Space::new(directory.path(), memory);
            let tape = written(&space, rows);
            assert_eq!(tape.rows(), rows);
            for from in [0, 1, 511, 512, 513, 4999, 5000, 6000] {
                let expected: Vec<u64> = (from..rows).map(|row| row * 7).collect();
                assert_eq!(all(&tape, from), expected, "{memory} {rows} {from}");
            }
            for row in 0..rows {
                let mut bytes = [0; 8];
                tape.read_row(row, &mut bytes).unwrap();
                assert_eq!(u64::from_le_bytes(bytes), row * 7);
            }
            drop(tape);
            assert_eq!(space.left.load(Relaxed), memory);
            assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
        }
    }

    #[test]
    fn a_missing_directory_is_named() {
        let error = Space::new(Path::new("no/such"), 0).check().unwrap_err().to_string();
        assert!(error.starts_with("no/such: cannot keep temporary files there"), "{error}");
    }
}
