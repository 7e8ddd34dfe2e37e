use std::io::ErrorKind;
use std::path::PathBuf;

use headway_core::{Error, checksum, exchange, scratch};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::watch::watch;

/// The checksum of each file in 32 hexadecimal digits; `threads` 0 is one per core.
#[pyfunction]
#[pyo3(signature = (paths, threads = 0))]
pub fn checksums(py: Python<'_>, paths: Vec<PathBuf>, threads: usize) -> PyResult<Vec<String>> {
    let found = watch(py, threads, None, |monitor| checksum::checksums(&paths, monitor))?;
    Ok(found.into_iter().map(|checksum| format!("{checksum:032x}")).collect())
}

/// Lets two paths change places in one step; False where the system cannot do that.
#[pyfunction]
pub fn exchange_paths(one: PathBuf, other: PathBuf) -> PyResult<bool> {
    match exchange::exchange(&one, &other) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::Unsupported => Ok(false),
        Err(error) => Err(raise(Error::writing(&other, &error))),
    }
}

/// Removes files and directories of such names that no process holds a lock on any more.
#[pyfunction]
pub fn sweep(py: Python<'_>, directory: PathBuf, prefix: &str, suffix: &str) {
    py.detach(|| scratch::sweep(&directory, prefix, suffix));
}
