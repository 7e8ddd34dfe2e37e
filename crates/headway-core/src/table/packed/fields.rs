//! Small facts one after the other (numbers, names, where a piece of the body lies), and the
//! body they point into.

use super::bytes::Bytes;
use super::elias_fano::{EliasFano, Layout};
use super::ints::{Ints, IntsWriter};

/// Collects facts and body.
#[derive(Debug, Clone, Default)]
pub struct FieldWriter {
    pub facts: Vec<u8>,
    pub body: Vec<u8>,
}

impl FieldWriter {
    /// Seven bits a byte, the lowest first.
    pub fn number(&mut self, mut number: u64) {
        while number >= 128 {
            self.facts.push(number as u8 | 128);
            number >>= 7;
        }
        self.facts.push(number as u8);
    }

    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.facts.extend_from_slice(text.as_bytes());
    }

    /// A piece of the body.
    pub fn piece(&mut self, bytes: &[u8]) {
        self.number(self.body.len() as u64);
        self.number(bytes.len() as u64);
        self.body.extend_from_slice(bytes);
    }

    pub fn ints(&mut self, ints: IntsWriter) {
        self.number(u64::from(ints.width));
        self.number(ints.len);
        self.piece(&ints.finish());
    }

    pub fn sequence(&mut self, (layout, bytes): &(Layout, Vec<u8>)) {
        self.number(layout.len);
        self.number(u64::from(layout.low_width));
        self.number(layout.high_bits);
        self.piece(bytes);
    }
}

/// Reads facts in the order they were written; None where they make no sense.
pub struct FieldReader<'a> {
    facts: &'a [u8],
    body: Bytes,
}

impl<'a> FieldReader<'a> {
    pub fn new(facts: &'a [u8], body: Bytes) -> Self {
        FieldReader { facts, body }
    }

    pub fn number(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (&byte, rest) = self.facts.split_first()?;
            self.facts = rest;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    /// A number that says how many things follow, each of at least one byte.
    pub fn count(&mut self) -> Option<usize> {
        let count = usize::try_from(self.number()?).ok()?;
        (count <= self.facts.len()).then_some(count)
    }

    pub fn small(&mut self) -> Option<u32> {
        u32::try_from(self.number()?).ok()
    }

    pub fn text(&mut self) -> Option<String> {
        let length = self.count()?;
        let (text, rest) = self.facts.split_at(length);
        self.facts = rest;
        Some(std::str::from_utf8(text).ok()?.to_string())
    }

    pub fn piece(&mut self) -> Option<Bytes> {
        let (start, length) = (self.number()?, self.number()?);
        self.body.part(start, length)
    }

    pub fn ints(&mut self) -> Option<Ints> {
        let (width, len) = (self.small()?, self.number()?);
        Ints::new(self.piece()?, width, len)
    }

    pub fn sequence(&mut self) -> Option<EliasFano> {
        let (len, low_width, high_bits) = (self.number()?, self.small()?, self.number()?);
        EliasFano::new(&self.piece()?, Layout { len, low_width, high_bits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn facts_come_back(numbers: Vec<u64>, text in ".{0,20}", piece: Vec<u8>) {
            let mut writer = FieldWriter::default();
            for &number in &numbers {
                writer.number(number);
                writer.text(&text);
                writer.piece(&piece);
            }
            let mut reader = FieldReader::new(&writer.facts, writer.body.clone().into());
            for number in numbers {
                prop_assert_eq!(reader.number(), Some(number));
                prop_assert_eq!(reader.text(), Some(text.clone()));
                prop_assert_eq!(&reader.piece().unwrap()[..], &piece[..]);
            }
            prop_assert_eq!(reader.number(), None);
        }

        #[test]
        fn any_facts_are_safe(facts: Vec<u8>, body: Vec<u8>) {
            let body = Bytes::from(body);
            let _ = FieldReader::new(&facts, body.clone()).text();
            let _ = FieldReader::new(&facts, body.clone()).ints();
            let _ = FieldReader::new(&facts, body).sequence();
        }
    }
}
