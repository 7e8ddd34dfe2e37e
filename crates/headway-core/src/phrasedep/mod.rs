//! Phrase dependencies (Gimpel & Smith 2011, §4.1): how probable a phrase is as the child of
//! another.

mod given;

use std::path::Path;

pub use given::GivenDependency;

use crate::{Error, Result};
use given::Given;

/// A phrase as a table knows it: looked up once, cheap to keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PhraseKey {
    words: Option<u32>,
    clusters: Option<u32>,
}

/// The phrase dependencies of a corpus with their probabilities.
#[derive(Debug)]
pub struct PhraseDependencies {
    given: Given,
}

impl PhraseDependencies {
    pub fn open(path: &Path) -> Result<Self> {
        Err(Error::model(path, "tables of phrase dependencies cannot be read yet"))
    }

    /// Dependencies with given scores, for tests and examples.
    pub fn given(dependencies: &[GivenDependency<'_>]) -> Self {
        PhraseDependencies { given: Given::new(dependencies) }
    }

    /// Looks a phrase up, by its words and by their clusters.
    pub fn phrase(&self, words: &[&str]) -> PhraseKey {
        self.given.phrase(words)
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
        self.given.scores(parent, child, left)
    }
}
