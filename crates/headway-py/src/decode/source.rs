//! What is translated, as Python sees it.

use headway_core::decode::{self, WeightedTree};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::tree::DependencyTree;

/// One sentence to translate: words, and trees of them where there are any.
#[pyclass(module = "headway._core", frozen)]
pub struct Source {
    pub core: decode::Source,
}

#[pymethods]
impl Source {
    /// `trees` are trees over the words with a weight each.
    #[new]
    #[pyo3(signature = (words, *, trees=vec![]))]
    fn new(words: Vec<String>, trees: Vec<(PyRef<'_, DependencyTree>, f64)>) -> PyResult<Self> {
        let weighted = |(tree, weight): (PyRef<'_, DependencyTree>, f64)| WeightedTree {
            tree: tree.core.clone(),
            weight,
        };
        let trees = trees.into_iter().map(weighted).collect();
        let core = decode::Source::new(words).with_trees(trees).map_err(raise)?;
        Ok(Source { core })
    }

    #[getter]
    fn words(&self) -> Vec<String> {
        self.core.words().to_vec()
    }

    /// Its trees with their weights.
    #[getter]
    fn trees(&self) -> Vec<(DependencyTree, f64)> {
        let trees = self.core.trees().iter();
        trees.map(|it| (DependencyTree::from(it.tree.clone()), it.weight)).collect()
    }

    fn __len__(&self) -> usize {
        self.core.words().len()
    }

    fn __repr__(&self) -> String {
        let trees = match self.core.trees().len() {
            0 => String::new(),
            many => format!(", {many} trees"),
        };
        format!("<Source of {} words{trees}>", self.core.words().len())
    }
}

/// A source, or words alone.
#[derive(FromPyObject)]
pub enum Given<'py> {
    Source(PyRef<'py, Source>),
    Words(Vec<String>),
}

impl Given<'_> {
    pub fn core(self) -> decode::Source {
        match self {
            Given::Source(source) => source.core.clone(),
            Given::Words(words) => decode::Source::new(words),
        }
    }
}

/// The sources that a caller gave.
pub fn sources(given: Vec<Given<'_>>) -> Vec<decode::Source> {
    given.into_iter().map(Given::core).collect()
}
