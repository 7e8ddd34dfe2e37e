use headway_core::tree::penn::{self, HeadRules, Strip};
use pyo3::prelude::*;

use super::dependency::DependencyTree;
use crate::errors::{ConfigError, raise};
use crate::short::short;

/// A constituent tree, as Penn brackets write it.
///
/// `str(tree)` is one line. Brackets without a label around the sentence are kept; `strip`
/// takes them off.
#[pyclass(module = "headway.trees", frozen, eq, from_py_object)]
#[derive(Clone, PartialEq)]
pub struct ConstituentTree {
    pub core: penn::ConstituentTree,
}

impl From<penn::ConstituentTree> for ConstituentTree {
    fn from(core: penn::ConstituentTree) -> Self {
        ConstituentTree { core }
    }
}

#[pymethods]
impl ConstituentTree {
    /// Reads one tree.
    #[new]
    fn new(text: &str) -> PyResult<Self> {
        penn::ConstituentTree::parse(text).map(ConstituentTree::from).map_err(raise)
    }

    /// The label of the outermost bracket; empty where it has none.
    #[getter]
    fn label(&self) -> &str {
        self.core.nodes().first().map_or("", |node| &node.label)
    }

    /// The trees directly inside the outermost bracket; none for a tag with its word.
    #[getter]
    fn children(&self) -> Vec<ConstituentTree> {
        if self.core.nodes().is_empty() {
            return vec![];
        }
        self.core.children(0).map(|child| self.core.subtree(child).into()).collect()
    }

    /// The words as they stand, `-LRB-` for a bracket.
    #[getter]
    fn leaves(&self) -> &[String] {
        self.core.leaves()
    }

    /// The words with Penn's escapes undone: `(` for `-LRB-`, `/` for `\/`.
    #[getter]
    fn words(&self) -> Vec<String> {
        self.core.words()
    }

    /// The tag of each word.
    #[getter]
    fn tags(&self) -> Vec<&str> {
        self.core.tags().collect()
    }

    /// Each phrase as (label, first word, last word), outer ones first; words count from 1.
    fn spans(&self) -> Vec<(&str, u32, u32)> {
        self.core.spans().collect()
    }

    /// The tree without traces (`-NONE-`), functions (`NP-SBJ-1` becomes `NP`) and the outer
    /// bracket without a label.
    #[pyo3(signature = (traces = true, functions = true, wrapper = true))]
    fn strip(&self, traces: bool, functions: bool, wrapper: bool) -> Self {
        self.core.strip(Strip { traces, functions, wrapper }).into()
    }

    /// The words without traces as a dependency tree; `heads` names the head rules (`collins`,
    /// `lth` or `yamada`).
    #[pyo3(signature = (heads = "collins"))]
    fn dependencies(&self, heads: &str) -> PyResult<DependencyTree> {
        let tree = self.core.dependencies(head_rules_named(heads)?);
        tree.map(DependencyTree::from).map_err(raise)
    }

    /// The tree over several lines, each up to `width` columns where brackets allow it.
    #[pyo3(signature = (width = 80))]
    fn pretty(&self, width: usize) -> String {
        self.core.pretty(width)
    }

    /// The number of words.
    fn __len__(&self) -> usize {
        self.core.leaves().len()
    }

    fn __str__(&self) -> String {
        self.core.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<ConstituentTree {}>", short(&self.core.to_string()))
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.core.to_string().hash(&mut hasher);
        hasher.finish()
    }

    fn __getnewargs__(&self) -> (String,) {
        (self.core.to_string(),)
    }
}

pub fn head_rules_named(name: &str) -> PyResult<HeadRules> {
    HeadRules::named(name).ok_or_else(|| {
        let names = HeadRules::NAMES.map(|(name, _)| name).join(", ");
        ConfigError::new_err(format!("no head rules {name:?}; expected one of {names}"))
    })
}
