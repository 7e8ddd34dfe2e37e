use std::path::PathBuf;
use std::sync::Arc;

use headway_core::parse::Treebank;
use headway_core::parse::tag::{TaggerKind, TaggerTraining};
use headway_core::parse::transition::{self as core, System, TransitionSetup, TransitionTraining};
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
    jackknife: usize,
    transition: Steps,
}

/// The settings section `[parse.transition]`.
#[derive(FromPyObject)]
struct Steps {
    system: String,
    beam: usize,
    rounds: u64,
    exploration: f64,
    batch: usize,
}

impl Training {
    fn core(&self, seed: u64) -> PyResult<TransitionSetup> {
        let kind = chosen("parse.tagger", &self.tagger, &TaggerKind::ALL).map_err(raise)?;
        let Steps { system, beam, rounds, exploration, batch } = &self.transition;
        let system = chosen("parse.transition.system", system, &System::ALL).map_err(raise)?;
        let lowercase = self.lowercase;
        Ok(TransitionSetup {
            tagger: TaggerTraining { kind, lowercase, rounds: self.tagger_rounds, seed },
            folds: self.jackknife,
            transition: TransitionTraining {
                system,
                single_root: self.single_root,
                lowercase,
                beam: *beam,
                rounds: *rounds,
                exploration: *exploration,
                batch: *batch,
                seed,
            },
            tags: tags_named(&self.tags)?,
        })
    }
}

/// Tagger and steps to a tree.
#[pyclass(module = "headway._core", extends = BaseParser, frozen)]
pub struct TransitionParser {
    core: Arc<core::TransitionParser>,
}

#[pymethods]
impl TransitionParser {
    /// Learns from treebanks, each a path, a format and a weight; also answers how many
    /// sentences it learnt from and how many were left out.
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
        let (core, sentences, left) = watch(py, threads, progress, |monitor| {
            let treebank = Treebank::read(&sources, how.tags, monitor)?;
            let parser = core::TransitionParser::train(&treebank, &how, monitor)?;
            Ok((parser, treebank.examples.len(), treebank.left_out))
        })?;
        Ok((object(py, core, |core| TransitionParser { core })?, sentences, left_out(left)))
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Py<Self>> {
        let core = py.detach(|| core::TransitionParser::load(&path)).map_err(raise)?;
        object(py, core, |core| TransitionParser { core })
    }

    /// Its steps: `eager` or `swap`.
    #[getter]
    fn system(&self) -> &'static str {
        let mut known = System::ALL.iter();
        known.find(|(_, system)| *system == self.core.system()).map_or("", |one| one.0)
    }

    /// States kept side by side; 1 is greedy.
    #[getter]
    fn beam(&self) -> usize {
        self.core.beam()
    }

    /// The same parser with a beam of another size.
    fn with_beam(&self, py: Python<'_>, beam: usize) -> PyResult<Py<Self>> {
        let core = core::TransitionParser::clone(&self.core).with_beam(beam).map_err(raise)?;
        object(py, core, |core| TransitionParser { core })
    }
}
