use std::path::PathBuf;
use std::sync::Arc;

use headway_core::parse::Treebank;
use headway_core::parse::dmv::{self as core, DmvTraining, Em, Learning};
use headway_core::parse::tag::{TaggerKind, TaggerTraining};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::parse_shared::{BaseParser, LeftOut, chosen, left_out, object, sources};
use crate::tree::tags_named;
use crate::watch::watch;

/// The settings section `[parse]`, as far as it concerns this parser.
#[derive(FromPyObject)]
pub struct Training {
    tagger: String,
    tags: String,
    lowercase: bool,
    single_root: bool,
    tagger_rounds: u64,
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

impl Training {
    fn core(&self, seed: u64) -> PyResult<DmvTraining> {
        let kind = chosen("parse.tagger", &self.tagger, &TaggerKind::ALL).map_err(raise)?;
        let Dmv { iterations, tolerance, restarts, .. } = self.dmv;
        let starts = [("harmonic", true), ("random", false)];
        let harmonic = chosen("parse.dmv.start", &self.dmv.start, &starts).map_err(raise)?;
        Ok(DmvTraining {
            tagger: TaggerTraining {
                kind,
                lowercase: self.lowercase,
                rounds: self.tagger_rounds,
                seed,
            },
            em: Em { iterations, tolerance, harmonic, restarts, seed },
            max_words: self.dmv.max_words,
            punctuation: self.dmv.punctuation.clone(),
            single_root: self.single_root,
            tags: tags_named(&self.tags)?,
        })
    }
}

/// Tagger and the dependency model with valence.
#[pyclass(module = "headway._core", extends = BaseParser, frozen)]
pub struct DmvParser {
    core: Arc<core::DmvParser>,
    /// Only known right after training.
    learning: Learning,
}

#[pymethods]
impl DmvParser {
    /// Learns from the tags of treebanks, each a path, a format and a weight; also answers how
    /// many sentences there were and how many were left out.
    #[staticmethod]
    #[pyo3(signature = (treebanks, training, seed, threads = 0, progress = None))]
    fn train(
        py: Python<'_>,
        treebanks: Vec<(PathBuf, String, f64)>,
        training: Training,
        seed: u64,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(Py<Self>, usize, LeftOut)> {
        let how = training.core(seed)?;
        let sources = sources(treebanks)?;
        let ((core, learning), sentences, left) = watch(py, threads, progress, |monitor| {
            let treebank = Treebank::read_tagged(&sources, how.tags, monitor)?;
            let trained = core::DmvParser::train(&treebank, &how, monitor)?;
            Ok((trained, treebank.examples.len(), treebank.left_out))
        })?;
        let parser = object(py, core, |core| DmvParser { core, learning })?;
        Ok((parser, sentences, left_out(left)))
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Py<Self>> {
        let core = py.detach(|| core::DmvParser::load(&path)).map_err(raise)?;
        let learning = Learning { sentences: 0, likelihoods: Vec::new() };
        object(py, core, |core| DmvParser { core, learning })
    }

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
