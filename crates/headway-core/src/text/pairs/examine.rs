//! Looking at one side of a pair once, where it is read: is it sound, how long is it.

use super::super::class::{Class, Classes};

/// What is wrong with one side of a pair whatever the limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is not UTF-8.
    Encoding,
    /// It holds a control character.
    Control,
    /// The line of a TSV file has no tab.
    Column,
    /// The unit of a TMX file lacks one of the languages.
    Language,
}

/// What becomes of the text on its way in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// Kept as it stands; only bad UTF-8 and NUL are faults.
    Verbatim,
    /// White space at the ends removed and within made single spaces; any control character
    /// is a fault.
    Cleaning,
}

/// The outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Check {
    pub fault: Option<Fault>,
    pub words: u32,
    pub characters: u32,
}

impl Check {
    pub(super) fn fault(fault: Fault) -> Self {
        Check { fault: Some(fault), ..Check::default() }
    }
}

/// Appends the text to `out`, normalised as `reading` says, and answers what it is like. Faulty
/// text is appended as it stands.
pub(super) fn examine(raw: &[u8], reading: Reading, out: &mut Vec<u8>) -> Check {
    let start = out.len();
    let check = match std::str::from_utf8(raw) {
        Err(_) => Check::fault(Fault::Encoding),
        Ok(text) => match reading {
            Reading::Verbatim if raw.contains(&0) => Check::fault(Fault::Control),
            Reading::Verbatim => Check::default(),
            Reading::Cleaning => match plain(raw) {
                Some(check) => check,
                None => return normalise(text, out),
            },
        },
    };
    out.truncate(start);
    out.extend_from_slice(raw);
    check
}

/// The quick way for most lines of Latin script: normal as they stand, and made of ASCII and
/// letters up to U+027F alone. Loops without branches, which the compiler makes wide.
fn plain(bytes: &[u8]) -> Option<Check> {
    let odd =
        |byte: u8| byte < 0x20 || byte == 0x7F || (byte >= 0xC0 && !(0xC3..=0xC9).contains(&byte));
    let pairs = bytes.iter().zip(bytes.get(1..)?);
    let doubled = pairs.fold(false, |found, (&one, &two)| found | ((one == b' ') & (two == b' ')));
    let bad = bytes.iter().fold(doubled, |found, &byte| found | odd(byte));
    if bad || bytes.starts_with(b" ") || bytes.ends_with(b" ") {
        return None;
    }
    let spaces = bytes.iter().filter(|&&byte| byte == b' ').count();
    let leads = bytes.iter().filter(|&&byte| byte >= 0xC0).count();
    let (words, characters) = (spaces as u32 + 1, (bytes.len() - leads) as u32);
    Some(Check { fault: None, words, characters })
}

fn normalise(text: &str, out: &mut Vec<u8>) -> Check {
    let mut scan = Scan { classes: Classes::get(), check: Check::default(), inside: false };
    let (start, bytes) = (out.len(), text.as_bytes());
    let mut run: Option<usize> = None; // where the visible text not yet written begins
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let begun = at;
        // Most text is plain letters: they need no table.
        while bytes.get(at).is_some_and(u8::is_ascii_graphic) {
            at += 1;
        }
        if at > begun {
            scan.word((at - begun) as u32);
            run.get_or_insert(begun);
            continue;
        }
        // A single space between visible characters stays where it is, so whole lines are copied.
        if byte == b' ' && run.is_some() && bytes.get(at + 1).is_some_and(u8::is_ascii_graphic) {
            scan.check.characters += 1;
            scan.inside = false;
            at += 1;
            continue;
        }
        let character = if byte == b' ' { ' ' } else { text[at..].chars().next().unwrap_or(' ') };
        if character.is_whitespace() {
            scan.inside = false;
            if let Some(begun) = run.take() {
                copy_run(&text[begun..at], start, out, &mut scan.check);
            }
        } else if character.is_control() {
            out.truncate(start);
            out.extend_from_slice(bytes);
            return Check::fault(Fault::Control);
        } else {
            scan.character(character);
            run.get_or_insert(at);
        }
        at += character.len_utf8();
    }
    if let Some(begun) = run {
        copy_run(&text[begun..], start, out, &mut scan.check);
    }
    scan.check
}

/// Counts words as `count_words` does, and characters.
struct Scan {
    classes: &'static Classes,
    check: Check,
    inside: bool,
}

impl Scan {
    fn word(&mut self, characters: u32) {
        self.check.characters += characters;
        self.check.words += u32::from(!self.inside);
        self.inside = true;
    }

    fn character(&mut self, character: char) {
        match self.classes.of(character) {
            Class::Han | Class::Hiragana | Class::Katakana | Class::Stacked => {
                self.inside = false;
                self.word(1);
                self.inside = false;
            }
            Class::Extend => self.check.characters += 1,
            Class::Space => {
                self.check.characters += 1;
                self.inside = false;
            }
            _ => self.word(1),
        }
    }
}

fn copy_run(run: &str, start: usize, out: &mut Vec<u8>, check: &mut Check) {
    if out.len() > start {
        out.push(b' ');
        check.characters += 1;
    }
    out.extend_from_slice(run.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::count_words;
    use proptest::prelude::*;

    fn examined(raw: &[u8]) -> (String, Check) {
        let mut out = b"before".to_vec();
        let check = examine(raw, Reading::Cleaning, &mut out);
        (String::from_utf8_lossy(&out[6..]).into_owned(), check)
    }

    #[test]
    fn white_space_becomes_single_spaces() {
        let (text, check) = examined(" a\tb \u{a0} c\u{3000}".as_bytes());
        assert_eq!(text, "a b c");
        assert_eq!(check, Check { fault: None, words: 3, characters: 5 });
    }

    #[test]
    fn faults_are_told_and_leave_the_text() {
        assert_eq!(examined(b"a\xFFb").1.fault, Some(Fault::Encoding));
        let (text, check) = examined(b" a  b\x01");
        assert_eq!((text.as_str(), check.fault), (" a  b\x01", Some(Fault::Control)));
        assert_eq!(examined(b"a\0").1.fault, Some(Fault::Control));
    }

    proptest! {
        #[test]
        fn cleaning_agrees_with_the_obvious(text in "\\PC*|[ a\u{a0}\u{200b}漢é]*|[ aßéɿ.]*") {
            let (clean, check) = examined(text.as_bytes());
            let expected = text.split_whitespace().collect::<Vec<_>>().join(" ");
            prop_assert_eq!(check.fault, None);
            prop_assert_eq!(check.words as usize, count_words(&expected));
            prop_assert_eq!(check.characters as usize, expected.chars().count());
            prop_assert_eq!(clean, expected);
        }
    }
}
