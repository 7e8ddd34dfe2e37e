//! What every parser does, however it finds its trees.

use std::path::Path;

use rayon::prelude::*;

use crate::tree::conllu::Tags;
use crate::tree::{ConstituentTree, DependencyTree};
use crate::{Error, Monitor, Result};

use super::Ranked;
use super::graph::probabilities;
use super::tag::Tagger;

/// A tree, and the tags of the column that it does not show; none if the parser does not know it.
pub type Parsed = (DependencyTree, Vec<String>);

/// Words with letters, and how many of them a parser has never seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unknown {
    pub words: u64,
    pub unknown: u64,
}

/// Sentences longer than this are refused: scores of all arcs would not fit in memory.
pub const MOST_WORDS: usize = 4000;

/// Refuses sentences that are too long for any parser.
pub fn check_length(forms: &[String]) -> Result<()> {
    if forms.len() <= MOST_WORDS {
        return Ok(());
    }
    let words = forms.len();
    Err(Error::setting(format!("a sentence of {words} words; split it: at most {MOST_WORDS}")))
}

fn check_scale(scale: f64) -> Result<()> {
    if scale.is_finite() && scale >= 0.0 {
        return Ok(());
    }
    Err(Error::setting(format!("scale: {scale} makes no probabilities; give a number from 0 on")))
}

/// A parser with a tagger of its own. Kinds of parsers say how they find trees, `best_tree` and
/// `best_trees`; what is asked of them goes through `parse` and `kbest`, which check it.
pub trait TreeParser: Send + Sync {
    /// Its tagger, and the column of its tags.
    fn tagging(&self) -> (&Tagger, Tags);

    /// The best tree of words, tagged first unless tags are given.
    fn best_tree(&self, forms: &[String], tags: Option<&[String]>) -> Result<DependencyTree>;

    /// The same with the tags of the column that the tree does not show, if there are any.
    fn best_tree_with_coarse(&self, forms: &[String]) -> Result<Parsed> {
        Ok((self.best_tree(forms, None)?, Vec::new()))
    }

    /// The best few trees with their scores, as many as this kind of parser can tell.
    fn best_trees(
        &self,
        forms: &[String],
        tags: Option<&[String]>,
        k: usize,
        monitor: &Monitor,
    ) -> Result<Vec<(f64, DependencyTree)>>;

    /// The best brackets of words, whose tags it may be given; only some kinds have any.
    fn best_brackets(&self, forms: &[String], tags: Option<&[String]>) -> Result<ConstituentTree> {
        let _ = (forms, tags);
        Err(Error::setting(
            "the parser gives dependency trees and no brackets; use one trained with --kind pcfg",
        ))
    }

    fn save(&self, path: &Path) -> Result<()>;

    fn tagger(&self) -> &Tagger {
        self.tagging().0
    }

    /// The column of its tags.
    fn tags(&self) -> Tags {
        self.tagging().1
    }

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
        check_length(forms)?;
        self.best_tree(forms, tags)
    }

    /// The best tree of words, and the tags of the column that the tree does not show, if any.
    fn parse_with_coarse(&self, forms: &[String]) -> Result<Parsed> {
        check_length(forms)?;
        self.best_tree_with_coarse(forms)
    }

    /// The best brackets of words, in which it finds tags too unless they are given.
    fn brackets(&self, forms: &[String], tags: Option<&[String]>) -> Result<ConstituentTree> {
        check_length(forms)?;
        match tags {
            None => self.best_brackets(forms, None),
            given => self.best_brackets(forms, Some(&self.tags_for(forms, given)?)),
        }
    }

    /// The brackets of many sentences, as `parse_all` finds their trees.
    fn brackets_all(
        &self,
        sentences: &[Vec<String>],
        first: u64,
        monitor: &Monitor,
    ) -> Result<Vec<ConstituentTree>> {
        each(sentences, first, monitor, |forms| self.brackets(forms, None))
    }

    /// The best few trees with their scores and their probabilities among them, which are
    /// proportional to exp(scale · score).
    fn kbest(
        &self,
        forms: &[String],
        tags: Option<&[String]>,
        k: usize,
        scale: f64,
        monitor: &Monitor,
    ) -> Result<Vec<Ranked>> {
        check_scale(scale)?;
        check_length(forms)?;
        let found = self.best_trees(forms, tags, k, monitor)?;
        let scores: Vec<f64> = found.iter().map(|(score, _)| *score).collect();
        let ranked = found.into_iter().zip(probabilities(&scores, scale));
        Ok(ranked.map(|((score, tree), probability)| Ranked { tree, score, probability }).collect())
    }

    /// The trees of many sentences, on the threads of the current pool, each with the tags of the
    /// column that it does not show, if any. Errors count sentences from `first` on.
    fn parse_all(
        &self,
        sentences: &[Vec<String>],
        first: u64,
        monitor: &Monitor,
    ) -> Result<Vec<Parsed>> {
        each(sentences, first, monitor, |forms| self.parse_with_coarse(forms))
    }

    /// What `kbest` finds for many sentences, on the threads of the current pool. Errors count
    /// sentences from `first` on.
    fn kbest_all(
        &self,
        sentences: &[Vec<String>],
        k: usize,
        scale: f64,
        first: u64,
        monitor: &Monitor,
    ) -> Result<Vec<Vec<Ranked>>> {
        each(sentences, first, monitor, |forms| self.kbest(forms, None, k, scale, monitor))
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

/// The results of many sentences in their order, on the threads of the current pool.
fn each<T: Send>(
    sentences: &[Vec<String>],
    first: u64,
    monitor: &Monitor,
    parse: impl Fn(&[String]) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    monitor.expect(sentences.len() as u64);
    let found = sentences.par_iter().enumerate().map(|(at, forms)| {
        let found = parse(forms).map_err(|error| in_sentence(first + at as u64, error));
        monitor.advance(1)?;
        found
    });
    found.collect()
}

/// The error with the number of the sentence it is about.
fn in_sentence(number: u64, error: Error) -> Error {
    match error {
        Error::Setting(message) => Error::setting(format!("sentence {number}: {message}")),
        other => other,
    }
}
