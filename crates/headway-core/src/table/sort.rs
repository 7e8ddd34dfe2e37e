//! Sorting records of any length in bounded memory: sorted runs in a file, merged when read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use rayon::slice::ParallelSliceMut;

use crate::Result;
use crate::scratch::Scratch;

/// Bytes of a run that are read at once.
const BLOCK: usize = 1 << 17;

/// Takes records in any order; they are compared byte by byte.
pub struct Sorter {
    scratch: Scratch,
    /// Bytes sorted at once.
    budget: usize,
    bytes: Vec<u8>,
    records: Vec<Range<usize>>,
    runs: Vec<Range<u64>>,
}

impl Sorter {
    /// Works in about `budget` bytes of memory.
    pub fn new(scratch: Scratch, budget: usize) -> Self {
        Sorter { scratch, budget, bytes: Vec::new(), records: Vec::new(), runs: Vec::new() }
    }

    pub fn push(&mut self, record: &[u8]) -> Result<()> {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(record);
        self.records.push(start..self.bytes.len());
        let used = self.bytes.len() + self.records.len() * size_of::<Range<usize>>();
        if used >= self.budget { self.end_run() } else { Ok(()) }
    }

    fn sort(&mut self) {
        let bytes = &self.bytes;
        self.records.par_sort_unstable_by(|a, b| bytes[a.clone()].cmp(&bytes[b.clone()]));
    }

    fn end_run(&mut self) -> Result<()> {
        self.sort();
        let mut run = Vec::with_capacity(self.bytes.len() + 4 * self.records.len());
        for record in &self.records {
            run.extend((record.len() as u32).to_le_bytes());
            run.extend_from_slice(&self.bytes[record.clone()]);
        }
        let start = self.scratch.append(&run)?;
        self.runs.push(start..start + run.len() as u64);
        self.bytes.clear();
        self.records.clear();
        Ok(())
    }

    pub fn finish(mut self) -> Result<Sorted> {
        if !self.runs.is_empty() && !self.records.is_empty() {
            self.end_run()?;
        }
        self.sort();
        let mut sorted = Sorted {
            scratch: self.scratch,
            memory: self.bytes,
            records: self.records.into_iter(),
            runs: Vec::new(),
            heads: BinaryHeap::new(),
            record: Vec::new(),
        };
        for (index, range) in self.runs.into_iter().enumerate() {
            sorted.runs.push(Run { range, block: Vec::new(), next: 0 });
            sorted.refill(index)?;
        }
        Ok(sorted)
    }
}

/// Records in order.
pub struct Sorted {
    scratch: Scratch,
    memory: Vec<u8>,
    records: std::vec::IntoIter<Range<usize>>,
    runs: Vec<Run>,
    heads: BinaryHeap<Reverse<(Vec<u8>, usize)>>,
    record: Vec<u8>,
}

struct Run {
    /// What is still in the file.
    range: Range<u64>,
    block: Vec<u8>,
    next: usize,
}

impl Sorted {
    #[allow(clippy::should_implement_trait)] // lends its buffer, which Iterator cannot
    pub fn next(&mut self) -> Result<Option<&[u8]>> {
        if let Some(range) = self.records.next() {
            return Ok(Some(&self.memory[range]));
        }
        let Some(Reverse((record, run))) = self.heads.pop() else { return Ok(None) };
        self.refill(run)?;
        self.record = record;
        Ok(Some(&self.record))
    }

    fn refill(&mut self, index: usize) -> Result<()> {
        let Some(run) = self.runs.get_mut(index) else { return Ok(()) };
        let read = run.record(&self.scratch)?;
        self.heads.extend(read.map(|record| Reverse((record, index))));
        Ok(())
    }
}

impl Run {
    fn record(&mut self, scratch: &Scratch) -> Result<Option<Vec<u8>>> {
        let Some(length) = self.take(4, scratch)? else { return Ok(None) };
        let length = length.try_into().map_or(0, u32::from_le_bytes) as usize;
        Ok(self.take(length, scratch)?.map(<[u8]>::to_vec))
    }

    /// The next `many` bytes; None at the end of the run.
    fn take(&mut self, many: usize, scratch: &Scratch) -> Result<Option<&[u8]>> {
        if self.block.len() - self.next < many {
            self.block.drain(..self.next);
            self.next = 0;
            let (kept, left) = (self.block.len(), self.range.end - self.range.start);
            let more = (many.max(BLOCK) as u64).min(left) as usize;
            self.block.resize(kept + more, 0);
            scratch.read(self.range.start, &mut self.block[kept..])?;
            self.range.start += more as u64;
        }
        let bytes = self.block.get(self.next..self.next + many);
        self.next += many;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorted_like_in_memory(
            mut records in prop::collection::vec(prop::collection::vec(0_u8..4, 0..6), 0..200),
            budget in 0_usize..6000,
        ) {
            let directory = tempfile::tempdir().unwrap();
            let mut sorter = Sorter::new(Scratch::new(directory.path()), budget);
            records.iter().for_each(|record| sorter.push(record).unwrap());
            records.sort();
            let mut sorted = sorter.finish().unwrap();
            for record in &records {
                prop_assert_eq!(sorted.next().unwrap(), Some(&record[..]));
            }
            prop_assert_eq!(sorted.next().unwrap(), None);
        }
    }

    #[test]
    fn long_records_reach_over_blocks() {
        let directory = tempfile::tempdir().unwrap();
        let mut sorter = Sorter::new(Scratch::new(directory.path()), 1);
        for size in [300_000, 5, 200_000, 0] {
            sorter.push(&vec![7; size]).unwrap();
        }
        let mut sorted = sorter.finish().unwrap();
        for size in [0, 5, 200_000, 300_000] {
            assert_eq!(sorted.next().unwrap().map(<[u8]>::len), Some(size));
        }
    }
}
