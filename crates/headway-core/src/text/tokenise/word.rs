//! Words and numbers: runs of letters and digits, what may join them, and where apostrophes
//! part them again.

use memchr::memchr2;

use super::super::language::Apostrophes;
use super::{Class, Scanner, shapes};

impl Scanner<'_> {
    /// A word or a number whose token begins at `start` and whose letters at `at`.
    pub(super) fn word(&mut self, start: usize, at: usize) -> usize {
        if start == at
            && let Some(end) = self.address(at)
        {
            return self.push(at, end);
        }
        let end = self.with_tail(start, self.joined_run(at));
        self.push_parts(start, end);
        end
    }

    /// Where letters and digits end that are joined without a gap.
    fn joined_run(&self, at: usize) -> usize {
        let mut end = self.letters(at);
        while let Some((joint, Class::Punctuation)) = self.peek(end) {
            let next = end + joint.len_utf8();
            let Some((after, _)) = self.word_character(next) else { break };
            let before = self.text[at..end].chars().next_back();
            if !before.is_some_and(|before| self.joins(before, joint, after, at, end)) {
                break;
            }
            end = self.letters(next);
        }
        end
    }

    fn letters(&self, mut at: usize) -> usize {
        let bytes = &self.text.as_bytes()[..self.chunk.end];
        loop {
            while bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) {
                at += 1;
            }
            match self.peek(at) {
                Some((character, Class::Letter | Class::Digit | Class::Extend)) => {
                    at += character.len_utf8();
                }
                _ => return at,
            }
        }
    }

    /// Whether `joint` keeps two sides together as one word or number.
    fn joins(&self, before: char, joint: char, after: char, start: usize, end: usize) -> bool {
        let digit = |c| self.classes.of(c) == Class::Digit;
        let numbers = digit(before) && digit(after);
        match joint {
            '_' | '·' => true,
            '-' | '\u{2010}' | '\u{2011}' => numbers || !self.tokeniser.split_hyphens,
            // `end.Start` misses a space; `U.S`, `example.org` and `3.5` do not.
            '.' => {
                numbers
                    || !(after.is_uppercase()
                        && (end - start > 1 && before.is_lowercase() || digit(before)))
            }
            ',' | ':' | '/' | '\u{2044}' => numbers,
            '\'' | '’' | '＇' => numbers || !digit(after) || !digit(before),
            '&' => {
                let rest = &self.text[end..self.chunk.end];
                !digit(before) && !digit(after) && shapes::character_reference(rest).is_none()
            }
            _ => false,
        }
    }

    /// Adds a full stop, sign or hyphen that belongs to the word before it.
    fn with_tail(&self, start: usize, end: usize) -> usize {
        let Some((next, Class::Punctuation)) = self.peek(end) else { return end };
        let word = &self.text[start..end];
        let after = end + next.len_utf8();
        let keeps = match next {
            '.' => self.keeps_period(word, end),
            '-' => self.is_truncated_compound(word, after),
            '\'' | '’' => self.is_elided(word),
            '+' | '#' => return self.language_of_programs(word, end),
            '$' | '€' | '£' | '¥' => is_capitals(word) && word.len() <= 3,
            '\u{0F0B}' => true, // the mark between Tibetan syllables
            _ => false,
        };
        if keeps { self.extended(after) } else { end }
    }

    fn is_truncated_compound(&self, word: &str, after: usize) -> bool {
        let followed = after == self.chunk.end && after < self.last
            || matches!(self.peek(after), Some((',' | '/', _)));
        self.tokeniser.language.compounds
            && followed
            && word.chars().next_back().is_some_and(char::is_alphabetic)
    }

    /// `l'` before a quotation mark or at the end of a line, `po'`.
    fn is_elided(&self, word: &str) -> bool {
        if self.tokeniser.language.apostrophes != Apostrophes::Elision {
            return false;
        }
        let lower = word.to_lowercase();
        let letters = lower.chars().count();
        letters <= 1 && self.before_word(word)
            || matches!(&*lower, "qu" | "un" | "po" | "mo" | "di")
            || lower.ends_with("ll")
    }

    /// Whether no quotation was opened with an apostrophe right before the word.
    fn before_word(&self, word: &str) -> bool {
        let start = word.as_ptr() as usize - self.text.as_ptr() as usize;
        !self.text[..start].ends_with(['\'', '‘'])
    }

    /// `C++`, `C#`.
    fn language_of_programs(&self, word: &str, end: usize) -> usize {
        let rest = &self.text[end..self.chunk.end];
        let sign = if rest.starts_with("++") { 2 } else { usize::from(rest.starts_with('#')) };
        let short = word.len() == 1 && is_capitals(word);
        if short && self.word_character(end + sign).is_none() { end + sign } else { end }
    }

    /// The word as the language's apostrophes part it.
    fn push_parts(&mut self, start: usize, end: usize) {
        // 0xE2 is the first byte of ’; most words hold neither.
        if memchr2(b'\'', 0xE2, &self.text.as_bytes()[start..end]).is_none() {
            self.push(start, end);
            return;
        }
        match self.tokeniser.language.apostrophes {
            Apostrophes::English => self.push_english(start, end),
            Apostrophes::Elision => self.push_elided(start, end),
            Apostrophes::Neutral => {
                self.push(start, end);
            }
        }
    }

    /// Cuts off `n't`, `'s`, `'ve` … from the end, as often as there is one.
    fn push_english(&mut self, start: usize, end: usize) {
        let first = self.spans.len();
        let mut rest = end;
        while let Some(cut) = clitic(&self.text[start..rest]) {
            self.spans.push((start + cut, rest));
            rest = start + cut;
        }
        self.spans.push((start, rest));
        self.spans[first..].reverse();
    }

    fn push_elided(&mut self, mut start: usize, end: usize) {
        if !is_fused(&self.text[start..end]) {
            let mut at = start;
            while let Some(found) = self.text[at..end].find(['\'', '’']) {
                let width = self.text[at + found..].chars().next().map_or(1, char::len_utf8);
                let next = at + found + width;
                let lettered = self.text[next..end].chars().next().is_some_and(char::is_alphabetic);
                if lettered && found > 0 {
                    start = self.push(start, next);
                }
                at = next;
            }
        }
        self.push(start, end);
    }
}

/// Where an English clitic begins that something stands before.
fn clitic(word: &str) -> Option<usize> {
    let apostrophe = word.rfind(['\'', '’'])?;
    let after = &word[apostrophe..];
    let after = &after[after.chars().next()?.len_utf8()..];
    if after.eq_ignore_ascii_case("t") {
        let n = word[..apostrophe].strip_suffix(['n', 'N'])?.len();
        return (n > 0).then_some(n);
    }
    let known = ["s", "m", "d", "re", "ve", "ll"].iter().any(|end| after.eq_ignore_ascii_case(end));
    (known && apostrophe > 0).then_some(apostrophe)
}

/// French words that are one in spite of their apostrophe.
fn is_fused(word: &str) -> bool {
    const STARTS: [&str; 5] = ["aujourd", "prud", "quelqu", "presqu", "entr"];
    let Some(apostrophe) = word.find(['\'', '’']) else { return true };
    let head = &word[..apostrophe];
    STARTS.iter().any(|start| head.eq_ignore_ascii_case(start))
}

fn is_capitals(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_uppercase())
}
