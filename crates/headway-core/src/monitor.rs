//! How long work is watched and stopped from outside.
//!
//! Work counts what it has done and asks now and then whether to go on; whoever started
//! it reads the counts for a progress bar and may stop it. Nothing here blocks.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

pub use rayon::ThreadPool;
use rayon::ThreadPoolBuilder;

use crate::{Error, Result};

/// More threads than this only stand in each other's way; thousands stop the machine.
const MOST_THREADS: usize = 256;

/// A pool of `threads` threads; 0 is one per core.
pub fn pool(threads: usize) -> Result<ThreadPool> {
    let built = ThreadPoolBuilder::new().num_threads(threads.min(MOST_THREADS)).build();
    built.map_err(|error| Error::setting(format!("cannot start {threads} threads: {error}")))
}

#[derive(Debug, Default)]
pub struct Monitor {
    stopped: AtomicBool,
    done: AtomicU64,
    total: AtomicU64,
}

impl Monitor {
    /// Announces how much work there will be. 0 means unknown.
    pub fn expect(&self, total: u64) {
        self.total.store(total, Relaxed);
    }

    /// Counts `amount` of work as done, and says whether to go on.
    pub fn advance(&self, amount: u64) -> Result<()> {
        self.done.fetch_add(amount, Relaxed);
        self.check()
    }

    /// `Err(Interrupted)` once `stop` was called.
    pub fn check(&self) -> Result<()> {
        if self.stopped.load(Relaxed) { Err(Error::Interrupted) } else { Ok(()) }
    }

    /// Asks the work to stop at its next check.
    pub fn stop(&self) {
        self.stopped.store(true, Relaxed);
    }

    /// Work done and work expected (0 if unknown).
    pub fn progress(&self) -> (u64, u64) {
        (self.done.load(Relaxed), self.total.load(Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stopping_ends_work_at_the_next_check() {
        let monitor = Monitor::default();
        monitor.expect(10);
        assert!(monitor.advance(4).is_ok());
        monitor.stop();
        assert!(matches!(monitor.advance(1), Err(Error::Interrupted)));
        assert_eq!(monitor.progress(), (5, 10));
    }
}
