//! Word alignments between two sentences, as Pharaoh lines have them: `0-0 1-2`.

use std::path::Path;

use crate::Result;
use crate::error::snippet;
use crate::text::Lines;

/// Pairs of a source and a target position, both from 0.
pub type Links = Vec<(u32, u32)>;

/// Reads a line of links per sentence pair.
pub struct LinkReader {
    lines: Lines,
}

impl LinkReader {
    pub fn open(path: &Path) -> Result<Self> {
        Ok(LinkReader { lines: Lines::open(path)? })
    }

    #[allow(clippy::should_implement_trait)] // an error ends reading, which Iterator does not say
    pub fn next(&mut self) -> Result<Option<Links>> {
        let parsed = match self.lines.next()? {
            None => return Ok(None),
            Some(line) => parse(line),
        };
        parsed.map(Some).map_err(|message| self.lines.error(message))
    }

    /// Up to `most` lines; none at the end.
    pub fn read(&mut self, most: usize) -> Result<Vec<Links>> {
        let mut batch = Vec::new();
        while batch.len() < most {
            match self.next()? {
                Some(links) => batch.push(links),
                None => break,
            }
        }
        Ok(batch)
    }
}

fn parse(line: &str) -> std::result::Result<Links, String> {
    let link = |word: &str| {
        let (source, target) = word.split_once('-')?;
        Some((source.parse().ok()?, target.parse().ok()?))
    };
    let found = line.split_whitespace().map(|word| {
        link(word).ok_or_else(|| {
            format!("expected links such as 0-0 1-2, found {}", snippet(word.as_bytes()))
        })
    });
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_pairs_of_positions() {
        assert_eq!(parse(" 0-0 12-3 ").unwrap(), [(0, 0), (12, 3)]);
        assert_eq!(parse("").unwrap(), []);
        for bad in ["0", "0-", "a-b", "0-0-0", "-1-2", "0-99999999999"] {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
