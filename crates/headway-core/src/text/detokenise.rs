//! Putting tokens together where nobody knows how they were spaced, such as a translation:
//! by the habits of the language. Tokens with their gaps need none of this.

use super::class::{Class, Classes};
use super::language::{Apostrophes, Language, Quotes};

const NO_BREAK: char = '\u{a0}';

/// How a token holds to its neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hold {
    None,
    Left,
    Right,
    Both,
    /// French double punctuation: to the left, after a space where no line may break.
    SpacedLeft,
    /// The opening counterpart.
    SpacedRight,
}

/// Tokens as running text.
pub fn detokenise<S: AsRef<str>>(words: &[S], language: &Language) -> String {
    let mut writer =
        Writer { language, classes: Classes::get(), open: Open::default(), text: String::new() };
    let mut before = Hold::Right;
    for (index, word) in words.iter().map(AsRef::as_ref).enumerate() {
        let previous = if index == 0 { "" } else { words[index - 1].as_ref() };
        let next = words.get(index + 1).map_or("", AsRef::as_ref);
        let hold = writer.hold(previous, word, next);
        writer.space(before, hold, previous, word);
        writer.text.push_str(moses_joint(word).unwrap_or(word));
        before = hold;
    }
    writer.text
}

/// Which quotation marks that look the same on both sides are open.
#[derive(Default)]
struct Open {
    double: bool,
    single: bool,
    /// „ or ‚ was seen, so “ or ‘ closes.
    low: bool,
    low_single: bool,
}

struct Writer<'a> {
    language: &'a Language,
    classes: &'static Classes,
    open: Open,
    text: String,
}

