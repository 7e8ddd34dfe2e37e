//! Estimating a model from trees and aligned pairs of trees.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::links::{LabelCounts, Linked};
use super::offsets::dependencies;
use super::options::{Options, is_punctuation};
use super::pairs::Pairs;
use super::tables::Tables;
use super::tally::{Event, Tally};
use crate::tree::conllu::{Format, Reader, Sentence, Tags};
use crate::tree::{DependencyTree, Heads};
use crate::{Error, Monitor, Result, Vocabulary};

/// Sentences read before they are counted together.
const BATCH: usize = 4096;

/// More labels than any inventory of relations has: the column must hold something else.
const MOST_LABELS: usize = 1000;

/// What a model was estimated from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    pub trees: u64,
    /// Trees left out because their heads run in a cycle.
    pub cyclic: u64,
    pub dependencies: u64,
    pub labels: u64,
    pub linked: Linked,
}

/// Estimates a model from the trees of CoNLL-U files, and from aligned pairs what the labels of
/// the source become; without pairs every label stands for itself. The result does not depend on
/// the number of threads.
pub fn train(
    trees: &[PathBuf],
    pairs: Option<&Pairs>,
    options: Options,
    path: &Path,
    monitor: &Monitor,
) -> Result<Summary> {
    options.check()?;
    let mut counts = Counts::new(options);
    for input in trees {
        counts.read(input, monitor)?;
    }
    if counts.summary.dependencies == 0 {
        return Err(Error::setting("no dependencies to estimate an order model from"));
    }
    let Counts { mut labels, words, tally, mut summary, .. } = counts;
    let mut links = LabelCounts::default();
    if let Some(pairs) = pairs {
        summary.linked = links.read(pairs, options.punctuation_apart, &mut labels, monitor)?;
    }
    summary.labels = labels.len() as u64;
    let events = tally.finish();
    monitor.check()?;
    Tables::estimate(options, labels, words, &events, links).save(path)?;
    Ok(summary)
}

/// The dependencies of trees by label, words, size and offset.
struct Counts {
    options: Options,
    labels: Vocabulary,
    words: Vocabulary,
    tally: Tally,
    summary: Summary,
}

/// A tree in numbers, with the words that are passed over.
struct Numbered {
    heads: Heads,
    labels: Vec<u32>,
    words: Vec<u32>,
    passed: Vec<bool>,
}

impl Counts {
    fn new(options: Options) -> Self {
        Counts {
            options,
            labels: Vocabulary::default(),
            words: Vocabulary::default(),
            tally: Tally::default(),
            summary: Summary::default(),
        }
    }

    fn read(&mut self, path: &Path, monitor: &Monitor) -> Result<()> {
        let mut reader = Reader::open(path, Format::ConllU)?;
        let mut batch = reader.read(BATCH)?;
        while !batch.is_empty() {
            let (trees, next) = rayon::join(|| self.number(&batch, path), || reader.read(BATCH));
            self.count(&trees?);
            monitor.advance(batch.len() as u64)?;
            batch = next?;
        }
        Ok(())
    }

    /// Words and labels get their numbers in the order of the file, whoever counts them later.
    fn number(&mut self, batch: &[Sentence], path: &Path) -> Result<Vec<Numbered>> {
        let mut numbered = Vec::with_capacity(batch.len());
        for sentence in batch {
            let Some(tree) = tree_of(sentence, path)? else { continue };
            let labels = tree.labels().iter().map(|label| self.labels.add(label).0).collect();
            let lexical = self.options.lexical;
            let mut word = |form: &String| if lexical { self.words.add(form).0 } else { 0 };
            let words = tree.forms().iter().map(&mut word).collect();
            let apart = self.options.punctuation_apart;
            let passed = tree.forms().iter().map(|form| apart && is_punctuation(form)).collect();
            numbered.push(Numbered { heads: tree.heads().clone(), labels, words, passed });
        }
        check_labels(&self.labels, path)?;
        Ok(numbered)
    }

    fn count(&mut self, trees: &[Numbered]) {
        let options = self.options;
        let found: Vec<Option<Vec<Event>>> =
            trees.par_iter().map(|tree| tree.events(options)).collect();
        self.summary.trees += found.len() as u64;
        for events in found {
            match events {
                Some(events) => {
                    self.summary.dependencies += events.len() as u64;
                    self.tally.add(events);
                }
                None => self.summary.cyclic += 1,
            }
        }
    }
}

impl Numbered {
    /// None if the heads run in a cycle.
    fn events(&self, options: Options) -> Option<Vec<Event>> {
        let found = dependencies(&self.heads, |word| self.passed[word as usize - 1])?;
        let events = found.into_iter().map(|dependency| {
            let [dependent, governor] =
                [dependency.dependent, dependency.governor].map(|word| word as usize - 1);
            let (class, outcome) =
                (options.class(dependency.size), options.outcome(dependency.offset));
            let (words, label) = (&self.words, self.labels[dependent]);
            Event::new(words[dependent], class, label, words[governor], outcome)
        });
        Some(events.collect())
    }
}

/// The tree of a sentence; None if it has no words, or no heads because it was not parsed.
pub fn tree_of(sentence: &Sentence, path: &Path) -> Result<Option<DependencyTree>> {
    if sentence.words().all(|row| row.head.is_none()) {
        return Ok(None);
    }
    if sentence.words().any(|row| row.head.is_none()) {
        let message = "some words have a head and some have none (_); parse the sentence again";
        return Err(Error::format(path, sentence.line(), message));
    }
    sentence.tree(Tags::Upos).map(Some)
}

pub fn check_labels(labels: &Vocabulary, path: &Path) -> Result<()> {
    if labels.len() <= MOST_LABELS {
        return Ok(());
    }
    let example = labels.words().last().unwrap_or_default();
    Err(Error::setting(format!(
        "{}: more than {MOST_LABELS} different labels, such as {example:?}; column 8 (DEPREL) \
         should hold the relations of words to their heads",
        path.display(),
    )))
}
