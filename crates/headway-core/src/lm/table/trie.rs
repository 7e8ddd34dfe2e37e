//! A trie of packed bits: the n-grams of each length sorted by their words, those of one
//! context side by side, found by binary search.

use std::ops::Range;
use std::sync::Arc;

use super::bits::{PADDING, bits, read_bits};
use super::info::Info;
use super::sections::{Array, Sections};
use super::{Found, Table, prefetch};
use crate::Result;
use crate::lm::build::{EXTENDS_LEFT, NO_EXTENSION, Values, is_sound_backoff, is_sound_code};

/// Bits of a probability (never above 0, so without its sign) and a back-off as they are.
pub const PROB_BITS: u32 = 31;
pub const BACKOFF_BITS: u32 = 32;

/// A row: word, probability, and but for the longest n-grams whether longer ones end in it,
/// back-off, and the number of the first n-gram that it is the context of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Widths {
    pub word: u32,
    pub prob: u32,
    pub mark: u32,
    pub backoff: u32,
    pub next: u32,
}

impl Widths {
    /// The widths of n-grams of length `length`, from 2 on.
    pub fn new(info: &Info, length: usize) -> Self {
        let (word, prob) = (bits(info.words), info.prob_bits[length - 1] as u32);
        if length == info.order() {
            return Widths { word, prob, mark: 0, backoff: 0, next: 0 };
        }
        let backoff = info.backoff_bits[length - 1] as u32;
        Widths { word, prob, mark: 1, backoff, next: bits(info.stored[length]) }
    }

    pub fn row(&self) -> u64 {
        u64::from(self.word + self.prob + self.mark + self.backoff + self.next)
    }
}

struct Level {
    rows: Array<u8>,
    widths: Widths,
    row: u64,
    many: usize,
    probs: Codes,
    backoffs: Codes,
}

/// Values as they are, or as numbers in a list of those that occur.
enum Codes {
    Plain,
    Listed(Array<u32>),
}

impl Codes {
    #[inline]
    fn value(&self, code: u64) -> u32 {
        match self {
            Codes::Plain => code as u32,
            Codes::Listed(list) => list.get(code as usize).copied().unwrap_or(0),
        }
    }

    fn open(
        sections: &Arc<Sections>,
        name: &str,
        listed: bool,
        is_sound: impl Fn(u32) -> bool,
    ) -> Result<Self> {
        if !listed {
            return Ok(Codes::Plain);
        }
        let list: Array<u32> = sections.array(name)?;
        match list.iter().all(|&value| is_sound(value)) {
            true => Ok(Codes::Listed(list)),
            false => Err(sections.damaged(&format!("{name}: a value is no logarithm"))),
        }
    }
}

pub struct Trie {
    order: usize,
    /// Values and first bigram of each word, of unknown words, and of the end.
    unigrams: Array<[u32; 3]>,
    levels: Vec<Level>,
}

/// The n-grams to search, and the last word of the one searched.
#[derive(Debug, Clone, Copy, Default)]
pub struct Search {
    start: u32,
    end: u32,
    word: u32,
}

impl Trie {
    pub fn open(sections: &Arc<Sections>, info: &Info) -> Result<Self> {
        let unigrams: Array<[u32; 3]> = sections.array("1-grams")?;
        if unigrams.len() as u64 != info.words + 2 {
            return Err(sections.damaged("the 1-grams are not as many as the words"));
        }
        // The last row only says where the bigrams end.
        let rows = &unigrams[..unigrams.len() - 1];
        if !rows.iter().all(|&[prob, backoff, _]| Values { prob, backoff }.are_sound()) {
            return Err(sections.damaged("a 1-gram has a value that is no logarithm"));
        }
        let levels = (2..=info.order()).map(|length| Level::open(sections, info, length));
        Ok(Trie { order: info.order(), unigrams, levels: levels.collect::<Result<_>>()? })
    }

    /// How many n-grams of a length there are.
    pub fn len(&self, length: usize) -> usize {
        match self.levels.get(length.wrapping_sub(2)) {
            Some(level) => level.many,
            None => self.unigrams.len() - 2,
        }
    }

