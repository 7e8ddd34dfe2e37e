//! Numbers of any width, packed without gaps.

use super::sections::SectionSink;
use crate::Result;

/// Bytes behind the last number, so that it too is read with the seven after it.
pub const PADDING: usize = 8;

/// The `width` bits from bit `start` on; 0 where there are none. More than 57 may reach over
/// nine bytes, which one read does not cover.
#[inline]
pub fn read_bits(bytes: &[u8], start: u64, width: u32) -> u64 {
    let byte = (start >> 3) as usize;
    let Some(Ok(word)) = bytes.get(byte..byte + 8).map(<[u8; 8]>::try_from) else { return 0 };
    (u64::from_le_bytes(word) >> (start & 7)) & ((1 << width) - 1)
}

/// Packs numbers into a section.
pub struct BitWriter<'a> {
    out: &'a mut dyn SectionSink,
    pending: u64,
    width: u32,
    buffer: Vec<u8>,
}

impl<'a> BitWriter<'a> {
    pub fn new(out: &'a mut dyn SectionSink) -> Self {
        BitWriter { out, pending: 0, width: 0, buffer: Vec::new() }
    }

    /// Appends a number of at most 57 bits.
    pub fn push(&mut self, number: u64, width: u32) -> Result<()> {
        self.pending |= number << self.width;
        self.width += width;
        while self.width >= 8 {
            self.buffer.push(self.pending as u8);
            self.pending >>= 8;
            self.width -= 8;
        }
        if self.buffer.len() >= 1 << 16 { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.out.write(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    pub fn finish(mut self) -> Result<()> {
        if self.width > 0 {
            self.buffer.push(self.pending as u8);
        }
        self.buffer.extend_from_slice(&[0; PADDING]);
        self.flush()
    }
}

/// Bits that a number up to `largest` takes.
pub fn bits(largest: u64) -> u32 {
    64 - largest.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::super::sections::{Array, MemoryWriter};
    use super::*;
    use proptest::prelude::*;
    use std::path::Path;
    use std::sync::Arc;

    proptest! {
        #[test]
        fn packed_numbers_come_back(
            numbers in prop::collection::vec((any::<u64>(), 0_u32..=57), 0..100),
        ) {
            let mut memory = MemoryWriter::new(Path::new("m"));
            memory.section("a").unwrap();
            let mut writer = BitWriter::new(&mut memory);
            for &(number, width) in &numbers {
                writer.push(number & ((1 << width) - 1), width).unwrap();
            }
            writer.finish().unwrap();
            let bytes: Array<u8> = Arc::new(memory.finish().unwrap()).array("a").unwrap();
            let mut start = 0;
            for (number, width) in numbers {
                prop_assert_eq!(read_bits(&bytes, start, width), number & ((1 << width) - 1));
                start += u64::from(width);
            }
            prop_assert_eq!(bytes.len(), start.div_ceil(8) as usize + PADDING);
            prop_assert_eq!(read_bits(&bytes, 1 << 40, 5), 0);
        }
    }
}
