//! A text cut into tokens, with everything between them kept.

use crate::{Error, Result};

/// Where a token stands: bytes `start..end` of the text.
pub type Span = (usize, usize);

/// Tokens and the exact text they came from. What stands between two tokens (a gap: most
/// often nothing or one space) is what the spans leave uncovered, so nothing is ever lost.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tokens {
    text: String,
    spans: Vec<Span>,
}

impl Tokens {
    /// `spans` are what a `Tokeniser` found in `text`.
    pub fn new(text: String, spans: Vec<Span>) -> Self {
        Tokens { text, spans }
    }

    /// Puts words and gaps together; there is a gap before each word and one at the end.
    pub fn from_parts<S: AsRef<str>, T: AsRef<str>>(words: &[S], gaps: &[T]) -> Result<Self> {
        if gaps.len() != words.len() + 1 {
            return Err(Error::setting(format!(
                "{} tokens need {} gaps (one before each and one at the end), found {}",
                words.len(),
                words.len() + 1,
                gaps.len()
            )));
        }
        let mut tokens = Tokens::default();
        for (gap, word) in gaps.iter().zip(words) {
            tokens.text.push_str(gap.as_ref());
            let start = tokens.text.len();
            tokens.text.push_str(word.as_ref());
            tokens.spans.push((start, tokens.text.len()));
        }
        tokens.text.push_str(gaps[words.len()].as_ref());
        Ok(tokens)
    }

    pub fn len(&self) -> usize {
        self.spans.len()
    }

    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// The text as it was: the exact inverse of tokenising.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    pub fn words(&self) -> impl ExactSizeIterator<Item = &str> {
        self.spans.iter().map(|&(start, end)| &self.text[start..end])
    }

    /// The text before each token, and after the last: one more than there are tokens.
    pub fn gaps(&self) -> impl Iterator<Item = &str> {
        gaps(&self.text, &self.spans)
    }
}

/// What the spans leave of the text: before each, and after the last.
pub fn gaps<'t>(text: &'t str, spans: &'t [Span]) -> impl Iterator<Item = &'t str> {
    let starts = std::iter::once(0).chain(spans.iter().map(|span| span.1));
    let ends = spans.iter().map(|span| span.0).chain(std::iter::once(text.len()));
    starts.zip(ends).map(|(start, end)| &text[start..end])
}

/// Gaps as one printable word, for a file beside a file of tokens: `_` is a space, `+` is
/// nothing, anything else is its code points in hexadecimal, as in `<a0>` or `<20.20>`.
pub fn write_gaps<'g>(gaps: impl Iterator<Item = &'g str>, line: &mut String) {
    for gap in gaps {
        match gap {
            "" => line.push('+'),
            " " => line.push('_'),
            _ => {
                let codes: Vec<String> =
                    gap.chars().map(|character| format!("{:x}", character as u32)).collect();
                line.push('<');
                line.push_str(&codes.join("."));
                line.push('>');
            }
        }
    }
}

/// The inverse of `write_gaps`; None for what it cannot have written.
pub fn read_gaps(line: &str) -> Option<Vec<String>> {
    let mut gaps = Vec::new();
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        match first {
            '+' => gaps.push(String::new()),
            '_' => gaps.push(" ".to_string()),
            '<' => {
                let (codes, after) = rest[1..].split_once('>')?;
                gaps.push(codes.split('.').map(read_code).collect::<Option<String>>()?);
                rest = after;
                continue;
            }
            _ => return None,
        }
        rest = &rest[1..];
    }
    Some(gaps)
}

fn read_code(code: &str) -> Option<char> {
    u32::from_str_radix(code, 16).ok().and_then(char::from_u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn parts_are_put_together_and_taken_apart() {
        let tokens = Tokens::from_parts(&["a", "b"], &["", " ", "\n"]).unwrap();
        assert_eq!(tokens.text(), "a b\n");
        assert_eq!(tokens.words().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(tokens.gaps().collect::<Vec<_>>(), ["", " ", "\n"]);
        assert!(Tokens::from_parts(&["a"], &[""]).is_err());
    }

    #[test]
    fn gaps_are_written_legibly() {
        let mut line = String::new();
        write_gaps(["", " ", "\u{a0}", "  "].into_iter(), &mut line);
        assert_eq!(line, "+_<a0><20.20>");
        for bad in ["x", "<", "<>", "<g>", "<110000>", "++ +"] {
            assert_eq!(read_gaps(bad), None, "{bad}");
        }
    }

    proptest! {
        #[test]
        fn written_gaps_are_read_again(gaps in prop::collection::vec("[ _+<>a\u{a0}\n]{0,3}", 0..9)) {
            let mut line = String::new();
            write_gaps(gaps.iter().map(String::as_str), &mut line);
            prop_assert_eq!(read_gaps(&line), Some(gaps));
        }

        #[test]
        fn no_line_of_gaps_panics(line in ".{0,20}|[<>+_.0-9a-f]{0,20}") {
            let _ = read_gaps(&line);
        }
    }
}
