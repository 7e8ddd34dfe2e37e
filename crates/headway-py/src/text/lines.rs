use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use headway_core::Result;
use headway_core::text::{Lines, Output};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::watch::watch;

/// Lines of one file, batch by batch.
#[pyclass(module = "headway.corpus")]
pub struct LineReader {
    /// Never locked: Python hands out one mutable borrow at a time.
    lines: Mutex<Lines>,
    /// Whether U+FFFD stands in for what is no text, in place of an error.
    repair: bool,
}

#[pymethods]
impl LineReader {
    #[new]
    #[pyo3(signature = (path, repair = false))]
    fn new(py: Python<'_>, path: PathBuf, repair: bool) -> PyResult<Self> {
        let lines = watch(py, 1, None, |_| Lines::open(&path))?;
        Ok(LineReader { lines: Mutex::new(lines), repair })
    }

    /// The next lines, at most `limit` of them; none at the end.
    fn next_batch(&mut self, py: Python<'_>, limit: usize) -> PyResult<Vec<String>> {
        let repair = self.repair;
        let lines = self.lines.get_mut().unwrap_or_else(PoisonError::into_inner);
        let next = |lines: &mut Lines| -> Result<Option<String>> {
            Ok(match repair {
                true => lines.next_bytes()?.map(repaired),
                false => lines.next()?.map(str::to_string),
            })
        };
        watch(py, 1, None, |_| {
            let mut batch = Vec::new();
            while batch.len() < limit {
                match next(lines)? {
                    Some(line) => batch.push(line),
                    None => break,
                }
            }
            Ok(batch)
        })
    }
}

fn repaired(line: &[u8]) -> String {
    String::from_utf8_lossy(line).replace('\0', "\u{FFFD}")
}

/// Writes lines to one file, which gets its name in `finish`.
#[pyclass(module = "headway.corpus")]
pub struct LineWriter {
    output: Mutex<Option<Output>>,
}

#[pymethods]
impl LineWriter {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        Ok(LineWriter { output: Mutex::new(Some(Output::create(&path).map_err(raise)?)) })
    }

    fn write(&mut self, py: Python<'_>, lines: Vec<String>) -> PyResult<()> {
        let output = self.output.get_mut().unwrap_or_else(PoisonError::into_inner);
        let Some(output) = output else { return Ok(()) };
        py.detach(|| lines.iter().try_for_each(|line| output.write_line(line))).map_err(raise)
    }

    /// Hands over what was written so far, for readers that wait for it.
    fn flush(&mut self, py: Python<'_>) -> PyResult<()> {
        let output = self.output.get_mut().unwrap_or_else(PoisonError::into_inner);
        py.detach(|| output.as_mut().map_or(Ok(()), Output::flush)).map_err(raise)
    }

    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        let output = self.output.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        py.detach(|| output.map_or(Ok(()), Output::finish)).map_err(raise)
    }
}
