use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use headway_core::text::pairs::{self, Fault, PairOutput, PairSink, PairSource, Reading};
use headway_core::text::{Limits, Reason, clean};
use headway_core::{Error, Monitor, Result};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::watch::watch;

type Languages = Option<(String, String)>;

fn open(
    paths: &[PathBuf],
    form: &str,
    languages: &Languages,
    reading: Reading,
) -> Result<PairSource> {
    match (form, paths) {
        // Several corpora: source and target of each in turn.
        ("lines", [source, target, more @ ..]) if more.len() % 2 == 0 => {
            let first = PairSource::lines(source, target, reading)?;
            more.chunks_exact(2).try_fold(first, |all, two| all.followed_by(&two[0], &two[1]))
        }
        ("tsv", [path]) => PairSource::tsv(path, reading),
        ("tmx", [path]) => {
            let (source, target) = named(languages)?;
            PairSource::tmx(path, (source, target), reading)
        }
        _ => Err(mismatch(form, paths)),
    }
}

fn output(paths: Vec<PathBuf>, form: &str, languages: &Languages) -> Result<PairOutput> {
    match (form, &paths[..]) {
        ("lines", [source, target]) => Ok(PairOutput::Lines(source.clone(), target.clone())),
        ("tsv", [path]) => Ok(PairOutput::Tsv(path.clone())),
        ("tmx", [path]) => {
            let (source, target) = named(languages)?;
            Ok(PairOutput::Tmx {
                path: path.clone(),
                source_language: source.into(),
                target_language: target.into(),
            })
        }
        _ => Err(mismatch(form, &paths)),
    }
}

fn named(languages: &Languages) -> Result<(&str, &str)> {
    match languages {
        Some((source, target)) => Ok((source, target)),
        None => {
            Err(Error::setting("TMX needs the languages of source and target, such as de and en"))
        }
    }
}

fn mismatch(form: &str, paths: &[PathBuf]) -> Error {
    let message = "expected lines (two files), tsv or tmx (one file each), found";
    Error::setting(format!("{message} {form} with {} files", paths.len()))
}

/// Pairs of a corpus, batch by batch.
#[pyclass(module = "headway.corpus")]
pub struct PairReader {
    /// Never locked: Python hands out one mutable borrow at a time.
    source: Mutex<PairSource>,
    skipped: u64,
}

#[pymethods]
impl PairReader {
    #[new]
    #[pyo3(signature = (paths, form, languages = None))]
    fn new(paths: Vec<PathBuf>, form: &str, languages: Languages) -> PyResult<Self> {
        let source = open(&paths, form, &languages, Reading::Verbatim).map_err(raise)?;
        Ok(PairReader { source: Mutex::new(source), skipped: 0 })
    }

    /// The next pairs, at most `limit` of them; none at the end.
    fn next_batch(&mut self, py: Python<'_>, limit: usize) -> PyResult<Vec<(String, String)>> {
        watch(py, 1, None, |monitor| {
            let mut batch = Vec::new();
            let mut bytes = 0;
            // A few very long pairs are a batch as well.
            while batch.len() < limit && bytes < 4 << 20 {
                match self.next_pair(monitor)? {
                    Some(pair) => {
                        bytes += pair.0.len() + pair.1.len();
                        batch.push(pair);
                    }
                    None => break,
                }
            }
            Ok(batch)
        })
    }

    /// Units of a TMX file passed over so far because they lack a language.
    #[getter]
    fn skipped(&self) -> u64 {
        self.skipped
    }
}

impl PairReader {
    fn next_pair(&mut self, monitor: &Monitor) -> Result<Option<(String, String)>> {
        let source = self.source.get_mut().unwrap_or_else(PoisonError::into_inner);
        loop {
            let Some(pair) = source.next(monitor)? else { return Ok(None) };
            match pair.fault() {
                None => return Ok(Some((pair.source.text().into(), pair.target.text().into()))),
                Some(Fault::Language) => self.skipped += 1,
                Some(_) => return Err(source.error()),
            }
        }
    }
}

/// Writes pairs; the files appear when `finish` is called.
#[pyclass(module = "headway.corpus")]
pub struct PairWriter {
    sink: Mutex<Option<PairSink>>,
}

#[pymethods]
impl PairWriter {
    #[new]
    #[pyo3(signature = (paths, form, languages = None))]
    fn new(paths: Vec<PathBuf>, form: &str, languages: Languages) -> PyResult<Self> {
        let output = output(paths, form, &languages).map_err(raise)?;
        Ok(PairWriter { sink: Mutex::new(Some(PairSink::create(&output).map_err(raise)?)) })
    }

    fn write(&mut self, py: Python<'_>, pairs: Vec<(String, String)>) -> PyResult<()> {
        let sink = self.sink().as_mut().ok_or_else(finished).map_err(raise)?;
        let mut write = || {
            pairs.iter().try_for_each(|(source, target)| {
                sink.write_texts(source.as_bytes(), target.as_bytes(), b"")
            })
        };
        py.detach(&mut write).map_err(raise)
    }

    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        let sink = self.sink().take().ok_or_else(finished).map_err(raise)?;
        py.detach(|| sink.finish()).map_err(raise)
    }

    /// Gives up what was written: no file appears.
    fn discard(&mut self) {
        *self.sink() = None;
    }
}

impl PairWriter {
    fn sink(&mut self) -> &mut Option<PairSink> {
        self.sink.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}

fn finished() -> Error {
    Error::setting("this writer has finished; make a new one")
}

/// Copies a corpus from one form to another: pairs written, units without a language.
#[pyfunction]
#[pyo3(signature = (sources, source_form, outputs, output_form, *, languages = None, progress = None))]
pub fn convert_pairs(
    py: Python<'_>,
    sources: Vec<PathBuf>,
    source_form: &str,
    outputs: Vec<PathBuf>,
    output_form: &str,
    languages: Languages,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(u64, u64)> {
    let output = output(outputs, output_form, &languages).map_err(raise)?;
    watch(py, 1, progress, |monitor| {
        let mut source = open(&sources, source_form, &languages, Reading::Verbatim)?;
        pairs::convert(&mut source, &output, monitor)
    })
}

/// Pairs read, pairs kept, and for each reason its name, count and first lines.
type Outcome = (u64, u64, Vec<(&'static str, u64, Vec<u64>)>);

/// Copies the pairs of a corpus that are within the limits.
#[pyfunction]
#[pyo3(signature = (sources, source_form, outputs, output_form, *, languages = None,
    max_words, max_characters, max_ratio, keep_repeated, strict, progress = None))]
pub fn clean_pairs(
    py: Python<'_>,
    sources: Vec<PathBuf>,
    source_form: &str,
    outputs: Vec<PathBuf>,
    output_form: &str,
    languages: Languages,
    max_words: u32,
    max_characters: u32,
    max_ratio: f64,
    keep_repeated: bool,
    strict: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Outcome> {
    let output = output(outputs, output_form, &languages).map_err(raise)?;
    let limits = Limits { max_words, max_characters, max_ratio, keep_repeated, strict };
    let report = watch(py, 1, progress, |monitor| {
        let mut source = open(&sources, source_form, &languages, Reading::Cleaning)?;
        clean(&mut source, &output, &limits, monitor)
    })?;
    let dropped = Reason::ALL.into_iter().map(|reason| {
        let (count, lines) = report.dropped(reason);
        (reason.name(), count, lines.to_vec())
    });
    Ok((report.read, report.kept, dropped.collect()))
}
