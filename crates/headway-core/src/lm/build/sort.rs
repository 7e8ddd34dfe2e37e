//! Sorting more records than memory holds: sorted runs in a file, merged when read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;
use std::path::Path;

use bytemuck::Pod;
use rayon::slice::ParallelSliceMut;

use super::spool::{Spool, SpoolReader};
use crate::Result;

/// Takes records in any order.
pub struct Sorter<R> {
    /// Records sorted at once.
    capacity: usize,
    buffer: Vec<R>,
    spool: Spool<R>,
    runs: Vec<Range<u64>>,
}

impl<R: Pod + Ord + Send> Sorter<R> {
    /// Works in about `budget` bytes of memory, with files in `directory`.
    pub fn new(directory: &Path, budget: usize) -> Self {
        let capacity = (budget / size_of::<R>()).max(1 << 12);
        Sorter { capacity, buffer: Vec::new(), spool: Spool::new(directory, 0), runs: Vec::new() }
    }

    pub fn push(&mut self, record: R) -> Result<()> {
        self.buffer.push(record);
        if self.buffer.len() == self.capacity { self.end_run() } else { Ok(()) }
    }

    fn end_run(&mut self) -> Result<()> {
        self.buffer.par_sort_unstable();
        let start = self.spool.len();
        self.spool.extend(&self.buffer)?;
        self.runs.push(start..self.spool.len());
        self.buffer.clear();
        Ok(())
    }

    pub fn finish(mut self) -> Result<Sorted<R>> {
        if self.runs.is_empty() {
            self.buffer.par_sort_unstable();
        } else if !self.buffer.is_empty() {
            self.end_run()?;
            self.buffer = Vec::new();
        }
        Ok(Sorted { memory: self.buffer, spool: self.spool, runs: self.runs })
    }
}

/// Sorted records, read in order any number of times.
pub struct Sorted<R> {
    memory: Vec<R>,
    spool: Spool<R>,
    runs: Vec<Range<u64>>,
}

impl<R: Pod + Ord> Sorted<R> {
    pub fn len(&self) -> u64 {
        self.memory.len() as u64 + self.spool.len()
    }

    pub fn reader(&self) -> Result<SortedReader<'_, R>> {
        let mut runs: Vec<_> = self.runs.iter().map(|run| self.spool.range(run.clone())).collect();
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for (index, run) in runs.iter_mut().enumerate() {
            heads.extend(run.next()?.map(|record| Reverse((record, index))));
        }
        Ok(SortedReader { memory: self.memory.iter(), runs, heads })
    }
}

pub struct SortedReader<'a, R> {
    memory: std::slice::Iter<'a, R>,
    runs: Vec<SpoolReader<'a, R>>,
    heads: BinaryHeap<Reverse<(R, usize)>>,
}

impl<R: Pod + Ord> SortedReader<'_, R> {
    #[allow(clippy::should_implement_trait)] // may fail
    pub fn next(&mut self) -> Result<Option<R>> {
        if let Some(&record) = self.memory.next() {
            return Ok(Some(record));
        }
        let Some(Reverse((record, index))) = self.heads.pop() else { return Ok(None) };
        if let Some(next) = self.runs[index].next()? {
            self.heads.push(Reverse((next, index)));
        }
        Ok(Some(record))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sorted_like_in_memory(seed in any::<u64>(), many in 0_usize..30_000, budget in 0_usize..200_000) {
            let directory = tempfile::tempdir().unwrap();
            let mut numbers: Vec<u64> =
                (0..many as u64).map(|n| n.wrapping_mul(seed | 1) >> 40).collect();
            let mut sorter = Sorter::new(directory.path(), budget);
            numbers.iter().for_each(|&number| sorter.push(number).unwrap());
            let sorted = sorter.finish().unwrap();
            numbers.sort_unstable();
            for _ in 0..2 {
                let mut reader = sorted.reader().unwrap();
                for &number in &numbers {
                    prop_assert_eq!(reader.next().unwrap(), Some(number));
                }
                prop_assert_eq!(reader.next().unwrap(), None);
            }
        }
    }
}
