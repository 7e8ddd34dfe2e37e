//! Tags as a tagger gives them to text it has not seen, for all of the text it learns from.

use rayon::prelude::*;

use crate::parse::treebank::Treebank;
use crate::{Monitor, Result};

use super::train::TaggerTraining;

/// Tags each of `folds` parts of the treebank with a tagger trained on the others. What a
/// parser learns from is then tagged as well, and as badly, as what it will see.
///
/// Parts are made of runs of sentences: in single ones, the rest of a sentence's text would be
/// in the other parts, and its tags better than those of new text. With fewer than two parts,
/// or fewer sentences than parts, gold tags stay.
pub fn jackknife(
    treebank: &Treebank,
    training: &TaggerTraining,
    folds: usize,
    monitor: &Monitor,
) -> Result<Vec<Vec<String>>> {
    let gold = || treebank.examples.iter().map(|example| example.tree.tags().to_vec());
    let count = treebank.examples.len();
    if folds < 2 || count < folds {
        return Ok(gold().collect());
    }
    let run = (count / (20 * folds)).clamp(1, 100);
    let fold_of = |at: usize| at / run % folds;
    let parts: Vec<Vec<(usize, Vec<String>)>> = (0..folds)
        .into_par_iter()
        .map(|fold| {
            let others: Vec<u32> =
                (0..count as u32).filter(|&at| fold_of(at as usize) != fold).collect();
            let tagger = training.train_on(treebank, &others, monitor)?;
            let part = (0..count).filter(|&at| fold_of(at) == fold).map(|at| {
                let found = tagger.tag(treebank.examples[at].tree.forms());
                (at, found.iter().map(|&tag| tagger.name(tag).to_string()).collect())
            });
            Ok(part.collect())
        })
        .collect::<Result<_>>()?;
    let mut tags: Vec<Vec<String>> = gold().collect();
    for (at, found) in parts.into_iter().flatten() {
        tags[at] = found;
    }
    Ok(tags)
}
