use std::sync::Arc;
use std::time::Duration;

use headway_core::decode::chart::{self, RuleSet, TreeModel};
use headway_core::decode::stack::{self, Given};
use headway_core::decode::{
    self, Added, Algorithm, By, DependencySettings, Head, Joint, Listed, MOST_VALUE, Model,
    NO_STEP, Orienting, Prepared, Recombining, Request, Search, UnknownWords, builtin,
    minimum_risks, registered,
};
use headway_core::forest::Features;
use headway_core::tree::structure::Operation;
use headway_core::tune::Entry;
use headway_core::{Error, Monitor, Result};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::deplm::DependencyModel;
use crate::errors::raise;
use crate::forest::Forest;
use crate::lm::LanguageModel;
use crate::parse::GraphParser;
use crate::table::{RuleParts, RuleTable, parts};
use crate::tree::DependencyTree;
use crate::watch::watch;

/// The fields of `[search]`.
#[derive(FromPyObject)]
struct SearchParts {
    algorithm: String,
    pop_limit: usize,
    hope: f32,
    stack: usize,
    threshold: f32,
    distortion_limit: i64,
    options: usize,
    max_phrase: usize,
    unknown: String,
    orientation: String,
    max_words: usize,
    span_limit: usize,
    time_limit: f64,
    dependency_loops: bool,
    dependency_states: String,
}

impl SearchParts {
    fn search(&self) -> Result<Search> {
        let limit = u32::try_from(self.distortion_limit).ok();
        if limit.is_none() && self.distortion_limit != -1 {
            let found = self.distortion_limit;
            let message = "expected -1 (no limit), 0 (monotone) or more";
            return Err(Error::setting(format!("search.distortion_limit is {found}; {message}")));
        }
        if !(0.0..=1e9).contains(&self.time_limit) {
            let message = format!("search.time_limit is {}; expected seconds", self.time_limit);
            return Err(Error::setting(message));
        }
        let time_limit = (self.time_limit > 0.0).then(|| Duration::from_secs_f64(self.time_limit));
        Ok(Search {
            algorithm: named("algorithm", &self.algorithm, &ALGORITHMS)?,
            pop_limit: self.pop_limit,
            hope: self.hope,
            stack: self.stack,
            threshold: if self.threshold == 0.0 { f32::INFINITY } else { self.threshold },
            distortion_limit: limit,
            options: self.options,
            max_phrase: self.max_phrase,
            unknown: named("unknown", &self.unknown, &TREATMENTS)?,
            orienting: named("orientation", &self.orientation, &ORIENTINGS)?,
            max_words: self.max_words,
            span_limit: self.span_limit,
            time_limit,
            dependency: DependencySettings {
                loops: self.dependency_loops,
                recombining: named("dependency_states", &self.dependency_states, &RECOMBINING)?,
            },
        })
    }
}

/// Says what is wrong with search settings, before there is anything to search.
#[pyfunction]
pub fn check_search(settings: &Bound<'_, PyAny>) -> PyResult<()> {
    let search = settings.extract::<SearchParts>()?.search().map_err(raise)?;
    search.check().map_err(raise)
}

const ALGORITHMS: [(&str, Algorithm); 2] = [("cube", Algorithm::Cube), ("stack", Algorithm::Stack)];
const TREATMENTS: [(&str, UnknownWords); 3] =
    [("copy", UnknownWords::Copy), ("drop", UnknownWords::Drop), ("mark", UnknownWords::Mark)];
const RECOMBINING: [(&str, Recombining); 2] =
    [("tags", Recombining::Tags), ("words", Recombining::Words)];
const ORIENTINGS: [(&str, Orienting); 2] =
    [("phrase", Orienting::Phrase), ("hierarchical", Orienting::Hierarchical)];

fn named<T: Copy>(setting: &str, found: &str, known: &[(&str, T)]) -> Result<T> {
    let value = known.iter().find(|(name, _)| *name == found).map(|&(_, value)| value);
    value.ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|&(name, _)| name).collect();
        Error::setting(format!("search.{setting} is \"{found}\"; expected {}", names.join(" or ")))
    })
}

