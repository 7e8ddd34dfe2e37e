//! Cutting text of any script into tokens, reversibly: every character lands either in a token
//! or in a gap between tokens, and white space only ever in gaps.
//!
//! One pass from left to right. White space parts the text into chunks; within a chunk the
//! class of a character says which kind of token begins there.

mod period;
mod punctuation;
mod shapes;
mod unspaced;
mod word;

use rayon::prelude::*;

use super::class::{Class, Classes};
use super::language::Language;
use super::tokens::{Span, Tokens};
use crate::{Monitor, Result};

/// Texts that are counted to the monitor at a time.
const STEP: usize = 1024;

/// Cuts text of one language into tokens.
#[derive(Debug, Clone)]
pub struct Tokeniser {
    language: Language,
    split_hyphens: bool,
}

impl Tokeniser {
    /// With `split_hyphens`, `well-known` is three tokens, as in UD English.
    pub fn new(language: Option<&str>, split_hyphens: bool) -> Result<Self> {
        Ok(Tokeniser { language: Language::new(language)?, split_hyphens })
    }

    pub fn language(&self) -> &Language {
        &self.language
    }

    pub fn tokenise(&self, text: &str) -> Tokens {
        let mut spans = Vec::new();
        self.spans(text, &mut spans);
        Tokens::new(text.to_string(), spans)
    }

    /// Where the tokens of `text` stand, in order; `spans` is overwritten.
    pub fn spans(&self, text: &str, spans: &mut Vec<Span>) {
        spans.clear();
        spans.reserve(text.len() / 5); // words and spaces are about as long as this
        let mut scanner = Scanner {
            tokeniser: self,
            classes: Classes::get(),
            text,
            spans,
            chunk: Chunk::default(),
            last: last_word_end(text),
            cased: text.chars().any(char::is_uppercase),
        };
        scanner.scan();
    }
}

impl Tokeniser {
    /// The spans of many texts, on the threads of the current pool.
    pub fn spans_all<S: AsRef<str> + Sync>(
        &self,
        texts: &[S],
        monitor: &Monitor,
    ) -> Result<Vec<Vec<Span>>> {
        monitor.expect(texts.len() as u64);
        let mut all = vec![Vec::new(); texts.len()];
        let blocks = texts.par_chunks(STEP).zip(all.par_chunks_mut(STEP));
        blocks.try_for_each(|(texts, all)| {
            for (text, spans) in texts.iter().zip(all) {
                self.spans(text.as_ref(), spans);
            }
            monitor.advance(texts.len() as u64)
        })?;
        Ok(all)
    }
}

/// A stretch without white space, and what was seen in it.
#[derive(Debug, Clone, Copy, Default)]
struct Chunk {
    start: usize,
    end: usize,
    /// It holds an `@`.
    at: bool,
    /// It holds a `/` or `www.`: there may be an address of the web in it.
    address: bool,
}

struct Scanner<'a> {
    tokeniser: &'a Tokeniser,
    classes: &'static Classes,
    text: &'a str,
    spans: &'a mut Vec<Span>,
    chunk: Chunk,
    /// Where the text ends but for white space and closing quotes and brackets.
    last: usize,
    /// There is a capital somewhere, so a small letter after a full stop says something.
    cased: bool,
}

impl<'a> Scanner<'a> {
    fn scan(&mut self) {
        let mut at = 0;
        while let Some(chunk) = self.next_chunk(at) {
            self.chunk = chunk;
            at = chunk.start;
            if shapes::is_emoticon(&self.text[chunk.start..chunk.end]) {
                self.spans.push((chunk.start, chunk.end));
                at = chunk.end;
            }
            while at < chunk.end {
                at = self.token(at);
            }
        }
    }

    fn next_chunk(&self, from: usize) -> Option<Chunk> {
        let start = from + self.text[from..].find(|c| self.classes.of(c) != Class::Space)?;
        let bytes = self.text.as_bytes();
        let mut chunk = Chunk { start, end: start, at: false, address: false };
        while let Some(&byte) = bytes.get(chunk.end) {
            match byte {
                0..=b' ' | 0x7F => break,
                b'@' => chunk.at = true,
                b'/' => chunk.address = true,
                b'w' | b'W' => chunk.address |= bytes[chunk.end..].starts_with(b"www."),
                0x80.. => {
                    let character = self.text[chunk.end..].chars().next()?;
                    if self.classes.of(character) == Class::Space {
                        break;
                    }
                    chunk.end += character.len_utf8() - 1;
                }
                _ => {}
            }
            chunk.end += 1;
        }
        Some(chunk)
    }

    /// Adds what begins at `at` and answers where it ends.
    fn token(&mut self, at: usize) -> usize {
        let Some((character, class)) = self.peek(at) else { return self.chunk.end };
        match class {
            Class::Letter | Class::Digit | Class::Extend => self.word(at, at),
            Class::Han => self.han(at),
            Class::Hiragana => self.push(at, self.extended(at + character.len_utf8())),
            Class::Katakana => self.push(at, self.run(at, Class::Katakana)),
            Class::Stacked => self.push(at, self.stacked(at)),
            Class::Pictograph => self.push(at, self.pictograph(at)),
            Class::Regional => self.push(at, self.flag(at)),
            Class::Punctuation | Class::Space => self.punctuation(at, character),
        }
    }

    fn push(&mut self, start: usize, end: usize) -> usize {
        self.spans.push((start, end));
        end
    }

    /// The character at `at` and its class, within the chunk.
    #[inline]
    fn peek(&self, at: usize) -> Option<(char, Class)> {
        if at >= self.chunk.end {
            return None;
        }
        let byte = self.text.as_bytes()[at];
        let character =
            if byte.is_ascii() { char::from(byte) } else { self.text[at..].chars().next()? };
        Some((character, self.classes.of(character)))
    }

    /// The class at `at` if it begins or continues a word.
    #[inline]
    fn word_character(&self, at: usize) -> Option<(char, Class)> {
        self.peek(at).filter(|&(_, class)| matches!(class, Class::Letter | Class::Digit))
    }

    /// Where the marks that begin at `at` end.
    #[inline]
    fn extended(&self, mut at: usize) -> usize {
        while let Some((character, Class::Extend)) = self.peek(at) {
            at += character.len_utf8();
        }
        at
    }

    /// Where a run of characters of one class, with their marks, ends.
    fn run(&self, mut at: usize, class: Class) -> usize {
        while let Some((character, found)) = self.peek(at) {
            if found != class {
                break;
            }
            at = self.extended(at + character.len_utf8());
        }
        at
    }
}

fn last_word_end(text: &str) -> usize {
    let closing = |c: char| {
        c.is_whitespace()
            || c.is_control()
            || matches!(c, '"' | '\'' | '”' | '“' | '’' | '»' | '«' | ')' | ']' | '}')
    };
    text.trim_end_matches(closing).len()
}

#[cfg(test)]
mod tests;
