//! Votes of systems, as Python sees them.

use headway_core::consensus::{self, Ballot, Gain, Options};
use headway_core::forest::Forest;
use headway_core::tune::Entry;
use pyo3::prelude::*;

use crate::decode::Translation;
use crate::errors::raise;
use crate::watch::watch;

/// The candidates of one sentence.
#[pyclass(module = "headway._core", frozen)]
pub struct Vote {
    core: consensus::Vote,
}

#[pymethods]
impl Vote {
    fn __len__(&self) -> usize {
        self.core.entries.len()
    }

    /// For each candidate the member that said it, and its place in that one's list.
    fn places(&self) -> Vec<(usize, usize)> {
        self.core.entries.iter().map(|entry| (entry.member, entry.place)).collect()
    }

    fn words(&self, entry: usize) -> Vec<String> {
        self.core.entries.get(entry).map(|entry| entry.words.clone()).unwrap_or_default()
    }

    /// Values by the names of `vote_features`.
    fn values(&self, entry: usize) -> Vec<f64> {
        self.core.entries.get(entry).map(|entry| entry.features.clone()).unwrap_or_default()
    }

    /// The best candidates under these weights with their scores, best first.
    fn ranked(&self, py: Python<'_>, weights: Vec<f64>, most: usize) -> Vec<(usize, f64)> {
        py.detach(|| {
            let mut all = self.core.ranked(&weights);
            all.truncate(most);
            all
        })
    }

    /// How probable each word is, as the members have it.
    fn sure(&self, py: Python<'_>, words: Vec<String>) -> Vec<f64> {
        py.detach(|| self.core.sure(&words))
    }

    /// For each member how often the n-grams that end with each word are expected, at most 1.
    fn support(&self, words: Vec<String>, length: usize) -> Vec<Option<Vec<f64>>> {
        self.core.support(&words, length.max(1))
    }
}

impl Vote {
    /// All candidates, for tuning.
    pub fn entries(&self) -> Vec<Entry> {
        let entry = |one: &consensus::Entry| Entry {
            words: one.words.clone(),
            features: (0..).zip(one.features.iter().copied()).collect(),
        };
        self.core.entries.iter().map(entry).collect()
    }
}

/// The names of the features of a vote of these members.
#[pyfunction]
pub fn vote_features(members: Vec<String>) -> Vec<String> {
    consensus::feature_names(&members)
}

/// A member's translation without a list counts as a list of one.
fn ballot(found: &Translation, scale: f64, forests: bool) -> Ballot<'_> {
    let core = found.core();
    let mut list: Vec<(&[String], f64)> =
        core.n_best.iter().map(|one| (one.words.as_slice(), one.score)).collect();
    if list.is_empty() {
        list.push((&core.words, core.score));
    }
    let forest: Option<&Forest> = found.core_forest().filter(|_| forests).map(AsRef::as_ref);
    Ballot { forest, list, scale }
}

/// One vote for each sentence. `found` has for each sentence what each member said, or None;
/// `forests` says whether a member's forest or only its list counts.
#[pyfunction]
#[pyo3(signature = (found, scales, forests, *, gain, edges, negligible, threads=0))]
pub fn votes(
    py: Python<'_>,
    found: Vec<Vec<Option<PyRef<'_, Translation>>>>,
    scales: Vec<f64>,
    forests: Vec<bool>,
    gain: &str,
    edges: usize,
    negligible: f64,
    threads: usize,
) -> PyResult<Vec<Vote>> {
    let options = Options { gain: Gain::named(gain).map_err(raise)?, edges, negligible };
    let members = || scales.iter().zip(&forests);
    let all: Vec<Vec<Option<Ballot<'_>>>> = found
        .iter()
        .map(|own| {
            let said = own.iter().zip(members());
            said.map(|(one, (&scale, &forests))| Some(ballot(one.as_ref()?, scale, forests)))
                .collect()
        })
        .collect();
    let found = watch(py, threads, None, |_| consensus::votes(&all, options))?;
    Ok(found.into_iter().map(|core| Vote { core }).collect())
}