fn treatment_name(treatment: UnknownWords) -> &'static str {
    TREATMENTS.iter().find(|(_, known)| *known == treatment).map_or("", |(name, _)| name)
}

/// What both kinds of search do: the base of their classes.
#[pyclass(module = "headway._core", name = "SearchDecoder", subclass, frozen)]
pub struct BaseDecoder {
    core: Core,
}

/// A decoder of one kind.
#[derive(Clone)]
enum Core {
    Stack(Arc<stack::Decoder>),
    Chart(Arc<chart::Decoder>),
}

impl Core {
    fn model(&self) -> &Model {
        match self {
            Core::Stack(core) => core.model(),
            Core::Chart(core) => core.model(),
        }
    }

    fn translate(
        &self,
        sentences: &[Vec<String>],
        request: Request,
        added: Option<&AddedValues>,
        monitor: &Monitor,
    ) -> Result<Vec<decode::Translation>> {
        match (self, added) {
            (Core::Stack(core), None) => core.translate_all(sentences, request, None, monitor),
            (Core::Chart(core), None) => core.translate_all(sentences, request, None, monitor),
            (Core::Stack(core), Some(AddedValues::Stack(added))) => {
                core.translate_all(sentences, request, Some(added), monitor)
            }
            (Core::Chart(core), Some(AddedValues::Chart(added))) => {
                core.translate_all(sentences, request, Some(added), monitor)
            }
            _ => {
                let message = "the added features are of another search";
                Err(Error::setting(format!("{message}; ask this decoder for options")))
            }
        }
    }

    fn list(&self, sentences: &[Vec<String>], monitor: &Monitor) -> Result<Vec<Listed>> {
        match self {
            Core::Stack(core) => core.list(sentences, monitor),
            Core::Chart(core) => core.list(sentences, monitor),
        }
    }
}

#[pymethods]
impl BaseDecoder {
    /// Names of all features, in the model's order.
    #[getter]
    fn features(&self) -> Vec<String> {
        self.core.model().names().to_vec()
    }

