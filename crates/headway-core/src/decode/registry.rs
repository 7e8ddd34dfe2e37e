//! The searches and the stateful features there are: what each declares, and how it is made.
//!
//! A new stateful feature is one file with a `REGISTERED` value and one line in `FEATURES`; from
//! then on models, tuning, n-best lists and Python know it by its names.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::feature::Feature;
use super::interface::Decode;
use super::model::{LanguageModels, Model, builtin};
use super::settings::Search;
use super::{chart, dependency, hierarchical, lattice, operations, order, stack};
use crate::table::RuleTable;
use crate::{Error, Result};

/// What a decoder is made of. Further models go by the names that features know them by.
#[derive(Clone)]
pub struct Models {
    pub table: Arc<RuleTable>,
    pub lms: LanguageModels,
    pub others: BTreeMap<String, Arc<dyn Any + Send + Sync>>,
}

impl Models {
    /// The model of a name, if there is one; `what` says what it should be.
    pub fn get<T: Any + Send + Sync>(&self, name: &str, what: &str) -> Result<Option<Arc<T>>> {
        let Some(model) = self.others.get(name) else { return Ok(None) };
        let wrong =
            |_| Error::setting(format!("model {name}: expected {what}, found another kind"));
        Arc::clone(model).downcast().map(Some).map_err(wrong)
    }
}

/// The feature for models and settings; none if they do not call for it.
pub type MakeFeature = fn(&Models, &Search) -> Result<Option<Box<dyn Feature>>>;

type MakeDecoder = fn(&Models, Model, Search, Vec<Box<dyn Feature>>) -> Result<Arc<dyn Decode>>;

/// A stateful feature as it is declared.
#[derive(Clone, Copy)]
pub struct Registered {
    /// The model that it is computed with, by name; `rules` is the table, which is always there.
    pub model: &'static str,
    /// The searches that can use it, by name.
    pub searches: &'static [&'static str],
    /// Families of weights: names of features, or what these begin with before a dot.
    pub families: &'static [&'static str],
    /// The settings of `[search]` that it reads.
    pub settings: &'static [&'static str],
    /// What it calls putting parts side by side, if not as the search does.
    pub joining: Option<&'static str>,
    /// Whether translations come with a tree that it makes.
    pub trees: bool,
    /// Whether the values along a derivation in a forest are those of that derivation; else they
    /// are of the best one to each node.
    pub exact: bool,
    pub make: MakeFeature,
}

/// Every stateful feature.
pub const FEATURES: &[Registered] = &[
    dependency::REGISTERED,
    hierarchical::REGISTERED,
    operations::REGISTERED,
    order::REGISTERED,
    chart::TREES,
    lattice::TARGET_TREE,
    lattice::STRING_TO_TREE,
    lattice::TREE_TO_TREE,
];

/// A search as it is declared.
pub struct SearchKind {
    pub name: &'static str,
    /// The settings of `[search]` that it reads whatever its features are, in groups.
    pub settings: &'static [&'static [&'static str]],
    /// Settings of which it has only one value, and why.
    pub fixed: &'static [(&'static str, &'static str, &'static str)],
    /// What putting parts side by side is worth, unless a feature calls it otherwise.
    pub joining: &'static str,
    /// Whether it returns word lattices: forests with one tail per edge.
    pub lattices: bool,
    make: MakeDecoder,
}

/// What phrase-based search reads, and with it the lattices that it makes.
const PHRASES: &[&str] = &[
    "algorithm",
    "pop_limit",
    "hope",
    "stack",
    "threshold",
    "distortion_limit",
    "options",
    "max_phrase",
    "alike",
    "unknown",
    "orientation",
    "max_words",
    "time_limit",
    "spans",
    "licensed_words",
    "contiguous",
    "linear_distortion",
    "source_trees",
];

/// What charts read.
const CHARTS: &[&str] = &[
    "algorithm",
    "pop_limit",
    "hope",
    "stack",
    "threshold",
    "options",
    "alike",
    "unknown",
    "max_words",
    "span_limit",
    "time_limit",
];

