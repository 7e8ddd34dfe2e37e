//! Thread pools that outlive a call: a program that translates line after line starts its threads
//! once, and its memory stays what it is, since each new thread would leave some behind.

use std::sync::Mutex;

use headway_core::Result;
use headway_core::monitor::{self, ThreadPool};

use crate::memory;

/// Pools that no call uses, the last used last.
static IDLE: Mutex<Vec<Idle>> = Mutex::new(Vec::new());

/// As many are always kept: callers rarely change the number of threads.
const FEW: usize = 2;

struct Idle {
    /// A child process that was forked has the pool, but none of its threads.
    process: u32,
    threads: usize,
    pool: ThreadPool,
}

/// Does `work` with a pool of so many threads (0: all cores) that nobody else uses meanwhile: work
/// that waits for other work can never keep it from running.
pub fn with_pool<T>(threads: usize, work: impl FnOnce(&ThreadPool) -> T) -> Result<T> {
    memory::settle();
    let pool = match take(threads) {
        Some(pool) => pool,
        None => monitor::pool(threads)?,
    };
    let done = work(&pool);
    give_back(Idle { process: std::process::id(), threads, pool });
    Ok(done)
}

fn take(threads: usize) -> Option<ThreadPool> {
    // Never waits: after a fork, whoever held the lock may be gone.
    let mut idle = IDLE.try_lock().ok()?;
    let process = std::process::id();
    while let Some(place) = idle.iter().position(|one| one.process != process) {
        // Its threads would have to take part in its end.
        std::mem::forget(idle.remove(place));
    }
    let place = idle.iter().position(|one| one.threads == threads)?;
    Some(idle.remove(place).pool)
}

fn give_back(pool: Idle) {
    let Ok(mut idle) = IDLE.try_lock() else { return };
    idle.push(pool);
    while idle.len() > FEW && total_threads(&idle) > 2 * cores() {
        idle.remove(0);
    }
}

/// A service translates on each core with a pool of one thread, which must not be started anew for
/// each sentence.
fn total_threads(idle: &[Idle]) -> usize {
    idle.iter().map(|one| one.pool.current_num_threads()).sum()
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
