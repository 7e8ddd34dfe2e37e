//! Rules as byte strings that sort as the rules do.
//!
//! A rule's key is its source side, its target side, its target structure, its links, and the
//! orientation it was seen in. Each part ends by itself, so no key is the start of another, and
//! keys with the same beginning share the same parts. Symbols are coded in one to five bytes,
//! frequent words (small numbers) in the fewest, in an order that is that of `Symbol`.

use crate::WordId;
use crate::table::Symbol;

const END: u8 = 0;
const FIRST_SLOT: u8 = 1;
const ONE_BYTE: u8 = 0x10;
const TWO_BYTES: u8 = 0x80;
const THREE_BYTES: u8 = 0xC0;
const FIVE_BYTES: u8 = 0xF0;
const FIRST_OF_TWO: u32 = (TWO_BYTES - ONE_BYTE) as u32;
const FIRST_OF_THREE: u32 = FIRST_OF_TWO + (((THREE_BYTES - TWO_BYTES) as u32) << 8);
const FIRST_OF_FIVE: u32 = FIRST_OF_THREE + (((FIVE_BYTES - THREE_BYTES) as u32) << 16);

const LINKS_END: u8 = 0xF0;
const LONG_LINK: u8 = 0xFF;

pub fn push_word(key: &mut Vec<u8>, word: u32) {
    if word < FIRST_OF_TWO {
        key.push(ONE_BYTE + word as u8);
    } else if word < FIRST_OF_THREE {
        let rest = word - FIRST_OF_TWO;
        key.extend([TWO_BYTES + (rest >> 8) as u8, rest as u8]);
    } else if word < FIRST_OF_FIVE {
        let rest = word - FIRST_OF_THREE;
        key.extend([THREE_BYTES + (rest >> 16) as u8, (rest >> 8) as u8, rest as u8]);
    } else {
        key.push(FIVE_BYTES);
        key.extend(word.to_be_bytes());
    }
}

pub fn push_slot(key: &mut Vec<u8>, slot: usize) {
    key.push(FIRST_SLOT + slot as u8);
}

/// Ends a side.
pub fn push_end(key: &mut Vec<u8>) {
    key.push(END);
}

pub fn push_link(key: &mut Vec<u8>, source: u8, target: u8) {
    if source < 15 && target < 15 {
        key.push(source << 4 | target);
    } else {
        key.extend([LONG_LINK, source, target]);
    }
}

pub fn push_links_end(key: &mut Vec<u8>) {
    key.push(LINKS_END);
}

/// Numbers that are mostly small: seven bits a byte.
pub fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads what the functions above wrote, part after part.
#[derive(Debug, Clone, Copy)]
pub struct Decoder<'a> {
    bytes: &'a [u8],
    position: usize,
}

