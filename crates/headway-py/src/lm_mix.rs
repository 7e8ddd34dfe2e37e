use std::path::PathBuf;
use std::sync::Arc;

use headway_core::lm::{self, ArpaWriter, Boundaries};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::errors::raise;
use crate::lm::{LanguageModel, Score, parts};
use crate::watch::watch;

/// Several models, weighted.
#[pyclass(module = "headway._core", frozen)]
pub struct Mixture {
    models: Vec<Arc<lm::LanguageModel>>,
    weights: Vec<f64>,
}

#[pymethods]
impl Mixture {
    #[new]
    fn new(models: Vec<Bound<'_, LanguageModel>>, weights: Vec<f64>) -> PyResult<Self> {
        let models: Vec<_> = models.iter().map(|model| Arc::clone(&model.get().core)).collect();
        let weights = lm::Mixture::new(models.iter().map(Arc::as_ref).collect(), &weights)
            .map_err(raise)?
            .weights()
            .to_vec();
        Ok(Mixture { models, weights })
    }

    #[getter]
    fn weights(&self) -> Vec<f64> {
        self.weights.clone()
    }

    /// Each sentence in detail.
    fn score_parts(
        &self,
        py: Python<'_>,
        sentences: Vec<PyBackedStr>,
        begin: bool,
        end: bool,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Score>> {
        let scores = watch(py, threads, progress, |monitor| {
            monitor.expect(sentences.len() as u64);
            self.core()?.score_sentences(&sentences, Boundaries { begin, end }, monitor)
        })?;
        Ok(scores.iter().map(parts).collect())
    }

    /// The weights best for these sentences, words seen, perplexity with equal weights and these.
    fn tune(
        &self,
        py: Python<'_>,
        sentences: Vec<PyBackedStr>,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(Vec<f64>, u64, f64, f64)> {
        let tuning = watch(py, threads, progress, |monitor| {
            monitor.expect(sentences.len() as u64);
            self.core()?.tune(&sentences, monitor)
        })?;
        Ok((tuning.weights, tuning.words, tuning.perplexity_before, tuning.perplexity))
    }

    /// Writes the mixture as one back-off model.
    fn write_arpa(
        &self,
        py: Python<'_>,
        output: PathBuf,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        watch(py, 0, progress, |monitor| {
            let mut writer = ArpaWriter::create(&output)?;
            self.core()?.emit(&mut writer, monitor)
        })
    }
}

impl Mixture {
    fn core(&self) -> headway_core::Result<lm::Mixture<'_>> {
        lm::Mixture::new(self.models.iter().map(Arc::as_ref).collect(), &self.weights)
    }
}
