//! The words of one forest: source, target and labels, each once.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::error::snippet;
use crate::{Error, Result};

/// Words by number, in one piece of text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WordList {
    text: String,
    ends: Vec<u32>,
}

impl WordList {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The word of a number; numbers come from the forest that holds the list.
    pub fn get(&self, word: u32) -> &str {
        let word = word as usize;
        let start = if word == 0 { 0 } else { self.ends[word - 1] };
        &self.text[start as usize..self.ends[word] as usize]
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.ends.len() as u32).map(|word| self.get(word))
    }

    fn push(&mut self, word: &str) -> Result<u32> {
        let (number, end) = (self.ends.len(), self.text.len() + word.len());
        // The highest bit of a number tells slots from words.
        if number >= 1 << 31 || u32::try_from(end).is_err() {
            return Err(Error::setting("forest: more words than fit into one forest"));
        }
        self.text.push_str(word);
        self.ends.push(end as u32);
        Ok(number as u32)
    }
}

/// Gives words their numbers while a forest is built.
#[derive(Debug, Default)]
pub(super) struct Interner {
    pub(super) list: WordList,
    places: HashTable<u32>,
}

impl Interner {
    pub(super) fn number(&mut self, word: &str) -> Result<u32> {
        let hash = FxBuildHasher.hash_one(word);
        let Interner { list, places } = self;
        if let Some(&number) = places.find(hash, |&number| list.get(number) == word) {
            return Ok(number);
        }
        if word.is_empty() || word.contains(|letter: char| letter.is_ascii_whitespace()) {
            let word = snippet(word.as_bytes());
            return Err(Error::Setting(format!(
                "forest: {word} is not a word: empty or with spaces"
            )));
        }
        let number = list.push(word)?;
        places.insert_unique(hash, number, |&number| FxBuildHasher.hash_one(list.get(number)));
        Ok(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_get_one_number_each() {
        let mut words = Interner::default();
        assert_eq!(words.number("ein").unwrap(), 0);
        assert_eq!(words.number("Haus").unwrap(), 1);
        assert_eq!(words.number("ein").unwrap(), 0);
        assert!(words.number("").is_err() && words.number("a b").is_err());
        assert_eq!(words.list.iter().collect::<Vec<_>>(), ["ein", "Haus"]);
    }
}
