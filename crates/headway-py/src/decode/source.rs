//! What is translated, as Python sees it.

use headway_core::Error;
use headway_core::decode::{self, Force, WeightedTree};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::tree::DependencyTree;

/// What a translation has to obey: words that a span becomes, how strictly, and the logarithm of
/// their probability; a zone; or a wall.
#[derive(FromPyObject)]
pub enum Constraint {
    Forced((u32, u32), Vec<String>, String, f64),
    Zone((u32, u32)),
    Wall(u32),
}

/// How strictly a translation is forced, by the names that Moses has for it.
const FORCES: [(&str, Force); 3] = [
    ("exclusive", Force::Exclusive),
    ("inclusive", Force::Inclusive),
    ("constraint", Force::Within),
];

impl Constraint {
    fn core(self) -> PyResult<decode::Constraint> {
        Ok(match self {
            Constraint::Zone((start, end)) => decode::Constraint::Zone(start..end),
            Constraint::Wall(at) => decode::Constraint::Wall(at),
            Constraint::Forced((start, end), target, mode, score) => {
                let force = FORCES.iter().find(|(name, _)| *name == mode).map(|(_, force)| *force);
                let wrong = || {
                    let expected = "expected exclusive, inclusive or constraint";
                    Error::setting(format!("forced translation {mode:?}: {expected}"))
                };
                let force = force.ok_or_else(wrong).map_err(raise)?;
                let forced = decode::Forced { span: start..end, target, force, score };
                decode::Constraint::Forced(forced)
            }
        })
    }
}

/// One sentence to translate: words, and trees of them and constraints where there are any.
#[pyclass(module = "headway._core", frozen)]
pub struct Source {
    pub core: decode::Source,
}

#[pymethods]
impl Source {
    /// `trees` are trees over the words with a weight each.
    #[new]
    #[pyo3(signature = (words, *, trees=vec![], constraints=vec![]))]
    fn new(
        words: Vec<String>,
        trees: Vec<(PyRef<'_, DependencyTree>, f64)>,
        constraints: Vec<Constraint>,
    ) -> PyResult<Self> {
        let weighted = |(tree, weight): (PyRef<'_, DependencyTree>, f64)| WeightedTree {
            tree: tree.core.clone(),
            weight,
        };
        let trees = trees.into_iter().map(weighted).collect();
        let constraints: PyResult<Vec<_>> = constraints.into_iter().map(Constraint::core).collect();
        let core = decode::Source::new(words).with_trees(trees).map_err(raise)?;
        let core = core.with_constraints(constraints?).map_err(raise)?;
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
