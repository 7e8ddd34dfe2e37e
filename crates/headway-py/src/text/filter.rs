use std::path::PathBuf;

use headway_core::text::{self, Language};
use pyo3::prelude::*;

use super::tokens::Tokeniser;
use super::truecase::Truecaser;
use crate::errors::raise;
use crate::watch::watch;

/// Tokenises a file line by line; answers the number of lines.
#[pyfunction]
#[pyo3(signature = (tokeniser, source, output, *, spacing = None, lowercase = false, threads = 0, progress = None))]
pub fn tokenise_file(
    py: Python<'_>,
    tokeniser: &Tokeniser,
    source: PathBuf,
    output: PathBuf,
    spacing: Option<PathBuf>,
    lowercase: bool,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<u64> {
    watch(py, threads, progress, |monitor| {
        let spacing = spacing.as_deref();
        text::tokenise_lines(&source, &output, spacing, &tokeniser.core, lowercase, monitor)
    })
}

/// Puts the tokens of a file together, exactly if `spacing` is given.
#[pyfunction]
#[pyo3(signature = (tokeniser, source, output, *, spacing = None, threads = 0, progress = None))]
pub fn detokenise_file(
    py: Python<'_>,
    tokeniser: &Tokeniser,
    source: PathBuf,
    output: PathBuf,
    spacing: Option<PathBuf>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<u64> {
    let language = tokeniser.core.language();
    watch(py, threads, progress, |monitor| {
        text::detokenise_lines(&source, &output, spacing.as_deref(), language, monitor)
    })
}

/// Truecases a file of tokens.
#[pyfunction]
#[pyo3(signature = (truecaser, source, output, *, headlines = false, threads = 0, progress = None))]
pub fn truecase_file(
    py: Python<'_>,
    truecaser: &Truecaser,
    source: PathBuf,
    output: PathBuf,
    headlines: bool,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<u64> {
    watch(py, threads, progress, |monitor| {
        text::truecase_lines(&source, &output, &truecaser.core, headlines, monitor)
    })
}

/// Gives sentence beginnings in a file of tokens their capitals.
#[pyfunction]
#[pyo3(signature = (language, source, output, *, threads = 0, progress = None))]
pub fn recase_file(
    py: Python<'_>,
    language: Option<&str>,
    source: PathBuf,
    output: PathBuf,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<u64> {
    let language = Language::new(language).map_err(raise)?;
    watch(py, threads, progress, |monitor| text::recase_lines(&source, &output, &language, monitor))
}
