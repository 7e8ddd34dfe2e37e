//! Sequences that never fall, in about 2 + log₂(largest / length) bits a number (Elias 1974,
//! Fano 1971): the low bits as they are, the high bits in unary.
//!
//! Layout: places of every 256th number in the high bits (8 bytes each), low bits, high bits.

use super::bits::{BitWriter, bits_at, width_of};
use super::bytes::Bytes;

const SAMPLE: u64 = 256;

#[derive(Debug, Clone)]
pub struct EliasFano {
    samples: Bytes,
    low: Bytes,
    high: Bytes,
    low_width: u32,
    len: u64,
}

/// What is needed to find the parts again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    pub len: u64,
    pub low_width: u32,
    pub high_bits: u64,
}

impl Layout {
    fn sizes(&self) -> Option<[u64; 3]> {
        let low = self.len.checked_mul(u64::from(self.low_width))?.div_ceil(8);
        Some([self.len.div_ceil(SAMPLE).checked_mul(8)?, low, self.high_bits.div_ceil(8)])
    }
}

impl EliasFano {
    pub fn new(bytes: &Bytes, layout: Layout) -> Option<Self> {
        let [samples, low, high] = layout.sizes()?;
        if layout.low_width > 56 {
            return None;
        }
        Some(EliasFano {
            samples: bytes.part(0, samples)?,
            low: bytes.part(samples, low)?,
            high: bytes.part(samples.checked_add(low)?, high)?,
            low_width: layout.low_width,
            len: layout.len,
        })
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    #[inline]
    pub fn get(&self, index: u64) -> Option<u64> {
        let place = self.place(index)?;
        Some(self.value(index, place))
    }

    /// The number at `index` and the one after it.
    #[inline]
    pub fn pair(&self, index: u64) -> Option<(u64, u64)> {
        let place = self.place(index)?;
        let next = self.next_one(place + 1)?;
        (index + 1 < self.len).then(|| (self.value(index, place), self.value(index + 1, next)))
    }

    /// How many numbers are at most `number`; they come first.
    pub fn count_to(&self, number: u64) -> u64 {
        let (mut low, mut high) = (0, self.len);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.get(middle) {
                Some(found) if found <= number => low = middle + 1,
                _ => high = middle,
            }
        }
        low
    }

    #[inline]
    fn value(&self, index: u64, place: u64) -> u64 {
        let high = place.saturating_sub(index);
        if self.low_width == 0 {
            return high;
        }
        let low = bits_at(&self.low, index * u64::from(self.low_width)) >> (64 - self.low_width);
        (high << self.low_width) | low
    }

    /// Where in the high bits the one of number `index` stands.
    #[inline]
    fn place(&self, index: u64) -> Option<u64> {
        if index >= self.len {
            return None;
        }
        let sample = usize::try_from(index / SAMPLE * 8).ok()?;
        let start = u64::from_le_bytes(*self.samples.get(sample..)?.first_chunk::<8>()?);
        self.nth_one(start, index % SAMPLE)
    }

    /// The place of the one that `skip` others precede, from `start` on.
    fn nth_one(&self, start: u64, skip: u64) -> Option<u64> {
        let (high, mut skip): (&[u8], u32) = (&self.high, skip as u32);
        let mut byte = usize::try_from(start / 8).ok()?;
        let mut word = load(high, byte)? & (u64::MAX >> (start % 8));
        loop {
            let ones = word.count_ones();
            if skip < ones {
                return Some(byte as u64 * 8 + nth_in_word(word, skip));
            }
            skip -= ones;
            byte += 8;
            word = load(high, byte)?;
        }
    }

    fn next_one(&self, start: u64) -> Option<u64> {
        self.nth_one(start, 0)
    }
}

/// Eight bytes, the first one highest; None behind the end.
#[inline]
fn load(bytes: &[u8], start: usize) -> Option<u64> {
    if start >= bytes.len() {
        return None;
    }
    Some(bits_at(bytes, start as u64 * 8))
}

#[inline]
fn nth_in_word(mut word: u64, skip: u32) -> u64 {
    for _ in 0..skip {
        word ^= 1 << (63 - word.leading_zeros());
    }
    u64::from(word.leading_zeros())
}

/// Takes numbers that never fall; how many, and the largest, are known beforehand.
pub struct EliasFanoBuilder {
    samples: Vec<u8>,
    low: BitWriter,
    high: BitWriter,
    low_width: u32,
    len: u64,
    last: u64,
}

impl EliasFanoBuilder {
    pub fn new(len: u64, largest: u64) -> Self {
        let low_width = width_of(largest / len.max(1)).saturating_sub(1).min(56);
        EliasFanoBuilder {
            samples: Vec::new(),
            low: BitWriter::default(),
            high: BitWriter::default(),
            low_width,
            len: 0,
            last: 0,
        }
    }

    pub fn push(&mut self, number: u64) {
        debug_assert!(number >= self.last >> self.low_width << self.low_width);
        let high = number >> self.low_width;
        let mut zeros = high.saturating_sub(self.last >> self.low_width);
        self.last = number;
        while zeros > 0 {
            self.high.push(0, zeros.min(32) as u32);
            zeros -= zeros.min(32);
        }
        if self.len.is_multiple_of(SAMPLE) {
            self.samples.extend(self.high.position().to_le_bytes());
        }
        self.high.push(1, 1);
        self.low.push(number & ((1 << self.low_width) - 1), self.low_width);
        self.len += 1;
    }

    pub fn finish(self) -> (Layout, Vec<u8>) {
        let (len, low_width) = (self.len, self.low_width);
        let layout = Layout { len, low_width, high_bits: self.high.position() };
        let mut bytes = self.samples;
        bytes.extend(self.low.finish());
        bytes.extend(self.high.finish());
        (layout, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn built(numbers: &[u64]) -> EliasFano {
        let largest = numbers.last().copied().unwrap_or(0);
        let mut builder = EliasFanoBuilder::new(numbers.len() as u64, largest);
        numbers.iter().for_each(|&number| builder.push(number));
        let (layout, bytes) = builder.finish();
        EliasFano::new(&bytes.into(), layout).unwrap()
    }

    proptest! {
        #[test]
        fn numbers_come_back(
            mut numbers in prop::collection::vec(0_u64..1 << 40, 0..700), shift in 0..40, ask: u64,
        ) {
            numbers.iter_mut().for_each(|number| *number >>= shift);
            numbers.sort_unstable();
            let sequence = built(&numbers);
            for (index, &number) in numbers.iter().enumerate() {
                prop_assert_eq!(sequence.get(index as u64), Some(number));
                let pair = numbers.get(index + 1).map(|&next| (number, next));
                prop_assert_eq!(sequence.pair(index as u64), pair);
            }
            prop_assert_eq!(sequence.get(numbers.len() as u64), None);
            let ask = ask >> shift >> 20;
            let below = numbers.iter().filter(|&&number| number <= ask).count();
            prop_assert_eq!(sequence.count_to(ask), below as u64);
        }

        #[test]
        fn any_bytes_are_safe(
            bytes: Vec<u8>, len in 0_u64..600, low_width in 0_u32..70, high_bits in 0_u64..900, ask: u64,
        ) {
            let layout = Layout { len, low_width, high_bits };
            if let Some(sequence) = EliasFano::new(&bytes.into(), layout) {
                let index = ask % (len + 1);
                let _ = (sequence.get(index), sequence.pair(index), sequence.count_to(ask));
            }
        }
    }
}
