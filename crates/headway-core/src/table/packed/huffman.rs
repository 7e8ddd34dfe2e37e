//! Canonical prefix codes (Huffman 1952) that are decoded in place: the tokens lie in the file
//! in the order of their codes, so opening a table reads only how many codes have which length.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::bits::{BitReader, BitWriter, width_of};
use super::bytes::Bytes;
use super::ints::{Ints, IntsWriter};

/// Longer codes cannot arise from fewer than 2³² observations.
const MAX_LENGTH: u32 = 48;
const QUICK: u32 = 8;

/// Reads tokens.
#[derive(Debug, Clone)]
pub struct Code {
    steps: Vec<Step>,
    /// By the next eight bits: the first step worth trying.
    quick: Vec<u8>,
    tokens: Ints,
}

/// All codes of one length.
#[derive(Debug, Clone, Copy)]
struct Step {
    length: u32,
    /// The first bits that are too high for this length, at the top of a word (less one, so
    /// that the last one fits).
    last: u64,
    first_code: u64,
    first_index: u64,
}

impl Code {
    /// A code with `counts[n]` codes of length `n`; None if there is no such code.
    pub fn new(counts: &[u64], tokens: Bytes, width: u32) -> Option<Self> {
        let (mut steps, mut code, mut index) = (Vec::new(), 0_u64, 0_u64);
        for (length, &count) in counts.iter().enumerate().take(MAX_LENGTH as usize + 1) {
            if count > 0 {
                let end = code.checked_add(count)?;
                if end > 1 << length {
                    return None;
                }
                let last = if length == 0 { u64::MAX } else { shifted(end, length as u32) };
                let (first_code, first_index) = (code, index);
                steps.push(Step { length: length as u32, last, first_code, first_index });
                (code, index) = (end, index.checked_add(count)?);
            }
            code = code.checked_mul(2)?;
        }
        let tokens = Ints::new(tokens, width, index)?;
        let quick = (0..1_u64 << QUICK)
            .map(|bits| bits << (64 - QUICK))
            .map(|bits| steps.iter().take_while(|step| bits > step.last).count() as u8)
            .collect();
        Some(Code { steps, quick, tokens })
    }

    /// The next token; None where the bits are none of its codes.
    #[inline]
    pub fn read(&self, reader: &mut BitReader<'_>) -> Option<u64> {
        self.tokens.get(self.read_index(reader)?)
    }

    /// The number of the next token in the order of the codes.
    #[inline]
    pub fn read_index(&self, reader: &mut BitReader<'_>) -> Option<u64> {
        let bits = reader.peek();
        let start = *self.quick.get((bits >> (64 - QUICK)) as usize)?;
        let step = self.steps.get(usize::from(start)..)?.iter().find(|step| bits <= step.last)?;
        reader.skip(step.length)?;
        let code = if step.length == 0 { 0 } else { bits >> (64 - step.length) };
        Some(step.first_index + code.checked_sub(step.first_code)?)
    }
}

fn shifted(end: u64, length: u32) -> u64 {
    // All ones when the codes of this length are the last ones there are.
    (end << (64 - length)).wrapping_sub(1)
}

/// Counts tokens and makes the code.
#[derive(Debug, Clone, Default)]
pub struct CodeBuilder {
    counts: FxHashMap<u64, u64>,
}

/// A code in the making: what goes into the file.
pub struct Built {
    /// Number of codes by length.
    pub counts: Vec<u64>,
    /// Tokens in the order of their codes.
    pub tokens: Vec<u64>,
}

/// Writes tokens.
#[derive(Debug, Clone, Default)]
pub struct Encoder {
    /// Codes of the small tokens, which are the frequent ones; no length where there is none.
    small: Vec<Option<(u64, u32)>>,
    others: FxHashMap<u64, (u64, u32)>,
}

/// Tokens below this are found without hashing.
pub const SMALL: usize = 1 << 12;

impl CodeBuilder {
    pub fn add(&mut self, token: u64, count: u64) {
        if count > 0 {
            *self.counts.entry(token).or_default() += count;
        }
    }

    pub fn build(self) -> (Built, Encoder) {
        let mut tokens: Vec<(u64, u64)> = self.counts.into_iter().collect();
        tokens.sort_unstable();
        let lengths = code_lengths(&tokens.iter().map(|&(_, count)| count).collect::<Vec<_>>());
        let mut order: Vec<(u32, u64)> =
            lengths.iter().zip(&tokens).map(|(&length, &(token, _))| (length, token)).collect();
        order.sort_unstable();
        let mut built = Built { counts: Vec::new(), tokens: Vec::with_capacity(order.len()) };
        let mut encoder = Encoder::default();
        let (mut code, mut previous) = (0_u64, 0);
        for (length, token) in order {
            code <<= length - previous;
            previous = length;
            built.counts.resize(length as usize + 1, 0);
            built.counts[length as usize] += 1;
            built.tokens.push(token);
            encoder.insert(token, (code, length));
            code += 1;
        }
        (built, encoder)
    }
}

