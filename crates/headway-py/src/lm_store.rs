use std::path::PathBuf;

use headway_core::lm::{self, ArpaWriter, Options, SampleOptions, Workspace};
use headway_core::text::Output;
use pyo3::prelude::*;

use crate::lm::{LanguageModel, layout};
use crate::watch::watch;

/// Makes a binary of an ARPA file or another binary; answers by n-gram length, from 2 on, what
/// quantising changed at most in a log10 probability and in a log10 back-off.
#[pyfunction]
pub fn lm_build(
    py: Python<'_>,
    source: PathBuf,
    output: PathBuf,
    layout: &str,
    quantise: Option<u32>,
    memory: usize,
    temp: Option<PathBuf>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(Vec<f32>, Vec<f32>)> {
    let options = Options { layout: self::layout(layout)?, quantise };
    let directory = temp.unwrap_or_else(std::env::temp_dir);
    let workspace = Workspace { directory, memory };
    let loss = watch(py, threads, progress, |monitor| {
        lm::build(&source, &output, options, workspace, monitor)
    })?;
    Ok((loss.probs, loss.backoffs))
}

/// Writes a model as an ARPA file.
#[pyfunction]
pub fn lm_write_arpa(
    py: Python<'_>,
    model: &LanguageModel,
    output: PathBuf,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    watch(py, 0, progress, |monitor| {
        let mut writer = ArpaWriter::create(&output)?;
        model.core.emit(&mut writer, monitor)
    })
}

/// Draws text from a model.
#[pyclass(module = "headway._core", frozen)]
pub struct Sampler {
    core: lm::Sampler,
}

#[pymethods]
impl Sampler {
    #[new]
    #[pyo3(signature = (path, threads, progress))]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let core = watch(py, threads, progress, |monitor| {
            let model = lm::LanguageModel::load_as(&path, lm::Layout::Trie, monitor)?;
            lm::Sampler::new(model, monitor)
        })?;
        Ok(Sampler { core })
    }

    /// The sentences numbered from `first` on.
    fn sentences(
        &self,
        py: Python<'_>,
        first: u64,
        many: u64,
        seed: u64,
        longest: usize,
        unknown: bool,
        threads: usize,
    ) -> PyResult<Vec<String>> {
        let options = SampleOptions { seed, sentences: many, words: 0, longest, unknown };
        let numbers = first..first.saturating_add(many);
        watch(py, threads, None, |monitor| self.core.sentences(numbers, &options, monitor))
    }

    /// Writes sentences to a file; answers how many, and their words.
    fn write(
        &self,
        py: Python<'_>,
        output: PathBuf,
        sentences: u64,
        words: u64,
        seed: u64,
        longest: usize,
        unknown: bool,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(u64, u64)> {
        let options = SampleOptions { seed, sentences, words, longest, unknown };
        watch(py, threads, progress, |monitor| {
            let mut out = Output::create(&output)?;
            let written = self.core.write(&options, &mut out, monitor)?;
            out.finish()?;
            Ok(written)
        })
    }
}
