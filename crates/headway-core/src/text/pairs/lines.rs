//! Two files whose lines belong together, or several such pairs of files, one after the other.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};

use super::block::{Ahead, Block, Text, read_ahead};
use super::examine::Reading;
use super::{Pair, distinct};
use crate::error::snippet;
use crate::text::Lines;
use crate::{Error, Monitor, Result};

pub struct LinePairs {
    source: Side,
    target: Side,
    number: u64,
    /// Files that come after these.
    rest: VecDeque<(PathBuf, PathBuf)>,
    reading: Reading,
}

impl LinePairs {
    pub fn open(source: &Path, target: &Path, reading: Reading) -> Result<Self> {
        distinct(source, target, "sides of the corpus")?;
        let (source, target) = (Side::open(source, reading)?, Side::open(target, reading)?);
        Ok(LinePairs { source, target, number: 0, rest: VecDeque::new(), reading })
    }

    /// Lets the pairs of two more files follow; their lines are numbered from 1 again.
    pub fn followed_by(mut self, source: &Path, target: &Path) -> Result<Self> {
        distinct(source, target, "sides of the corpus")?;
        self.rest.push_back((source.to_path_buf(), target.to_path_buf()));
        Ok(self)
    }

    pub fn path(&self, of_source: bool) -> &Path {
        if of_source { &self.source.path } else { &self.target.path }
    }

    pub fn next(&mut self, monitor: &Monitor) -> Result<Option<Pair<'_>>> {
        let (source, target) = (self.source.advance(monitor)?, self.target.advance(monitor)?);
        match (source, target) {
            (true, true) => {
                self.number += 1;
                Ok(self.last())
            }
            (false, false) => match self.rest.pop_front() {
                Some((source, target)) => {
                    self.source = Side::open(&source, self.reading)?;
                    self.target = Side::open(&target, self.reading)?;
                    self.number = 0;
                    self.next(monitor)
                }
                None => Ok(None),
            },
            (more_source, _) => Err(self.count_on(more_source, monitor)?),
        }
    }

    /// The pair given last.
    pub fn last(&self) -> Option<Pair<'_>> {
        let (source, target) = (self.source.text()?, self.target.text()?);
        Some(Pair { number: self.number, source, target, rest: b"" })
    }

    /// Counts the longer file to its end: the message names both counts.
    fn count_on(&mut self, more_source: bool, monitor: &Monitor) -> Result<Error> {
        let shorter_count = self.number;
        let (longer, shorter) = if more_source {
            (&mut self.source, &self.target)
        } else {
            (&mut self.target, &self.source)
        };
        let lonely = snippet(longer.text().map_or(b"", |text| text.bytes));
        let mut count = shorter_count + 1;
        while longer.advance(monitor)? {
            count += 1;
        }
        let message = format!(
            "line counts differ: {} has {count}, {} has {shorter_count}; this is the first line without a partner: {lonely}; check that the files belong together",
            name(&longer.path),
            name(&shorter.path),
        );
        Ok(Error::format(&longer.path, shorter_count + 1, message))
    }
}

fn name(path: &Path) -> String {
    if path.as_os_str() == "-" { "standard input".into() } else { path.display().to_string() }
}

struct Side {
    path: PathBuf,
    ahead: Ahead<Block>,
    block: Block,
    /// One past the text on loan.
    at: usize,
}

impl Side {
    fn open(path: &Path, reading: Reading) -> Result<Self> {
        let mut lines = Lines::open(path)?;
        let ahead = read_ahead(move || {
            let mut block = Block::default();
            while !block.is_full() {
                match lines.next_bytes()? {
                    Some(line) => block.push(line, reading),
                    None => break,
                }
            }
            Ok((block.len() > 0).then_some(block))
        });
        Ok(Side { path: path.to_path_buf(), ahead, block: Block::default(), at: 0 })
    }

    /// Steps to the next line; false at the end.
    fn advance(&mut self, monitor: &Monitor) -> Result<bool> {
        if self.at == self.block.len() {
            match self.ahead.next(monitor)? {
                Some(block) => (self.block, self.at) = (block, 0),
                None => return Ok(false),
            }
        }
        self.at += 1;
        Ok(true)
    }

    fn text(&self) -> Option<Text<'_>> {
        self.at.checked_sub(1).and_then(|index| self.block.get(index))
    }
}
