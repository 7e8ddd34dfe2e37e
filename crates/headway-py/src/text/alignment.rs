use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use headway_core::text::{self as core, Output};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::errors::raise;
use crate::notebook::drawn;
use crate::short::short;
use crate::watch::watch;

/// Links between the words of two sentences: (source, target), counted from 0.
#[pyclass(module = "headway.corpus", frozen, eq, hash, from_py_object)]
#[derive(Clone, PartialEq, Hash)]
pub struct Alignment {
    pub core: core::Alignment,
}

#[pymethods]
impl Alignment {
    #[new]
    #[pyo3(signature = (links = Vec::new()))]
    fn new(links: Vec<(u32, u32)>) -> Self {
        Alignment { core: core::Alignment::new(links) }
    }

    /// Reads Pharaoh's `0-0 1-2`.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<Self> {
        let parsed = core::Alignment::parse(text).map_err(PyValueError::new_err)?;
        Ok(Alignment { core: parsed })
    }

    /// The links, sorted.
    #[getter]
    fn links(&self) -> Vec<(u32, u32)> {
        self.core.links().to_vec()
    }

    /// The same links seen from the other side.
    fn inverse(&self) -> Self {
        Alignment { core: self.core.inverse() }
    }

    fn __len__(&self) -> usize {
        self.core.links().len()
    }

    fn __contains__(&self, link: (u32, u32)) -> bool {
        self.core.contains(link.0, link.1)
    }

    fn __str__(&self) -> String {
        self.core.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Alignment.parse({:?})", short(&self.core.to_string()))
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<Option<String>> {
        drawn(slf, "svg")
    }

    fn _repr_html_(slf: &Bound<'_, Self>) -> PyResult<Option<String>> {
        drawn(slf, "html")
    }
}

/// Word alignments of a file, batch by batch.
#[pyclass(module = "headway.corpus")]
pub struct AlignmentReader {
    /// Never locked: Python hands out one mutable borrow at a time.
    core: Mutex<core::AlignmentReader>,
}

#[pymethods]
impl AlignmentReader {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let core = watch(py, 1, None, |_| core::AlignmentReader::open(&path))?;
        Ok(AlignmentReader { core: Mutex::new(core) })
    }

    /// The next alignments, at most `limit` of them; none at the end.
    fn next_batch(&mut self, py: Python<'_>, limit: usize) -> PyResult<Vec<Alignment>> {
        let reader = self.core.get_mut().unwrap_or_else(PoisonError::into_inner);
        let batch = watch(py, 1, None, |_| reader.read(limit))?;
        Ok(batch.into_iter().map(|core| Alignment { core }).collect())
    }
}

/// Writes a file of Pharaoh lines.
#[pyfunction]
pub fn write_alignments(py: Python<'_>, path: PathBuf, alignments: Vec<Alignment>) -> PyResult<()> {
    py.detach(|| {
        let mut output = Output::create(&path)?;
        for alignment in &alignments {
            output.write_line(&alignment.core.to_string())?;
        }
        output.finish()
    })
    .map_err(raise)
}
