use std::path::PathBuf;

use headway_core::tree::conllu::Reader;
use headway_core::tree::{Census, Found};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::io::format_named;
use crate::watch::watch;

/// Counts over a file of sentences, by name; odd kinds as their count and first lines.
#[pyfunction]
#[pyo3(signature = (path, format, most_lines, progress = None))]
pub fn treebank_census<'py>(
    py: Python<'py>,
    path: PathBuf,
    format: &str,
    most_lines: usize,
    progress: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let format = format_named(format)?;
    let census = watch(py, 1, progress, |monitor| {
        Census::take(&mut Reader::open(&path, format)?, most_lines, monitor)
    })?;
    let counts = PyDict::new(py);
    for (name, count) in [
        ("sentences", census.sentences),
        ("words", census.words),
        ("ranges", census.ranges),
        ("empty_nodes", census.empty_nodes),
        ("longest", census.longest),
        ("parsed", census.parsed),
        ("trees", census.trees),
    ] {
        counts.set_item(name, count)?;
    }
    for (name, Found { count, lines }) in [
        ("nonprojective", census.nonprojective),
        ("cyclic", census.cyclic),
        ("multi_root", census.multi_root),
        ("unparsed", census.unparsed),
        ("empty", census.empty),
        ("other_text", census.other_text),
    ] {
        counts.set_item(name, (count, lines))?;
    }
    Ok(counts)
}
