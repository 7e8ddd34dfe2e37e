//! Streams of bits, the first bit of a byte being its highest.

/// Bits read at once; wider numbers may reach over the eight bytes that one load brings.
pub const MAX_WIDTH: u32 = 57;

/// Bits that a number up to `largest` takes.
pub fn width_of(largest: u64) -> u32 {
    64 - largest.leading_zeros()
}

/// The 57 or more bits from bit `position` on, at the top of the answer; zeros behind the end.
#[inline]
pub fn bits_at(bytes: &[u8], position: u64) -> u64 {
    let start = (position >> 3) as usize;
    let word = match bytes.get(start..).and_then(|rest| rest.first_chunk::<8>()) {
        Some(word) => u64::from_be_bytes(*word),
        None => last_bits(bytes, start),
    };
    word << (position & 7)
}

#[cold]
fn last_bits(bytes: &[u8], start: usize) -> u64 {
    let mut word = [0; 8];
    let rest = bytes.get(start..).unwrap_or_default();
    word[..rest.len().min(8)].copy_from_slice(&rest[..rest.len().min(8)]);
    u64::from_be_bytes(word)
}

/// Reads numbers one after the other.
#[derive(Debug, Clone, Copy)]
pub struct BitReader<'a> {
    bytes: &'a [u8],
    position: u64,
    end: u64,
}

impl<'a> BitReader<'a> {
    /// A reader of the bits from `position` up to `end`.
    pub fn new(bytes: &'a [u8], position: u64, end: u64) -> Self {
        BitReader { bytes, position, end: end.min(bytes.len() as u64 * 8) }
    }

    #[inline]
    pub fn peek(&self) -> u64 {
        bits_at(self.bytes, self.position)
    }

    /// Passes over `width` bits; None where the stream has ended before.
    #[inline]
    pub fn skip(&mut self, width: u32) -> Option<()> {
        self.position += u64::from(width);
        (self.position <= self.end).then_some(())
    }

    /// A number of at most `MAX_WIDTH` bits.
    #[inline]
    pub fn read(&mut self, width: u32) -> Option<u64> {
        let number = if width == 0 { 0 } else { self.peek() >> (64 - width.min(MAX_WIDTH)) };
        self.skip(width)?;
        Some(number)
    }

    /// A positive number, coded in about twice its own bits (Elias gamma).
    pub fn read_gamma(&mut self) -> Option<u64> {
        let zeros = self.peek().leading_zeros();
        if zeros > 28 {
            return None;
        }
        self.skip(zeros)?;
        self.read(zeros + 1)
    }
}

/// Appends numbers to a stream in memory.
#[derive(Debug, Clone, Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    /// The bits that do not fill a byte yet, at the bottom.
    pending: u64,
    width: u32,
}

impl BitWriter {
    /// Bits written so far, less those taken.
    pub fn position(&self) -> u64 {
        self.bytes.len() as u64 * 8 + u64::from(self.width)
    }

    /// Appends the lowest `width` bits (at most `MAX_WIDTH`) of `number`.
    #[inline]
    pub fn push(&mut self, number: u64, width: u32) {
        debug_assert!(width <= MAX_WIDTH && (number >> width) == 0);
        self.pending = (self.pending << width) | number;
        self.width += width;
        while self.width >= 8 {
            self.width -= 8;
            self.bytes.push((self.pending >> self.width) as u8);
        }
        self.pending &= (1 << self.width) - 1;
    }

    /// The counterpart of `read_gamma`, for numbers from 1 to 2²⁸.
    pub fn push_gamma(&mut self, number: u64) {
        let width = width_of(number);
        self.push(0, width - 1);
        self.push(number, width);
    }

    /// Appends another stream of `bits` bits.
    pub fn append(&mut self, bytes: &[u8], bits: u64) {
        let mut reader = BitReader::new(bytes, 0, bits);
        let mut left = bits;
        while left > 0 {
            let width = left.min(56) as u32;
            self.push(reader.read(width).unwrap_or(0), width);
            left -= u64::from(width);
        }
    }

    pub fn whole_bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The bytes that are full; what does not fill one stays.
    pub fn take_bytes(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }

    /// The bytes, the last one filled with zeros.
    pub fn finish(mut self) -> Vec<u8> {
        if self.width > 0 {
            self.bytes.push((self.pending << (8 - self.width)) as u8);
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_come_back(
            numbers in prop::collection::vec((any::<u64>(), 0..=MAX_WIDTH, 1_u64..1 << 28), 0..60),
            cut in 0_usize..60,
        ) {
            let mut halves = [BitWriter::default(), BitWriter::default()];
            for (index, &(number, width, gamma)) in numbers.iter().enumerate() {
                let half = &mut halves[usize::from(index >= cut)];
                half.push(number & ((1 << width) - 1), width);
                half.push_gamma(gamma);
            }
            let [mut writer, second] = halves;
            let bits = second.position();
            writer.append(&second.finish(), bits);
            let end = writer.position();
            let bytes = writer.finish();
            prop_assert_eq!(bytes.len() as u64, end.div_ceil(8));
            let mut reader = BitReader::new(&bytes, 0, end);
            for (number, width, gamma) in numbers {
                prop_assert_eq!(reader.read(width), Some(number & ((1 << width) - 1)));
                prop_assert_eq!(reader.read_gamma(), Some(gamma));
            }
            prop_assert_eq!(reader.read(1), None);
        }

        #[test]
        fn any_bytes_are_safe(bytes: Vec<u8>, position: u64, end: u64, width in 0_u32..80) {
            let mut reader = BitReader::new(&bytes, position >> 1, end);
            let _ = (reader.peek(), reader.read_gamma(), reader.read(width));
        }
    }
}
