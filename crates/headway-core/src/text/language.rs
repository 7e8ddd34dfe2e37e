//! What differs between languages in tokenising, detokenising and casing.

use rustc_hash::FxHashSet;

use super::abbreviations;
use crate::{Error, Result};

/// Which side of an apostrophe within a word a token ends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Apostrophes {
    /// `do n't`, `it 's`, as in the Penn and UD treebanks; other apostrophes stay in the word.
    English,
    /// `l' eau`, `dell' arte`.
    Elision,
    /// `foto's`, `п'ять`: the apostrophe is a letter like any other.
    Neutral,
}

/// How a language opens and closes quotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quotes {
    /// “…” ‘…’ «…»
    English,
    /// „…“ ‚…‘ »…«
    German,
    /// „…” «…»
    Polish,
    /// ”…” ’…’ »…»
    Swedish,
}

/// The rules of one language; those of an unknown one are neutral.
#[derive(Debug, Clone)]
pub struct Language {
    /// The primary subtag, lower case; empty where none was given.
    code: String,
    pub apostrophes: Apostrophes,
    pub quotes: Quotes,
    /// `3.` is third.
    pub ordinals: bool,
    /// `Ein- und Ausgang`: a hyphen may stand for the rest of a compound.
    pub compounds: bool,
    abbreviations: FxHashSet<&'static str>,
    before_number: FxHashSet<&'static str>,
    closing: FxHashSet<&'static str>,
}

impl Language {
    /// The rules for a code such as `de`, `de-AT` or `deu`; none means neutral ones.
    pub fn new(code: Option<&str>) -> Result<Self> {
        let code = match code {
            Some(code) => primary_subtag(code).ok_or_else(|| {
                Error::setting(format!(
                    "\"{code}\" is no language code; write one such as de, en-GB or wol"
                ))
            })?,
            None => String::new(),
        };
        let lists = abbreviations::of(&code);
        let set = |words: &[&'static str]| words.iter().copied().collect();
        Ok(Language {
            apostrophes: apostrophes(&code),
            quotes: quotes(&code),
            ordinals: has_ordinals(&code),
            compounds: matches!(&*code, "de" | "nl" | "sv" | "da" | "no" | "nb" | "nn" | "fi"),
            abbreviations: set(lists.general),
            before_number: set(lists.before_number),
            closing: set(lists.closing),
            code,
        })
    }

    pub fn code(&self) -> &str {
        &self.code
    }

    pub fn is(&self, code: &str) -> bool {
        self.code == code
    }

    pub fn has_abbreviation(&self, word: &str) -> bool {
        self.abbreviations.contains(word)
    }

    pub fn has_abbreviation_before_number(&self, word: &str) -> bool {
        self.before_number.contains(word)
    }

    pub fn has_closing_abbreviation(&self, word: &str) -> bool {
        self.closing.contains(word)
    }

    /// Lower case, with the dotted and dotless i of Turkish and Azerbaijani kept apart.
    pub fn lowercase(&self, text: &str) -> String {
        if matches!(&*self.code, "tr" | "az") && text.contains(['I', 'İ']) {
            return text.replace('I', "ı").replace('İ', "i").to_lowercase();
        }
        text.to_lowercase()
    }

    /// The word with its first letter in upper case and the rest as it stands.
    pub fn capitalise(&self, word: &str) -> String {
        if self.is("nl") && word.starts_with("ij") {
            return format!("IJ{}", &word[2..]);
        }
        let mut characters = word.chars();
        match characters.next() {
            Some('i') if matches!(&*self.code, "tr" | "az") => format!("İ{}", characters.as_str()),
            Some(first) => {
                // `ß` and `ﬁ` become two letters, of which the second stays small.
                let mut upper = first.to_uppercase();
                let head: String = upper.next().into_iter().collect();
                let tail: String = upper.flat_map(char::to_lowercase).collect();
                head + &tail + characters.as_str()
            }
            None => String::new(),
        }
    }
}

/// `de` out of `de-DE`, `de_AT`, `DE` or `deu`; None where it cannot be a language.
pub fn primary_subtag(code: &str) -> Option<String> {
    let first = code.trim().split(['-', '_', '.', '@']).next()?.to_ascii_lowercase();
    let letters = first.bytes().all(|byte| byte.is_ascii_lowercase());
    if !letters || !(2..=8).contains(&first.len()) {
        return None;
    }
    Some(two_letters(&first).map_or(first, str::to_string))
}

/// The two-letter code of the languages that have rules here or often come with three letters.
fn two_letters(code: &str) -> Option<&'static str> {
    const CODES: &[(&str, &str)] = &[
        ("eng", "en"),
        ("deu", "de"),
        ("ger", "de"),
        ("fra", "fr"),
        ("fre", "fr"),
        ("ces", "cs"),
        ("cze", "cs"),
        ("slk", "sk"),
        ("slo", "sk"),
        ("spa", "es"),
        ("ita", "it"),
        ("cat", "ca"),
        ("por", "pt"),
        ("nld", "nl"),
        ("dut", "nl"),
        ("pol", "pl"),
        ("rus", "ru"),
        ("ukr", "uk"),
        ("tur", "tr"),
        ("aze", "az"),
        ("swe", "sv"),
        ("dan", "da"),
        ("nor", "no"),
        ("fin", "fi"),
        ("hun", "hu"),
        ("ron", "ro"),
        ("rum", "ro"),
        ("ell", "el"),
        ("gre", "el"),
        ("zho", "zh"),
        ("chi", "zh"),
        ("cmn", "zh"),
        ("jpn", "ja"),
        ("kor", "ko"),
        ("tha", "th"),
        ("ara", "ar"),
        ("hin", "hi"),
        ("wol", "wo"),
    ];
    CODES.iter().find(|(three, _)| *three == code).map(|(_, two)| *two)
}

