//! The words of a model, found by their text without loading anything.

use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_64;

use super::sections::{Array, SectionSink, Sections};
use crate::{Result, Vocabulary, WordId};

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
        out.write(bytemuck::cast_slice(&build_index(vocabulary)))
    }

    pub fn open(sections: &Arc<Sections>) -> Result<Self> {
        let (text, ends) = (sections.array("words")?, sections.array("ends")?);
        let index: Array<[u32; 2]> = sections.array("index")?;
        if index.len() <= ends.len() {
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
        self.get_hashed(word, xxh3_64(word))
    }

    #[inline]
    fn get_hashed(&self, word: &[u8], hash: u64) -> Option<WordId> {
        let home = home(hash, self.index.len());
        // A damaged index might have no empty place: look at each once at most.
        for &[tag, id] in self.index[home..].iter().chain(&self.index[..home]) {
            if id == EMPTY[1] {
                return None;
            }
            if tag == hash as u32 && self.bytes(id) == Some(word) {
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

#[inline]
fn home(hash: u64, buckets: usize) -> usize {
    (((hash >> 32) * buckets as u64) >> 32) as usize
}

fn build_index(vocabulary: &Vocabulary) -> Vec<[u32; 2]> {
    let mut index = vec![EMPTY; vocabulary.len() + vocabulary.len() / 2 + 1];
    for (id, word) in vocabulary.words().enumerate() {
        let hash = xxh3_64(word.as_bytes());
        let mut place = home(hash, index.len());
        while index[place] != EMPTY {
            place = (place + 1) % index.len();
        }
        index[place] = [hash as u32, id as u32];
    }
    index
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
            words in prop::collection::vec("[a-zß]{0,4}", 0..60),
            others in prop::collection::vec("[a-zß]{0,4}", 0..20),
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
