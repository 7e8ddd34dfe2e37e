use std::path::{Path, PathBuf};

use headway_core::lm::estimate::{Boundaries, Estimator, Options, Symbols};
use headway_core::lm::{
    ArpaWriter, BinaryWriter, Layout, NgramSink, Options as StoreOptions, Workspace,
};
use headway_core::{Monitor, Result};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::watch::watch;

/// Sentences, words, vocabulary; n-grams by order, before and after pruning; discounts by order;
/// orders with fallback discounts.
type Report = (u64, u64, usize, Vec<u64>, Vec<u64>, Vec<[f64; 3]>, Vec<usize>);

/// Estimates a model of the text in `inputs` and writes it to `output`.
#[pyfunction]
pub fn lm_train(
    py: Python<'_>,
    inputs: Vec<PathBuf>,
    output: PathBuf,
    order: usize,
    memory: u64,
    prune: Vec<u64>,
    vocab_limit: Option<usize>,
    skip_symbols: bool,
    temp: Option<PathBuf>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Report> {
    let directory = temp.clone().unwrap_or_else(std::env::temp_dir);
    let workspace = Workspace { directory, memory: (memory / 2) as usize };
    let symbols = if skip_symbols { Symbols::Skip } else { Symbols::Refuse };
    let boundaries = Boundaries::default();
    let options =
        Options { order, memory, prune, vocabulary_limit: vocab_limit, symbols, boundaries, temp };
    let threads = options.threads(threads);
    let mut estimator = Estimator::new(options).map_err(raise)?;
    watch(py, threads, progress, |monitor| {
        let mut sink = sink(&output, workspace, monitor)?;
        for input in &inputs {
            estimator.read(input, monitor)?;
        }
        let report = estimator.estimate(&mut *sink, monitor)?;
        let discounts = report.discounts;
        let counts = (report.counts, report.kept);
        let text = (report.sentences, report.words, report.vocabulary);
        Ok((text.0, text.1, text.2, counts.0, counts.1, discounts, report.fallback))
    })
}

/// A binary if its name ends in `.bin`, otherwise ARPA.
fn sink<'a>(
    path: &Path,
    workspace: Workspace,
    monitor: &'a Monitor,
) -> Result<Box<dyn NgramSink + 'a>> {
    if path.extension().is_some_and(|suffix| suffix == "bin") {
        let layout = StoreOptions { layout: Layout::Hashed, quantise: None };
        return Ok(Box::new(BinaryWriter::create(path, layout, workspace, monitor)?));
    }
    Ok(Box::new(ArpaWriter::create(path)?))
}
