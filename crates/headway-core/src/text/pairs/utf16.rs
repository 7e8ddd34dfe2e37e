//! UTF-16 as UTF-8, for the TMX files of older tools.

use std::io::{self, BufRead, Read};

const READ: usize = 64 << 10;

/// Reads UTF-8, recoded if the source begins like UTF-16.
pub(super) fn as_utf8(mut reader: Box<dyn BufRead + Send>) -> io::Result<Box<dyn BufRead + Send>> {
    let start = reader.fill_buf()?;
    let little = match start {
        [0xFF, 0xFE, ..] | [b'<', 0, ..] => true,
        [0xFE, 0xFF, ..] | [0, b'<', ..] => false,
        _ => return Ok(reader),
    };
    Ok(Box::new(Utf16 { reader, little, raw: Vec::new(), text: Vec::new(), at: 0 }))
}

struct Utf16 {
    reader: Box<dyn BufRead + Send>,
    little: bool,
    /// Bytes read and not yet recoded: an odd one, or half a surrogate pair.
    raw: Vec<u8>,
    text: Vec<u8>,
    at: usize,
}

impl Utf16 {
    fn recode(&mut self) -> io::Result<()> {
        let read = (&mut self.reader).take(READ as u64).read_to_end(&mut self.raw)?;
        let last = read < READ;
        let units = self.raw.chunks_exact(2).map(|pair| {
            let pair = [pair[0], pair[1]];
            if self.little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
        });
        let mut units: Vec<u16> = units.collect();
        let split = units.last().is_some_and(|unit| (0xD800..0xDC00).contains(unit)) && !last;
        if split {
            units.pop();
        }
        if last && self.raw.len() % 2 == 1 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "UTF-16 of an odd length"));
        }
        self.raw.drain(..units.len() * 2);
        self.text.clear();
        self.at = 0;
        let mut bytes = [0; 4];
        for character in char::decode_utf16(units) {
            let character = character
                .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "half a UTF-16 pair"))?;
            self.text.extend_from_slice(character.encode_utf8(&mut bytes).as_bytes());
        }
        Ok(())
    }
}

impl BufRead for Utf16 {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.text.len() {
            self.recode()?;
        }
        Ok(&self.text[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at = (self.at + amount).min(self.text.len());
    }
}

impl Read for Utf16 {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_byte_orders_are_recoded() {
        let text = "\u{feff}<tmx>Grüße 😀".repeat(20_000);
        let units: Vec<u16> = text.encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        for bytes in [little, big, text.clone().into_bytes()] {
            let mut read = String::new();
            as_utf8(Box::new(io::Cursor::new(bytes))).unwrap().read_to_string(&mut read).unwrap();
            assert_eq!(read, text);
        }
    }

    #[test]
    fn broken_utf16_is_an_error() {
        for bytes in [vec![0xFF, 0xFE, b'<'], vec![0xFF, 0xFE, 0x00, 0xD8]] {
            let mut read = String::new();
            assert!(
                as_utf8(Box::new(io::Cursor::new(bytes)))
                    .unwrap()
                    .read_to_string(&mut read)
                    .is_err()
            );
        }
    }
}
