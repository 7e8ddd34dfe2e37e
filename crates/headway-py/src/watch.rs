//! Running long work: interpreter released, on as many threads as asked, with progress
//! reported and Ctrl-C obeyed.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use headway_core::{Error, Monitor, Result};
use pyo3::prelude::*;

use crate::errors::raise;

const TICK: Duration = Duration::from_millis(50);

/// Does `work` on `threads` threads (0: all cores), calling `progress(done, total)` and
/// looking for Ctrl-C a few times a second.
///
/// A pool lives for one call, so a process may fork between calls.
pub fn watch<T: Send>(
    py: Python<'_>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
    work: impl FnOnce(&Monitor) -> Result<T> + Send,
) -> PyResult<T> {
    let pool = headway_core::monitor::pool(threads).map_err(raise)?;
    let (monitor, finished) = (Monitor::default(), AtomicBool::new(false));
    let waiting = thread::current();
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let result = pool.install(|| work(&monitor));
            finished.store(true, Ordering::Release);
            waiting.unpark();
            result
        });
        let mut told = Ok(());
        while told.is_ok() && !finished.load(Ordering::Acquire) && !worker.is_finished() {
            py.detach(|| thread::park_timeout(TICK));
            told = tell(py, &monitor, progress.as_ref());
        }
        if told.is_err() {
            monitor.stop();
            headway_core::text::give_up();
        }
        let result = py.detach(|| worker.join());
        told?;
        match result {
            Ok(result) => result.map_err(raise),
            Err(_) => Err(raise(Error::internal("a worker thread failed"))),
        }
    })
}

fn tell(py: Python<'_>, monitor: &Monitor, progress: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    py.check_signals()?;
    if let Some(progress) = progress {
        progress.call1(monitor.progress())?;
    }
    Ok(())
}
