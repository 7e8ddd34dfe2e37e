use std::sync::Arc;

use headway_core::parse::dmv::{self as core, DmvTraining, Em, Learning};
use pyo3::prelude::*;

use super::base::BaseParser;
use super::training::SharedSettings;
use crate::choice::chosen;
use crate::errors::raise;

/// The settings section `[parse]`, as far as it concerns this parser alone.
#[derive(FromPyObject)]
pub struct DmvSettings {
    dmv: Dmv,
}

/// The settings section `[parse.dmv]`.
#[derive(FromPyObject)]
struct Dmv {
    start: String,
    restarts: u64,
    iterations: u64,
    tolerance: f64,
    max_words: usize,
    punctuation: Vec<String>,
}

impl DmvSettings {
    pub fn core(&self, shared: &SharedSettings, seed: u64) -> PyResult<DmvTraining> {
        let Dmv { iterations, tolerance, restarts, .. } = self.dmv;
        let starts = [("harmonic", true), ("random", false)];
        let harmonic = chosen("parse.dmv.start", &self.dmv.start, &starts).map_err(raise)?;
        Ok(DmvTraining {
            tagger: shared.tagger(seed)?,
            em: Em { iterations, tolerance, harmonic, restarts, seed },
            max_words: self.dmv.max_words,
            punctuation: self.dmv.punctuation.clone(),
            single_root: shared.single_root,
            tags: shared.tags()?,
        })
    }
}

/// Tagger and the dependency model with valence.
#[pyclass(module = "headway._core", extends = BaseParser, frozen)]
pub struct DmvParser {
    pub core: Arc<core::DmvParser>,
    /// Only known right after training.
    pub learning: Learning,
}

#[pymethods]
impl DmvParser {
    /// The natural logarithm of the likelihood of what it learnt from.
    #[getter]
    fn likelihood(&self) -> f64 {
        self.core.likelihood()
    }

    /// The same before each step of EM and at the end; empty unless just trained.
    #[getter]
    fn likelihoods(&self) -> Vec<f64> {
        self.learning.likelihoods.clone()
    }

    /// How many sentences EM learnt from: those short enough; 0 unless just trained.
    #[getter]
    fn learnt_from(&self) -> usize {
        self.learning.sentences
    }

    /// The start it was learnt from: 0 is the harmonic one, others are random.
    #[getter]
    fn start(&self) -> u64 {
        self.core.start()
    }
}
