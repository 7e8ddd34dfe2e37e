//! Scripts that write no spaces between words, and pictographs.

use std::sync::OnceLock;

use jieba_rs::Jieba;

use super::{Class, Scanner};

/// Longer stretches of Chinese are cut into pieces of this many bytes, which bounds the memory
/// the word graph takes.
const PIECE: usize = 3 << 12;

fn jieba() -> &'static Jieba {
    static JIEBA: OnceLock<Jieba> = OnceLock::new();
    JIEBA.get_or_init(Jieba::new)
}

impl Scanner<'_> {
    /// Chinese words by dictionary; elsewhere each character for itself.
    pub(super) fn han(&mut self, at: usize) -> usize {
        let end = if self.tokeniser.language.is("zh") { self.plain_han(at) } else { at };
        if end == at {
            let width = self.text[at..].chars().next().map_or(1, char::len_utf8);
            return self.push(at, self.extended(at + width));
        }
        let mut start = at;
        for word in jieba().cut(&self.text[at..end], true) {
            let next = start + word.word.len();
            self.spans.push((start, next));
            start = next;
        }
        end
    }

    /// Where a stretch of Han characters without marks ends.
    fn plain_han(&self, start: usize) -> usize {
        let mut at = start;
        while let Some((character, Class::Han)) = self.peek(at) {
            let next = at + character.len_utf8();
            let marked = matches!(self.peek(next), Some((_, Class::Extend)));
            if marked || next - start > PIECE {
                break;
            }
            at = next;
        }
        at
    }

    /// One orthographic syllable: a vowel written before its consonant, the consonant, the
    /// signs above, below and after it, and consonants stacked under it.
    pub(super) fn stacked(&self, start: usize) -> usize {
        let mut at = start;
        while let Some((character, Class::Stacked)) = self.peek(at) {
            at += character.len_utf8();
            if is_leading_vowel(character) {
                continue;
            }
            let marks = at;
            at = self.extended(at);
            while let Some((vowel, Class::Stacked)) =
                self.peek(at).filter(|&(c, _)| is_trailing_vowel(c))
            {
                at = self.extended(at + vowel.len_utf8());
            }
            if !self.text[marks..at].ends_with(['\u{17D2}', '\u{1039}']) {
                break;
            }
        }
        at
    }

    /// A pictograph with its modifiers, and those it is joined to.
    pub(super) fn pictograph(&self, start: usize) -> usize {
        let mut at = start;
        while let Some((character, Class::Pictograph)) = self.peek(at) {
            at = self.extended(at + character.len_utf8());
            if !self.text[start..at].ends_with('\u{200D}') {
                break;
            }
        }
        at
    }

    /// Two regional letters are one flag.
    pub(super) fn flag(&self, start: usize) -> usize {
        let mut at = start;
        for _ in 0..2 {
            if let Some((character, Class::Regional)) = self.peek(at) {
                at = self.extended(at + character.len_utf8());
            }
        }
        at
    }
}

fn is_leading_vowel(character: char) -> bool {
    matches!(character, 'เ'..='ไ' | 'ເ'..='ໄ')
}

fn is_trailing_vowel(character: char) -> bool {
    matches!(character, 'ะ' | 'า' | 'ำ' | 'ๅ' | 'ๆ' | 'ະ' | 'າ' | 'ຳ' | 'ໆ')
}
