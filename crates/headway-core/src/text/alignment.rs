//! Links between the words of two sentences, in Pharaoh's `0-0 1-2` form.

use std::fmt;
use std::path::Path;

use super::Lines;
use crate::error::snippet;

/// Links (source word, target word), counted from 0, sorted and distinct.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Alignment {
    links: Vec<(u32, u32)>,
}

impl Alignment {
    pub fn new(mut links: Vec<(u32, u32)>) -> Self {
        links.sort_unstable();
        links.dedup();
        Alignment { links }
    }

    pub fn links(&self) -> &[(u32, u32)] {
        &self.links
    }

    pub fn contains(&self, source: u32, target: u32) -> bool {
        self.links.binary_search(&(source, target)).is_ok()
    }

    /// The same links seen from the other side.
    pub fn inverse(&self) -> Self {
        Alignment::new(self.links.iter().map(|&(source, target)| (target, source)).collect())
    }

    /// Reads `0-0 1-2`; the error says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let links: Result<_, String> = text.split_ascii_whitespace().map(parse_link).collect();
        Ok(Alignment::new(links?))
    }

    /// Checks that every link lies within sentences of these lengths.
    pub fn check(&self, source_length: usize, target_length: usize) -> Result<(), String> {
        let outside = |&&(source, target): &&(u32, u32)| {
            source as usize >= source_length || target as usize >= target_length
        };
        match self.links.iter().find(outside) {
            None => Ok(()),
            Some((source, target)) => Err(format!(
                "link {source}-{target} is outside a pair of {source_length} and \
                 {target_length} words; words are counted from 0"
            )),
        }
    }
}

impl fmt::Display for Alignment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, (source, target)) in self.links.iter().enumerate() {
            let gap = if number == 0 { "" } else { " " };
            write!(f, "{gap}{source}-{target}")?;
        }
        Ok(())
    }
}

fn parse_link(text: &str) -> Result<(u32, u32), String> {
    let link = text
        .split_once('-')
        .and_then(|(source, target)| Some((parse_position(source)?, parse_position(target)?)));
    let shown = snippet(text.as_bytes());
    link.ok_or_else(|| format!("expected a link such as 0-2, found {shown}"))
}

/// Digits only: `parse` alone would take a sign.
pub(crate) fn parse_position(text: &str) -> Option<u32> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

/// Reads a line of links per sentence pair.
pub struct AlignmentReader {
    lines: Lines,
}

impl AlignmentReader {
    pub fn open(path: &Path) -> crate::Result<Self> {
        Ok(AlignmentReader { lines: Lines::open(path)? })
    }

    #[allow(clippy::should_implement_trait)] // an error ends reading, which Iterator does not say
    pub fn next(&mut self) -> crate::Result<Option<Alignment>> {
        let parsed = match self.lines.next()? {
            None => return Ok(None),
            Some(line) => Alignment::parse(line),
        };
        parsed.map(Some).map_err(|message| self.lines.error(message))
    }

    /// Up to `most` alignments; none at the end.
    pub fn read(&mut self, most: usize) -> crate::Result<Vec<Alignment>> {
        let mut batch = Vec::new();
        while batch.len() < most {
            match self.next()? {
                Some(alignment) => batch.push(alignment),
                None => break,
            }
        }
        Ok(batch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pharaoh_lines_are_read_and_written() {
        let alignment = Alignment::parse(" 1-2  0-0 1-2\t3-1").unwrap();
        assert_eq!(alignment.links(), [(0, 0), (1, 2), (3, 1)]);
        assert_eq!(alignment.to_string(), "0-0 1-2 3-1");
        assert_eq!(Alignment::parse("").unwrap().to_string(), "");
        assert_eq!(alignment.inverse().to_string(), "0-0 1-3 2-1");
        assert!(alignment.contains(3, 1) && !alignment.contains(1, 3));
    }

    #[test]
    fn what_is_no_link_is_named() {
        for text in ["1", "1-", "-1", "a-b", "1-2-3", "1:2", "+1-2", "0--1", "99999999999-0"] {
            let error = Alignment::parse(text).unwrap_err();
            assert!(error.contains(text) && error.contains("0-2"), "{error}");
        }
    }

    #[test]
    fn links_outside_the_sentences_are_named() {
        let alignment = Alignment::parse("0-0 2-1").unwrap();
        assert!(alignment.check(3, 2).is_ok());
        assert!(alignment.check(2, 2).unwrap_err().contains("link 2-1"));
        assert!(alignment.check(3, 1).unwrap_err().contains("link 2-1"));
    }
}
