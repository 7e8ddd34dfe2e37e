//! What kind of character a character is, for the tokeniser and for counting words.

use std::sync::OnceLock;

use unicode_properties::{GeneralCategory as Category, UnicodeGeneralCategory};

/// The role a character plays in a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// White space, control characters and invisible separators: between tokens, never in one.
    Space,
    /// A letter of a script that writes spaces between words.
    Letter,
    Digit,
    Han,
    Hiragana,
    Katakana,
    /// A letter of a script without spaces and with stacked signs: Thai, Lao, Khmer, Burmese.
    Stacked,
    /// Combining marks, joiners and selectors: part of whatever stands before them.
    Extend,
    /// Pictographs, among them emoji.
    Pictograph,
    /// The letters that make up flags, two by two.
    Regional,
    /// Punctuation and every other symbol.
    Punctuation,
}

/// Classes of the Basic Multilingual Plane, looked up in the Unicode tables once.
pub struct Classes {
    plane: Box<[Class]>,
}

impl Classes {
    pub fn get() -> &'static Classes {
        static CLASSES: OnceLock<Classes> = OnceLock::new();
        CLASSES.get_or_init(|| Classes {
            plane: (0..=0xFFFFu32)
                .map(|code| char::from_u32(code).map_or(Class::Space, classify))
                .collect(),
        })
    }

    #[inline]
    pub fn of(&self, character: char) -> Class {
        match self.plane.get(character as usize) {
            Some(&class) => class,
            None => classify(character),
        }
    }
}

fn classify(character: char) -> Class {
    if let Some(class) = by_block(character) {
        return class;
    }
    if character.is_whitespace() || character.is_control() {
        return Class::Space;
    }
    match character.general_category() {
        Category::UppercaseLetter
        | Category::LowercaseLetter
        | Category::TitlecaseLetter
        | Category::ModifierLetter
        | Category::OtherLetter
        | Category::LetterNumber => letter(character),
        Category::DecimalNumber | Category::OtherNumber => Class::Digit,
        Category::NonspacingMark
        | Category::SpacingMark
        | Category::EnclosingMark
        | Category::Format => Class::Extend,
        Category::OtherSymbol => Class::Pictograph,
        // Letters of scripts younger than the tables.
        Category::Unassigned => Class::Letter,
        _ => Class::Punctuation,
    }
}

/// Characters whose role their general category does not tell.
fn by_block(character: char) -> Option<Class> {
    match character {
        // Zero-width space, byte order mark, directional marks, interlinear annotation.
        '\u{200B}' | '\u{FEFF}' | '\u{200E}' | '\u{200F}' | '\u{061C}' => Some(Class::Space),
        '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{FFF9}'..='\u{FFFB}' => {
            Some(Class::Space)
        }
        // Signs written before the digits or letters they belong to.
        '\u{0600}'..='\u{0605}' | '\u{06DD}' | '\u{070F}' | '\u{110BD}' => Some(Class::Letter),
        '\u{1F3FB}'..='\u{1F3FF}' => Some(Class::Extend),
        '\u{1F1E6}'..='\u{1F1FF}' => Some(Class::Regional),
        '°' | '©' | '®' | '™' | '№' | '¦' => Some(Class::Punctuation),
        '\u{1F000}'..='\u{1FAFF}' => Some(Class::Pictograph),
        '々' | '〇' => Some(Class::Han),
        // Small kana and the long-vowel mark never begin a syllable.
        'ぁ' | 'ぃ' | 'ぅ' | 'ぇ' | 'ぉ' | 'っ' | 'ゃ' | 'ゅ' | 'ょ' | 'ゎ' | 'ー' => {
            Some(Class::Extend)
        }
        _ => None,
    }
}

fn letter(character: char) -> Class {
    match character {
        '\u{3400}'..='\u{4DBF}'
        | '\u{4E00}'..='\u{9FFF}'
        | '\u{F900}'..='\u{FAFF}'
        | '\u{20000}'..='\u{3FFFF}' => Class::Han,
        '\u{3040}'..='\u{309F}' => Class::Hiragana,
        '\u{30A0}'..='\u{30FF}' | '\u{31F0}'..='\u{31FF}' | '\u{FF66}'..='\u{FF9F}' => {
            Class::Katakana
        }
        // Thai, Lao; Burmese; Khmer; the Tai scripts.
        '\u{0E00}'..='\u{0EFF}'
        | '\u{1000}'..='\u{109F}'
        | '\u{1780}'..='\u{17FF}'
        | '\u{1950}'..='\u{19DF}'
        | '\u{1A20}'..='\u{1AAF}'
        | '\u{A9E0}'..='\u{A9FF}'
        | '\u{AA60}'..='\u{AADF}' => Class::Stacked,
        _ => Class::Letter,
    }
}

/// How many words a text has, roughly and fast: what white space parts, and each character of
/// a script without spaces for itself, so that lengths of any two languages can be compared.
pub fn count_words(text: &str) -> usize {
    let classes = Classes::get();
    let (mut words, mut inside) = (0, false);
    for character in text.chars() {
        match classes.of(character) {
            Class::Space => inside = false,
            Class::Han | Class::Hiragana | Class::Katakana | Class::Stacked => {
                words += 1;
                inside = false;
            }
            Class::Extend => {}
            _ if inside => {}
            _ => {
                words += 1;
                inside = true;
            }
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_typical_characters() {
        let classes = Classes::get();
        let expected = [
            (' ', Class::Space),
            ('\u{a0}', Class::Space),
            ('\0', Class::Space),
            ('a', Class::Letter),
            ('ж', Class::Letter),
            ('한', Class::Letter),
            ('7', Class::Digit),
            ('٣', Class::Digit),
            ('語', Class::Han),
            ('𠮷', Class::Han),
            ('の', Class::Hiragana),
            ('カ', Class::Katakana),
            ('ก', Class::Stacked),
            ('\u{301}', Class::Extend),
            ('\u{200D}', Class::Extend),
            ('👍', Class::Pictograph),
            ('🇩', Class::Regional),
            ('$', Class::Punctuation),
            ('。', Class::Punctuation),
        ];
        for (character, class) in expected {
            assert_eq!(classes.of(character), class, "{character:?}");
        }
    }

    #[test]
    fn words_are_counted_in_scripts_with_and_without_spaces() {
        assert_eq!(count_words("  two words \u{a0} "), 2);
        assert_eq!(count_words("他很年轻。"), 5);
        assert_eq!(count_words(""), 0);
        assert_eq!(count_words("don't stop, 3.5%"), 3);
    }
}
