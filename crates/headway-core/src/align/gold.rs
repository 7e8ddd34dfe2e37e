//! Gold alignments with sure and possible links, and how close an alignment comes to them.

use super::Alignment;
use crate::text::parse_position;

/// What an annotator drew. Sure links are possible links too (Och & Ney 2003).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Gold {
    sure: Alignment,
    possible: Alignment,
}

impl Gold {
    pub fn new(sure: Vec<(u32, u32)>, possible: Vec<(u32, u32)>) -> Self {
        let possible = [possible, sure.clone()].concat();
        Gold { sure: Alignment::new(sure), possible: Alignment::new(possible) }
    }

    pub fn sure(&self) -> &Alignment {
        &self.sure
    }

    /// All links, sure ones included.
    pub fn possible(&self) -> &Alignment {
        &self.possible
    }

    /// Reads `0-0 1-2 2p3`: sure links with `-`, possible ones with `p` or `?`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (mut sure, mut possible) = (Vec::new(), Vec::new());
        for word in text.split_ascii_whitespace() {
            let (link, is_sure) = parse_gold_link(word).ok_or_else(|| {
                let shown = crate::error::snippet(word.as_bytes());
                format!("expected a link such as 0-2 (sure) or 0p2 (possible), found {shown}")
            })?;
            if is_sure { sure.push(link) } else { possible.push(link) }
        }
        Ok(Gold::new(sure, possible))
    }
}

fn parse_gold_link(text: &str) -> Option<((u32, u32), bool)> {
    let middle = text.find(['-', 'p', '?'])?;
    let source = parse_position(&text[..middle])?;
    let target = parse_position(&text[middle + 1..])?;
    Some(((source, target), text.as_bytes()[middle] == b'-'))
}

/// Counts over any number of sentence pairs, and the rates made from them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AlignmentScores {
    pub links: u64,
    pub sure: u64,
    pub links_in_sure: u64,
    pub links_in_possible: u64,
}

impl AlignmentScores {
    pub fn add(&mut self, found: &Alignment, gold: &Gold) {
        let within = |gold: &Alignment| {
            found.links().iter().filter(|link| gold.contains(link.0, link.1)).count() as u64
        };
        self.links += found.links().len() as u64;
        self.sure += gold.sure.links().len() as u64;
        self.links_in_sure += within(&gold.sure);
        self.links_in_possible += within(&gold.possible);
    }

    /// Share of the links found that are at least possible.
    pub fn precision(&self) -> f64 {
        rate(self.links_in_possible, self.links)
    }

    /// Share of the sure links that were found.
    pub fn recall(&self) -> f64 {
        rate(self.links_in_sure, self.sure)
    }

    /// Alignment error rate (Och & Ney 2003).
    pub fn error_rate(&self) -> f64 {
        1.0 - rate(self.links_in_sure + self.links_in_possible, self.links + self.sure)
    }
}

/// Nothing to find and nothing found is perfect.
fn rate(part: u64, whole: u64) -> f64 {
    if whole == 0 { 1.0 } else { part as f64 / whole as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_follow_the_definition() {
        let gold = Gold::parse("0-0 1-1 2p1 3?2").unwrap();
        assert_eq!(gold.sure().to_string(), "0-0 1-1");
        assert_eq!(gold.possible().to_string(), "0-0 1-1 2-1 3-2");
        let mut scores = AlignmentScores::default();
        scores.add(&Alignment::parse("0-0 2-1 4-4").unwrap(), &gold);
        assert!((scores.precision() - 2.0 / 3.0).abs() < 1e-12);
        assert!((scores.recall() - 0.5).abs() < 1e-12);
        assert!((scores.error_rate() - (1.0 - 3.0 / 5.0)).abs() < 1e-12);
    }

    #[test]
    fn what_is_no_gold_link_is_named() {
        for text in ["1", "p1", "1p", "1x2", "1-2p3"] {
            assert!(Gold::parse(text).unwrap_err().contains(text));
        }
    }
}