    /// The n-grams of length `length` + 1 whose context is the one of length `length` at `place`.
    #[inline]
    pub fn followers(&self, length: usize, place: u32) -> Range<u32> {
        let Some(longer) = self.levels.get(length - 1) else { return 0..0 };
        let (start, end) = match self.levels.get(length.wrapping_sub(2)) {
            Some(level) => (level.next(place), level.next(place.saturating_add(1))),
            None => {
                let place = (place as usize).min(self.unigrams.len() - 2);
                (self.unigrams[place][2], self.unigrams[place + 1][2])
            }
        };
        // In a damaged file they might be anything.
        let end = end.min(longer.many as u32);
        start.min(end)..end
    }

    /// The last word and the values of the n-gram of length `length` at `place`.
    #[inline]
    pub fn row(&self, length: usize, place: u32) -> (u32, Values) {
        match self.levels.get(length.wrapping_sub(2)) {
            Some(level) => (level.word(place), level.values(place)),
            None => (place, self.unigram(place)),
        }
    }
}

impl Level {
    fn open(sections: &Arc<Sections>, info: &Info, length: usize) -> Result<Self> {
        let damaged = || sections.damaged(&format!("the {length}-grams have a wrong size"));
        let index = length - 1;
        let (prob, backoff) = (info.prob_bits[index], info.backoff_bits[index]);
        if prob > u64::from(PROB_BITS) || backoff > u64::from(BACKOFF_BITS) {
            return Err(damaged());
        }
        let widths = Widths::new(info, length);
        let rows: Array<u8> = sections.array(&format!("{length}-grams"))?;
        let many = info.stored[index];
        let all = many + u64::from(widths.mark);
        if rows.len() as u64 != (all * widths.row()).div_ceil(8) + PADDING as u64 {
            return Err(damaged());
        }
        let listed = prob < u64::from(PROB_BITS);
        let probs = Codes::open(sections, &format!("{length}-probs"), listed, is_sound_code)?;
        let listed = widths.mark > 0 && backoff < u64::from(BACKOFF_BITS);
        let backoffs =
            Codes::open(sections, &format!("{length}-backoffs"), listed, is_sound_backoff)?;
        Ok(Level { rows, widths, row: widths.row(), many: many as usize, probs, backoffs })
    }

    #[inline]
    fn word(&self, place: u32) -> u32 {
        read_bits(&self.rows, u64::from(place) * self.row, self.widths.word) as u32
    }

    #[inline]
    fn next(&self, place: u32) -> u32 {
        let start = (u64::from(place) + 1) * self.row - u64::from(self.widths.next);
        read_bits(&self.rows, start, self.widths.next) as u32
    }

    #[inline]
    fn values(&self, place: u32) -> Values {
        let widths = &self.widths;
        let start = u64::from(place) * self.row + u64::from(widths.word);
        let prob = self.probs.value(read_bits(&self.rows, start, widths.prob));
        if widths.mark == 0 {
            return Values { prob, backoff: NO_EXTENSION };
        }
        let start = start + u64::from(widths.prob);
        let mark = if read_bits(&self.rows, start, 1) == 1 { EXTENDS_LEFT } else { 0 };
        let backoff = self.backoffs.value(read_bits(&self.rows, start + 1, widths.backoff));
        Values { prob: prob | mark, backoff }
    }

    /// The place of `word` among sorted rows.
    #[inline]
    fn search(&self, search: Search) -> Option<u32> {
        let (mut start, mut end) = (search.start, search.end);
        while start < end {
            let middle = start + (end - start) / 2;
            let word = self.word(middle);
            if word == search.word {
                return Some(middle);
            }
            if word < search.word { start = middle + 1 } else { end = middle }
        }
        None
    }
}

impl Table for Trie {
    type Probe = Search;

    fn order(&self) -> usize {
        self.order
    }

    #[inline]
    fn unigram(&self, word: u32) -> Values {
        let row = self.unigrams[(word as usize).min(self.unigrams.len() - 2)];
        Values { prob: row[0], backoff: row[1] }
    }

    #[inline]
    fn probe(&self, order: usize, context: u32, word: u32) -> Search {
        let followers = self.followers(order - 1, context);
        if let Some(level) = self.levels.get(order - 2) {
            let middle = followers.start + (followers.end - followers.start) / 2;
            prefetch(&level.rows, (u64::from(middle) * level.row / 8) as usize);
        }
        Search { start: followers.start, end: followers.end, word }
    }

    #[inline]
    fn find(&self, order: usize, search: Search) -> Option<Found> {
        let level = self.levels.get(order - 2)?;
        let place = level.search(search)?;
        Some(Found { place, values: level.values(place) })
    }
}