fn apostrophes(code: &str) -> Apostrophes {
    match code {
        "en" => Apostrophes::English,
        "fr" | "it" | "ca" => Apostrophes::Elision,
        _ => Apostrophes::Neutral,
    }
}

fn quotes(code: &str) -> Quotes {
    match code {
        "de" | "cs" | "sk" | "sl" | "hr" | "bg" | "lt" | "et" | "is" | "da" | "sq" | "ka" => {
            Quotes::German
        }
        "pl" | "ro" | "hu" => Quotes::Polish,
        "sv" | "fi" => Quotes::Swedish,
        _ => Quotes::English,
    }
}

fn has_ordinals(code: &str) -> bool {
    const CODES: &[&str] = &[
        "de", "cs", "sk", "da", "no", "nb", "nn", "fi", "et", "hu", "hr", "sl", "bs", "sr", "lv",
        "tr", "pl", "is",
    ];
    CODES.contains(&code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_leniently() {
        for (code, expected) in
            [("de", "de"), ("DE-at", "de"), ("pt_BR.UTF-8", "pt"), ("wol", "wo"), ("tlh", "tlh")]
        {
            assert_eq!(Language::new(Some(code)).unwrap().code(), expected);
        }
        for code in ["", "x", "12", "a language", "überlang"] {
            assert!(Language::new(Some(code)).is_err(), "{code}");
        }
    }

    #[test]
    fn lower_case_follows_the_language() {
        let lower = |code, text| Language::new(code).unwrap().lowercase(text);
        assert_eq!(lower(None, "STRASSE Öl ΟΔΟΣ İ"), "strasse öl οδος i\u{307}");
        assert_eq!(lower(Some("tr"), "ISPARTA İZMİR"), "ısparta izmir");
    }

    #[test]
    fn capitals_follow_the_language() {
        let upper = |code, text| Language::new(Some(code)).unwrap().capitalise(text);
        assert_eq!(upper("de", "übrigens"), "Übrigens");
        assert_eq!(upper("de", "ß"), "Ss");
        assert_eq!(upper("tr", "istanbul"), "İstanbul");
        assert_eq!(upper("nl", "ijsland"), "IJsland");
        assert_eq!(upper("de", "McDonald"), "McDonald");
        assert_eq!(upper("de", ""), "");
    }
}
