use std::sync::Arc;

use headway_core::parse::pcfg::{
    self as core, Memory, Objective, PcfgTraining, Refinement, SearchSettings, WordSettings,
};
use headway_core::tree::penn::HeadRules;
use pyo3::prelude::*;

use super::base::{BaseParser, object};
use super::training::SharedSettings;
use crate::choice::{chosen, name_of};
use crate::errors::raise;

/// The settings section `[parse]`, as far as it concerns this parser alone.
#[derive(FromPyObject)]
pub struct PcfgSettings {
    pcfg: Pcfg,
}

/// The settings section `[parse.pcfg]`.
#[derive(FromPyObject)]
struct Pcfg {
    parent: bool,
    sibling: bool,
    cycles: u64,
    split_steps: u64,
    merged: f64,
    merge_steps: u64,
    smooth_steps: u64,
    smoothing: f64,
    rare: u64,
    class_weight: f64,
    back_off: f64,
    word_smoothing: f64,
    objective: String,
    threshold: f64,
    max_words: usize,
    heads: String,
}

impl PcfgSettings {
    pub fn core(&self, shared: &SharedSettings, seed: u64) -> PyResult<PcfgTraining> {
        let Pcfg { parent, sibling, cycles, split_steps, merged, merge_steps, .. } = self.pcfg;
        let Pcfg { smooth_steps, smoothing, rare, class_weight, back_off, .. } = self.pcfg;
        let Pcfg { threshold, max_words, word_smoothing, .. } = self.pcfg;
        let objective = objective_named(&self.pcfg.objective)?;
        let heads =
            chosen("parse.pcfg.heads", &self.pcfg.heads, &HeadRules::NAMES).map_err(raise)?;
        let lowercase = shared.lowercase;
        Ok(PcfgTraining {
            tagger: shared.tagger(seed)?,
            memory: Memory { parent, sibling },
            refinement: Refinement {
                cycles,
                split_steps,
                merged,
                merge_steps,
                smooth_steps,
                smoothing,
                seed,
            },
            words: WordSettings {
                lowercase,
                rare,
                class_weight,
                back_off,
                smoothing: word_smoothing,
            },
            search: SearchSettings { objective, threshold, max_words, heads },
        })
    }
}

fn objective_named(name: &str) -> PyResult<Objective> {
    chosen("parse.pcfg.objective", name, &Objective::ALL).map_err(raise)
}

/// Tagger and a grammar of brackets with split symbols.
#[pyclass(module = "headway._core", extends = BaseParser, frozen)]
pub struct PcfgParser {
    pub core: Arc<core::PcfgParser>,
}

#[pymethods]
impl PcfgParser {
    /// The natural logarithm of the likelihood before each step of EM, but for a constant; empty
    /// unless just trained.
    #[getter]
    fn likelihoods(&self) -> Vec<f64> {
        self.core.likelihoods().to_vec()
    }

    /// How many symbols its grammar has, and how many variants of them.
    #[getter]
    fn sizes(&self) -> (usize, usize) {
        self.core.sizes()
    }

    /// Which tree is the best one: `max-rule`, `variational` or `viterbi`.
    #[getter]
    fn objective(&self) -> &'static str {
        name_of(self.core.search_settings().objective, &Objective::ALL)
    }

    /// The same parser with another objective, and with another threshold of pruning if one is
    /// given.
    #[pyo3(signature = (objective, threshold = None))]
    fn with_search(
        &self,
        py: Python<'_>,
        objective: &str,
        threshold: Option<f64>,
    ) -> PyResult<Py<Self>> {
        let objective = objective_named(objective)?;
        let settings = self.core.search_settings();
        let threshold = threshold.unwrap_or(settings.threshold);
        let settings = SearchSettings { objective, threshold, ..settings };
        let core = core::PcfgParser::clone(&self.core).with_search(settings).map_err(raise)?;
        object(py, core, |core| PcfgParser { core })
    }
}
