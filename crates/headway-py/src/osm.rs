use std::path::PathBuf;
use std::sync::Arc;

use headway_core::extract::Corpus;
use headway_core::osm::{self as core, ClassOperations};
use pyo3::prelude::*;

use crate::classes::WordClasses;
use crate::lm::LanguageModel;
use crate::watch::watch;

/// n-gram models over operations.
#[pyclass(module = "headway.osm", frozen)]
pub struct OperationModel {
    pub core: Arc<core::OperationModel>,
}

#[pymethods]
impl OperationModel {
    /// Of words, and with a second model and the classes of source and target also of classes.
    #[new]
    #[pyo3(signature = (words, classes = None))]
    fn new(
        words: &LanguageModel,
        classes: Option<(PyRef<'_, LanguageModel>, PyRef<'_, WordClasses>, PyRef<'_, WordClasses>)>,
    ) -> Self {
        let classes = classes.map(|(lm, source, target)| ClassOperations {
            lm: Arc::clone(&lm.core),
            source: source.core.clone(),
            target: target.core.clone(),
        });
        let core = core::OperationModel { words: Arc::clone(&words.core), classes };
        OperationModel { core: Arc::new(core) }
    }
}

/// Pairs, unaligned ones among them, sequences written, operations in them.
type Report = (u64, u64, u64, u64);

/// Writes the operations of aligned text, of words or of their classes.
#[pyfunction]
#[pyo3(signature = (source, target, alignments, output, classes, threads, progress))]
pub fn write_operations(
    py: Python<'_>,
    source: PathBuf,
    target: PathBuf,
    alignments: Vec<PathBuf>,
    output: PathBuf,
    classes: Option<(PyRef<'_, WordClasses>, PyRef<'_, WordClasses>)>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Report> {
    let corpus = Corpus { source, target, alignments, trees: None };
    let classes = classes.as_ref().map(|(source, target)| [&source.core, &target.core]);
    let found =
        watch(py, threads, progress, |monitor| core::convert(&corpus, classes, &output, monitor))?;
    let core::Report { pairs, unaligned, sequences, operations } = found;
    Ok((pairs, unaligned, sequences, operations))
}
