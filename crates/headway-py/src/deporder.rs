use std::path::PathBuf;
use std::sync::Arc;

use headway_core::deporder::{self as core, Options};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::watch::watch;

/// Where dependents stand in the target.
#[pyclass(module = "headway._core", frozen)]
pub struct OrderModel {
    pub core: Arc<core::OrderModel>,
}

#[pymethods]
impl OrderModel {
    #[staticmethod]
    fn load(path: PathBuf) -> PyResult<Self> {
        let core = core::OrderModel::open(&path).map_err(raise)?;
        Ok(OrderModel { core: Arc::new(core) })
    }

    #[pyo3(signature = (label, offset, governor=None, dependent=None, size=1))]
    fn score(
        &self,
        label: &str,
        offset: i32,
        governor: Option<&str>,
        dependent: Option<&str>,
        size: u32,
    ) -> f32 {
        let word = |word: Option<&str>| word.and_then(|word| self.core.word(word));
        self.core.score(self.core.label(label), word(governor), word(dependent), size, offset)
    }
}

#[pyfunction]
#[pyo3(signature = (trees, path, *, lexical=true, sizes=false, punctuation_apart=false, longest=20))]
pub fn train_order(
    py: Python<'_>,
    trees: Vec<PathBuf>,
    path: PathBuf,
    lexical: bool,
    sizes: bool,
    punctuation_apart: bool,
    longest: u32,
) -> PyResult<u64> {
    let options = Options { lexical, sizes, punctuation_apart, longest };
    let found = watch(py, 1, None, |monitor| core::train(&trees, None, options, &path, monitor))?;
    Ok(found.dependencies)
}
