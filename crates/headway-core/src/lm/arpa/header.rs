//! The head of an ARPA file: `\data\` and how many n-grams of each length follow.

use std::io::BufRead;
use std::path::Path;

use super::MAX_ORDER;
use crate::error::snippet;
use crate::text::Lines;
use crate::{Error, Result};

/// Toolkits may put remarks before `\data\`; a file with more of them is something else.
const MAX_REMARKS: u64 = 1000;

/// Files that are given in place of an ARPA file, by how they start, and what to do.
const LOOKALIKES: [(&[u8], &str); 5] = [
    (
        b"mmap lm http://kheafield.com/code",
        "a binary of KenLM, which only KenLM reads; give the ARPA file it was built from",
    ),
    (b"blmt", "a binary of IRSTLM; convert it: compile-lm --text=yes IN OUT.arpa"),
    (b"Qblmt", "a quantised binary of IRSTLM; convert it: compile-lm --text=yes IN OUT.arpa"),
    (b"iARPA", "an intermediate ARPA of IRSTLM; convert it: compile-lm --text=yes IN OUT.arpa"),
    (b"SRILM_BINARY_NGRAM", "a binary of SRILM; convert it: ngram -lm IN -write-lm OUT.arpa"),
];

/// Refuses files that are known to be something else.
pub(super) fn check_kind(reader: &mut dyn BufRead, path: &Path) -> Result<()> {
    let start = reader.fill_buf().map_err(|error| Error::reading(path, &error))?;
    match LOOKALIKES.iter().find(|(magic, _)| start.starts_with(magic)) {
        Some((_, what)) => {
            Err(Error::format(path, 1, format!("expected an ARPA file, found {what}")))
        }
        None => Ok(()),
    }
}

/// Reads up to the first section; answers the counts by length.
pub(super) fn read_counts(lines: &mut Lines) -> Result<Vec<u64>> {
    skip_remarks(lines)?;
    let mut counts = Vec::new();
    while let Some(line) = lines.next()? {
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        if line == "\\1-grams:" && !counts.is_empty() {
            return check_counts(lines, counts);
        }
        let expected = counts.len() + 1;
        match parse_count(line) {
            Some((order, count)) if order == expected && order <= MAX_ORDER => counts.push(count),
            Some((order, _)) if order > MAX_ORDER => {
                let message = format!("n-grams of length {order}; headway reads up to {MAX_ORDER}");
                return Err(lines.error(message));
            }
            _ => {
                let found = snippet(line.as_bytes());
                return Err(unexpected(lines, expected, &found));
            }
        }
    }
    Err(lines.error("the file ends within its header; it is cut short"))
}

fn unexpected(lines: &Lines, expected: usize, found: &str) -> Error {
    let or_section = if expected > 1 { " or \"\\1-grams:\"" } else { "" };
    lines.error(format!("expected \"ngram {expected}=COUNT\"{or_section}, found {found}"))
}

fn skip_remarks(lines: &mut Lines) -> Result<()> {
    while let Some(line) = lines.next()? {
        if line.trim() == "\\data\\" {
            return Ok(());
        }
        if lines.number() > MAX_REMARKS {
            break;
        }
    }
    Err(lines
        .error(format!("no \"\\data\\\" in the first {} lines: not an ARPA file", lines.number())))
}

fn parse_count(line: &str) -> Option<(usize, u64)> {
    let (order, count) = line.strip_prefix("ngram")?.split_once('=')?;
    Some((order.trim().parse().ok()?, count.trim().parse().ok()?))
}

fn check_counts(lines: &Lines, counts: Vec<u64>) -> Result<Vec<u64>> {
    match counts.iter().find(|&&count| count >= u64::from(u32::MAX)) {
        None => Ok(counts),
        Some(count) => {
            Err(lines.error(format!("the header promises {count} n-grams; at most 2^32 are read")))
        }
    }
}
