//! Arrays of numbers of one width.

use super::bits::{BitWriter, bits_at, width_of};
use super::bytes::Bytes;

/// Packed numbers, read at random.
#[derive(Debug, Clone)]
pub struct Ints {
    bytes: Bytes,
    width: u32,
    len: u64,
}

impl Ints {
    /// `len` numbers of `width` bits; None if the bytes are too few.
    pub fn new(bytes: Bytes, width: u32, len: u64) -> Option<Self> {
        let bits = len.checked_mul(u64::from(width))?;
        (width <= 56 && bits.div_ceil(8) <= bytes.len() as u64).then_some(Ints {
            bytes,
            width,
            len,
        })
    }

    pub fn len(&self) -> u64 {
        self.len
    }

    #[inline]
    pub fn get(&self, index: u64) -> Option<u64> {
        if index >= self.len {
            return None;
        }
        let bits = bits_at(&self.bytes, index * u64::from(self.width));
        Some(if self.width == 0 { 0 } else { bits >> (64 - self.width) })
    }
}

/// Packs numbers up to a largest one that is known beforehand.
#[derive(Debug, Clone)]
pub struct IntsWriter {
    bits: BitWriter,
    pub width: u32,
    pub len: u64,
}

impl IntsWriter {
    pub fn new(largest: u64) -> Self {
        IntsWriter { bits: BitWriter::default(), width: width_of(largest), len: 0 }
    }

    pub fn push(&mut self, number: u64) {
        self.bits.push(number, self.width);
        self.len += 1;
    }

    pub fn append(&mut self, other: IntsWriter) {
        let bits = other.bits.position();
        self.bits.append(&other.bits.finish(), bits);
        self.len += other.len;
    }

    pub fn finish(self) -> Vec<u8> {
        self.bits.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(numbers in prop::collection::vec(0_u64..1 << 56, 0..50), shift in 0..56) {
            let numbers: Vec<u64> = numbers.iter().map(|number| number >> shift).collect();
            let mut writer = IntsWriter::new(numbers.iter().copied().max().unwrap_or(0));
            numbers.iter().for_each(|&number| writer.push(number));
            let (width, len) = (writer.width, writer.len);
            let ints = Ints::new(writer.finish().into(), width, len).unwrap();
            let read: Vec<u64> = (0..ints.len()).filter_map(|index| ints.get(index)).collect();
            prop_assert_eq!(read, numbers);
            prop_assert_eq!(ints.get(len), None);
            prop_assert!(Ints::new(vec![].into(), 3, 1).is_none());
        }
    }
}