impl Built {
    /// The tokens as `Code::new` takes them, with their width.
    pub fn packed(&self) -> (Vec<u8>, u32) {
        let mut ints = IntsWriter::new(self.tokens.iter().copied().max().unwrap_or(0));
        self.tokens.iter().for_each(|&token| ints.push(token));
        let width = ints.width;
        (ints.finish(), width)
    }
}

impl Encoder {
    fn insert(&mut self, token: u64, code: (u64, u32)) {
        if token >= SMALL as u64 {
            self.others.insert(token, code);
            return;
        }
        let index = token as usize;
        if self.small.len() <= index {
            self.small.resize(index + 1, None);
        }
        self.small[index] = Some(code);
    }

    /// Appends the token's code; false if it has none.
    #[inline]
    pub fn write(&self, token: u64, bits: &mut BitWriter) -> bool {
        let code = match token < SMALL as u64 {
            true => self.small.get(token as usize).copied().flatten(),
            false => self.others.get(&token).copied(),
        };
        match code {
            Some((code, length)) => {
                bits.push(code, length);
                true
            }
            None => false,
        }
    }
}

/// Lengths of optimal codes. A token alone needs no bits at all.
fn code_lengths(counts: &[u64]) -> Vec<u32> {
    let total: u64 = counts.iter().sum();
    let shift = width_of(total).saturating_sub(32);
    let mut parents = vec![0_usize; counts.len()];
    let mut heap: BinaryHeap<Reverse<(u64, usize)>> = counts
        .iter()
        .enumerate()
        .map(|(index, &count)| Reverse(((count >> shift).max(1), index)))
        .collect();
    while let (Some(Reverse((first, a))), Some(Reverse((second, b)))) = (heap.pop(), heap.pop()) {
        let parent = parents.len();
        (parents[a], parents[b]) = (parent, parent);
        parents.push(0);
        heap.push(Reverse((first + second, parent)));
    }
    let mut depths = vec![0_u32; parents.len()];
    for index in (0..parents.len().saturating_sub(1)).rev() {
        depths[index] = depths[parents[index]] + 1;
    }
    depths.truncate(counts.len());
    depths
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_all(text: &[u64], built: &Built, encoder: &Encoder) -> Vec<Option<u64>> {
        let mut bits = BitWriter::default();
        assert!(text.iter().all(|&token| encoder.write(token, &mut bits)));
        let end = bits.position();
        let bytes = bits.finish();
        let (tokens, width) = built.packed();
        let code = Code::new(&built.counts, tokens.into(), width).unwrap();
        let mut reader = BitReader::new(&bytes, 0, end);
        text.iter().map(|_| code.read(&mut reader)).collect()
    }

    proptest! {
        #[test]
        fn tokens_come_back(text in prop::collection::vec(0_u64..200, 1..200), shift in 0..8) {
            let text: Vec<u64> = text.iter().map(|token| token >> shift).collect();
            let mut builder = CodeBuilder::default();
            text.iter().for_each(|&token| builder.add(token, 1));
            let (built, encoder) = builder.build();
            let expected: Vec<Option<u64>> = text.iter().copied().map(Some).collect();
            prop_assert_eq!(read_all(&text, &built, &encoder), expected);
        }

        #[test]
        fn any_bytes_are_safe(counts in prop::collection::vec(0_u64..9, 0..60), bytes: Vec<u8>) {
            if let Some(code) = Code::new(&counts, bytes.clone().into(), 3) {
                let mut reader = BitReader::new(&bytes, 0, bytes.len() as u64 * 8);
                for _ in 0..20 {
                    let _ = code.read(&mut reader);
                }
            }
        }
    }

    #[test]
    fn skewed_counts_give_long_codes_that_still_work() {
        let mut builder = CodeBuilder::default();
        let (mut a, mut b) = (1_u64, 1_u64);
        for token in 0..60 {
            builder.add(token, a);
            (a, b) = (b, a + b);
        }
        let (built, encoder) = builder.build();
        let text: Vec<u64> = (0..60).collect();
        assert!(built.counts.len() <= MAX_LENGTH as usize + 1);
        let expected: Vec<Option<u64>> = text.iter().copied().map(Some).collect();
        assert_eq!(read_all(&text, &built, &encoder), expected);
    }

    #[test]
    fn lengths_are_optimal() {
        let mut lengths = code_lengths(&[5, 9, 12, 13, 16, 45]);
        lengths.sort_unstable();
        assert_eq!(lengths, [1, 3, 3, 3, 4, 4]);
        assert_eq!(code_lengths(&[7]), [0]);
        assert_eq!(code_lengths(&[]), [0; 0]);
    }
}