    /// One translation for each sentence.
    #[pyo3(signature = (sentences, *, threads=1, n_best=0, distinct=false, forests=false, trees=false, added=None, before=0, progress=None))]
    fn translate(
        &self,
        py: Python<'_>,
        sentences: Vec<Vec<String>>,
        threads: usize,
        n_best: usize,
        distinct: bool,
        forests: bool,
        trees: bool,
        added: Option<&AddedFeatures>,
        before: u64,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Translation>> {
        let request = Request { forest: forests, n_best, distinct, trees, before };
        let added = added.map(|added| Arc::clone(&added.core));
        let found = watch(py, threads, progress, |monitor| {
            self.core.translate(&sentences, request, added.as_deref(), monitor)
        })?;
        Ok(translations(found, self.core.model()))
    }

    /// The rules that search would try for some sentence, each once.
    #[pyo3(signature = (sentences, *, progress=None))]
    fn options(
        &self,
        py: Python<'_>,
        sentences: Vec<Vec<String>>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<OptionList> {
        let listed = watch(py, 1, progress, |monitor| self.core.list(&sentences, monitor))?;
        Ok(OptionList { core: self.core.clone(), listed })
    }
}

/// Phrase-based search under one model.
#[pyclass(module = "headway._core", extends = BaseDecoder, frozen)]
pub struct StackDecoder {
    core: Arc<stack::Decoder>,
}

#[pymethods]
impl StackDecoder {
    #[new]
    #[pyo3(signature = (table, lms, weights, settings, *, added=vec![], parser=None))]
    fn new(
        table: &RuleTable,
        lms: Vec<(String, PyRef<'_, LanguageModel>)>,
        weights: Bound<'_, PyDict>,
        settings: SearchParts,
        added: Vec<String>,
        parser: Option<PyRef<'_, GraphParser>>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let (lms, weights) = (models(lms), weights_of(&weights)?);
        let parser = parser.map(|parser| Arc::clone(&parser.core));
        let build = || {
            let search = settings.search()?;
            let features = registered(&table.core, parser, &search)?;
            let stateful: Vec<String> =
                features.iter().flat_map(|feature| feature.names()).collect();
            let model = Model::new(
                builtin::DISTORTION,
                Arc::clone(&table.core),
                lms,
                &added,
                &stateful,
                &weights,
            )?;
            stack::Decoder::new(model, search, features)
        };
        let core = Arc::new(build().map_err(raise)?);
        let base = BaseDecoder { core: Core::Stack(Arc::clone(&core)) };
        Ok(PyClassInitializer::from(base).add_subclass(StackDecoder { core }))
    }

    /// What features with a state took so far, by name.
    fn counters<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let counters = PyDict::new(py);
        for (name, count) in self.core.counters() {
            counters.set_item(name, count)?;
        }
        Ok(counters)
    }

    /// All features of a derivation: source spans and target words, in the translation's order.
    fn score(
        &self,
        py: Python<'_>,
        sentence: Vec<String>,
        derivation: Vec<((u32, u32), Vec<String>)>,
    ) -> PyResult<Vec<f64>> {
        let given: Vec<Given> = derivation
            .into_iter()
            .map(|((start, end), target)| Given { start, end, target })
            .collect();
        let words: Vec<&str> = sentence.iter().map(String::as_str).collect();
        py.detach(|| self.core.score(&words, &given)).map_err(raise)
    }
}

/// Hierarchical search under one model.
#[pyclass(module = "headway._core", extends = BaseDecoder, frozen)]
pub struct ChartDecoder {}

#[pymethods]
impl ChartDecoder {
    #[new]
    #[pyo3(signature = (table, lms, weights, settings, *, added=vec![], dependency=None))]
    fn new(
        table: &RuleTable,
        lms: Vec<(String, PyRef<'_, LanguageModel>)>,
        weights: Bound<'_, PyDict>,
        settings: SearchParts,
        added: Vec<String>,
        dependency: Option<&DependencyModel>,
    ) -> PyResult<PyClassInitializer<Self>> {
        let (lms, weights) = (models(lms), weights_of(&weights)?);
        let build = || {
            let search = settings.search()?;
            let table = Arc::clone(&table.core);
            let Some(dependency) = dependency else {
                let model = Model::new(builtin::GLUE, table, lms, &added, &[], &weights)?;
                return chart::Decoder::new(model, search, None);
            };
            let names = TreeModel::names(&table);
            let model = Model::new(builtin::SPECIAL, table, lms, &added, &names, &weights)?;
            let trees = TreeModel::new(Arc::clone(&dependency.core), &model)?;
            chart::Decoder::new(model, search, Some(trees))
        };
        let core = Arc::new(build().map_err(raise)?);
        let base = BaseDecoder { core: Core::Chart(core) };
        Ok(PyClassInitializer::from(base).add_subclass(ChartDecoder {}))
    }

    /// The features that target trees bring, for a table.
    #[staticmethod]
    fn tree_features(table: &RuleTable) -> Vec<String> {
        TreeModel::names(&table.core)
    }
}

fn models(lms: Vec<(String, PyRef<'_, LanguageModel>)>) -> decode::LanguageModels {
    lms.into_iter().map(|(name, lm)| (name, Arc::clone(&lm.core))).collect()
}

fn weights_of(weights: &Bound<'_, PyDict>) -> PyResult<Vec<(String, f64)>> {
    weights.iter().map(|(key, value)| Ok((key.extract()?, value.extract()?))).collect()
}

fn translations(found: Vec<decode::Translation>, model: &Model) -> Vec<Translation> {
    let translation = |mut core: decode::Translation| {
        let forest = core.forest.take().map(Arc::new);
        Translation { core, forest, features: Arc::clone(model.features()) }
    };
    found.into_iter().map(translation).collect()
}

/// Values of added features, for one kind of search.
enum AddedValues {
    Stack(Added<Prepared>),
    Chart(Added<RuleSet>),
}

/// Rules of a batch, to be given values of added features.
#[pyclass(module = "headway._core", frozen)]
pub struct OptionList {
    core: Core,
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
        let columns_of = self.core.model().columns();
        let wanted = columns_of.stateful - columns_of.added;
        let fits = columns.len() == wanted
            && columns.iter().all(|column| column.len() == self.listed.len());
        if !fits {
            let rules = self.listed.len();
            let message = format!("expected {wanted} lists of {rules} values, one per rule");
            return Err(raise(Error::setting(message)));
        }
        if !columns.iter().flatten().all(|value| value.abs() <= MOST_VALUE) {
            let message = "a value of an added feature is out of range";
            return Err(raise(Error::setting(format!("{message}; expected -1e9 to 1e9"))));
        }
        let rows = (0..self.listed.len())
            .map(|rule| columns.iter().map(|column| column[rule]).collect())
            .collect();
        let core = match self.core {
            Core::Stack(_) => AddedValues::Stack(Added::new(&self.listed, rows)),
            Core::Chart(_) => AddedValues::Chart(Added::new(&self.listed, rows)),
        };
        Ok(AddedFeatures { core: Arc::new(core) })
    }
}

/// Values of added features for the rules of a batch.
#[pyclass(module = "headway._core", frozen)]
pub struct AddedFeatures {
    core: Arc<AddedValues>,
}

/// What search found for a sentence.
#[pyclass(module = "headway._core", frozen)]
pub struct Translation {
    core: decode::Translation,
    forest: Option<Arc<headway_core::forest::Forest>>,
    features: Arc<Features>,
}

/// Source span, segment, what joined its parts, parts.
type StepParts = ((u32, u32), Option<u32>, Option<&'static str>, Vec<u32>);

/// Source span, target span, what became of an unknown word.
type SegmentParts = ((u32, u32), (u32, u32), Option<&'static str>);

#[pymethods]
impl Translation {
    #[getter]
    fn words(&self) -> Vec<String> {
        self.core.words.clone()
    }

    #[getter]
    fn score(&self) -> f64 {
        self.core.score
    }

    /// Values in the order of the decoder's features.
    #[getter]
    fn values(&self) -> Vec<f64> {
        self.core.features.clone()
    }

    /// Values by name.
    #[getter]
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for (name, value) in self.features.names().iter().zip(&self.core.features) {
            values.set_item(name, value)?;
        }
        Ok(values)
    }

    #[getter]
    fn segments(&self) -> Vec<SegmentParts> {
        let segments = self.core.segments.iter();
        segments
            .map(|segment| (segment.source, segment.target, segment.unknown.map(treatment_name)))
            .collect()
    }

    /// For each segment both sides of its rule, slots as `[X1]` and `[X2]`; none for phrases.
    #[getter]
    fn rules(&self) -> Vec<Option<(String, String)>> {
        let sides = |shown: &decode::Shown| (shown.source.clone(), shown.target.clone());
        self.core.segments.iter().map(|segment| segment.rule.as_ref().map(sides)).collect()
    }

    /// The places of these rules among the table's of the same source side.
    #[getter]
    fn places(&self) -> Vec<Option<u32>> {
        let segments = self.core.segments.iter();
        segments.map(|segment| segment.rule.as_ref().and_then(|rule| rule.place)).collect()
    }

    /// How the rules hang together: source span, the segment of a rule or what joined two
    /// steps, and the steps that it is made of.
    #[getter]
    fn steps(&self) -> Vec<StepParts> {
        let step = |step: &Joint| {
            let (segment, joined) = match step.by {
                By::Rule(segment) => (Some(segment), None),
                By::Glue => (None, Some("glue")),
                By::Join(operation) => (None, Some(operation.map_or("null", Operation::name))),
            };
            let parts = step.parts.into_iter().filter(|&part| part != NO_STEP).collect();
            (step.source, segment, joined, parts)
        };
        self.core.steps.iter().map(step).collect()
    }

    /// Word links: source word, target word.
    #[getter]
    fn alignment(&self) -> Vec<(u32, u32)> {
        self.core.links.clone()
    }

    /// For each word the place of its head, from 1; 0 for the root, None in no structure. None
    /// where no trees were built.
    #[getter]
    fn heads(&self) -> Option<Vec<Option<u32>>> {
        let head = |head: &Head| match head {
            Head::Root => Some(0),
            Head::Word(place) => Some(place + 1),
            Head::Null => None,
        };
        self.core.heads.as_ref().map(|heads| heads.iter().map(head).collect())
    }

    #[getter]
    fn split(&self) -> bool {
        self.core.split
    }

    #[getter]
    fn hurried(&self) -> bool {
        self.core.hurried
    }

    #[getter]
    fn n_best(&self) -> Vec<Translation> {
        let entry = |core: &decode::Translation| Translation {
            core: core.clone(),
            forest: None,
            features: Arc::clone(&self.features),
        };
        self.core.n_best.iter().map(entry).collect()
    }

    /// Words, score and features alone, of the list as well.
    fn bare(&self) -> Translation {
        Translation { core: self.core.bare(), forest: None, features: Arc::clone(&self.features) }
    }

    /// Its tree, if it was asked for and the system parses what it says.
    #[getter]
    fn tree(&self) -> Option<DependencyTree> {
        self.core.tree.clone().map(DependencyTree::from)
    }

    #[getter]
    fn forest(&self) -> Option<Forest> {
        self.forest.as_ref().map(|core| Forest { core: Arc::clone(core) })
    }
}

impl Translation {
    /// Its n-best list, for tuning; itself if there is none.
    pub fn entries(&self) -> Vec<Entry> {
        let entry = |core: &decode::Translation| Entry {
            words: core.words.clone(),
            features: (0..).zip(core.features.iter().copied()).collect(),
        };
        match self.core.n_best.is_empty() {
            true => vec![entry(&self.core)],
            false => self.core.n_best.iter().map(entry).collect(),
        }
    }
}

/// For each translation the place in its n-best list of the one with the least risk by sentence
/// BLEU; 0 without a list.
#[pyfunction]
#[pyo3(signature = (translations, scale, *, threads = 0))]
pub fn least_risk(
    py: Python<'_>,
    translations: Vec<PyRef<'_, Translation>>,
    scale: f64,
    threads: usize,
) -> PyResult<Vec<usize>> {
    let lists: Vec<Vec<(&[String], f64)>> = translations
        .iter()
        .map(|found| found.core.n_best.iter().map(|c| (c.words.as_slice(), c.score)).collect())
        .collect();
    watch(py, threads, None, |_| Ok(minimum_risks(&lists, scale)))
}

/// Translations with n-best lists in the order of new scores: the value of a feature becomes what
/// `lm` says of the words, and all count with these weights, in the decoder's order.
#[pyfunction]
#[pyo3(signature = (translations, feature, lm, weights, *, threads = 0))]
pub fn rescore(
    py: Python<'_>,
    translations: Vec<PyRef<'_, Translation>>,
    feature: usize,
    lm: &LanguageModel,
    weights: Vec<f64>,
    threads: usize,
) -> PyResult<Vec<Translation>> {
    let cores: Vec<&decode::Translation> = translations.iter().map(|it| &it.core).collect();
    let lm = Arc::clone(&lm.core);
    let found = watch(py, threads, None, |_| Ok(decode::rescore(&cores, feature, &lm, &weights)))?;
    let back = found.into_iter().zip(&translations);
    let translation = |(core, old): (decode::Translation, &PyRef<'_, Translation>)| Translation {
        core,
        forest: old.forest.clone(),
        features: Arc::clone(&old.features),
    };
    Ok(back.map(translation).collect())
}
