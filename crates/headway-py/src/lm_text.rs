use std::path::PathBuf;
use std::sync::Mutex;

use headway_core::Error;
use headway_core::text::Lines;
use pyo3::prelude::*;

use crate::errors::raise;

/// The lines of a text: plain, gzip or zstd; `-` is standard input.
#[pyclass(module = "headway._core", frozen)]
pub struct TextReader {
    lines: Mutex<Lines>,
}

#[pymethods]
impl TextReader {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let lines = py.detach(|| Lines::open(&path)).map_err(raise)?;
        Ok(TextReader { lines: Mutex::new(lines) })
    }

    /// The next lines, at most so many; none at the end.
    fn block(&self, py: Python<'_>, most: usize) -> PyResult<Vec<String>> {
        let read = || {
            let broken = |_| Error::setting("a reader that failed before");
            let mut lines = self.lines.lock().map_err(broken)?;
            let mut block = Vec::new();
            while block.len() < most {
                match lines.next()? {
                    Some(line) => block.push(line.to_string()),
                    None => break,
                }
            }
            Ok(block)
        };
        py.detach(read).map_err(raise)
    }
}
