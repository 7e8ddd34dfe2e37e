//! Words as dense numbers.

use std::hash::BuildHasher;
use std::path::Path;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::container::{Container, ContainerWriter, Kind};
use crate::{Error, Result};

const KIND: Kind = Kind { name: "vocab", version: 1 };

/// A word's number in its `Vocabulary`: dense, from 0, in order of first sight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct WordId(pub u32);

impl WordId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Words to dense ids and back. Each word is stored once: about 20 bytes beside its letters.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// All words one after the other; word i is `text[ends[i - 1]..ends[i]]`.
    text: String,
    ends: Vec<u64>,
    /// Finds ids by the hash of their word.
    ids: HashTable<WordId>,
}

impl PartialEq for Vocabulary {
    fn eq(&self, other: &Self) -> bool {
        self.ends == other.ends && self.text == other.text
    }
}

impl Eq for Vocabulary {}

impl Vocabulary {
    /// The word's id, given out now if the word is new.
    pub fn add(&mut self, word: &str) -> WordId {
        let hash = FxBuildHasher.hash_one(word);
        let Vocabulary { text, ends, ids } = self;
        if let Some(&id) = ids.find(hash, |&id| word_at(text, ends, id) == word) {
            return id;
        }
        let id = WordId(u32::try_from(ends.len()).expect("fewer than 2^32 words"));
        text.push_str(word);
        ends.push(text.len() as u64);
        ids.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(word_at(text, ends, id)));
        id
    }

    pub fn get(&self, word: &str) -> Option<WordId> {
        let hash = FxBuildHasher.hash_one(word);
        self.ids.find(hash, |&id| self.word(id) == word).copied()
    }

    /// The word of an id this vocabulary gave out.
    pub fn word(&self, id: WordId) -> &str {
        word_at(&self.text, &self.ends, id)
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn words(&self) -> impl Iterator<Item = &str> {
        (0..self.len() as u32).map(|id| self.word(WordId(id)))
    }

    pub fn save(&self, path: &Path) -> Result<()> {
        let mut writer = ContainerWriter::create(path, KIND, 2)?;
        self.write_sections(&mut writer, "")?;
        writer.finish()
    }

    /// Writes the two sections `NAME-words` and `NAME-ends`, alone or within a larger model.
    pub fn write_sections(&self, writer: &mut ContainerWriter, name: &str) -> Result<()> {
        writer.section(&format!("{name}-words"))?;
        writer.write(self.text.as_bytes())?;
        writer.section(&format!("{name}-ends"))?;
        let ends: Vec<u8> = self.ends.iter().flat_map(|end| end.to_le_bytes()).collect();
        writer.write(&ends)
    }

    pub fn load(path: &Path) -> Result<Self> {
        let container = Container::open(path, KIND)?;
        container.verify()?;
        Self::read_sections(&container, "")
    }

    /// The counterpart of `write_sections`.
    pub fn read_sections(container: &Container, name: &str) -> Result<Self> {
        let damaged = || Error::model(container.path(), "the vocabulary in it is damaged");
        let text = std::str::from_utf8(container.section(&format!("{name}-words"))?)
            .map_err(|_| damaged())?;
        let mut vocabulary = Vocabulary::default();
        let mut start = 0;
        for bytes in container.section(&format!("{name}-ends"))?.chunks(8) {
            let end = u64::from_le_bytes(bytes.try_into().map_err(|_| damaged())?);
            let end = usize::try_from(end).map_err(|_| damaged())?;
            let word = text.get(start..end).ok_or_else(damaged)?;
            if vocabulary.get(word).is_some() {
                return Err(damaged());
            }
            vocabulary.add(word);
            start = end;
        }
        if start == text.len() { Ok(vocabulary) } else { Err(damaged()) }
    }
}

fn word_at<'t>(text: &'t str, ends: &[u64], id: WordId) -> &'t str {
    let index = id.index();
    let start = if index == 0 { 0 } else { ends[index - 1] as usize };
    &text[start..ends[index] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_survive_ids_and_files(words in prop::collection::vec(".{0,8}", 0..30)) {
            let mut vocabulary = Vocabulary::default();
            for word in &words {
                let id = vocabulary.add(word);
                prop_assert_eq!(vocabulary.word(id), word.as_str());
                prop_assert_eq!(vocabulary.get(word), Some(id));
            }
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("v");
            vocabulary.save(&path).unwrap();
            prop_assert_eq!(Vocabulary::load(&path).unwrap(), vocabulary);
        }
    }

    #[test]
    fn ids_are_dense_and_in_order_of_first_sight() {
        let mut vocabulary = Vocabulary::default();
        let ids: Vec<u32> = ["b", "a", "b", ""].iter().map(|w| vocabulary.add(w).0).collect();
        assert_eq!(ids, [0, 1, 0, 2]);
        assert_eq!(vocabulary.words().collect::<Vec<_>>(), ["b", "a", ""]);
        assert_eq!(vocabulary.get("c"), None);
    }
}
