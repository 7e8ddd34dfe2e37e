//! Files of trees, in batches: one crossing for many sentences.

use crate::watch::watch;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use headway_core::text::Output;
use headway_core::tree::conllu::{self, Format, Tags};
use headway_core::tree::penn;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::constituent::{ConstituentTree, head_rules_named};
use super::sentence::Sentence;
use crate::errors::{ConfigError, raise};

pub fn format_named(name: &str) -> PyResult<Format> {
    Format::named(name).ok_or_else(|| {
        ConfigError::new_err(format!("no format {name:?}; expected conllu, conllx or dp"))
    })
}

fn closed() -> PyErr {
    PyValueError::new_err("the file is finished")
}

/// What a method with `&mut self` has alone; the mutex is there for Python's threads only.
fn own<T>(mutex: &mut Mutex<T>) -> &mut T {
    mutex.get_mut().unwrap_or_else(PoisonError::into_inner)
}

/// Reads a file of sentences in batches.
#[pyclass(module = "headway._core")]
pub struct SentenceReader {
    core: Mutex<conllu::Reader>,
}

#[pymethods]
impl SentenceReader {
    #[new]
    fn new(py: Python<'_>, path: PathBuf, format: &str) -> PyResult<Self> {
        let format = format_named(format)?;
        let core = watch(py, 1, None, |_| conllu::Reader::open(&path, format))?;
        Ok(SentenceReader { core: Mutex::new(core) })
    }

    /// Up to `most` sentences; none at the end.
    fn read(&mut self, py: Python<'_>, most: usize) -> PyResult<Vec<Sentence>> {
        let reader = own(&mut self.core);
        let batch = watch(py, 1, None, |_| reader.read(most))?;
        Ok(batch.into_iter().map(Sentence::from).collect())
    }
}

/// Writes a file of sentences, which appears when finished.
#[pyclass(module = "headway._core")]
pub struct SentenceWriter {
    core: Mutex<Option<conllu::Writer>>,
}

#[pymethods]
impl SentenceWriter {
    #[new]
    fn new(path: PathBuf, format: &str) -> PyResult<Self> {
        let writer = conllu::Writer::create(&path, format_named(format)?).map_err(raise)?;
        Ok(SentenceWriter { core: Mutex::new(Some(writer)) })
    }

    fn write(&mut self, py: Python<'_>, sentences: Vec<PyRef<'_, Sentence>>) -> PyResult<()> {
        let writer = own(&mut self.core).as_mut().ok_or_else(closed)?;
        let sentences: Vec<&conllu::Sentence> = sentences.iter().map(|s| &s.core).collect();
        py.detach(|| sentences.into_iter().try_for_each(|sentence| writer.write(sentence)))
            .map_err(raise)
    }

    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        let writer = own(&mut self.core).take().ok_or_else(closed)?;
        py.detach(|| writer.finish()).map_err(raise)
    }
}

/// Reads a file of Penn brackets in batches.
#[pyclass(module = "headway._core")]
pub struct PennReader {
    core: Mutex<penn::Reader>,
}

#[pymethods]
impl PennReader {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let core = watch(py, 1, None, |_| penn::Reader::open(&path))?;
        Ok(PennReader { core: Mutex::new(core) })
    }

    /// Up to `most` trees; none at the end.
    fn read(&mut self, py: Python<'_>, most: usize) -> PyResult<Vec<ConstituentTree>> {
        let reader = own(&mut self.core);
        let batch = watch(py, 1, None, |_| reader.read(most))?;
        Ok(batch.into_iter().map(ConstituentTree::from).collect())
    }

    /// Up to `most` trees as sentences with heads, each with the line where it begins.
    fn sentences(
        &mut self,
        py: Python<'_>,
        most: usize,
        heads: &str,
    ) -> PyResult<Vec<(u64, Sentence)>> {
        let (reader, rules) = (own(&mut self.core), head_rules_named(heads)?);
        let batch = watch(py, 1, None, |_| {
            let mut batch = Vec::new();
            while batch.len() < most
                && let Some(tree) = reader.next()?
            {
                let tree = tree.dependencies(rules)?;
                batch.push((reader.line(), conllu::Sentence::from_tree(&tree, Tags::Xpos)?));
            }
            Ok(batch)
        })?;
        Ok(batch.into_iter().map(|(line, sentence)| (line, sentence.into())).collect())
    }
}

/// Writes a file of Penn brackets, which appears when finished: a line per tree, or several of
/// up to `width` columns.
#[pyclass(module = "headway._core")]
pub struct PennWriter {
    core: Mutex<Option<Output>>,
    width: Option<usize>,
}

#[pymethods]
impl PennWriter {
    #[new]
    #[pyo3(signature = (path, width = None))]
    fn new(path: PathBuf, width: Option<usize>) -> PyResult<Self> {
        let output = Output::create(&path).map_err(raise)?;
        Ok(PennWriter { core: Mutex::new(Some(output)), width })
    }

    fn write(&mut self, py: Python<'_>, trees: Vec<PyRef<'_, ConstituentTree>>) -> PyResult<()> {
        let output = own(&mut self.core).as_mut().ok_or_else(closed)?;
        let width = self.width;
        let trees: Vec<&penn::ConstituentTree> = trees.iter().map(|tree| &tree.core).collect();
        py.detach(|| {
            trees.into_iter().try_for_each(|tree| match width {
                Some(width) => output.write_line(&tree.pretty(width)),
                None => output.write_line(&tree.to_string()),
            })
        })
        .map_err(raise)
    }

    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        let output = own(&mut self.core).take().ok_or_else(closed)?;
        py.detach(|| output.finish()).map_err(raise)
    }
}
