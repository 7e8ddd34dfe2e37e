//! Dependencies with given scores: for tests of what uses a table.

use rustc_hash::FxHashMap;

use super::PhraseKey;
use crate::Vocabulary;

/// A parent (None is the root), a child, whether the child is left, and what `scores` answers.
pub type GivenDependency<'a> = (Option<&'a str>, &'a str, bool, [Option<f32>; 4]);

/// Phrases are numbered by their words with a space between.
#[derive(Debug, Default)]
pub struct Given {
    phrases: Vocabulary,
    scores: FxHashMap<(Option<u32>, u32, bool), [Option<f32>; 4]>,
}

impl Given {
    pub fn new(dependencies: &[GivenDependency<'_>]) -> Self {
        let mut given = Given::default();
        for &(parent, child, left, scores) in dependencies {
            let parent = parent.map(|parent| given.phrases.add(parent).0);
            let child = given.phrases.add(child).0;
            given.scores.insert((parent, child, left && parent.is_some()), scores);
        }
        given
    }

    pub fn phrase(&self, words: &[&str]) -> PhraseKey {
        let id = self.phrases.get(&words.join(" ")).map(|id| id.0);
        PhraseKey { words: id, clusters: None }
    }

    pub fn scores(
        &self,
        parent: Option<&PhraseKey>,
        child: &PhraseKey,
        left: bool,
    ) -> [Option<f32>; 4] {
        let unknown = parent.is_some_and(|parent| parent.words.is_none());
        let (Some(child), false) = (child.words, unknown) else { return [None; 4] };
        let parent = parent.and_then(|parent| parent.words);
        let found = self.scores.get(&(parent, child, left && parent.is_some()));
        found.copied().unwrap_or_default()
    }
}
