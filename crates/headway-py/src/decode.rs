use std::sync::Arc;
use std::time::Duration;

use headway_core::decode::stack::{self, Added, Decoder, Given, Listed, Request};
use headway_core::decode::{
    Algorithm, Model, Orienting, Search, UnknownWords, minimum_risk, registered,
};
use headway_core::tune::Entry;
use headway_core::{Error, Result};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::raise;
use crate::forest::Forest;
use crate::lm::LanguageModel;
use crate::table::{RuleParts, RuleTable, parts};
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
    time_limit: f64,
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
            time_limit,
        })
    }
}

const ALGORITHMS: [(&str, Algorithm); 2] = [("cube", Algorithm::Cube), ("stack", Algorithm::Stack)];
const TREATMENTS: [(&str, UnknownWords); 3] =
    [("copy", UnknownWords::Copy), ("drop", UnknownWords::Drop), ("mark", UnknownWords::Mark)];
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

/// Phrase-based search under one model.
#[pyclass(module = "headway._core", frozen)]
pub struct StackDecoder {
    core: Arc<Decoder>,
}

#[pymethods]
impl StackDecoder {
    #[new]
    #[pyo3(signature = (table, lms, weights, settings, *, added=vec![]))]
    fn new(
        table: &RuleTable,
        lms: Vec<(String, PyRef<'_, LanguageModel>)>,
        weights: Bound<'_, PyDict>,
        settings: SearchParts,
        added: Vec<String>,
    ) -> PyResult<Self> {
        let weights: Vec<(String, f64)> = weights
            .iter()
            .map(|(key, value)| Ok((key.extract()?, value.extract()?)))
            .collect::<PyResult<_>>()?;
        let lms = lms.into_iter().map(|(name, lm)| (name, Arc::clone(&lm.core))).collect();
        let build = || {
            let search = settings.search()?;
            let features = registered(&table.core, &search)?;
            let stateful: Vec<String> =
                features.iter().flat_map(|feature| feature.names()).collect();
            let model = Model::new(Arc::clone(&table.core), lms, &added, &stateful, &weights)?;
            Decoder::new(model, search, features)
        };
        Ok(StackDecoder { core: Arc::new(build().map_err(raise)?) })
    }

    /// Names of all features, in the model's order.
    #[getter]
    fn features(&self) -> Vec<String> {
        self.core.model().names().to_vec()
    }

    /// One translation for each sentence.
    #[pyo3(signature = (sentences, *, threads=1, n_best=0, distinct=false, forests=false, added=None, progress=None))]
    fn translate(
        &self,
        py: Python<'_>,
        sentences: Vec<Vec<String>>,
        threads: usize,
        n_best: usize,
        distinct: bool,
        forests: bool,
        added: Option<&AddedFeatures>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Translation>> {
        let request = Request { forest: forests, n_best, distinct };
        let added = added.map(|added| Arc::clone(&added.core));
        let found = watch(py, threads, progress, |monitor| {
            self.core.translate_all(&sentences, request, added.as_deref(), monitor)
        })?;
        Ok(found.into_iter().map(|core| self.translation(core)).collect())
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
        Ok(OptionList { decoder: Arc::clone(&self.core), listed })
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

impl StackDecoder {
    fn translation(&self, mut core: stack::Translation) -> Translation {
        let forest = core.forest.take().map(Arc::new);
        Translation { core, forest, decoder: Arc::clone(&self.core) }
    }
}

/// Rules of a batch, to be given values of added features.
#[pyclass(module = "headway._core", frozen)]
pub struct OptionList {
    decoder: Arc<Decoder>,
    listed: Vec<Listed>,
}

#[pymethods]
impl OptionList {
    fn __len__(&self) -> usize {
        self.listed.len()
    }

    /// The rules themselves.
    fn rules(&self) -> Vec<RuleParts> {
        let table = self.decoder.model().table();
        self.listed.iter().map(|listed| parts(table, &listed.rule, None)).collect()
    }

    /// The rules with values: for each added feature one number per rule.
    fn with_values(&self, columns: Vec<Vec<f32>>) -> PyResult<AddedFeatures> {
        let model = self.decoder.model();
        let wanted = model.columns().stateful - model.columns().added;
        let fits = columns.len() == wanted
            && columns.iter().all(|column| column.len() == self.listed.len());
        if !fits {
            let rules = self.listed.len();
            let message = format!("expected {wanted} lists of {rules} values, one per rule");
            return Err(raise(Error::setting(message)));
        }
        if columns.iter().flatten().any(|value| !value.is_finite()) {
            return Err(raise(Error::setting("a value of an added feature is no finite number")));
        }
        let rows = (0..self.listed.len())
            .map(|rule| columns.iter().map(|column| column[rule]).collect())
            .collect();
        Ok(AddedFeatures { core: Arc::new(Added::new(&self.listed, rows)) })
    }
}

/// Values of added features for the rules of a batch.
#[pyclass(module = "headway._core", frozen)]
pub struct AddedFeatures {
    core: Arc<Added>,
}

/// What search found for a sentence.
#[pyclass(module = "headway._core", frozen)]
pub struct Translation {
    core: stack::Translation,
    forest: Option<Arc<headway_core::forest::Forest>>,
    decoder: Arc<Decoder>,
}

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
        for (name, value) in self.decoder.model().names().iter().zip(&self.core.features) {
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

    /// Word links: source word, target word.
    #[getter]
    fn alignment(&self) -> Vec<(u32, u32)> {
        self.core.links.clone()
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
        let entry = |core: &stack::Translation| Translation {
            core: core.clone(),
            forest: None,
            decoder: Arc::clone(&self.decoder),
        };
        self.core.n_best.iter().map(entry).collect()
    }

    #[getter]
    fn forest(&self) -> Option<Forest> {
        self.forest.as_ref().map(|core| Forest { core: Arc::clone(core) })
    }
}

impl Translation {
    /// Its n-best list, for tuning; itself if there is none.
    pub fn entries(&self) -> Vec<Entry> {
        let entry = |core: &stack::Translation| Entry {
            words: core.words.clone(),
            features: (0..).zip(core.features.iter().copied()).collect(),
        };
        match self.core.n_best.is_empty() {
            true => vec![entry(&self.core)],
            false => self.core.n_best.iter().map(entry).collect(),
        }
    }
}

/// The place of the translation with the least risk by sentence BLEU; none of none.
#[pyfunction]
pub fn least_risk(translations: Vec<(Vec<String>, f64)>, scale: f64) -> Option<usize> {
    minimum_risk(&translations, scale)
}