impl<'a> Decoder<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Decoder { bytes, position: 0 }
    }

    pub fn position(&self) -> usize {
        self.position
    }

    pub fn is_done(&self) -> bool {
        self.position >= self.bytes.len()
    }

    pub fn byte(&mut self) -> u8 {
        let byte = self.bytes[self.position];
        self.position += 1;
        byte
    }

    pub fn bytes(&mut self, length: usize) -> &'a [u8] {
        let start = self.position;
        self.position += length;
        &self.bytes[start..self.position]
    }

    /// The next symbol of a side; None at its end.
    pub fn symbol(&mut self) -> Option<Symbol> {
        match self.byte() {
            END => None,
            first if first < ONE_BYTE => Some(Symbol::Slot(first - FIRST_SLOT)),
            first => Some(Symbol::Word(WordId(self.word_from(first)))),
        }
    }

    fn word_from(&mut self, first: u8) -> u32 {
        let mut more = |bytes: usize| {
            self.bytes(bytes).iter().fold(0, |word: u32, &byte| word << 8 | u32::from(byte))
        };
        if first < TWO_BYTES {
            u32::from(first - ONE_BYTE)
        } else if first < THREE_BYTES {
            FIRST_OF_TWO + (u32::from(first - TWO_BYTES) << 8) + more(1)
        } else if first < FIVE_BYTES {
            FIRST_OF_THREE + (u32::from(first - THREE_BYTES) << 16) + more(2)
        } else {
            more(4)
        }
    }

    /// A word that stands by itself: a label.
    pub fn word(&mut self) -> WordId {
        let first = self.byte();
        WordId(self.word_from(first))
    }

    /// Adds a side's symbols.
    pub fn side(&mut self, symbols: &mut Vec<Symbol>) {
        symbols.extend(std::iter::from_fn(|| self.symbol()));
    }

    /// Passes over a side; the number of its symbols and of its slots.
    pub fn skip_side(&mut self) -> (usize, usize) {
        let (mut symbols, mut slots) = (0, 0);
        loop {
            let first = self.byte();
            if first == END {
                return (symbols, slots);
            }
            symbols += 1;
            slots += usize::from(first < ONE_BYTE);
            self.position += if first >= FIVE_BYTES {
                4
            } else {
                usize::from(first >= TWO_BYTES) + usize::from(first >= THREE_BYTES)
            };
        }
    }

    pub fn skip_words(&mut self, words: usize) {
        for _ in 0..words {
            self.word();
        }
    }

    /// Adds the links of a rule.
    pub fn links(&mut self, links: &mut Vec<(u8, u8)>) {
        loop {
            match self.byte() {
                LINKS_END => return,
                LONG_LINK => links.push((self.byte(), self.byte())),
                short => links.push((short >> 4, short & 15)),
            }
        }
    }

    pub fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return number;
            }
            shift += 7;
        }
    }

    pub fn float(&mut self) -> f32 {
        let mut bytes = [0; 4];
        bytes.copy_from_slice(self.bytes(4));
        f32::from_le_bytes(bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn symbols() -> impl Strategy<Value = Vec<Symbol>> {
        let word = prop_oneof![
            0..300u32,
            FIRST_OF_THREE - 5..FIRST_OF_THREE + 5,
            FIRST_OF_FIVE - 5..FIRST_OF_FIVE + 5,
            Just(u32::MAX),
        ];
        let symbol = prop_oneof![
            (0..ONE_BYTE - FIRST_SLOT).prop_map(Symbol::Slot),
            word.prop_map(|word| Symbol::Word(WordId(word))),
        ];
        proptest::collection::vec(symbol, 0..6)
    }

    fn coded(side: &[Symbol]) -> Vec<u8> {
        let mut key = Vec::new();
        for symbol in side {
            match *symbol {
                Symbol::Slot(slot) => push_slot(&mut key, slot as usize),
                Symbol::Word(word) => push_word(&mut key, word.0),
            }
        }
        push_end(&mut key);
        key
    }

    proptest! {
        #[test]
        fn keys_sort_as_their_sides_do(one in symbols(), other in symbols()) {
            prop_assert_eq!(coded(&one).cmp(&coded(&other)), one.cmp(&other));
        }

        #[test]
        fn what_was_coded_is_read_again(
            side in symbols(),
            links in proptest::collection::vec((0u8.., 0u8..), 0..5),
            number: u64,
        ) {
            let mut key = coded(&side);
            links.iter().for_each(|&(source, target)| push_link(&mut key, source, target));
            push_links_end(&mut key);
            push_number(&mut key, number);
            let (mut again, mut links_again) = (Vec::new(), Vec::new());
            let mut decoder = Decoder::new(&key);
            decoder.side(&mut again);
            let mut skipping = Decoder::new(&key);
            let slots = side.iter().filter(|symbol| matches!(symbol, Symbol::Slot(_))).count();
            prop_assert_eq!(skipping.skip_side(), (side.len(), slots));
            prop_assert_eq!(skipping.position(), decoder.position());
            decoder.links(&mut links_again);
            prop_assert_eq!(decoder.number(), number);
            prop_assert!(decoder.is_done());
            prop_assert_eq!((again, links_again), (side, links));
        }
    }
}
