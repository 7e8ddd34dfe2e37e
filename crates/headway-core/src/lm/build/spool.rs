//! Records of fixed size kept in memory, or in an unnamed temporary file once there are many.

use std::ops::Range;
use std::path::Path;

use bytemuck::{Pod, Zeroable, cast_slice, cast_slice_mut};

use crate::Result;
use crate::scratch::Scratch;

/// Bytes that are read or written at once.
const BLOCK: usize = 1 << 18;

/// A sequence that is written once and read any number of times.
pub struct Spool<R> {
    scratch: Scratch,
    /// Bytes kept in memory before a file takes them.
    budget: usize,
    /// What the file does not hold yet.
    tail: Vec<R>,
    filed: u64,
}

impl<R: Pod> Spool<R> {
    pub fn new(directory: &Path, budget: usize) -> Self {
        Spool { scratch: Scratch::new(directory), budget, tail: Vec::new(), filed: 0 }
    }

    pub fn len(&self) -> u64 {
        self.filed + self.tail.len() as u64
    }

    pub fn push(&mut self, record: R) -> Result<()> {
        self.tail.push(record);
        let limit = if self.filed > 0 { BLOCK } else { self.budget };
        if self.tail.len() * size_of::<R>() >= limit.max(BLOCK) { self.spill() } else { Ok(()) }
    }

    pub fn extend(&mut self, records: &[R]) -> Result<()> {
        self.tail.extend_from_slice(records);
        if self.tail.len() * size_of::<R>() >= self.budget.max(BLOCK) {
            self.spill()
        } else {
            Ok(())
        }
    }

    fn spill(&mut self) -> Result<()> {
        self.scratch.append(cast_slice(&self.tail))?;
        self.filed += self.tail.len() as u64;
        self.tail = Vec::new();
        Ok(())
    }

    pub fn reader(&self) -> SpoolReader<'_, R> {
        self.range(0..self.len())
    }

    /// A reader of some of the records.
    pub fn range(&self, range: Range<u64>) -> SpoolReader<'_, R> {
        SpoolReader { spool: self, range, block: Vec::new(), next: 0 }
    }

    /// Fills `block` with records from `start` on; at most to the end of the file or the tail.
    fn read(&self, start: u64, most: usize, block: &mut Vec<R>) -> Result<()> {
        block.clear();
        if start >= self.filed {
            let start = (start - self.filed) as usize;
            let end = (start + most).min(self.tail.len());
            block.extend_from_slice(&self.tail[start.min(end)..end]);
            return Ok(());
        }
        let many = most.min((self.filed - start) as usize);
        block.resize(many, R::zeroed());
        self.scratch.read(start * size_of::<R>() as u64, cast_slice_mut(block))
    }
}

pub struct SpoolReader<'a, R> {
    spool: &'a Spool<R>,
    range: Range<u64>,
    block: Vec<R>,
    next: usize,
}

impl<R: Pod + Zeroable> SpoolReader<'_, R> {
    #[allow(clippy::should_implement_trait)] // may fail
    pub fn next(&mut self) -> Result<Option<R>> {
        if self.next == self.block.len() {
            let left = self.range.end - self.range.start;
            let most = left.min((BLOCK / size_of::<R>()).max(1) as u64);
            self.spool.read(self.range.start, most as usize, &mut self.block)?;
            self.range.start += self.block.len() as u64;
            self.next = 0;
        }
        let record = self.block.get(self.next).copied();
        self.next += usize::from(record.is_some());
        Ok(record)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_from_memory_and_from_files() {
        let directory = tempfile::tempdir().unwrap();
        for budget in [0, 1 << 19, usize::MAX] {
            let mut spool = Spool::new(directory.path(), budget);
            for number in 0..200_000_u64 {
                spool.push(number).unwrap();
            }
            assert_eq!(spool.len(), 200_000);
            let mut reader = spool.range(7..199_999);
            for number in 7..199_999_u64 {
                assert_eq!(reader.next().unwrap(), Some(number));
            }
            assert_eq!(reader.next().unwrap(), None);
            assert_eq!(spool.scratch.is_empty(), budget == usize::MAX);
        }
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}
