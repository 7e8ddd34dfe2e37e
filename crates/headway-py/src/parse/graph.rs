use std::path::PathBuf;
use std::sync::Arc;

use headway_core::Error;
use headway_core::parse::graph::{Between, FeatureSet, GraphTraining, Search, Templates, Update};
use headway_core::parse::tag::TaggerKind;
use headway_core::parse::{self as core, TreeParser};
use pyo3::prelude::*;

use super::base::{BaseParser, object};
use super::training::SharedSettings;
use crate::choice::{chosen, name_of};
use crate::errors::raise;

/// The settings section `[parse]`, as far as it concerns this parser alone.
#[derive(FromPyObject)]
pub struct GraphSettings {
    pub coarse: bool,
    search: String,
    between: String,
    features: String,
    update: String,
    rounds: u64,
    k: usize,
    step: f64,
    batch: usize,
    feature_bits: u32,
    blanking: f64,
    jackknife: usize,
    label_rounds: u64,
}

impl GraphSettings {
    pub fn core(&self, shared: &SharedSettings, seed: u64) -> PyResult<core::Training> {
        let search = chosen("parse.search", &self.search, &Search::ALL).map_err(raise)?;
        let between = chosen("parse.between", &self.between, &Between::ALL).map_err(raise)?;
        let templates = chosen("parse.features", &self.features, &Templates::ALL).map_err(raise)?;
        let update = self.update(search)?;
        Ok(core::Training {
            tagger: shared.tagger(seed)?,
            folds: self.jackknife,
            graph: GraphTraining {
                search,
                update,
                features: FeatureSet { templates, between },
                lowercase: shared.lowercase,
                single_root: shared.single_root,
                rounds: self.rounds,
                k: self.k,
                step: self.step,
                batch: self.batch,
                bits: self.feature_bits,
                blanking: self.blanking,
                seed,
            },
            label_rounds: self.label_rounds,
            tags: shared.tags()?,
        })
    }

    /// Spanning trees and best heads are learnt head by head, projective trees as wholes.
    fn update(&self, search: Search) -> PyResult<Update> {
        if self.update == "auto" {
            return Ok(if search == Search::Eisner { Update::Trees } else { Update::Heads });
        }
        let known: Vec<(&str, Option<Update>)> = Update::ALL
            .iter()
            .map(|&(name, update)| (name, Some(update)))
            .chain([("auto", None)])
            .collect();
        let found = chosen("parse.update", &self.update, &known).map_err(raise)?;
        Ok(found.unwrap_or(Update::Trees))
    }
}

/// Tagger, scores of arcs, search and labels.
#[pyclass(module = "headway._core", extends = BaseParser, frozen)]
pub struct GraphParser {
    pub core: Arc<core::Parser>,
}

#[pymethods]
impl GraphParser {
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Py<Self>> {
        let core = py.detach(|| core::Parser::load(&path)).map_err(raise)?;
        object(py, core, |core| GraphParser { core })
    }

    /// How it searches: `eisner`, `mst` or `local`.
    #[getter]
    fn search(&self) -> &'static str {
        name_of(self.core.search(), &Search::ALL)
    }

    /// Which tagger it has: `full` or `streaming`.
    #[getter]
    fn tagger(&self) -> &'static str {
        name_of(self.core.tagger().kind(), &TaggerKind::ALL)
    }

    /// The same parser with another search.
    fn with_search(&self, py: Python<'_>, search: &str) -> PyResult<Py<Self>> {
        let search = chosen("search", search, &Search::ALL).map_err(raise)?;
        let core = core::Parser::clone(&self.core).with_search(search);
        object(py, core, |core| GraphParser { core })
    }

    /// The scores of all arcs: row m - 1 holds those into word m, from the root and each word.
    fn scores(&self, forms: Vec<String>, tags: Vec<String>) -> PyResult<Vec<Vec<f64>>> {
        let scores = self.core.scores(&forms, &tags).map_err(raise)?;
        Ok((1..=scores.words()).map(|word| scores.into_word(word).to_vec()).collect())
    }

    /// Every feature of an arc by name, with what it adds to the arc's score.
    fn explain(
        &self,
        forms: Vec<String>,
        tags: Vec<String>,
        head: usize,
        modifier: usize,
    ) -> PyResult<Vec<(String, f64)>> {
        let found = self.core.explain(&forms, &tags, head, modifier).map_err(raise)?;
        Ok(found.into_iter().map(|feature| (feature.name, feature.weight)).collect())
    }
}

/// Approximate randomisation over sums per sentence: the p-value of their difference.
#[pyfunction]
pub fn randomisation(
    py: Python<'_>,
    one: Vec<f64>,
    other: Vec<f64>,
    samples: u64,
    seed: u64,
) -> f64 {
    py.detach(|| core::randomisation(&one, &other, samples, seed))
}

/// The heads of the best tree under given scores: row m - 1 of arcs into word m, from the root
/// and each word. A score of -inf forbids an arc; what a word has in its own place means nothing.
#[pyfunction]
pub fn best_heads(scores: Vec<Vec<f64>>, search: &str, single_root: bool) -> PyResult<Vec<u32>> {
    let search = chosen("search", search, &Search::ALL).map_err(raise)?;
    let words = scores.len();
    let mut arcs = core::graph::ArcScores::new(words);
    for (row, modifier) in scores.iter().zip(1..) {
        if row.len() != words + 1 {
            let found = row.len();
            let message = format!("row {modifier}: expected {} scores, found {found}", words + 1);
            return Err(raise(Error::setting(message)));
        }
        for (head, &score) in row.iter().enumerate().filter(|(head, _)| *head != modifier) {
            if score.is_nan() || score == f64::INFINITY {
                let message = format!(
                    "row {modifier}, head {head}: a score of {score}; give a number, or -inf to \
                     forbid the arc"
                );
                return Err(raise(Error::setting(message)));
            }
            arcs.set(head, modifier, score);
        }
    }
    Ok(search.best(&arcs, single_root))
}
