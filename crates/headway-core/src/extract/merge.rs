//! Many sorted runs as one, in parts that can be worked on at the same time.

use super::code::Decoder;
use super::runs::{Run, RunReader};
use crate::Result;
use crate::scratch::Scratch;

/// All keys from `from` on and before `to` (if there is one); by default, all keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Part {
    from: Vec<u8>,
    to: Option<Vec<u8>>,
}

/// Cuts the runs into parts of about `size` bytes. All keys with one source side are in one.
pub fn parts(runs: &[Run], size: u64) -> Vec<Part> {
    let mut landmarks: Vec<(&[u8], u64)> = runs.iter().flat_map(Run::landmarks).collect();
    landmarks.sort_unstable();
    let mut cuts: Vec<Vec<u8>> = vec![Vec::new()];
    let mut since = 0;
    for (key, length) in landmarks {
        let source = source_side(key);
        if since >= size && cuts.last().is_some_and(|last| source > last.as_slice()) {
            cuts.push(source.to_vec());
            since = 0;
        }
        since += length;
    }
    let ends = cuts[1..].iter().cloned().map(Some).chain([None]);
    cuts.iter().cloned().zip(ends).map(|(from, to)| Part { from, to }).collect()
}

fn source_side(key: &[u8]) -> &[u8] {
    let mut decoder = Decoder::new(key);
    decoder.skip_side();
    &key[..decoder.position()]
}

/// The keys of a part in order, each once, with the sum of its weights in all runs.
pub struct Merge<'a> {
    readers: Vec<RunReader<'a>>,
    /// Readers by number, as a heap with the smallest key on top.
    heap: Vec<usize>,
    to: Option<&'a [u8]>,
    pub key: Vec<u8>,
    pub weight: u64,
}

impl<'a> Merge<'a> {
    pub fn new(runs: &'a [Run], scratch: &'a Scratch, part: &'a Part) -> Result<Self> {
        let mut readers = Vec::new();
        for run in runs {
            readers.extend(RunReader::open(run, scratch, &part.from)?);
        }
        let heap = (0..readers.len()).collect();
        let to = part.to.as_deref();
        let mut merge = Merge { readers, heap, to, key: Vec::new(), weight: 0 };
        for place in (0..merge.heap.len() / 2).rev() {
            merge.sift_down(place);
        }
        Ok(merge)
    }

    /// Goes to the next key; false at the end.
    pub fn advance(&mut self) -> Result<bool> {
        let Some(&top) = self.heap.first() else { return Ok(false) };
        if self.to.is_some_and(|to| self.readers[top].key.as_slice() >= to) {
            return Ok(false);
        }
        self.key.clone_from(&self.readers[top].key);
        self.weight = 0;
        while let Some(&top) = self.heap.first() {
            if self.readers[top].key != self.key {
                break;
            }
            self.weight += self.readers[top].weight;
            if !self.readers[top].advance()? {
                self.heap.swap_remove(0);
            }
            self.sift_down(0);
        }
        Ok(true)
    }

    fn sift_down(&mut self, mut place: usize) {
        loop {
            let (left, right) = (2 * place + 1, 2 * place + 2);
            let mut least = place;
            for child in [left, right] {
                if child < self.heap.len() && self.key_at(child) < self.key_at(least) {
                    least = child;
                }
            }
            if least == place {
                return;
            }
            self.heap.swap(place, least);
            place = least;
        }
    }

    fn key_at(&self, place: usize) -> &[u8] {
        &self.readers[self.heap[place]].key
    }
}

#[cfg(test)]
mod tests {
    use super::super::buffer::Buffer;
    use super::super::code;
    use super::super::runs::Runs;
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn parts_together_hold_every_key_once() {
        let runs = Runs::new(Scratch::new(&std::env::temp_dir()), 100_000);
        let mut expected = BTreeMap::<Vec<u8>, u64>::new();
        let mut random = crate::random::Random::new(7, 0);
        for _ in 0..9 {
            let mut buffer = Buffer::default();
            for _ in 0..4_000 {
                let mut key = Vec::new();
                code::push_word(&mut key, random.below(300) as u32);
                code::push_end(&mut key);
                code::push_word(&mut key, random.below(20) as u32);
                code::push_end(&mut key);
                buffer.push(&key, 3);
                *expected.entry(key).or_default() += 3;
            }
            runs.push(&mut buffer).unwrap();
        }
        let (runs, scratch) = runs.finish();
        for size in [0, 40_000, u64::MAX] {
            let parts = parts(&runs, size);
            assert_eq!(parts.len() > 1, size < u64::MAX);
            let mut found = Vec::new();
            for part in &parts {
                let mut merge = Merge::new(&runs, &scratch, part).unwrap();
                while merge.advance().unwrap() {
                    found.push((merge.key.clone(), merge.weight));
                }
            }
            assert_eq!(found, expected.clone().into_iter().collect::<Vec<_>>());
        }
    }
}
