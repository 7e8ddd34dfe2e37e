use std::sync::Arc;

use headway_core::parse::transition::{self as core, System, TransitionSetup, TransitionTraining};
use pyo3::prelude::*;

use super::base::{BaseParser, object};
use super::training::SharedSettings;
use crate::choice::{chosen, name_of};
use crate::errors::raise;

/// The settings section `[parse]`, as far as it concerns this parser alone.
#[derive(FromPyObject)]
pub struct TransitionSettings {
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

impl TransitionSettings {
    pub fn core(&self, shared: &SharedSettings, seed: u64) -> PyResult<TransitionSetup> {
        let Steps { system, beam, rounds, exploration, batch } = &self.transition;
        let system = chosen("parse.transition.system", system, &System::ALL).map_err(raise)?;
        Ok(TransitionSetup {
            tagger: shared.tagger(seed)?,
            folds: self.jackknife,
            transition: TransitionTraining {
                system,
                single_root: shared.single_root,
                lowercase: shared.lowercase,
                beam: *beam,
                rounds: *rounds,
                exploration: *exploration,
                batch: *batch,
                seed,
            },
            tags: shared.tags()?,
        })
    }
}

/// Tagger and steps to a tree.
#[pyclass(module = "headway._core", extends = BaseParser, frozen)]
pub struct TransitionParser {
    pub core: Arc<core::TransitionParser>,
}

#[pymethods]
impl TransitionParser {
    /// Its steps: `eager` or `swap`.
    #[getter]
    fn system(&self) -> &'static str {
        name_of(self.core.system(), &System::ALL)
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
