//! What every parser does, however it finds its trees.

use std::path::Path;

use rayon::prelude::*;

use crate::tree::DependencyTree;
use crate::tree::conllu::Tags;
use crate::{Error, Monitor, Result};

use super::Ranked;
use super::tag::Tagger;

/// A tree, and the tags of the column that it does not show; none if the parser does not know it.
pub type Parsed = (DependencyTree, Vec<String>);

/// Words with letters, and how many of them a parser has never seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unknown {
    pub words: u64,
    pub unknown: u64,
}

/// A parser with a tagger of its own.
pub trait TreeParser: Send + Sync {
    /// The column of its tags.
    fn tags(&self) -> Tags;

    fn tagger(&self) -> &Tagger;

    /// The best tree of words with their tags, one for each word.
    fn best_tree(&self, forms: &[String], tags: Vec<String>) -> Result<DependencyTree>;

    /// The best few trees, as many as this kind of parser can tell, with their scores and
    /// probabilities among them; these are proportional to exp(scale · score).
    fn kbest(
        &self,
        forms: &[String],
        tags: Option<&[String]>,
        k: usize,
        scale: f64,
    ) -> Result<Vec<Ranked>>;

    fn save(&self, path: &Path) -> Result<()>;

    /// The tags of words.
    fn tag(&self, forms: &[String]) -> Vec<String> {
        let tagger = self.tagger();
        tagger.tag(forms).into_iter().map(|tag| tagger.name(tag).to_string()).collect()
    }

    /// The tags that are given, or those that the tagger finds.
    fn tags_for(&self, forms: &[String], tags: Option<&[String]>) -> Result<Vec<String>> {
        match tags {
            None => Ok(self.tag(forms)),
            Some(tags) if tags.len() == forms.len() => Ok(tags.to_vec()),
            Some(tags) => {
                let (words, found) = (forms.len(), tags.len());
                Err(Error::setting(format!("expected {words} tags, one per word, found {found}")))
            }
        }
    }

    /// The best tree of words, tagged first unless tags are given.
    fn parse(&self, forms: &[String], tags: Option<&[String]>) -> Result<DependencyTree> {
        self.best_tree(forms, self.tags_for(forms, tags)?)
    }

    /// The best tree of words, and the tags of the column that the tree does not show, if any.
    fn parse_with_coarse(&self, forms: &[String]) -> Result<Parsed> {
        Ok((self.parse(forms, None)?, Vec::new()))
    }

    /// The trees of many sentences, on the threads of the current pool, each with the tags of the
    /// column that it does not show, if any.
    fn parse_all(&self, sentences: &[Vec<String>], monitor: &Monitor) -> Result<Vec<Parsed>> {
        monitor.expect(sentences.len() as u64);
        let parsed = sentences.par_iter().map(|forms| {
            let found = self.parse_with_coarse(forms)?;
            monitor.advance(1)?;
            Ok(found)
        });
        parsed.collect()
    }

    /// Counts the words of a sentence that have a letter, and those of them that the tagger has
    /// not seen in training: others tell nothing about the language.
    fn count_unknown(&self, forms: &[String]) -> Unknown {
        let words = forms.iter().filter(|form| form.chars().any(char::is_alphabetic));
        words.fold(Unknown::default(), |sum, form| Unknown {
            words: sum.words + 1,
            unknown: sum.unknown + u64::from(!self.tagger().knows(form)),
        })
    }
}
