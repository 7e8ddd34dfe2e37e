//! Running long work: interpreter released, on as many threads as asked, with progress
//! reported and Ctrl-C obeyed.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use headway_core::{Error, Monitor, Result};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::pools::with_pool;

const TICK: Duration = Duration::from_millis(50);

/// Does `work` on `threads` threads (0: all cores), calling `progress(done, total)` and
/// looking for Ctrl-C a few times a second.
pub fn watch<T: Send>(
    py: Python<'_>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&Monitor) -> Result<T> + Send,
) -> PyResult<T> {
    let (monitor, finished) = (Monitor::default(), AtomicBool::new(false));
    let waiting = thread::current();
    let (mut result, mut told) = (None, Ok(()));
    with_pool(threads, |pool| {
        pool.in_place_scope(|scope| {
            scope.spawn(|_| {
                result = Some(catch_unwind(AssertUnwindSafe(|| work(&monitor))));
                finished.store(true, Ordering::Release);
                waiting.unpark();
            });
            while told.is_ok() && !finished.load(Ordering::Acquire) {
                py.detach(|| thread::park_timeout(TICK));
                told = tell(py, &monitor, progress.as_ref());
            }
            if told.is_err() {
                monitor.stop();
                headway_core::text::give_up();
            }
            while !finished.load(Ordering::Acquire) {
                py.detach(|| thread::park_timeout(TICK));
            }
        });
    })
    .map_err(raise)?;
    told?;
    match result {
        Some(Ok(result)) => result.map_err(raise),
        _ => Err(raise(Error::internal("a worker thread failed"))),
    }
}

fn tell(py: Python<'_>, monitor: &Monitor, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    py.check_signals()?;
    if let Some(progress) = progress {
        progress.call1(monitor.progress())?;
    }
    Ok(())
}
