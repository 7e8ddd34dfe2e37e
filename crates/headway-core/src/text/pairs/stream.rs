//! Pairs out of one file, whatever its format.

use std::path::{Path, PathBuf};

use super::Pair;
use super::block::{Ahead, Block, read_ahead};
use crate::{Monitor, Result};

/// Pairs of one file, in three blocks of equally many texts.
#[derive(Default)]
pub(super) struct PairBlock {
    pub numbers: Vec<u64>,
    pub source: Block,
    pub target: Block,
    pub rest: Block,
}

impl PairBlock {
    pub fn is_full(&self) -> bool {
        self.source.is_full() || self.target.is_full() || self.rest.is_full()
    }

    fn get(&self, index: usize) -> Option<Pair<'_>> {
        Some(Pair {
            number: *self.numbers.get(index)?,
            source: self.source.get(index)?,
            target: self.target.get(index)?,
            rest: self.rest.get(index)?.bytes,
        })
    }
}

pub struct PairStream {
    path: PathBuf,
    ahead: Ahead<PairBlock>,
    block: PairBlock,
    at: usize,
}

impl PairStream {
    /// `fill` adds one pair to a block; false at the end.
    pub(super) fn new(
        path: &Path,
        mut fill: impl FnMut(&mut PairBlock) -> Result<bool> + Send + 'static,
    ) -> Self {
        let ahead = read_ahead(move || {
            let mut block = PairBlock::default();
            while !block.is_full() && fill(&mut block)? {}
            Ok((!block.numbers.is_empty()).then_some(block))
        });
        PairStream { path: path.to_path_buf(), ahead, block: PairBlock::default(), at: 0 }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn next(&mut self, monitor: &Monitor) -> Result<Option<Pair<'_>>> {
        if self.at == self.block.numbers.len() {
            match self.ahead.next(monitor)? {
                Some(block) => (self.block, self.at) = (block, 0),
                None => return Ok(None),
            }
        }
        self.at += 1;
        Ok(self.last())
    }

    /// The pair given last.
    pub fn last(&self) -> Option<Pair<'_>> {
        self.at.checked_sub(1).and_then(|index| self.block.get(index))
    }
}