impl Writer<'_> {
    fn space(&mut self, before: Hold, hold: Hold, previous: &str, word: &str) {
        let joined =
            matches!(before, Hold::Right | Hold::Both) || matches!(hold, Hold::Left | Hold::Both);
        if previous.is_empty() || joined || self.unspaced(previous, word) {
            return;
        }
        let unbreakable = before == Hold::SpacedRight || hold == Hold::SpacedLeft;
        self.text.push(if unbreakable { NO_BREAK } else { ' ' });
    }

    /// Scripts without spaces have none on either side either.
    fn unspaced(&self, previous: &str, word: &str) -> bool {
        let wide = |c: Option<char>| {
            c.is_some_and(|c| match self.classes.of(c) {
                Class::Han | Class::Hiragana | Class::Katakana | Class::Stacked => true,
                Class::Punctuation => matches!(c as u32, 0x3000..=0x303F | 0xFF00..=0xFFEF),
                Class::Extend => matches!(c as u32, 0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3041..=0x30FF),
                _ => false,
            })
        };
        let cjk = matches!(self.language.code(), "zh" | "ja");
        let (left, right) = (wide(previous.chars().next_back()), wide(word.chars().next()));
        if cjk { left || right } else { left && right }
    }

    fn hold(&mut self, previous: &str, word: &str, next: &str) -> Hold {
        if moses_joint(word).is_some() {
            return Hold::Both;
        }
        let mut characters = word.chars();
        match (characters.next(), characters.as_str()) {
            (Some(only), "") => self.hold_of_sign(previous, only, next),
            (Some('.' | '!' | '?' | '…'), rest) if rest.chars().all(|c| ".!?…".contains(c)) => {
                self.sentence_end(word)
            }
            (Some('\''), "'") => self.toggle('"'),
            (Some('`'), "`") => Hold::Right,
            _ => self.hold_of_word(previous, word),
        }
    }

    fn hold_of_word(&self, previous: &str, word: &str) -> Hold {
        // The rest of a compound whose first part is quoted: „Open“-Anzeige.
        if is_compound_rest(word) && matches!(previous, "“" | "”" | "\"" | "«" | "»" | ")") {
            return Hold::Left;
        }
        match self.language.apostrophes {
            Apostrophes::English if is_clitic(word) && ends_in_letter(previous) => Hold::Left,
            Apostrophes::Elision
                if word.len() > 1 && word.ends_with(['\'', '’']) && !is_apocope(word) =>
            {
                Hold::Right
            }
            _ if self.language.is("de")
                && matches!(word, "'s" | "’s")
                && ends_in_letter(previous) =>
            {
                Hold::Left
            }
            _ => Hold::None,
        }
    }

    fn hold_of_sign(&mut self, previous: &str, sign: char, next: &str) -> Hold {
        let french = self.language.is("fr");
        match sign {
            ',' | '.' | ')' | ']' | '}' | '…' | '、' | '。' | '，' | '．' | '」' | '』' | '）'
            | '！' | '？' | '：' | '；' | '،' | '؟' | '؛' | '।' | '॥' | '՝' | '։' => {
                Hold::Left
            }
            ';' | ':' | '!' | '?' => self.sentence_end(&sign.to_string()),
            '(' | '[' | '{' | '¿' | '¡' | '「' | '『' | '（' => Hold::Right,
            '%' | '‰' if french => Hold::SpacedLeft,
            '%' | '‰' | '°' => Hold::Left,
            '$' | '£' | '¥' | '€' | '₹' | '#' => before_digit(previous, next),
            '/' => Hold::Both,
            '"' => self.toggle('"'),
            '\'' | '’' => self.apostrophe(previous, sign),
            _ => self.quotation(sign),
        }
    }

    fn sentence_end(&self, sign: &str) -> Hold {
        let double = sign.starts_with([';', ':', '!', '?']);
        if self.language.is("fr") && double { Hold::SpacedLeft } else { Hold::Left }
    }

    /// A mark that opens and closes alike: in turn.
    fn toggle(&mut self, mark: char) -> Hold {
        let open = if mark == '"' { &mut self.open.double } else { &mut self.open.single };
        *open = !*open;
        if *open { Hold::Right } else { Hold::Left }
    }

    /// A lone apostrophe: a possessive after s, otherwise a quotation mark.
    fn apostrophe(&mut self, previous: &str, sign: char) -> Hold {
        let possessive = self.language.apostrophes == Apostrophes::English && is_plural(previous);
        if self.open.low_single || possessive && !self.open.single {
            return Hold::Left;
        }
        if sign == '’' && self.language.quotes != Quotes::Swedish {
            self.open.single = false;
            return Hold::Left;
        }
        self.toggle('\'')
    }

    fn quotation(&mut self, sign: char) -> Hold {
        let german = self.language.quotes == Quotes::German;
        match sign {
            '„' => {
                self.open.low = true;
                Hold::Right
            }
            '‚' => {
                self.open.low_single = true;
                Hold::Right
            }
            '“' if german || std::mem::take(&mut self.open.low) => Hold::Left,
            '‘' if german || std::mem::take(&mut self.open.low_single) => {
                self.open.low_single = false;
                Hold::Left
            }
            '“' => Hold::Right,
            '‘' => {
                self.open.single = true;
                Hold::Right
            }
            '”' if self.language.quotes == Quotes::Swedish => self.toggle('"'),
            '”' => Hold::Left,
            '«' | '‹' if german => Hold::Left,
            '»' | '›' if german => Hold::Right,
            '«' if self.language.is("fr") => Hold::SpacedRight,
            '»' if self.language.is("fr") => Hold::SpacedLeft,
            '«' | '‹' => Hold::Right,
            '»' | '›' => Hold::Left,
            _ => Hold::None,
        }
    }
}

/// `@-@` is how Moses marks a sign it has cut out of a word.
fn moses_joint(word: &str) -> Option<&str> {
    let inner = word.strip_prefix('@')?.strip_suffix('@')?;
    matches!(inner, "-" | "/" | "." | ",").then_some(inner)
}

