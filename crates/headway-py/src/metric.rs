use headway_core::metric::{add, named, statistics};
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

/// The score of a text from the statistics of its lines; larger is better.
#[pyfunction]
pub fn metric_score(metric: &str, statistics: Vec<Vec<f64>>) -> PyResult<f64> {
    let metric = named(metric).map_err(raise)?;
    let mut sums = vec![0.0; metric.width()];
    for numbers in &statistics {
        fits(metric.width(), numbers)?;
        add(&mut sums, numbers);
    }
    Ok(metric.score(&sums))
}

/// The score of each line alone, smoothed.
#[pyfunction]
pub fn metric_sentence_scores(metric: &str, statistics: Vec<Vec<f64>>) -> PyResult<Vec<f64>> {
    let metric = named(metric).map_err(raise)?;
    let score = |numbers: &Vec<f64>| {
        fits(metric.width(), numbers)?;
        Ok(metric.sentence_score(numbers))
    };
    statistics.iter().map(score).collect()
}

fn fits(width: usize, numbers: &[f64]) -> PyResult<()> {
    if numbers.len() == width {
        return Ok(());
    }
    let message = format!("expected {width} numbers for each line, found {}", numbers.len());
    Err(raise(headway_core::Error::setting(message)))
}
