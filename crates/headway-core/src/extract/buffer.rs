//! Keys with weights, collected unsorted and given back sorted with equal keys joined.

use super::code;

/// Keys are compared eight bytes at a time.
const STEP: usize = 8;

#[derive(Debug, Clone, Copy)]
struct Entry {
    /// Eight bytes of the key from the place that sorting has come to.
    window: u64,
    start: u32,
    length: u32,
}

#[derive(Debug, Default)]
pub struct Buffer {
    /// Each key, then its weight.
    bytes: Vec<u8>,
    entries: Vec<Entry>,
}

impl Buffer {
    pub fn push(&mut self, key: &[u8], weight: u64) {
        let start = self.bytes.len() as u32;
        self.bytes.extend_from_slice(key);
        code::push_number(&mut self.bytes, weight);
        self.entries.push(Entry { window: window(key), start, length: key.len() as u32 });
    }

    /// Memory in use.
    pub fn size(&self) -> usize {
        self.bytes.len() + self.entries.len() * size_of::<Entry>()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Calls `found` with every distinct key in order and the sum of its weights, and empties
    /// the buffer.
    pub fn drain_sorted(&mut self, mut found: impl FnMut(&[u8], u64)) {
        sort(&mut self.entries, &self.bytes, 0);
        let key = |entry: &Entry| {
            let start = entry.start as usize;
            &self.bytes[start..start + entry.length as usize]
        };
        let weight = |entry: &Entry| {
            let after = entry.start as usize + entry.length as usize;
            code::Decoder::new(&self.bytes[after..]).number()
        };
        for equal in self.entries.chunk_by(|one, other| key(one) == key(other)) {
            found(key(&equal[0]), equal.iter().map(weight).sum());
        }
        self.entries.clear();
        self.bytes.clear();
    }
}

/// The first eight bytes as a number; shorter keys are filled up with zeros. No key is the
/// start of another, so keys that agree when filled up are equal.
fn window(key: &[u8]) -> u64 {
    match key.first_chunk::<STEP>() {
        Some(&bytes) => u64::from_be_bytes(bytes),
        None => {
            let mut bytes = [0; STEP];
            bytes[..key.len()].copy_from_slice(key);
            u64::from_be_bytes(bytes)
        }
    }
}

/// Sorts by the window; within equal ones moves the window on. So a key is touched once per
/// eight bytes and not once per comparison.
fn sort(entries: &mut [Entry], bytes: &[u8], done: usize) {
    entries.sort_unstable_by_key(|entry| entry.window);
    let done = done + STEP;
    for equal in entries.chunk_by_mut(|one, other| one.window == other.window) {
        if equal.len() == 1 || equal[0].length as usize <= done {
            continue;
        }
        for entry in equal.iter_mut() {
            let (start, end) = (entry.start as usize, (entry.start + entry.length) as usize);
            entry.window = window(&bytes[start + done..end]);
        }
        sort(equal, bytes, done);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn keys_come_sorted_with_their_sums(
            keys in proptest::collection::vec(
                (proptest::collection::vec(1u8..4, 0..25), 0u64..1 << 40), 0..60,
            ),
        ) {
            let mut buffer = Buffer::default();
            let mut expected = BTreeMap::<Vec<u8>, u64>::new();
            for (mut key, weight) in keys {
                key.push(0);
                buffer.push(&key, weight);
                *expected.entry(key).or_default() += weight;
            }
            let mut found = Vec::new();
            buffer.drain_sorted(|key, weight| found.push((key.to_vec(), weight)));
            prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
            prop_assert!(buffer.is_empty());
        }
    }
}
