//! What taggers look at.

use crate::parse::hash::{key, of_text};

use super::lexicon::Lexicon;
use super::tagger::TaggerKind;

/// A word as taggers see it: numbers for its forms, its affixes, its shape.
#[derive(Debug, Clone, Copy, Default)]
pub struct Word {
    form: u64,
    lower: u64,
    /// The first one to four letters; 0 where the word is not longer.
    prefixes: [u64; 4],
    suffixes: [u64; 5],
    shape: u64,
    traits: u64,
    /// The tags it was seen with.
    class: u64,
    /// Its number in the lexicon.
    pub(super) entry: Option<u32>,
}

/// Stands before the first and after the last word.
const OUTSIDE: Word = Word {
    form: 1,
    lower: 1,
    prefixes: [0; 4],
    suffixes: [0; 5],
    shape: 1,
    traits: 0,
    class: 1,
    entry: None,
};

impl Word {
    pub fn new(form: &str, lowercase: bool, lexicon: &Lexicon) -> Self {
        let lower = form.to_lowercase();
        let form = if lowercase { &lower } else { form };
        let starts: Vec<usize> = lower.char_indices().map(|(at, _)| at).collect();
        let letters = starts.len();
        let start =
            |count: usize| if letters > count { of_text(&lower[..starts[count]]) } else { 0 };
        let end = |count: usize| {
            if letters > count { of_text(&lower[starts[letters - count]..]) } else { 0 }
        };
        let hash = of_text(&lower);
        let entry = lexicon.find(hash);
        Word {
            form: of_text(form),
            lower: hash,
            prefixes: [start(1), start(2), start(3), start(4)],
            suffixes: [end(1), end(2), end(3), end(4), end(5)],
            shape: shape(form),
            traits: traits(form),
            class: entry.map_or(0, |entry| lexicon.class(entry)),
            entry,
        }
    }
}

/// Kinds of letters in their order, runs taken as up to two: `Xx`, `dd`, `xx-xx`.
fn shape(form: &str) -> u64 {
    let mut text = String::new();
    let (mut last, mut run) = (' ', 0);
    for letter in form.chars() {
        let kind = match letter {
            _ if letter.is_uppercase() => 'X',
            _ if letter.is_alphabetic() => 'x',
            _ if letter.is_numeric() => 'd',
            other => other,
        };
        run = if kind == last { run + 1 } else { 1 };
        last = kind;
        if run <= 2 {
            text.push(kind);
        }
    }
    of_text(&text)
}

fn traits(form: &str) -> u64 {
    let mut letters = form.chars();
    let first = letters.next().is_some_and(char::is_uppercase);
    let rest = letters.clone().any(char::is_uppercase);
    let small = letters.any(char::is_lowercase);
    let digit = form.chars().any(char::is_numeric);
    let hyphen = form.contains('-');
    [first, rest, small, digit, hyphen].iter().fold(1, |all, &one| all << 1 | u64::from(one))
}

/// Keys of the features of word `at` that no tag takes part in.
pub fn word_features(kind: TaggerKind, words: &[Word], at: usize, keys: &mut Vec<u64>) {
    let word = |offset: isize| {
        let place = at.checked_add_signed(offset);
        place.and_then(|place| words.get(place)).copied().unwrap_or(OUTSIDE)
    };
    keys.clear();
    own_features(&word(0), at == 0, keys);
    before_features(&[word(-3), word(-2), word(-1), word(0)], keys);
    if kind == TaggerKind::Full {
        after_features(&[word(-1), word(0), word(1), word(2)], keys);
    }
}

/// Keys of features that see nothing but a lower-cased word: itself, the one before, the next.
pub fn word_keys(lower: u64) -> [u64; 3] {
    [2, 30, 50].map(|template| key(template, [lower]))
}

fn own_features(word: &Word, first: bool, keys: &mut Vec<u64>) {
    keys.push(key(0, []));
    keys.push(key(1, [word.form]));
    keys.push(key(2, [word.lower]));
    keys.push(key(3, [word.shape]));
    keys.push(key(4, [word.traits, u64::from(first)]));
    keys.push(key(5, [word.class]));
    keys.push(key(6, [word.suffixes[2], word.traits]));
    let prefixes = word.prefixes.iter().zip(10..).filter(|(prefix, _)| **prefix != 0);
    keys.extend(prefixes.map(|(&prefix, template)| key(template, [prefix])));
    let suffixes = word.suffixes.iter().zip(20..).filter(|(suffix, _)| **suffix != 0);
    keys.extend(suffixes.map(|(&suffix, template)| key(template, [suffix])));
}

