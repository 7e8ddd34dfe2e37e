//! Phrase dependencies (Gimpel & Smith 2011, §4.1): how probable a phrase is as the child of
//! another.
//!
//! The parents and children are the target sides of all phrase pairs of an aligned sentence; one
//! depends on another if a word of it does. p(child | parent, direction) is counted for phrases,
//! for the words that link them, and for both with a Brown cluster in place of each word.
//!
//! A table has the phrases of words and of clusters, each numbered by the rank of a hash
//! (`phrases`), and for each parent and direction the children by number (`rows`). Because the
//! numbers are spread evenly, a look-up guesses where a number is (`search`).

mod column;
mod extractor;
mod file;
mod given;
mod lexical;
mod listing;
mod options;
mod phrases;
mod rows;
mod search;
mod sentence;

use std::path::Path;

use file::Table;
use given::Given;
use rows::row;

use crate::{Monitor, Result};

pub use extractor::{Report, extract};
pub use given::GivenDependency;
pub use listing::Listed;
pub use options::Options;

/// A phrase as a table knows it: looked up once, cheap to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PhraseKey {
    words: Option<u32>,
    clusters: Option<u32>,
}

/// The phrase dependencies of a corpus with their probabilities.
#[derive(Debug)]
pub struct PhraseDependencies {
    source: Source,
}

#[derive(Debug)]
enum Source {
    Mapped(Box<Table>),
    Given(Given),
}

impl PhraseDependencies {
    /// Maps a file; only its words are read. `verify` reads all of it.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(PhraseDependencies { source: Source::Mapped(Box::new(Table::open(path)?)) })
    }

    /// Dependencies with given scores, for tests and examples.
    pub fn given(dependencies: &[GivenDependency<'_>]) -> Self {
        PhraseDependencies { source: Source::Given(Given::new(dependencies)) }
    }

    /// Reads the whole file and compares checksums.
    pub fn verify(&self) -> Result<()> {
        self.table().map_or(Ok(()), Table::verify)
    }

    fn table(&self) -> Option<&Table> {
        match &self.source {
            Source::Mapped(table) => Some(table),
            Source::Given(_) => None,
        }
    }

    /// Bytes of the file.
    pub fn size(&self) -> u64 {
        self.table().map_or(0, Table::size)
    }

    /// Phrases and dependencies, of words and then of clusters.
    pub fn counts(&self) -> [[usize; 2]; 2] {
        let count = |level| {
            let table = self.table();
            table.map_or([0; 2], |table| {
                [table.phrases(level).len(), table.rows(level).entries.len()]
            })
        };
        [count(0), count(1)]
    }

    /// Looks a phrase up, by its words and by their clusters.
    pub fn phrase(&self, words: &[&str]) -> PhraseKey {
        let table = match &self.source {
            Source::Mapped(table) => table,
            Source::Given(given) => return given.phrase(words),
        };
        let (words, clusters) = table.clusters.numbers(words);
        let words = words.and_then(|words| table.phrases(0).find(&words));
        PhraseKey { words, clusters: table.phrases(1).find(&clusters) }
    }

    /// Natural logs of p(child | parent, direction): of the phrases, of the words that link them,
    /// and both over clusters; None where unseen. `left` says that the child stands left of its
    /// parent. A `parent` of None is the root `$`, which stands left of everything: its children
    /// are to the right, and `left` does not count.
    pub fn scores(
        &self,
        parent: Option<&PhraseKey>,
        child: &PhraseKey,
        left: bool,
    ) -> [Option<f32>; 4] {
        let table = match &self.source {
            Source::Mapped(table) => table,
            Source::Given(given) => return given.scores(parent, child, left),
        };
        let find = |level: usize, of: fn(&PhraseKey) -> Option<u32>| {
            let phrases = table.phrases(level).len();
            let parent = match parent {
                Some(parent) => Some(of(parent)?),
                None => None,
            };
            table.rows(level).scores(row(phrases, parent, left), of(child)?, phrases)
        };
        let (words, clusters) = (find(0, |key| key.words), find(1, |key| key.clusters));
        let [phrase, lexical] = [words.map(|found| found.0), words.map(|found| found.1)];
        [phrase, lexical, clusters.map(|found| found.0), clusters.map(|found| found.1)]
    }

    /// The most frequent dependencies with at least two words in one of the phrases and no phrase
    /// of punctuation alone (Table 2).
    pub fn most_frequent(&self, many: usize, monitor: &Monitor) -> Result<Vec<Listed>> {
        self.table().map_or(Ok(Vec::new()), |table| table.most_frequent(many, monitor))
    }

    /// The most probable children of a phrase (None is the root) on one side (Table 3).
    pub fn children(&self, parent: Option<&[&str]>, left: bool, many: usize) -> Vec<Listed> {
        self.table().map_or(Vec::new(), |table| table.children(parent, left, many))
    }
}
