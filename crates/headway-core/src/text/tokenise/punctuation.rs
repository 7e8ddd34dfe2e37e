//! Punctuation: mostly one character, one token.

use super::super::language::Apostrophes;
use super::{Class, Scanner, shapes};

impl Scanner<'_> {
    pub(super) fn punctuation(&mut self, at: usize, first: char) -> usize {
        let next = at + first.len_utf8();
        if let Some(end) = self.prefixed_word(at, next, first) {
            return end;
        }
        let end = match first {
            '.' | '-' | '=' | '<' | '>' | '$' | '_' | '*' | '~' | '#' | '+' | '–' | '—' | '…'
            | '―' | '・' => self.repeated(next, |c| c == first),
            '!' | '?' | '！' | '？' | '¡' | '¿' => {
                self.repeated(next, |c| matches!(c, '!' | '?' | '！' | '？') || c == first)
            }
            // The quotation marks of typewriters: `` and ''.
            '`' | '\'' if matches!(self.peek(next), Some((c, _)) if c == first) => next + 1,
            '°' => self.degree(next),
            '&' => {
                let reference = shapes::character_reference(&self.text[at..self.chunk.end]);
                reference.map_or(next, |length| at + length)
            }
            _ => next,
        };
        self.push(at, self.extended(end))
    }

    fn repeated(&self, mut at: usize, same: impl Fn(char) -> bool) -> usize {
        while let Some((character, _)) = self.peek(at).filter(|&(c, _)| same(c)) {
            at += character.len_utf8();
        }
        at
    }

    /// `°C`
    fn degree(&self, next: usize) -> usize {
        match self.peek(next) {
            Some(('C' | 'F' | 'K', _)) if self.word_character(next + 1).is_none() => next + 1,
            _ => next,
        }
    }

    /// A word or number that begins with a sign: `-5`, `.5`, `@name`, `#topic`, `'em`.
    fn prefixed_word(&mut self, at: usize, next: usize, first: char) -> Option<usize> {
        let (after, class) = self.word_character(next)?;
        let digit = class == Class::Digit;
        let begins = at == self.chunk.start || self.follows_opening(at);
        let joined = match first {
            '-' | '−' | '+' if digit => begins,
            '.' | ',' if digit => begins,
            '@' | '#' => begins && !digit,
            '-' => begins && at > 0 && self.tokeniser.language.compounds && !self.starts_text(at),
            '\'' | '’' if begins => return self.leading_apostrophe(at, next, after),
            _ => false,
        };
        joined.then(|| self.word(at, next))
    }

    fn starts_text(&self, at: usize) -> bool {
        self.spans.is_empty() && at == self.chunk.start
    }

    fn follows_opening(&self, at: usize) -> bool {
        let before = self.text[self.chunk.start..at].chars().next_back();
        matches!(
            before,
            Some('(' | '[' | '{' | '"' | '“' | '„' | '«' | '‘' | '$' | '€' | '£' | '=')
        )
    }

    /// Words that begin with an apostrophe, which anywhere else opens a quotation.
    fn leading_apostrophe(&mut self, at: usize, next: usize, after: char) -> Option<usize> {
        let rest = &self.text[next..self.chunk.end];
        let letters = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let word = &rest[..letters];
        let language = &self.tokeniser.language;
        let known = match language.apostrophes {
            Apostrophes::English => {
                is_english(word, at == self.chunk.start && letters == rest.len())
            }
            _ if matches!(language.code(), "nl" | "af") => {
                matches!(&*word.to_lowercase(), "s" | "t" | "n" | "k" | "m")
            }
            _ => false,
        };
        let decade = after.is_ascii_digit() && is_decade(word);
        (known || decade).then(|| self.push(at, next + letters))
    }
}

fn is_english(word: &str, alone: bool) -> bool {
    let lower = word.to_ascii_lowercase();
    let clipped = matches!(&*lower, "tis" | "twas" | "em" | "til" | "cause" | "bout" | "cuz");
    // In text that is tokenised already a clitic stands alone.
    let clitic = matches!(&*lower, "s" | "m" | "d" | "t" | "re" | "ve" | "ll");
    clipped || alone && clitic
}

/// `'90s`, `'68`
fn is_decade(word: &str) -> bool {
    let digits = word.strip_suffix('s').unwrap_or(word);
    digits.len() == 2 && digits.bytes().all(|byte| byte.is_ascii_digit())
}
