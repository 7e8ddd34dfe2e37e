//! Target words as tagger and parser see them, and what is known about them already.

use rustc_hash::FxHashMap;

use super::Dependency;
use super::chains::Beginnings;
use crate::parse::TreeParser;
use crate::parse::graph::{ItemId, Scorer, Token};
use crate::parse::tag::TaggerWord;

/// A target word.
#[derive(Debug, Clone, Copy)]
pub struct TargetWord {
    tagger: TaggerWord,
    /// With its numbers; the tag is none yet.
    token: Token,
}

/// No word: before the first.
pub const NO_WORD: u32 = u32::MAX;
/// Words that the table does not have are numbered from here.
const UNKNOWN: u32 = 1 << 31;
/// More than this is not kept from sentence to sentence.
const MOST: usize = 1 << 14;

/// What one sentence after the other finds out about words. All of it follows from the words,
/// so that having it changes nothing but the time.
#[derive(Default)]
pub struct Memory {
    pub scorer: Scorer,
    unknown: FxHashMap<String, u32>,
    unknown_words: Vec<TargetWord>,
    /// Where the scores of two words for the second one's tags begin.
    pairs: FxHashMap<(u32, u32), u32>,
    pair_scores: Vec<f32>,
    /// Tags of a word by it and the three before, and what it is with that tag.
    tagged: FxHashMap<[u32; 4], (u16, ItemId)>,
    scores: Vec<f32>,
    /// None between sentences, with the room of those before.
    pub beginnings: Beginnings,
}

impl Memory {
    /// Starts a sentence.
    pub fn begin(&mut self, feature: &Dependency) {
        let many = [self.pairs.len(), self.unknown.len(), self.tagged.len() / 4];
        if self.scorer.is_full() {
            *self = Memory::default();
        } else if many.iter().any(|&many| many > MOST) {
            self.forget_words();
        }
        self.scorer.begin(feature.parser.model());
    }

    /// Begins anew with words, in the same memory; what the scorer knows of arcs stays.
    fn forget_words(&mut self) {
        self.unknown.clear();
        self.unknown_words.clear();
        self.pairs.clear();
        self.pair_scores.clear();
        self.tagged.clear();
    }

    /// The number of a word that the table does not have.
    pub fn unknown(&mut self, feature: &Dependency, form: &str) -> u32 {
        if let Some(&known) = self.unknown.get(form) {
            return known;
        }
        let number = UNKNOWN + self.unknown_words.len() as u32;
        self.unknown_words.push(feature.target_word(form));
        self.unknown.insert(form.to_string(), number);
        number
    }

    fn word(&self, feature: &Dependency, number: u32) -> TargetWord {
        match number.checked_sub(UNKNOWN) {
            Some(place) => self.unknown_words[place as usize],
            None => feature.table_word(number),
        }
    }

    /// The tag of the last of four words, and its item; those before the first are `NO_WORD`.
    pub fn tagged(&mut self, feature: &Dependency, words: [u32; 4]) -> (u16, ItemId) {
        if let Some(&known) = self.tagged.get(&words) {
            return known;
        }
        let there = words.iter().filter(|&&word| word != NO_WORD);
        let seen: Vec<TaggerWord> = there.map(|&word| self.word(feature, word).tagger).collect();
        let tagger = feature.parser.tagger();
        let (many, start) = (tagger.tags().len(), self.pair(feature, words[2], words[3], &seen));
        let pair = &self.pair_scores[start..start + many];
        let tag = tagger.tag_by_pair(&seen, pair, &mut self.scores);
        let Token { word, lower, .. } = self.word(feature, words[3]).token;
        let token = Token { word, lower, ..feature.tags[usize::from(tag)] };
        let found = (tag, self.scorer.add(feature.parser.model(), token));
        self.tagged.insert(words, found);
        found
    }

    fn pair(&mut self, feature: &Dependency, one: u32, other: u32, seen: &[TaggerWord]) -> usize {
        let Memory { pairs, pair_scores, .. } = self;
        let start = pairs.entry((one, other)).or_insert_with(|| {
            let start = pair_scores.len() as u32;
            if let Some((word, before)) = seen.split_last() {
                pair_scores.extend(feature.parser.tagger().pair_scores(before.last(), word));
            }
            start
        });
        *start as usize
    }
}

impl Dependency {
    fn target_word(&self, form: &str) -> TargetWord {
        let token = self.parser.model().numbering().token(form, "");
        TargetWord { tagger: self.parser.tagger().word(form), token }
    }

    fn table_word(&self, number: u32) -> TargetWord {
        let make = || {
            let form = self.table.target().word(crate::WordId(number)).unwrap_or_default();
            Box::new(self.target_word(form))
        };
        match self.words.get(number as usize) {
            Some(place) => **place.get_or_init(make),
            None => *make(),
        }
    }
}
