//! Whose a full stop is: the word's before it, or the sentence's.

use super::{Class, Scanner};

/// What follows a full stop.
enum Next {
    End,
    Digit,
    Lower,
    Upper,
    /// A letter without case.
    Letter,
    /// A comma and the like, which never follow the end of a sentence.
    Middle,
    Other,
}

impl Scanner<'_> {
    /// Whether the full stop at `end` belongs to `word`, which ends there.
    pub(super) fn keeps_period(&self, word: &str, end: usize) -> bool {
        let after = end + 1;
        if matches!(self.peek(after), Some(('.', _))) || self.word_character(after).is_some() {
            return false;
        }
        if is_dotted(word) {
            return true;
        }
        let language = &self.tokeniser.language;
        let lower = language.lowercase(word);
        match self.following(after) {
            Next::End => language.has_closing_abbreviation(&lower),
            Next::Digit if language.has_abbreviation_before_number(&lower) => true,
            next => {
                self.is_ordinal(word, &next)
                    || self.is_initial(word, &next)
                    || self.is_abbreviation(&lower, &next)
            }
        }
    }

    fn is_abbreviation(&self, lower: &str, next: &Next) -> bool {
        if self.tokeniser.language.has_abbreviation(lower) {
            return true;
        }
        // A sentence does not begin with a small letter, so what looks like none is none; in
        // text without capitals this says nothing.
        let goes_on = matches!(next, Next::Lower) && self.cased;
        goes_on && looks_abbreviated(lower)
    }

    fn is_ordinal(&self, word: &str, next: &Next) -> bool {
        self.tokeniser.language.ordinals
            && word.len() <= 2
            && word.bytes().all(|byte| byte.is_ascii_digit())
            && matches!(next, Next::Lower | Next::Upper | Next::Letter)
    }

    /// `J. R. R. Tolkien`, but not `so do I. Then …`.
    fn is_initial(&self, word: &str, next: &Next) -> bool {
        let mut characters = word.chars();
        let capital =
            characters.next().filter(|c| c.is_uppercase() && characters.as_str().is_empty());
        match capital {
            Some('I') if self.tokeniser.language.is("en") => matches!(next, Next::Middle),
            Some(_) => !matches!(next, Next::Digit),
            None => false,
        }
    }

    fn following(&self, after: usize) -> Next {
        if after >= self.last {
            return Next::End;
        }
        let next = if after < self.chunk.end {
            return match self.peek(after) {
                Some((',' | ';' | ':' | '?' | '!' | '-' | '/', _)) => Next::Middle,
                _ => Next::Other,
            };
        } else {
            self.text[after..].chars().find(|&c| self.classes.of(c) != Class::Space)
        };
        match next {
            None => Next::End,
            Some(c) if self.classes.of(c) == Class::Digit => Next::Digit,
            Some(c) if c.is_lowercase() => Next::Lower,
            Some(c) if c.is_uppercase() => Next::Upper,
            Some(c) if c.is_alphabetic() => Next::Letter,
            Some(_) => Next::Other,
        }
    }
}

/// `U.S`, `e.g`, `z.B`, `Ph.D`: short pieces with full stops between them.
fn is_dotted(word: &str) -> bool {
    let short = |piece: &str| {
        let letters = piece.chars().take(3).count();
        (1..=2).contains(&letters) && piece.chars().all(char::is_alphabetic)
    };
    word.contains('.') && word.split('.').all(short)
}

/// Up to three letters, or up to five without a vowel.
fn looks_abbreviated(lower: &str) -> bool {
    const VOWELS: &str = "aeiouyäöüáéíóúýàèìòùâêîôûěůåæøœаеёиоуыэюяіїєαεηιουωάέήίόύώ";
    let letters = lower.chars().take(6).count();
    let alphabetic = lower.chars().all(char::is_alphabetic);
    let vowels = lower.chars().any(|letter| VOWELS.contains(letter));
    alphabetic && ((2..=3).contains(&letters) || letters <= 5 && !vowels)
}
