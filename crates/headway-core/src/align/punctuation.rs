//! Commas and other marks stand for marks or for nothing.
//!
//! Left to themselves, marks without counterpart become generators of whatever is hard to
//! explain, and are explained by whatever stands beside them.

use unicode_properties::{GeneralCategory as Category, UnicodeGeneralCategory};

use super::bitext::Side;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Has a letter or a digit.
    Word,
    /// Stops, commas, brackets, quotation marks.
    Mark,
    /// All else, which may be said in words: `%`, `&`, `–`, a lone apostrophe.
    Symbol,
}

impl Kind {
    pub fn of(word: &str) -> Self {
        if word.chars().any(char::is_alphanumeric) {
            Kind::Word
        } else if word.chars().all(is_mark) {
            Kind::Mark
        } else {
            Kind::Symbol
        }
    }

    /// The kinds of a side's words, by number.
    pub fn of_words(side: &Side) -> Vec<Self> {
        side.vocabulary.words().map(Kind::of).collect()
    }

    pub fn may_stand_for(self, other: Self) -> bool {
        !matches!((self, other), (Kind::Word, Kind::Mark) | (Kind::Mark, Kind::Word))
    }
}

fn is_mark(character: char) -> bool {
    match character {
        // Marks by category, but read as words, or part of them.
        '%' | '&' | '@' | '#' | '*' | '/' | '\\' | '\'' | '’' | '§' | '¶' | '†' | '‡' | '‰'
        | '′' | '″' | '％' | '＆' | '＠' | '＃' | '＊' | '／' | '＼' | '＇' => false,
        _ => matches!(
            character.general_category(),
            Category::OpenPunctuation
                | Category::ClosePunctuation
                | Category::InitialPunctuation
                | Category::FinalPunctuation
                | Category::OtherPunctuation
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_told_from_words_and_from_what_is_said_in_words() {
        for mark in [",", ".", "...", "?!", "、", "。", "「", "\"", "“", "(", "¿", "،", "।"]
        {
            assert_eq!(Kind::of(mark), Kind::Mark, "{mark}");
        }
        for word in ["a", "3", "'s", "z.B.", "家", "1,5", "&amp;"] {
            assert_eq!(Kind::of(word), Kind::Word, "{word}");
        }
        for symbol in ["%", "&", "-", "–", "'", "''", "$", "+", "/", "☺"] {
            assert_eq!(Kind::of(symbol), Kind::Symbol, "{symbol}");
        }
    }

    #[test]
    fn only_marks_and_words_are_kept_apart() {
        let kinds = [Kind::Word, Kind::Mark, Kind::Symbol];
        for (one, other) in kinds.iter().flat_map(|one| kinds.map(|other| (*one, other))) {
            assert_eq!(one.may_stand_for(other), other.may_stand_for(one));
        }
        assert!(!Kind::Word.may_stand_for(Kind::Mark));
        assert!(Kind::Mark.may_stand_for(Kind::Mark));
        assert!(Kind::Symbol.may_stand_for(Kind::Word));
        assert!(Kind::Symbol.may_stand_for(Kind::Mark));
    }
}
