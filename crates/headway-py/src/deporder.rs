use std::path::PathBuf;
use std::sync::Arc;

use headway_core::deporder::{self as core, Options, Pairs};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::watch::watch;

/// P_d of a file.
#[pyclass(module = "headway.deporder", frozen)]
pub struct OrderModel {
    pub core: Arc<core::OrderModel>,
}

#[pymethods]
impl OrderModel {
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let opened = py.detach(|| core::OrderModel::open(&path));
        Ok(OrderModel { core: Arc::new(opened.map_err(raise)?) })
    }

    #[getter]
    fn lexical(&self) -> bool {
        self.core.lexical()
    }

    #[getter]
    fn sizes(&self) -> bool {
        self.core.sizes()
    }

    #[getter]
    fn punctuation_apart(&self) -> bool {
        self.core.punctuation_apart()
    }

    #[getter]
    fn longest(&self) -> u32 {
        self.core.options().longest
    }

    /// The labels of the target, and how many dependencies each was seen with.
    #[getter]
    fn labels(&self) -> Vec<(String, u64)> {
        self.core.labels().map(|(label, seen)| (label.to_string(), seen)).collect()
    }

    /// The labels of the source.
    #[getter]
    fn source_labels(&self) -> Vec<String> {
        self.core.source_labels().map(str::to_string).collect()
    }

    /// How many words there are, and how many contexts (label, dependent) and (label, governor,
    /// dependent).
    #[getter]
    fn contexts(&self) -> (usize, [usize; 2]) {
        (self.core.words().len(), self.core.contexts())
    }

    /// P(label | source label) of all labels of the target, in their order.
    fn mapping(&self, source_label: &str) -> Vec<f64> {
        self.core.mapping(self.core.label(source_label)).to_vec()
    }

    /// P_d of all offsets, from −longest to longest; of a source label, the mixture over what it
    /// becomes. None for a label that the target does not have.
    fn distribution(
        &self,
        label: &str,
        governor: Option<&str>,
        dependent: Option<&str>,
        size: u32,
        source: bool,
    ) -> Option<Vec<(i32, f64)>> {
        let model = &self.core;
        let [governor, dependent] =
            [governor, dependent].map(|word| word.and_then(|word| model.word(word)));
        let offsets = model.options().offsets();
        if source {
            let label = model.label(label);
            let score = |offset| f64::from(model.score(label, governor, dependent, size, offset));
            return Some(offsets.map(|offset| (offset, score(offset).exp())).collect());
        }
        let label = model.target_label(label)?;
        let probability = |offset| model.probability(label, governor, dependent, size, offset);
        Some(offsets.map(|offset| (offset, probability(offset))).collect())
    }
}

/// Trees, cyclic ones among them, dependencies, labels; pairs, dependencies of their source
/// sides, linked ones among them.
type Summary = (u64, u64, u64, u64, u64, u64, u64);

/// Estimates a model from the trees of CoNLL-U files, and from aligned pairs of trees, given as
/// the files of the source, the target and the alignment.
#[pyfunction]
#[pyo3(signature = (
    trees, path, pairs, lexical, sizes, punctuation_apart, longest, threads = 0, progress = None
))]
pub fn estimate_order(
    py: Python<'_>,
    trees: Vec<PathBuf>,
    path: PathBuf,
    pairs: Option<(PathBuf, PathBuf, PathBuf)>,
    lexical: bool,
    sizes: bool,
    punctuation_apart: bool,
    longest: u32,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Summary> {
    let options = Options { lexical, sizes, punctuation_apart, longest };
    let pairs = pairs.map(|(source, target, alignment)| Pairs { source, target, alignment });
    let found = watch(py, threads, progress, |monitor| {
        core::train(&trees, pairs.as_ref(), options, &path, monitor)
    })?;
    let linked = found.linked;
    Ok((
        found.trees,
        found.cyclic,
        found.dependencies,
        found.labels,
        linked.pairs,
        linked.dependencies,
        linked.linked,
    ))
}
