use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use headway_core::metric::named;
use headway_core::tune::{
    Entry, Forests, Found, KBest, Length, Loss, Mert, Mira, Pool, Pro, estimated, fit_length,
    lists, mert, mira, pro, regularised,
};
use headway_core::{Error, Monitor, Result};
use pyo3::prelude::*;

use crate::consensus::Vote;
use crate::decode::Translation;
use crate::errors::raise;
use crate::forest::Forest;
use crate::watch::watch;

/// Words, and features by number.
type Candidate = (Vec<String>, Vec<(u32, f64)>);

/// Candidates of a sentence: from a decoder of ours, or words with features by number.
#[derive(FromPyObject)]
enum List<'py> {
    Decoded(PyRef<'py, Translation>),
    Voted(PyRef<'py, Vote>),
    Given(Vec<Candidate>),
}

impl List<'_> {
    fn entries(self) -> Vec<Entry> {
        match self {
            List::Decoded(translation) => translation.entries(),
            List::Voted(vote) => vote.entries(),
            List::Given(list) => {
                list.into_iter().map(|(words, features)| Entry { words, features }).collect()
            }
        }
    }
}

/// Weights, and their score on the candidates known.
type FoundParts = (Vec<f64>, f64);

/// Candidates of all iterations of a tuning.
#[pyclass(module = "headway._core", frozen)]
pub struct TuningPool {
    core: RwLock<Pool>,
}

#[pymethods]
impl TuningPool {
    /// `references`: sentence, reference, word.
    #[new]
    fn new(metric: &str, references: Vec<Vec<Vec<String>>>, features: usize) -> PyResult<Self> {
        let metric = named(metric).map_err(raise)?;
        let pool = Pool::new(metric, &references, features).map_err(raise)?;
        Ok(TuningPool { core: RwLock::new(pool) })
    }

    fn __len__(&self) -> usize {
        self.read().candidates()
    }

    /// Adds a list for each sentence; how many candidates are new. A file for them is written
    /// first if one is named.
    #[pyo3(signature = (lists, *, save=None, threads=0))]
    fn merge(
        &self,
        py: Python<'_>,
        lists: Vec<List<'_>>,
        save: Option<PathBuf>,
        threads: usize,
    ) -> PyResult<usize> {
        let lists: Vec<Vec<Entry>> = lists.into_iter().map(List::entries).collect();
        watch(py, threads, None, |_| {
            if let Some(path) = save {
                lists::save(&path, &lists)?;
            }
            self.write().merge(lists)
        })
    }

    /// Adds the lists of a file that `merge` wrote.
    #[pyo3(signature = (path, *, threads=0))]
    fn merge_file(&self, py: Python<'_>, path: PathBuf, threads: usize) -> PyResult<usize> {
        watch(py, threads, None, |_| {
            let mut pool = self.write();
            let lists = lists::load(&path, pool.len())?;
            pool.merge(lists)
        })
    }

    /// The metric of what weights prefer.
    fn score(&self, py: Python<'_>, weights: Vec<f64>) -> PyResult<f64> {
        py.detach(|| {
            let pool = self.read();
            headway_core::tune::check(&weights, pool.features())?;
            Ok(pool.score(&weights))
        })
        .map_err(raise)
    }

