//! The two sides of a rule as bytes that sort as the rule will: slots before words, words by
//! their bytes, shorter sides first. So lines are sorted before their words have numbers.

use crate::Vocabulary;
use crate::table::Symbol;

/// A word as read, or a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'a> {
    Slot(u8),
    Word(&'a str),
}

const END: u8 = 0;
const SLOT: u8 = 1;
const WORD: u8 = 2;

/// Appends a side; words hold no NUL (the reader of lines refuses it).
pub fn push_side(side: &[Token<'_>], bytes: &mut Vec<u8>) {
    for token in side {
        match token {
            Token::Slot(number) => bytes.extend([SLOT, *number]),
            Token::Word(word) => {
                bytes.push(WORD);
                bytes.extend_from_slice(word.as_bytes());
                bytes.push(END);
            }
        }
    }
    bytes.push(END);
}

/// Reads a side with the numbers of `vocabulary`; answers what follows it.
pub fn read_side<'a>(
    mut bytes: &'a [u8],
    vocabulary: &Vocabulary,
    side: &mut Vec<Symbol>,
) -> Option<&'a [u8]> {
    side.clear();
    loop {
        match bytes {
            [END, rest @ ..] => return Some(rest),
            [SLOT, number, rest @ ..] => {
                side.push(Symbol::Slot(*number));
                bytes = rest;
            }
            [WORD, rest @ ..] => {
                let end = rest.iter().position(|&byte| byte == END)?;
                let word = std::str::from_utf8(&rest[..end]).ok()?;
                side.push(Symbol::Word(vocabulary.get(word)?));
                bytes = &rest[end + 1..];
            }
            _ => return None,
        }
    }
}

/// The bytes of both sides.
pub fn sides(bytes: &[u8]) -> &[u8] {
    let rest = skip_side(bytes).and_then(skip_side).unwrap_or_default();
    &bytes[..bytes.len() - rest.len()]
}

/// The key of a line that has a source side alone.
pub fn source_only(bytes: &[u8]) -> Vec<u8> {
    let rest = skip_side(bytes).unwrap_or_default();
    [&bytes[..bytes.len() - rest.len()], &[END]].concat()
}

fn skip_side(mut bytes: &[u8]) -> Option<&[u8]> {
    loop {
        match bytes {
            [END, rest @ ..] => return Some(rest),
            [SLOT, _, rest @ ..] => bytes = rest,
            [WORD, rest @ ..] => {
                bytes = &rest[rest.iter().position(|&byte| byte == END)? + 1..];
            }
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WordId;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sides_come_back_and_sort_by_words(
            words in prop::collection::btree_set("[a-c ]{1,3}", 1..9),
            picks in prop::collection::vec(prop::collection::vec(0_usize..12, 0..4), 2),
        ) {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut vocabulary = Vocabulary::default();
            words.iter().for_each(|word| { vocabulary.add(word); });
            let mut keys = Vec::new();
            let mut symbols = Vec::new();
            for pick in &picks {
                let token = |&pick: &usize| match words.get(pick) {
                    Some(word) => Token::Word(word),
                    None => Token::Slot(pick as u8),
                };
                let side: Vec<Token<'_>> = pick.iter().map(token).filter(|token| !matches!(token, Token::Slot(200..))).collect();
                let mut bytes = Vec::new();
                push_side(&side, &mut bytes);
                push_side(&[], &mut bytes);
                prop_assert_eq!(sides(&bytes), &bytes[..]);
                let mut read = Vec::new();
                prop_assert_eq!(read_side(&bytes, &vocabulary, &mut read), Some(&[0][..]));
                let expected: Vec<Symbol> = side.iter().map(|token| match token {
                    Token::Slot(number) => Symbol::Slot(*number),
                    Token::Word(word) => Symbol::Word(WordId(words.iter().position(|w| w == word).unwrap() as u32)),
                }).collect();
                prop_assert_eq!(&read, &expected);
                keys.push(bytes);
                symbols.push(expected);
            }
            prop_assert_eq!(keys[0].cmp(&keys[1]), symbols[0].cmp(&symbols[1]));
        }
    }
}
