use std::path::PathBuf;
use std::sync::Arc;

use headway_core::deplm::{self as core, Operation, Training};
use headway_core::tree::DependencyTree;
use headway_core::{Error, Monitor};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::watch::watch;

/// A piece of a tree as the dependency language model sees it: hashable, and equal where the
/// future is.
#[pyclass(module = "headway.lm", frozen, eq, hash)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct DependencyState {
    core: core::Structure,
}

#[pymethods]
impl DependencyState {
    /// Whether the head of all its words is one of them.
    #[getter]
    fn is_fixed(&self) -> bool {
        matches!(self.core, core::Structure::Fixed { .. })
    }
}

/// P_T, P_L and P_R of a directory.
#[pyclass(module = "headway.lm", frozen)]
pub struct DependencyModel {
    pub core: Arc<core::DependencyModel>,
}

#[pymethods]
impl DependencyModel {
    #[staticmethod]
    fn load(py: Python<'_>, directory: PathBuf, lowercase: bool, stop: bool) -> PyResult<Self> {
        let load =
            |monitor: &Monitor| core::DependencyModel::load(&directory, lowercase, stop, monitor);
        Ok(DependencyModel { core: Arc::new(watch(py, 1, None, load)?) })
    }

    #[getter]
    fn order(&self) -> usize {
        self.core.order()
    }

    #[getter]
    fn stop(&self) -> bool {
        self.core.stop()
    }

    #[getter]
    fn lowercase(&self) -> bool {
        self.core.lowercase()
    }

    /// ln P of each tree of a CoNLL-U file, with its number of words.
    #[pyo3(signature = (path, threads = 0, progress = None))]
    fn score_file(
        &self,
        py: Python<'_>,
        path: PathBuf,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<(f64, usize)>> {
        watch(py, threads, progress, |monitor| self.core.score_file(&path, monitor))
    }

    /// ln P of a tree given as its words and their heads.
    fn score(&self, forms: Vec<String>, heads: Vec<u32>) -> PyResult<f64> {
        let blank = vec![String::new(); forms.len()];
        let tree = DependencyTree::new(forms, heads, blank.clone(), blank);
        Ok(self.core.score(&tree.map_err(raise)?))
    }

    /// One word without children.
    fn leaf(&self, form: &str) -> DependencyState {
        DependencyState { core: self.core.leaf(self.core.word(form)) }
    }

    /// Joins two neighbouring pieces; None where the operation is not defined for them.
    fn combine(
        &self,
        operation: &str,
        first: &DependencyState,
        second: &DependencyState,
    ) -> PyResult<Option<(DependencyState, f64)>> {
        let known = Operation::from_name(operation).ok_or_else(|| {
            let names: Vec<&str> = Operation::ALL.iter().map(|(name, _)| *name).collect();
            let names = names.join(", ");
            raise(Error::setting(format!("{operation:?}: expected one of {names}")))
        })?;
        let combined = self.core.combine(known, &first.core, &second.core);
        Ok(combined.map(|(core, score)| (DependencyState { core }, score)))
    }

    /// What completing a piece as a whole tree is worth; None where it has no single head.
    fn finish(&self, piece: &DependencyState) -> Option<f64> {
        self.core.finish(&piece.core)
    }
}

/// Trees, words, n-grams by model and length, lengths with fixed discounts.
type Summary = (u64, u64, [Vec<u64>; 3], Vec<usize>);

/// Trains a model on the trees of CoNLL-U files.
#[pyfunction]
#[pyo3(signature = (inputs, directory, order, memory, lowercase, arpa, threads = 0, progress = None))]
pub fn train_dependency(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    directory: PathBuf,
    order: usize,
    memory: u64,
    lowercase: bool,
    arpa: bool,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Summary> {
    let training = Training { order, memory, lowercase, arpa };
    let summary = watch(py, threads, progress, |monitor| {
        core::train(&inputs, &directory, training, monitor)
    })?;
    Ok((summary.trees, summary.words, summary.ngrams, summary.fallback))
}
