//! The words of a model, found by their text without loading anything.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::sections::{Array, SectionSink, Sections};
use crate::{Error, Result, Vocabulary, WordId};

const EMPTY: [u32; 2] = [0, u32::MAX];

/// Text and ids of words, in mapped arrays.
pub struct Lexicon {
    text: Array<u8>,
    ends: Array<u32>,
    /// Open addressing by the upper half of a word's hash: its lower half and its id.
    index: Array<[u32; 2]>,
}

impl Lexicon {
    pub fn write(vocabulary: &Vocabulary, out: &mut dyn SectionSink) -> Result<()> {
        out.section("words")?;
        let mut ends = Vec::with_capacity(vocabulary.len());
        let mut end = 0;
        for word in vocabulary.words() {
            out.write(word.as_bytes())?;
            end += word.len() as u32;
            ends.push(end);
        }
        out.section("ends")?;
        out.write(bytemuck::cast_slice(&ends))?;
        out.section("index")?;
        out.write(bytemuck::cast_slice(&build_index(vocabulary)?))
    }

    pub fn open(sections: &Arc<Sections>) -> Result<Self> {
        let (text, ends) = (sections.array("words")?, sections.array("ends")?);
        let index: Array<[u32; 2]> = sections.array("index")?;
        if index.len() <= ends.len() + SPARE {
            return Err(sections.damaged("the vocabulary's index is too small"));
        }
        Ok(Lexicon { text, ends, index })
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The word's id, if the model has it.
    #[inline]
    pub fn get(&self, word: &[u8]) -> Option<WordId> {
        let hash = hash(word);
        let home = home(hash, self.index.len());
        for &[tag, id] in &self.index[home..] {
            if id == EMPTY[1] {
                return None;
            }
            if tag == hash as u32 && self.bytes(id).is_some_and(|found| same(found, word)) {
                return Some(WordId(id));
            }
        }
        None
    }

    #[inline]
    fn bytes(&self, id: u32) -> Option<&[u8]> {
        let index = id as usize;
        let end = *self.ends.get(index)?;
        let start = if index == 0 { 0 } else { self.ends[index - 1] };
        self.text.get(start as usize..end as usize)
    }

    /// The text of a word; None if there is no such id.
    pub fn word(&self, id: WordId) -> Option<&str> {
        std::str::from_utf8(self.bytes(id.0)?).ok()
    }

    pub fn vocabulary(&self) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        for id in 0..self.len() as u32 {
            vocabulary.add(self.word(WordId(id)).unwrap_or_default());
        }
        vocabulary
    }
}

/// Mixes the first and last eight bytes, or what there is of them; longer words whole.
#[inline]
fn hash(word: &[u8]) -> u64 {
    const ODD: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD6E8_FEB8_6659_FD93];
    let (first, last) = match word.len() {
        0..=3 => {
            word.iter().fold((0, 0), |(sum, last), &byte| ((sum << 8) | u64::from(byte), last))
        }
        4..=7 => (half(word, 0), half(word, word.len() - 4)),
        8..=16 => (full(word, 0), full(word, word.len() - 8)),
        _ => return xxh3_64(word),
    };
    let last = last ^ (word.len() as u64) << 56;
    let product = u128::from(first ^ ODD[0]) * u128::from(last ^ ODD[1]);
    (product as u64 ^ (product >> 64) as u64).wrapping_mul(ODD[0])
}

/// Equality of short texts without a call.
#[inline]
fn same(one: &[u8], other: &[u8]) -> bool {
    let length = one.len();
    length == other.len()
        && match length {
            0..=3 => one.iter().zip(other).all(|(a, b)| a == b),
            4..=7 => {
                half(one, 0) == half(other, 0) && half(one, length - 4) == half(other, length - 4)
            }
            8..=16 => {
                full(one, 0) == full(other, 0) && full(one, length - 8) == full(other, length - 8)
            }
            _ => one == other,
        }
}

/// The eight bytes from `start` on.
#[inline]
fn full(bytes: &[u8], start: usize) -> u64 {
    bytes[start..].first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes))
}

/// The four bytes from `start` on.
#[inline]
fn half(bytes: &[u8], start: usize) -> u64 {
    bytes[start..].first_chunk().map_or(0, |&bytes| u64::from(u32::from_le_bytes(bytes)))
}

#[inline]
fn home(hash: u64, places: usize) -> usize {
    let homes = places - SPARE;
    (((hash >> 32) * homes as u64) >> 32) as usize
}

/// Places behind the last home, so that a search needs no turn at the end.
const SPARE: usize = 64;

/// Words that find no place before the end, which random ones never do, make it larger.
fn build_index(vocabulary: &Vocabulary) -> Result<Vec<[u32; 2]>> {
    let mut homes = vocabulary.len() + vocabulary.len() / 2 + 1;
    for _ in 0..16 {
        if let Some(index) = try_index(vocabulary, homes) {
            return Ok(index);
        }
        homes += homes / 4;
    }
    Err(Error::setting("the words of the model cannot be told apart by their hashes"))
}

fn try_index(vocabulary: &Vocabulary, homes: usize) -> Option<Vec<[u32; 2]>> {
    let mut index = vec![EMPTY; homes + SPARE];
    for (id, word) in vocabulary.words().enumerate() {
        let hash = hash(word.as_bytes());
        let home = home(hash, index.len());
        let free = index[home..].iter().position(|&row| row == EMPTY)?;
        index[home + free] = [hash as u32, id as u32];
    }
    Some(index)
}

#[cfg(test)]
mod tests {
    use super::super::sections::MemoryWriter;
    use super::*;
    use proptest::prelude::*;
    use std::path::Path;

    proptest! {
        #[test]
        fn words_are_found_and_others_are_not(
            words in prop::collection::vec("[abß]{0,20}", 0..60),
            others in prop::collection::vec("[abß]{0,20}", 0..20),
        ) {
            let mut vocabulary = Vocabulary::default();
            words.iter().for_each(|word| { vocabulary.add(word); });
            let mut memory = MemoryWriter::new(Path::new("m"));
            Lexicon::write(&vocabulary, &mut memory).unwrap();
            let lexicon = Lexicon::open(&Arc::new(memory.finish().unwrap())).unwrap();
            for word in words.iter().chain(&others) {
                prop_assert_eq!(lexicon.get(word.as_bytes()), vocabulary.get(word));
            }
            prop_assert_eq!(lexicon.vocabulary(), vocabulary);
        }
    }
}
