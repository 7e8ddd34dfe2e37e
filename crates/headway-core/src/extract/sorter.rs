//! Records of fixed width, sorted in bounded memory.

use rayon::slice::ParallelSliceMut;

use crate::Result;
use crate::scratch::Scratch;

/// Bytes read at a time from each run.
const CHUNK: usize = 64 << 10;

pub trait Record: Copy + Ord + Send + Sync {
    const WIDTH: usize;

    fn write(&self, bytes: &mut Vec<u8>);

    /// `bytes` are what `write` wrote.
    fn read(bytes: &[u8]) -> Self;

    /// Takes in a record that differs in its weight only; false if it does not.
    fn join(&mut self, other: &Self) -> bool {
        let _ = other;
        false
    }
}

pub struct Sorter<'a, R> {
    scratch: &'a Scratch,
    records: Vec<R>,
    most: usize,
    /// Runs on disk: where they start, and their bytes.
    runs: Vec<(u64, u64)>,
}

impl<'a, R: Record> Sorter<'a, R> {
    /// A sorter that holds at most `memory` bytes of records.
    pub fn new(scratch: &'a Scratch, memory: u64) -> Self {
        let most = (memory / size_of::<R>() as u64).max(1024) as usize;
        Sorter { scratch, records: Vec::new(), most, runs: Vec::new() }
    }

    pub fn push(&mut self, record: R) -> Result<()> {
        if self.records.len() == self.most {
            self.sort();
            // What became short by joining may grow again.
            if self.records.len() > self.most / 2 {
                self.spill()?;
            }
        }
        if self.records.len() == self.records.capacity() {
            let more = self.records.len().max(1024).min(self.most - self.records.len());
            self.records.reserve_exact(more);
        }
        self.records.push(record);
        Ok(())
    }

    fn sort(&mut self) {
        self.records.par_sort_unstable();
        self.records.dedup_by(|next, kept| kept.join(next));
    }

    fn spill(&mut self) -> Result<()> {
        let mut length = 0;
        let mut start = None;
        let mut bytes = Vec::new();
        for records in self.records.chunks(CHUNK) {
            bytes.clear();
            records.iter().for_each(|record| record.write(&mut bytes));
            let at = self.scratch.append(&bytes)?;
            start.get_or_insert(at);
            length += bytes.len() as u64;
        }
        self.runs.extend(start.map(|start| (start, length)));
        self.records.clear();
        Ok(())
    }

    /// All records in order.
    pub fn finish(mut self) -> Result<Sorted<'a, R>> {
        self.sort();
        let mut sorted = Sorted { memory: self.records.into_iter().peekable(), runs: Vec::new() };
        for (start, length) in self.runs {
            let scratch = self.scratch;
            let mut run =
                Spilled { scratch, start, length, chunk: Vec::new(), place: 0, next: None };
            run.advance()?;
            sorted.runs.push(run);
        }
        Ok(sorted)
    }
}

pub struct Sorted<'a, R: Record> {
    memory: std::iter::Peekable<std::vec::IntoIter<R>>,
    runs: Vec<Spilled<'a, R>>,
}

impl<R: Record> Sorted<'_, R> {
    /// What `next` will answer.
    pub fn peek(&mut self) -> Option<R> {
        let in_runs = self.runs.iter().filter_map(|run| run.next).min();
        in_runs.into_iter().chain(self.memory.peek().copied()).min()
    }

    /// The next record; None at the end.
    #[allow(clippy::should_implement_trait)] // reading may fail, which Iterator does not say
    pub fn next(&mut self) -> Result<Option<R>> {
        // There are few runs: memory is used up before one is written.
        let runs = self.runs.iter().enumerate();
        let least = runs.filter_map(|(number, run)| Some((run.next?, number))).min();
        match (least, self.memory.peek()) {
            (Some((record, number)), in_memory) if in_memory.is_none_or(|held| record < *held) => {
                self.runs[number].advance()?;
                Ok(Some(record))
            }
            _ => Ok(self.memory.next()),
        }
    }
}

struct Spilled<'a, R> {
    scratch: &'a Scratch,
    start: u64,
    /// Bytes not read yet.
    length: u64,
    chunk: Vec<u8>,
    place: usize,
    next: Option<R>,
}

impl<R: Record> Spilled<'_, R> {
    fn advance(&mut self) -> Result<()> {
        if self.place == self.chunk.len() {
            let most = (CHUNK / R::WIDTH).max(1) * R::WIDTH;
            let size = self.length.min(most as u64);
            self.chunk.resize(size as usize, 0);
            self.scratch.read(self.start, &mut self.chunk)?;
            self.start += size;
            self.length -= size;
            self.place = 0;
        }
        let bytes = self.chunk.get(self.place..self.place + R::WIDTH);
        self.next = bytes.map(R::read);
        self.place += if self.next.is_some() { R::WIDTH } else { 0 };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Record for u64 {
        const WIDTH: usize = 8;

        fn write(&self, bytes: &mut Vec<u8>) {
            bytes.extend(self.to_le_bytes());
        }

        fn read(bytes: &[u8]) -> Self {
            u64::from_le_bytes(bytes.try_into().unwrap())
        }
    }

    #[test]
    fn records_come_sorted_from_memory_and_disk() {
        let scratch = Scratch::new(&std::env::temp_dir());
        let mut random = crate::random::Random::new(3, 1);
        for (count, memory) in [(0, 0), (5000, 0), (100_000, 300_000), (5000, 1 << 20)] {
            let mut sorter = Sorter::new(&scratch, memory);
            let mut expected = Vec::new();
            for _ in 0..count {
                let record = random.next_u64() % 1000;
                sorter.push(record).unwrap();
                expected.push(record);
            }
            expected.sort_unstable();
            let mut sorted = sorter.finish().unwrap();
            let mut found = Vec::new();
            while let Some(record) = sorted.next().unwrap() {
                found.push(record);
            }
            assert_eq!(found, expected);
        }
    }
}
