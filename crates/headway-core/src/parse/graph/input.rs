//! A sentence as numbers.

use super::between::WINDOW;
use super::features::Part;

/// A word with its tag, as numbers of a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Token {
    pub word: u32,
    pub lower: u32,
    pub tag: u32,
    pub coarse: u32,
    pub class: Class,
}

/// Kinds of words whose number between head and modifier counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Class {
    Verb,
    Conjunction,
    Punctuation,
    Noun,
    #[default]
    Other,
}

/// Numbers of what is no word and no tag of a vocabulary, whose numbers start at `FIRST`.
pub const ROOT: u32 = 0;
pub const UNKNOWN: u32 = 1;
pub const OUTSIDE: u32 = 2;
pub const FIRST: u32 = 3;

/// The lowest so many bytes, at most seven.
#[inline]
fn low(bytes: u64, count: usize) -> u64 {
    bytes & ((1 << (8 * count)) - 1)
}

/// Places behind the end that have a tag.
const PADDING: usize = 8;

impl Class {
    /// The class of a coarse tag, of Universal Dependencies or the Penn Treebank.
    pub fn of(coarse: &str) -> Self {
        match coarse {
            "VERB" | "AUX" | "VB" | "MD" => Class::Verb,
            "CCONJ" | "CC" => Class::Conjunction,
            "PUNCT" => Class::Punctuation,
            "NOUN" | "PROPN" | "PRON" | "NN" | "PR" => Class::Noun,
            _ if !coarse.chars().any(char::is_alphanumeric) => Class::Punctuation,
            _ => Class::Other,
        }
    }
}

/// A sentence, or the start of one that grows; place 0 is the root, word w stands at place w.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input {
    tokens: Vec<Token>,
    tags: Vec<u32>,
    /// For each place, how many words up to it are of each of the first four classes.
    counts: Vec<[u16; 4]>,
    /// Tags as bytes, from the place before the root on, and places behind the end; larger ones
    /// are cut off.
    bytes: Vec<u8>,
    /// Whether no tag is larger.
    narrow: bool,
}

impl Input {
    /// The root alone.
    pub fn start() -> Self {
        let mut bytes = vec![OUTSIDE as u8; 2 + PADDING];
        bytes[1] = ROOT as u8;
        let (tokens, tags, counts) = (vec![Token::default()], vec![ROOT], vec![[0; 4]]);
        Input { tokens, tags, counts, bytes, narrow: true }
    }

    pub fn push(&mut self, token: Token) {
        let mut counts = self.counts.last().copied().unwrap_or_default();
        if let Some(count) = counts.get_mut(token.class as usize) {
            *count = count.saturating_add(1);
        }
        self.bytes[self.tokens.len() + 1] = token.tag as u8;
        self.bytes.push(OUTSIDE as u8);
        self.narrow &= token.tag <= u32::from(u8::MAX);
        self.tokens.push(token);
        self.tags.push(token.tag);
        self.counts.push(counts);
    }

    /// Takes words away from the end until `words` are left.
    pub fn truncate(&mut self, words: usize) {
        self.tokens.truncate(words + 1);
        self.tags.truncate(words + 1);
        self.counts.truncate(words + 1);
        self.bytes.truncate(self.tokens.len() + 1 + PADDING);
        let end = self.tokens.len() + 1;
        self.bytes[end..].fill(OUTSIDE as u8);
    }

    /// Whether every tag fits into a byte.
    #[inline]
    pub fn is_narrow(&self) -> bool {
        self.narrow
    }

    /// The tags that a part of the paper's features sees of the arcs between two places, and the
    /// distance as far as it matters, as one number. Only where `is_narrow`.
    #[inline]
    pub fn part_tags(&self, left: usize, right: usize, part: Part) -> u64 {
        let far = right - left;
        let bin = match far {
            0..=5 => far as u64,
            6..=10 => 6,
            _ => 7,
        };
        let code = |part: u64| (part * 8 + bin) << 56;
        let ends = self.byte(left) | self.byte(right) << 8;
        match part {
            // From the place before `left` to that behind `right`.
            Part::Whole => low(self.eight(left), far + 3) | code(1),
            Part::Beside => low(self.eight(left), 3) | low(self.eight(right), 3) << 24 | code(2),
            Part::Left => low(self.eight(left + 2), WINDOW) << 16 | ends | code(3),
            Part::Right => low(self.eight(right - WINDOW + 1), WINDOW) << 16 | ends | code(4),
        }
    }

    #[inline]
    fn byte(&self, at: usize) -> u64 {
        u64::from(self.bytes.get(at + 1).copied().unwrap_or(OUTSIDE as u8))
    }

    /// Eight bytes, the first of them that of the place before.
    #[inline]
    fn eight(&self, at: usize) -> u64 {
        let bytes = self.bytes.get(at..at + 8).and_then(|bytes| bytes.try_into().ok());
        bytes.map_or(0, u64::from_le_bytes)
    }

    pub fn len(&self) -> usize {
        self.tokens.len().saturating_sub(1)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn token(&self, at: usize) -> Token {
        self.tokens.get(at).copied().unwrap_or(BEYOND)
    }

    /// The token before a place.
    #[inline]
    pub fn before(&self, at: usize) -> Token {
        at.checked_sub(1).map_or(BEYOND, |at| self.token(at))
    }

    pub fn tags(&self) -> &[u32] {
        &self.tags
    }

    #[inline]
    pub fn tag(&self, at: usize) -> u64 {
        u64::from(self.tags.get(at).copied().unwrap_or(OUTSIDE))
    }

    #[inline]
    pub fn tag_before(&self, at: usize) -> u64 {
        at.checked_sub(1).map_or(u64::from(OUTSIDE), |at| self.tag(at))
    }

    pub fn word_and_tag(&self, at: usize) -> (u32, u32) {
        (self.tokens[at].word, self.tokens[at].tag)
    }

    /// How many verbs, conjunctions, marks and nouns stand strictly between two places: 0, 1, or
    /// 2 for two and more.
    #[inline]
    pub fn between(&self, left: usize, right: usize) -> [u64; 4] {
        let (start, end) = (&self.counts[left], &self.counts[right - 1]);
        std::array::from_fn(|class| u64::from((end[class] - start[class]).min(2)))
    }
}

const BEYOND: Token =
    Token { word: OUTSIDE, lower: OUTSIDE, tag: OUTSIDE, coarse: OUTSIDE, class: Class::Other };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_class_between_two_places_are_counted_up_to_two() {
        let mut input = Input::start();
        for coarse in ["NN", "VB", "CC", "VERB", "NOUN", "AUX", ",", "X"] {
            input.push(Token { class: Class::of(coarse), ..Token::default() });
        }
        assert_eq!(input.between(0, 9), [2, 1, 1, 2]);
        assert_eq!(input.between(2, 4), [0, 1, 0, 0]);
        assert_eq!(input.between(3, 4), [0; 4]);
        let whole = input.clone();
        input.push(Token::default());
        input.truncate(8);
        assert_eq!(input, whole);
    }
}