/// What the parser of lattices reads besides.
const LATTICES: &[&str] =
    &["lattice_edges", "lattice_parse", "goals", "parents_mean", "parents_least", "parents_most"];

/// Every search.
pub const SEARCHES: [SearchKind; 3] = [
    SearchKind {
        name: "stack",
        settings: &[PHRASES],
        fixed: &[],
        joining: builtin::DISTORTION,
        lattices: true,
        make: |models, model, search, features| {
            let apart = order::punctuation_apart(models)?;
            Ok(Arc::new(stack::Decoder::new(model, search, features, apart)?))
        },
    },
    SearchKind {
        name: "chart",
        settings: &[CHARTS],
        fixed: &[("algorithm", "cube", "chart decoding supports only cube pruning")],
        joining: builtin::GLUE,
        lattices: false,
        make: |_, model, search, features| {
            Ok(Arc::new(chart::Decoder::new(model, search, features)?))
        },
    },
    SearchKind {
        name: "lattice",
        settings: &[PHRASES, LATTICES],
        fixed: &[],
        joining: builtin::DISTORTION,
        lattices: false,
        make: |models, model, search, features| {
            Ok(Arc::new(lattice::Decoder::new(models, model, search, features)?))
        },
    },
];

impl SearchKind {
    /// The settings of `[search]` that it reads whatever its features are.
    pub fn settings(&self) -> impl Iterator<Item = &'static str> {
        self.settings.iter().copied().flatten().copied()
    }

    /// The search of a name.
    pub fn find(name: &str) -> Result<&'static SearchKind> {
        let unknown = || {
            let names: Vec<&str> = SEARCHES.iter().map(|kind| kind.name).collect();
            Error::setting(format!("search \"{name}\"; expected {}", names.join(" or ")))
        };
        SEARCHES.iter().find(|kind| kind.name == name).ok_or_else(unknown)
    }

    /// A decoder. `added` names features whose values the caller gives for each rule.
    pub fn decoder(
        &self,
        models: Models,
        search: Search,
        added: &[String],
        weights: &[(String, f64)],
        registered: &[Registered],
    ) -> Result<Arc<dyn Decode>> {
        let (features, joining) = self.features(&models, &search, registered)?;
        let names = stateful(&features);
        let (table, lms) = (Arc::clone(&models.table), models.lms.clone());
        let model = Model::new(joining, table, lms, added, &names, weights)?;
        (self.make)(&models, model, search, features)
    }

    /// The names of all features of a model, in its order, without those a caller adds.
    pub fn names(
        &self,
        models: &Models,
        search: &Search,
        registered: &[Registered],
    ) -> Result<Vec<String>> {
        let (features, joining) = self.features(models, search, registered)?;
        let lms = models.lms.iter().map(|(name, _)| name.as_str());
        Ok(Model::feature_names(joining, &models.table, lms, &[], &stateful(&features)).0)
    }

    /// The features that models and settings call for, and what joining is called with them.
    fn features(
        &self,
        models: &Models,
        search: &Search,
        registered: &[Registered],
    ) -> Result<(Vec<Box<dyn Feature>>, &'static str)> {
        let (mut features, mut joining) = (Vec::new(), self.joining);
        for registered in registered.iter().filter(|it| it.searches.contains(&self.name)) {
            if let Some(feature) = (registered.make)(models, search)? {
                joining = registered.joining.unwrap_or(joining);
                features.push(feature);
            }
        }
        Ok((features, joining))
    }
}

fn stateful(features: &[Box<dyn Feature>]) -> Vec<String> {
    features.iter().flat_map(|feature| feature.names()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::settings;

    #[test]
    fn what_is_declared_exists() {
        let known: Vec<&str> = settings::names().collect();
        let searches: Vec<&str> = SEARCHES.iter().map(|kind| kind.name).collect();
        for name in SEARCHES.iter().flat_map(SearchKind::settings) {
            assert!(known.contains(&name), "{name}");
        }
        for feature in FEATURES {
            assert!(feature.settings.iter().all(|name| known.contains(name)));
            assert!(feature.searches.iter().all(|name| searches.contains(name)));
            assert!(!feature.searches.is_empty() && !feature.families.is_empty());
        }
    }
}
