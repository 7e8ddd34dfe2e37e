//! Decoders of every kind, behind the one interface of the core.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;

use headway_core::consensus::Gain;
use headway_core::decode::{
    Added, CoarseWeights, Decode, FEATURES, Given, Listed, Models, Request, SearchKind,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::settings;
use super::source::{self, sources};
use super::translation::{Translation, translations};
use crate::deplm::DependencyModel;
use crate::deporder::OrderModel;
use crate::errors::raise;
use crate::lm::LanguageModel;
use crate::memory;
use crate::osm::OperationModel;
use crate::parse::GraphParser;
use crate::phrasedep::PhraseDependencies;
use crate::table::{RuleParts, RuleTable, parts};
use crate::watch::watch;

/// A model that a feature is computed with, or weights of a coarse search.
#[derive(FromPyObject)]
pub enum OtherModel<'py> {
    Parser(PyRef<'py, GraphParser>),
    Dependency(PyRef<'py, DependencyModel>),
    Order(PyRef<'py, OrderModel>),
    Phrases(PyRef<'py, PhraseDependencies>),
    Operations(PyRef<'py, OperationModel>),
    Weights(CoarseWeights),
}

impl OtherModel<'_> {
    fn core(self) -> Arc<dyn Any + Send + Sync> {
        match self {
            OtherModel::Parser(model) => Arc::clone(&model.core) as Arc<_>,
            OtherModel::Dependency(model) => Arc::clone(&model.core) as Arc<_>,
            OtherModel::Order(model) => Arc::clone(&model.core) as Arc<_>,
            OtherModel::Phrases(model) => Arc::clone(&model.core) as Arc<_>,
            OtherModel::Operations(model) => Arc::clone(&model.core) as Arc<_>,
            OtherModel::Weights(weights) => Arc::new(weights) as Arc<_>,
        }
    }
}

type Lms<'py> = Vec<(String, PyRef<'py, LanguageModel>)>;
type Others<'py> = BTreeMap<String, OtherModel<'py>>;

fn models(table: &RuleTable, lms: Lms<'_>, others: Others<'_>) -> Models {
    Models {
        table: Arc::clone(&table.core),
        lms: lms.into_iter().map(|(name, lm)| (name, Arc::clone(&lm.core))).collect(),
        others: others.into_iter().map(|(name, model)| (name, model.core())).collect(),
    }
}

/// The names of all features of a model, in its order, without those a caller adds.
#[pyfunction]
#[pyo3(signature = (search, table, lms, settings, *, models=Others::new()))]
pub fn feature_names(
    search: &str,
    table: &RuleTable,
    lms: Lms<'_>,
    settings: &Bound<'_, PyDict>,
    models: Others<'_>,
) -> PyResult<Vec<String>> {
    let (models, settings) = (self::models(table, lms, models), settings::read(settings)?);
    let kind = SearchKind::find(search).map_err(raise)?;
    kind.names(&models, &settings, FEATURES).map_err(raise)
}

/// A search under one model.
#[pyclass(module = "headway._core", frozen)]
pub struct Decoder {
    core: Arc<dyn Decode>,
}

#[pymethods]
impl Decoder {
    #[new]
    #[pyo3(signature = (search, table, lms, weights, settings, *, models=Others::new(), added=vec![]))]
    fn new(
        search: &str,
        table: &RuleTable,
        lms: Lms<'_>,
        weights: BTreeMap<String, f64>,
        settings: &Bound<'_, PyDict>,
        models: Others<'_>,
        added: Vec<String>,
    ) -> PyResult<Self> {
        let (models, settings) = (self::models(table, lms, models), settings::read(settings)?);
        let weights: Vec<(String, f64)> = weights.into_iter().collect();
        let kind = SearchKind::find(search).map_err(raise)?;
        let core = kind.decoder(models, settings, &added, &weights, FEATURES).map_err(raise)?;
        Ok(Decoder { core })
    }

    /// Names of all features, in the model's order.
    #[getter]
    fn features(&self) -> Vec<String> {
        self.core.model().names().to_vec()
    }

    /// The parts of a source besides its words that search uses, by name.
    #[getter]
    fn uses(&self) -> Vec<&'static str> {
        self.core.uses().names()
    }

    /// The spans of words that search takes one after the other; one span unless it is long.
    fn pieces(&self, source: source::Given<'_>) -> Vec<(usize, usize)> {
        let pieces = self.core.pieces(&source.core());
        pieces.into_iter().map(|piece| (piece.start, piece.end)).collect()
    }

    /// One translation for each source.
    #[pyo3(signature = (sources, *, threads=1, n_best=0, distinct=false, forests=false, trees=false, safest=None, added=None, before=0, progress=None))]
    fn translate(
        &self,
        py: Python<'_>,
        sources: Vec<source::Given<'_>>,
        threads: usize,
        n_best: usize,
        distinct: bool,
        forests: bool,
        trees: bool,
        safest: Option<(String, f64)>,
        added: Option<&AddedFeatures>,
        before: u64,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Translation>> {
        let safest = safest.map(|(gain, scale)| Ok((Gain::named(&gain)?, scale))).transpose();
        let safest = safest.map_err(raise)?;
        let request = Request { forest: forests, n_best, distinct, trees, safest, before };
        let (sources, added) = (self::sources(sources), added.map(|added| Arc::clone(&added.core)));
        memory::before_sentences(sources.len());
        let found = watch(py, threads, progress, |monitor| {
            self.core.translate_all(&sources, request, added.as_deref(), monitor)
        })?;
        Ok(translations(found, self.core.model()))
    }

    /// The rules that search would try for some source, each once.
    #[pyo3(signature = (sources, *, progress=None))]
    fn options(
        &self,
        py: Python<'_>,
        sources: Vec<source::Given<'_>>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<OptionList> {
        let sources = self::sources(sources);
        let listed = watch(py, 1, progress, |monitor| self.core.list(&sources, monitor))?;
        Ok(OptionList { core: Arc::clone(&self.core), listed })
    }

    /// The spans of words that source trees license as phrases; None where there is no tree to
    /// use.
    fn licensed(&self, source: source::Given<'_>) -> Option<Vec<(u32, u32)>> {
        self.core.licensed(&source.core())
    }

    /// What features with a state took so far, by name.
    fn counters(&self) -> BTreeMap<&'static str, u64> {
        self.core.counters().into_iter().collect()
    }

    /// All features of a derivation: source spans and target words, in the translation's order.
    fn score(
        &self,
        py: Python<'_>,
        source: source::Given<'_>,
        derivation: Vec<((u32, u32), Vec<String>)>,
    ) -> PyResult<Vec<f64>> {
        let given = |((start, end), target)| Given { start, end, target };
        let given: Vec<Given> = derivation.into_iter().map(given).collect();
        let source = source.core();
        py.detach(|| self.core.score(&source, &given)).map_err(raise)
    }
}

/// Rules of a batch, to be given values of added features.
#[pyclass(module = "headway._core", frozen)]
pub struct OptionList {
    core: Arc<dyn Decode>,
    listed: Vec<Listed>,
}

#[pymethods]
impl OptionList {
    fn __len__(&self) -> usize {
        self.listed.len()
    }

    /// The rules themselves.
    fn rules(&self) -> Vec<RuleParts> {
        let table = self.core.model().table();
        self.listed.iter().map(|listed| parts(table, &listed.rule, None)).collect()
    }

    /// The rules with values: for each added feature one number per rule.
    fn with_values(&self, columns: Vec<Vec<f32>>) -> PyResult<AddedFeatures> {
        let core = Arc::new(self.core.add(&self.listed, &columns).map_err(raise)?);
        Ok(AddedFeatures { core })
    }
}

/// Values of added features for the rules of a batch.
#[pyclass(module = "headway._core", frozen)]
pub struct AddedFeatures {
    core: Arc<Added>,
}
