//! A phrase as dependency order sees it: which target words stand for its source words.

use smallvec::{SmallVec, smallvec};

use super::{DependencyOrder, NO_WORD};
use crate::decode::Phrase;

/// The target word of a source word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counterpart {
    /// Its place in the phrase, among the words that count.
    pub place: u32,
    /// Its number in the order model, or `NO_WORD`.
    pub word: u32,
}

/// A phrase in the place where it is used.
pub struct Placed {
    /// Target words that count.
    pub words: u32,
    /// The last target word aligned to each source word of the phrase.
    aligned: SmallVec<[Option<Counterpart>; 8]>,
}

impl Placed {
    /// For a phrase of `length` source words.
    pub fn new(feature: &DependencyOrder, phrase: &Phrase, length: u32) -> Self {
        let mut counted: SmallVec<[Option<Counterpart>; 8]> = SmallVec::new();
        let mut words = 0;
        let mut count = |read: Option<u32>| {
            counted.push(read.map(|word| Counterpart { place: words, word }));
            words += u32::from(read.is_some());
        };
        phrase.target.iter().for_each(|&word| count(feature.target_word(word)));
        phrase.spelled().iter().for_each(|text| count(feature.read(text)));
        let mut aligned: SmallVec<[Option<Counterpart>; 8]> = smallvec![None; length as usize];
        for &(source, target) in &phrase.links {
            let found = counted.get(usize::from(target)).copied().flatten();
            let Some(place) = aligned.get_mut(usize::from(source)) else { continue };
            let later = found.is_some_and(|new| place.is_none_or(|old| new.place > old.place));
            if later {
                *place = found;
            }
        }
        Placed { words, aligned }
    }

    /// Where a governor stands, seen from what came before the phrase, counted from its first
    /// word: without a counterpart at the near edge.
    pub fn seen_from_before(&self, word: usize) -> u32 {
        self.aligned[word].map_or(0, |found| found.place)
    }

    /// How far behind a governor the word after the phrase stands.
    pub fn seen_from_after(&self, word: usize) -> u32 {
        self.aligned[word].map_or(1, |found| self.words - found.place)
    }

    /// The number of the target word of a source word.
    pub fn word(&self, word: usize) -> u32 {
        self.aligned[word].map_or(NO_WORD, |found| found.word)
    }
}