fn before_features(&[third, second, last, word]: &[Word; 4], keys: &mut Vec<u64>) {
    keys.extend(last_features(&last, &word));
    keys.extend(beyond_features(&third, &second, &last, &word));
}

/// Those of the words before that see the last of them only.
fn last_features(last: &Word, word: &Word) -> [u64; 8] {
    [
        key(30, [last.lower]),
        key(32, [last.lower, word.lower]),
        key(34, [last.shape, word.shape]),
        key(35, [last.suffixes[2], word.suffixes[2]]),
        key(36, [last.class, word.class]),
        key(38, [last.class, word.suffixes[2]]),
        key(39, [last.class, word.traits]),
        key(41, [last.lower, word.class]),
    ]
}

/// The others.
fn beyond_features(third: &Word, second: &Word, last: &Word, word: &Word) -> [u64; 4] {
    [
        key(31, [second.lower]),
        key(33, [second.lower, last.lower]),
        key(37, [second.class, last.class, word.class]),
        key(40, [third.class, second.class, last.class]),
    ]
}

/// Keys of a streaming tagger's features that a word and the one before it (none at the start)
/// settle.
pub fn pair_features(before: Option<&Word>, word: &Word, keys: &mut Vec<u64>) {
    keys.clear();
    own_features(word, before.is_none(), keys);
    keys.extend(last_features(before.unwrap_or(&OUTSIDE), word));
}

/// The others, of the last of up to four words.
pub fn farther_features(words: &[Word]) -> [u64; 4] {
    let back = |count: usize| {
        let place = words.len().checked_sub(count + 1);
        place.and_then(|place| words.get(place)).unwrap_or(&OUTSIDE)
    };
    beyond_features(back(3), back(2), back(1), back(0))
}

fn after_features(&[last, word, next, second]: &[Word; 4], keys: &mut Vec<u64>) {
    keys.extend([
        key(50, [next.lower]),
        key(51, [second.lower]),
        key(52, [word.lower, next.lower]),
        key(53, [next.lower, second.lower]),
        key(54, [word.shape, next.shape]),
        key(55, [word.suffixes[2], next.suffixes[2]]),
        key(56, [word.class, next.class]),
        key(57, [word.class, next.class, second.class]),
        key(58, [last.class, word.class, next.class]),
        key(59, [last.lower, next.lower]),
        key(60, [next.class, word.suffixes[2]]),
        key(61, [next.suffixes[1], word.class]),
    ]);
}

/// How many features the tag before takes part in.
pub const BEFORE: usize = 4;

/// Keys of features of word `at` that the tag before it takes part in.
pub fn tag_features(words: &[Word], at: usize, before: u64) -> [u64; BEFORE] {
    let word = &words[at];
    let next = words.get(at + 1).unwrap_or(&OUTSIDE);
    [
        key(70, [before]),
        key(71, [before, word.lower]),
        key(72, [before, word.suffixes[2], word.traits]),
        key(73, [before, word.class, next.class]),
    ]
}

/// The key of the two tags before.
pub fn tags_feature(second: u64, before: u64) -> u64 {
    key(80, [second, before])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(kind: TaggerKind, forms: &[&str], at: usize) -> Vec<u64> {
        let lexicon = Lexicon::default();
        let words: Vec<Word> = forms.iter().map(|form| Word::new(form, false, &lexicon)).collect();
        let mut keys = Vec::new();
        word_features(kind, &words, at, &mut keys);
        keys
    }

    #[test]
    fn the_streaming_tagger_sees_a_word_and_three_before_it_only() {
        let one = keys(TaggerKind::Streaming, &["q", "a", "b", "c", "d", "e"], 4);
        let other = keys(TaggerKind::Streaming, &["r", "a", "b", "c", "d", "x"], 4);
        assert_eq!(one, other);
        assert_ne!(one, keys(TaggerKind::Streaming, &["q", "a", "b", "x", "d", "e"], 4));
        assert_ne!(keys(TaggerKind::Full, &["a", "b"], 0), keys(TaggerKind::Full, &["a", "c"], 0));
    }

    #[test]
    fn shapes_join_words_of_a_kind() {
        assert_eq!(shape("Berlin"), shape("Wales"));
        assert_ne!(shape("Berlin"), shape("BERLIN"));
        assert_ne!(traits("iPhone"), traits("phone"));
        assert_eq!(shape("1,234"), shape("1,999"));
    }

    #[test]
    fn words_of_any_letters_have_affixes() {
        let lexicon = Lexicon::default();
        for form in ["", "a", "é", "日本語です", "İ", "ǅx"] {
            Word::new(form, false, &lexicon);
        }
    }
}
