//! What search found, as Python sees it.

use std::sync::Arc;

use headway_core::decode::{self, By, Head, Joint, Model, NO_STEP, UnknownWords};
use headway_core::forest::Features;
use headway_core::tree::structure::Operation;
use headway_core::tune::Entry;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::forest::Forest;
use crate::lm::LanguageModel;
use crate::tree::DependencyTree;
use crate::watch::watch;

/// What the core found under a model, for Python.
pub fn translations(found: Vec<decode::Translation>, model: &Model) -> Vec<Translation> {
    let translation = |mut core: decode::Translation| {
        let forest = core.forest.take().map(Arc::new);
        Translation { core, forest, features: Arc::clone(model.features()) }
    };
    found.into_iter().map(translation).collect()
}

/// Heads as Python has them: places from 1, 0 for the root, None in no structure.
fn places(heads: &[Head]) -> Vec<Option<u32>> {
    let place = |head: &Head| match head {
        Head::Root => Some(0),
        Head::Word(place) => Some(place + 1),
        Head::Null => None,
    };
    heads.iter().map(place).collect()
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
            .map(|segment| {
                (segment.source, segment.target, segment.unknown.map(UnknownWords::name))
            })
            .collect()
    }

    /// For each segment both sides of its rule, slots as `[X1]` and `[X2]`; none for phrases.
    #[getter]
    fn rules(&self) -> Vec<Option<(String, String)>> {
        let sides = |shown: &Arc<decode::Shown>| (shown.source.clone(), shown.target.clone());
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
        self.core.heads.as_deref().map(places)
    }

    /// For each segment the place of the one that it depends on, from 1; 0 for the root, None if
    /// it says nothing. None where phrases were not parsed.
    #[getter]
    fn phrase_heads(&self) -> Option<Vec<Option<u32>>> {
        self.core.phrase_heads.as_deref().map(places)
    }

    #[getter]
    fn split(&self) -> bool {
        self.core.split
    }

    #[getter]
    fn hurried(&self) -> bool {
        self.core.hurried
    }

    /// The parts of its source that the decoder has no use for, by name.
    #[getter]
    fn ignored(&self) -> Vec<&'static str> {
        self.core.ignored.clone()
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

    /// How many entries its list has.
    #[getter]
    fn listed(&self) -> usize {
        self.core.n_best.len()
    }

    /// One entry of the list; itself if there is no such one.
    fn entry(&self, place: usize) -> Translation {
        let core = self.core.n_best.get(place).unwrap_or(&self.core).clone();
        Translation { core, forest: None, features: Arc::clone(&self.features) }
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
    pub fn core(&self) -> &decode::Translation {
        &self.core
    }

    pub fn core_forest(&self) -> Option<&Arc<headway_core::forest::Forest>> {
        self.forest.as_ref()
    }

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
