//! A second pass over n-best lists: another language model in the place of the one that search
//! had, and weights of its own.

use rayon::prelude::*;

use super::translation::Translation;
use crate::lm::LanguageModel;

/// Each with its list in the order of new scores; see `rescored`.
pub fn rescore(
    all: &[&Translation],
    column: usize,
    lm: &LanguageModel,
    weights: &[f64],
) -> Vec<Translation> {
    all.par_iter().map(|found| rescored(found, column, lm, weights)).collect()
}

/// The same list in the order of new scores, and its best entry in place of the old one. The
/// value of the feature in `column` becomes what `lm` says of the words.
fn rescored(
    found: &Translation,
    column: usize,
    lm: &LanguageModel,
    weights: &[f64],
) -> Translation {
    let own = [found.clone()];
    let list = if found.n_best.is_empty() { &own[..] } else { &found.n_best[..] };
    let mut n_best: Vec<Translation> = list.to_vec();
    for entry in &mut n_best {
        if let Some(value) = entry.features.get_mut(column) {
            *value = log_prob(lm, &entry.words);
        }
        entry.score =
            entry.features.iter().zip(weights).map(|(value, weight)| value * weight).sum();
    }
    n_best.sort_by(|a, b| b.score.total_cmp(&a.score));
    let best = n_best.first().cloned().unwrap_or_default();
    Translation { n_best, split: found.split, ..best }
}

/// Of a whole sentence, natural.
fn log_prob(lm: &LanguageModel, words: &[String]) -> f64 {
    let mut state = lm.begin_state();
    let ids = words.iter().map(|word| lm.word_id(word)).chain([lm.end()]);
    ids.map(|word| lm.score(&mut state, word).log_prob()).sum()
}