    #[pyo3(signature = (starts, *, random_starts, directions, rounds, seed, threads=0, progress=None))]
    fn mert(
        &self,
        py: Python<'_>,
        starts: Vec<Vec<f64>>,
        random_starts: usize,
        directions: usize,
        rounds: usize,
        seed: u64,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<FoundParts> {
        let options = Mert { starts: random_starts, directions, rounds, seed };
        let work = |monitor: &Monitor| {
            let pool = self.read();
            mert(&KBest::new(&pool), &starts, &options, monitor)
        };
        watch(py, threads, progress, work).map(parts)
    }

    /// `interpolation` from 0 to 1; without one, to the best place on the way.
    #[pyo3(signature = (start, *, samples, keep, threshold, loss, l2, interpolation, seed, threads=0, progress=None))]
    fn pro(
        &self,
        py: Python<'_>,
        start: Vec<f64>,
        samples: usize,
        keep: usize,
        threshold: f64,
        loss: &str,
        l2: f64,
        interpolation: Option<f64>,
        seed: u64,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<FoundParts> {
        let loss = loss_named(loss).map_err(raise)?;
        let options = Pro { samples, keep, threshold, loss, l2, interpolation, seed };
        let work = |monitor: &Monitor| pro(&self.read(), &start, &options, monitor);
        watch(py, threads, progress, work).map(parts)
    }

    #[pyo3(signature = (start, *, passes, c, decay, seed, threads=0, progress=None))]
    fn mira(
        &self,
        py: Python<'_>,
        start: Vec<f64>,
        passes: usize,
        c: f64,
        decay: f64,
        seed: u64,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<FoundParts> {
        let options = Mira { passes, c, decay, seed };
        let work = |monitor: &Monitor| mira(&self.read(), &start, &options, monitor);
        watch(py, threads, progress, work).map(parts)
    }

    /// Learnt weights regularised towards those at the start, without a pull on lengths.
    #[pyo3(signature = (start, learnt, length, *, strength, threads=0))]
    fn regularised(
        &self,
        py: Python<'_>,
        start: Vec<f64>,
        learnt: Vec<f64>,
        length: Option<usize>,
        strength: f64,
        threads: usize,
    ) -> PyResult<Vec<f64>> {
        let work = |_: &Monitor| regularised(&self.read(), &start, &learnt, strength, length);
        watch(py, threads, None, work)
    }

    /// The best weight of one feature, the metric less the cost of lengths beyond `tolerance`.
    #[pyo3(signature = (weights, feature, *, tolerance, cost, threads=0))]
    fn fit_length(
        &self,
        py: Python<'_>,
        weights: Vec<f64>,
        feature: usize,
        tolerance: f64,
        cost: f64,
        threads: usize,
    ) -> PyResult<FoundParts> {
        let length = Length { tolerance, cost };
        let work = |_: &Monitor| fit_length(&self.read(), &weights, feature, length);
        watch(py, threads, None, work).map(parts)
    }

    /// Weights with those of `new` features by regression, and of `length` so that lengths stay.
    #[pyo3(signature = (weights, new, length, *, threads=0))]
    fn estimated(
        &self,
        py: Python<'_>,
        weights: Vec<f64>,
        new: Vec<usize>,
        length: Option<usize>,
        threads: usize,
    ) -> PyResult<Vec<f64>> {
        watch(py, threads, None, |_| estimated(&self.read(), &weights, &new, length))
    }
}

impl TuningPool {
    fn read(&self) -> RwLockReadGuard<'_, Pool> {
        self.core.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Pool> {
        self.core.write().unwrap_or_else(PoisonError::into_inner)
    }
}

fn parts(found: Found) -> FoundParts {
    (found.weights, found.score)
}

fn loss_named(name: &str) -> Result<Loss> {
    match name {
        "logistic" => Ok(Loss::Logistic),
        "hinge" => Ok(Loss::Hinge),
        _ => {
            let message = format!("tune.pro.loss is \"{name}\"; expected logistic or hinge");
            Err(Error::setting(message))
        }
    }
}

/// Forests of all iterations of a tuning.
#[pyclass(module = "headway._core", frozen)]
pub struct TuningForests {
    core: RwLock<Forests>,
}

#[pymethods]
impl TuningForests {
    /// `references`: sentence, reference, word.
    #[new]
    fn new(metric: &str, references: Vec<Vec<Vec<String>>>, features: usize) -> PyResult<Self> {
        let metric = named(metric).map_err(raise)?;
        let forests = Forests::new(metric, &references, features).map_err(raise)?;
        Ok(TuningForests { core: RwLock::new(forests) })
    }

    /// A forest for each sentence.
    fn merge(&self, forests: Vec<Py<Forest>>) -> PyResult<()> {
        let forests = forests.iter().map(|forest| Arc::clone(&forest.get().core)).collect();
        let mut core = self.core.write().unwrap_or_else(PoisonError::into_inner);
        core.add(forests).map_err(raise)
    }

    fn score(&self, py: Python<'_>, weights: Vec<f64>) -> PyResult<f64> {
        py.detach(|| self.core.read().unwrap_or_else(PoisonError::into_inner).score(&weights))
            .map_err(raise)
    }

    #[pyo3(signature = (starts, *, random_starts, directions, rounds, seed, threads=0, progress=None))]
    fn mert(
        &self,
        py: Python<'_>,
        starts: Vec<Vec<f64>>,
        random_starts: usize,
        directions: usize,
        rounds: usize,
        seed: u64,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<FoundParts> {
        let options = Mert { starts: random_starts, directions, rounds, seed };
        let work = |monitor: &Monitor| {
            let forests = self.core.read().unwrap_or_else(PoisonError::into_inner);
            mert(&*forests, &starts, &options, monitor)
        };
        watch(py, threads, progress, work).map(parts)
    }
}
