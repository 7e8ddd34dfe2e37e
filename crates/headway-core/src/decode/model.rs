//! The linear model: named features, each with a weight.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::reordering::{Reordering, is_reordering};
use crate::forest::Features;
use crate::lm::LanguageModel;
use crate::table::RuleTable;
use crate::weight::check_weight;
use crate::{Error, Result, WordId};

/// Features that every model of this decoder has.
pub mod builtin {
    /// 1 for each phrase.
    pub const PHRASES: &str = "phrase-penalty";
    /// −1 for each target word.
    pub const WORDS: &str = "word-penalty";
    /// −100 for each word without a rule of its own.
    pub const UNKNOWN: &str = "unknown-word";
    /// Minus the words jumped over.
    pub const DISTORTION: &str = "distortion";
    /// 1 for each part that is put behind the parts before it, without a rule.
    pub const GLUE: &str = "glue";
    /// 1 for each two parts whose trees are joined without a rule.
    pub const SPECIAL: &str = "special-rules";
    /// Those that do not depend on the search.
    pub const ALWAYS: [&str; 3] = [PHRASES, WORDS, UNKNOWN];
}

/// n-gram models by the names of their features.
pub type LanguageModels = Vec<(String, Arc<LanguageModel>)>;

/// Places of features in the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Columns {
    /// Features of the table come first; so many.
    pub table: usize,
    pub phrases: usize,
    pub words: usize,
    pub unknown: usize,
    /// What putting parts side by side is worth: `distortion`, `glue` or `special-rules`.
    pub joining: usize,
    /// The first language model's.
    pub lms: usize,
    /// The first of those that a caller adds to rules.
    pub added: usize,
    /// The first of further features with a state.
    pub stateful: usize,
}

/// Table, language models, and the weight of every feature.
pub struct Model {
    table: Arc<RuleTable>,
    lms: LanguageModels,
    names: Vec<String>,
    weights: Vec<f32>,
    columns: Columns,
    reordering: Reordering,
    features: Arc<Features>,
    /// For each language model the ids of the table's target words, once they were needed.
    lm_words: Vec<Vec<AtomicU32>>,
    /// Whether each feature is a matter of one rule alone.
    local: Vec<bool>,
}

const UNSEEN: u32 = u32::MAX;

impl Model {
    /// `joining` is `builtin::DISTORTION`, `GLUE` or `SPECIAL`, as the search is. `added` names
    /// features whose values the caller gives for each rule, `stateful` those of further
    /// features, of which some may be columns of the table.
    pub fn new(
        joining: &str,
        table: Arc<RuleTable>,
        lms: LanguageModels,
        added: &[String],
        stateful: &[String],
        weights: &[(String, f64)],
    ) -> Result<Self> {
        let reordering = Reordering::of(table.features())?;
        let lm_names = lms.iter().map(|(name, _)| name.as_str());
        let (names, columns) = Model::feature_names(joining, &table, lm_names, added, stateful);
        let weights = ordered(&names, weights)?;
        let features = Features::dense_only(names.iter().map(String::as_str))?;
        let words = table.target().len();
        let unseen = || (0..words).map(|_| AtomicU32::new(UNSEEN)).collect();
        let lm_words = lms.iter().map(|_| unseen()).collect();
        let local = names.iter().enumerate().map(|(column, name)| {
            let of_table = column < columns.table && !is_reordering(name);
            of_table || (columns.added..columns.stateful).contains(&column)
        });
        let local = local.collect();
        Ok(Model { table, lms, names, weights, columns, reordering, features, lm_words, local })
    }

    /// The names of all features, and where they are.
    pub fn feature_names<'a>(
        joining: &str,
        table: &RuleTable,
        lms: impl Iterator<Item = &'a str>,
        added: &[String],
        stateful: &[String],
    ) -> (Vec<String>, Columns) {
        let mut names: Vec<String> = table.features().iter().map(|f| f.name.clone()).collect();
        let first = names.len();
        names.extend(builtin::ALWAYS.iter().map(ToString::to_string));
        names.push(joining.to_string());
        names.extend(lms.map(str::to_string));
        let first_added = names.len();
        names.extend(added.iter().cloned());
        let columns = Columns {
            table: first,
            phrases: first,
            words: first + 1,
            unknown: first + 2,
            joining: first + 3,
            lms: first + 4,
            added: first_added,
            stateful: names.len(),
        };
        let new = stateful.iter().filter(|name| !names.contains(name));
        let new: Vec<String> = new.cloned().collect();
        names.extend(new);
        (names, columns)
    }

    /// How many features a caller adds to rules.
    pub fn added_count(&self) -> usize {
        self.columns.stateful - self.columns.added
    }

    pub fn table(&self) -> &Arc<RuleTable> {
        &self.table
    }

    pub fn lms(&self) -> &LanguageModels {
        &self.lms
    }

    /// The id that a target word of the table has in a language model.
    pub fn lm_word(&self, lm: usize, word: WordId) -> WordId {
        let place = self.lm_words[lm].get(word.index());
        let known = place.map_or(UNSEEN, |place| place.load(Relaxed));
        if known != UNSEEN {
            return WordId(known);
        }
        let id = self.lms[lm].1.word_id(self.table.target().word(word).unwrap_or_default());
        place.into_iter().for_each(|place| place.store(id.0, Relaxed));
        id
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// One for each name.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    pub fn columns(&self) -> Columns {
        self.columns
    }

    pub fn reordering(&self) -> &Reordering {
        &self.reordering
    }

    /// The names as a forest has them.
    pub fn features(&self) -> &Arc<Features> {
        &self.features
    }

    /// Features that are a matter of one rule alone: all of the table's but reordering, and
    /// those added.
    #[inline]
    pub fn is_local(&self, column: usize) -> bool {
        self.local[column]
    }

    pub fn column(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|known| known == name)
    }

    /// The weighted sum of all features.
    pub fn score(&self, values: &[f64]) -> f64 {
        let weighted = values.iter().zip(&self.weights);
        weighted.map(|(value, &weight)| value * f64::from(weight)).sum()
    }
}

/// Weights in the order of names; every name has one and there are no others.
fn ordered(names: &[String], weights: &[(String, f64)]) -> Result<Vec<f32>> {
    let all = names.join(", ");
    for (index, name) in names.iter().enumerate() {
        if names[..index].contains(name) {
            return Err(Error::setting(format!("two features are named {name}; rename one")));
        }
    }
    for (name, weight) in weights {
        if !names.contains(name) {
            let message = format!("weight for {name}, which the model does not have; it has {all}");
            return Err(Error::setting(message));
        }
        check_weight(name, *weight)?;
    }
    let weight = |name: &String| {
        let found = weights.iter().find(|(known, _)| known == name);
        let missing = || Error::setting(format!("no weight for {name}; the model has {all}"));
        found.map(|&(_, weight)| weight as f32).ok_or_else(missing)
    };
    names.iter().map(weight).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_fit_names() {
        let names = ["a".to_string(), "b".to_string()];
        let weight = |name: &str, value| (name.to_string(), value);
        let both = [weight("b", 2.0), weight("a", 1.0)];
        assert_eq!(ordered(&names, &both).unwrap(), [1.0, 2.0]);
        let message = |weights: &[_]| ordered(&names, weights).unwrap_err().to_string();
        assert_eq!(message(&both[..1]), "no weight for a; the model has a, b");
        let extra = [both[0].clone(), both[1].clone(), weight("c", 1.0)];
        assert!(message(&extra).starts_with("weight for c, which the model does not have"));
        assert!(message(&[weight("a", f64::NAN), weight("b", 0.0)]).contains("NaN"));
    }
}