/// A currency sign or `#` before its number holds to it; after its number it stands apart.
fn before_digit(previous: &str, next: &str) -> Hold {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit() || c == '.');
    let after_number = digit(previous.chars().next_back());
    if digit(next.chars().next()) && !after_number { Hold::Right } else { Hold::None }
}

fn is_clitic(word: &str) -> bool {
    let lower = word.to_lowercase().replace('’', "'");
    matches!(&*lower, "n't" | "'s" | "'m" | "'d" | "'t" | "'re" | "'ve" | "'ll")
}

fn is_compound_rest(word: &str) -> bool {
    word.strip_prefix('-').is_some_and(|rest| rest.starts_with(char::is_alphabetic))
}

/// Roughly: what an apostrophe that is no quotation mark may follow.
fn is_plural(word: &str) -> bool {
    let lower = word.to_lowercase();
    lower.len() > 3 && lower.ends_with('s') && !matches!(&*lower, "this" | "does" | "says" | "goes")
}

/// Italian words that end in an apostrophe for good.
fn is_apocope(word: &str) -> bool {
    matches!(word.trim_end_matches(['\'', '’']), "po" | "mo" | "di" | "fa" | "va" | "sta")
}

fn ends_in_letter(word: &str) -> bool {
    word.chars().next_back().is_some_and(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn joined(language: &str, tokens: &str) -> String {
        let language =
            Language::new(if language.is_empty() { None } else { Some(language) }).unwrap();
        detokenise(&tokens.split(' ').collect::<Vec<_>>(), &language)
    }

    #[test]
    fn tokens_become_text_as_the_language_writes_it() {
        let cases = [
            ("en", "Hello , world !", "Hello, world!"),
            ("en", "I do n't know , it 's John 's .", "I don't know, it's John's."),
            ("en", "i can 't", "i can't"),
            ("en", "\" Yes , \" she said ( twice ) .", "\"Yes,\" she said (twice)."),
            ("en", "the dogs ' home is ' here '", "the dogs' home is 'here'"),
            ("en", "“ a ” and ‘ b ’", "“a” and ‘b’"),
            ("en", "it cost $ 5 or 3 % , and / or # 1", "it cost $5 or 3%, and/or #1"),
            ("en", "wait ... what ?!", "wait... what?!"),
            ("de", "„ Ja “ , sagte er , » nein « .", "„Ja“, sagte er, »nein«."),
            ("de", "5 € kosten", "5 € kosten"),
            ("de", "eine „ Open “ -Anzeige", "eine „Open“-Anzeige"),
            ("fr", "L' eau , « oui » ! Ça va ?", "L'eau, «\u{a0}oui\u{a0}»\u{a0}! Ça va\u{a0}?"),
            ("it", "l' arte , un po' meno", "l'arte, un po' meno"),
            ("es", "¿ Qué tal ?", "¿Qué tal?"),
            ("sv", "” hej ” sa han", "”hej” sa han"),
            ("pl", "„ tak ” i „ nie ”", "„tak” i „nie”"),
            ("zh", "他 看起来 很 年轻 。 ABC 公司", "他看起来很年轻。ABC公司"),
            ("ja", "私 は テニス で す 。", "私はテニスです。"),
            ("th", "เด็ ก ไท ย", "เด็กไทย"),
            ("", "a black @-@ and @-@ white", "a black-and-white"),
            ("", "", ""),
        ];
        for (language, tokens, expected) in cases {
            assert_eq!(joined(language, tokens), expected, "{language}");
        }
    }

    proptest! {
        #[test]
        fn only_spaces_are_ever_removed_or_added(words in prop::collection::vec("\\PC{1,4}", 0..12)) {
            let language = Language::new(Some("en")).unwrap();
            let strip = |text: &str| text.replace(' ', "");
            let given = words.iter().map(|word| moses_joint(word).unwrap_or(word)).collect::<String>();
            prop_assert_eq!(strip(&detokenise(&words, &language)), strip(&given));
        }
    }
}
