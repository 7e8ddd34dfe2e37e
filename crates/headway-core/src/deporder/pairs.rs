//! Aligned pairs of trees, read side by side.

use std::path::{Path, PathBuf};

use super::options::is_punctuation;
use super::train::tree_of;
use crate::text::{Alignment, Lines};
use crate::tree::DependencyTree;
use crate::tree::conllu::{Format, Reader, Sentence};
use crate::{Error, Result};

/// Pairs read before they are worked on together.
const BATCH: usize = 1024;

/// The files of aligned pairs with trees on both sides: the n-th trees belong to the n-th line of
/// links. A sentence without words has a comment in its place, as headway's parsers write it.
#[derive(Debug, Clone)]
pub struct Pairs {
    pub source: PathBuf,
    pub target: PathBuf,
    pub alignment: PathBuf,
}

/// Two trees with links between their words.
pub struct Bitree {
    pub source: DependencyTree,
    pub target: DependencyTree,
    links: Alignment,
}

impl Bitree {
    /// How many dependencies the source has, and the dependents of those that are linked: a
    /// dependent of the source with each word aligned to it whose head is aligned to its head.
    pub fn links(&self, punctuation_apart: bool) -> (u64, Vec<(u32, u32)>) {
        let mark = |tree: &DependencyTree, word: u32| {
            punctuation_apart && is_punctuation(&tree.forms()[word as usize - 1])
        };
        let counted = |tree: &DependencyTree, (word, head): (u32, u32)| {
            head != 0 && !mark(tree, word) && !mark(tree, head)
        };
        let arcs = self.source.heads().arcs().filter(|&arc| counted(&self.source, arc));
        let mut found = Vec::new();
        let mut dependencies = 0;
        for (word, head) in arcs {
            dependencies += 1;
            for target in self.aligned(word) {
                let above = self.target.heads().of(target);
                if counted(&self.target, (target, above))
                    && self.links.contains(head - 1, above - 1)
                {
                    found.push((word, target));
                }
            }
        }
        (dependencies, found)
    }

    /// The target words aligned to a word, all counted from 1.
    fn aligned(&self, word: u32) -> impl Iterator<Item = u32> {
        let links = self.links.links();
        let from = links.partition_point(|&(source, _)| source + 1 < word);
        let own = links[from..].iter().take_while(move |&&(source, _)| source + 1 == word);
        own.map(|&(_, target)| target + 1)
    }
}

/// The three files of pairs, read side by side.
pub struct Files {
    source: Trees,
    target: Trees,
    alignment: Lines,
    /// How many were read so far.
    pub pairs: u64,
}

struct Trees {
    path: PathBuf,
    reader: Reader,
}

impl Trees {
    fn open(path: &Path) -> Result<Self> {
        Ok(Trees { path: path.to_path_buf(), reader: Reader::open(path, Format::ConllU)? })
    }

    fn read(&mut self) -> Result<Vec<Sentence>> {
        let mut batch = Vec::with_capacity(BATCH);
        while batch.len() < BATCH
            && let Some(sentence) = self.reader.next()?
        {
            batch.push(sentence);
        }
        Ok(batch)
    }
}

impl Files {
    pub fn open(pairs: &Pairs) -> Result<Self> {
        Ok(Files {
            source: Trees::open(&pairs.source)?,
            target: Trees::open(&pairs.target)?,
            alignment: Lines::open(&pairs.alignment)?,
            pairs: 0,
        })
    }

    /// The next pairs of which both sides are parsed; None at the end.
    pub fn read(&mut self) -> Result<Option<Vec<Bitree>>> {
        let (source, target) = rayon::join(|| self.source.read(), || self.target.read());
        let (source, target) = (source?, target?);
        let mut links = Vec::with_capacity(BATCH);
        while links.len() < BATCH
            && let Some(line) = self.alignment.next()?
        {
            let parsed = Alignment::parse(line);
            links.push(parsed.map_err(|message| self.alignment.error(message))?);
        }
        self.check_lengths(&source, &target, links.len())?;
        if links.is_empty() {
            return Ok(None);
        }
        let mut batch = Vec::with_capacity(links.len());
        for ((source, target), links) in source.iter().zip(&target).zip(links) {
            self.pairs += 1;
            links
                .check(source.len(), target.len())
                .map_err(|message| Error::format(self.alignment.path(), self.pairs, message))?;
            let source = tree_of(source, &self.source.path)?;
            let target = tree_of(target, &self.target.path)?;
            if let (Some(source), Some(target)) = (source, target) {
                batch.push(Bitree { source, target, links });
            }
        }
        Ok(Some(batch))
    }

    /// All files must end together.
    fn check_lengths(&self, source: &[Sentence], target: &[Sentence], links: usize) -> Result<()> {
        let mut lengths = [
            (links, self.alignment.path()),
            (target.len(), &*self.target.path),
            (source.len(), &*self.source.path),
        ];
        lengths.sort_by_key(|&(length, _)| length);
        let [shortest, _, longest] = lengths;
        if shortest.0 == longest.0 {
            return Ok(());
        }
        let trees = if longest.1 == self.source.path { source } else { target };
        let line = match longest.1 == self.alignment.path() {
            true => self.pairs + shortest.0 as u64 + 1,
            false => trees[shortest.0].line(),
        };
        let message = format!(
            "no partner: {} ends after {} sentences; both trees and the alignment need the same \
             number",
            shortest.1.display(),
            self.pairs + shortest.0 as u64,
        );
        Err(Error::format(longest.1, line, message))
    }
}
