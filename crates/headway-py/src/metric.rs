use headway_core::Error;
use headway_core::metric::{MeteorNumbers, MeteorWord, meteor, meteor_lines, named, statistics};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::watch::watch;

/// The statistics of each line against the same line of each reference.
#[pyfunction]
#[pyo3(signature = (metric, hypotheses, references, *, threads=0, progress=None))]
pub fn metric_statistics(
    py: Python<'_>,
    metric: &str,
    hypotheses: Vec<String>,
    references: Vec<Vec<String>>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Vec<Vec<f64>>> {
    let metric = named(metric).map_err(raise)?;
    watch(py, threads, progress, |monitor| {
        statistics(metric.as_ref(), &hypotheses, &references, monitor)
    })
}

/// The score of each text from the sums of its lines' statistics, or, `smoothed`, of each line.
#[pyfunction]
#[pyo3(signature = (metric, sums, *, smoothed=false))]
pub fn metric_scores(metric: &str, sums: Vec<Vec<f64>>, smoothed: bool) -> PyResult<Vec<f64>> {
    let metric = named(metric).map_err(raise)?;
    let score = |numbers: &Vec<f64>| {
        if numbers.len() != metric.width() {
            let (expected, found) = (metric.width(), numbers.len());
            let message = format!("expected {expected} numbers for each line, found {found}");
            return Err(raise(Error::setting(message)));
        }
        Ok(if smoothed { metric.sentence_score(numbers) } else { metric.score(numbers) })
    };
    sums.iter().map(score).collect()
}

/// Matches, lengths and chunks of each line, given as words and stems by number.
#[pyfunction]
#[pyo3(signature = (hypotheses, references, *, threads=0, progress=None))]
pub fn meteor_statistics(
    py: Python<'_>,
    hypotheses: Vec<Vec<MeteorWord>>,
    references: Vec<Vec<Vec<MeteorWord>>>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Vec<MeteorNumbers>> {
    watch(py, threads, progress, |monitor| meteor_lines(&hypotheses, &references, monitor))
}

#[pyfunction]
pub fn meteor_scores(sums: Vec<MeteorNumbers>) -> Vec<f64> {
    sums.iter().map(meteor).collect()
}
