//! Line in, line out, on every core, in order, in bounded memory.
//!
//! A thread reads ahead; whenever the workers are free they take all items that wait. So a
//! slow source (a person typing, `tail -f`) is answered line by line and a fast one in batches.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use rayon::prelude::*;

use crate::{Monitor, Result};

/// What may wait for the workers: this many items or bytes, whichever is reached first.
const WAITING_ITEMS: usize = 8192;
const WAITING_BYTES: usize = 4 << 20;
/// Fewer items than this are not worth spreading over threads.
const FEW: usize = 32;
const TICK: Duration = Duration::from_millis(50);

/// What is read ahead, with its size in bytes.
pub trait Item: Send + Sync + 'static {
    fn size(&self) -> usize;
}

impl Item for String {
    fn size(&self) -> usize {
        self.len()
    }
}

/// Where results go, one by one and in order.
pub trait Sink<R> {
    fn write(&mut self, result: R) -> Result<()>;

    /// Called when nothing waits: whoever reads our output may be waiting for it.
    fn flush(&mut self) -> Result<()>;
}

/// Puts every item of `read` through `work` on the threads of the current pool and writes the
/// results in order. Answers how many there were.
pub fn pipeline<I: Item, R: Send>(
    read: impl FnMut() -> Result<Option<I>> + Send + 'static,
    work: impl Fn(&I) -> Result<R> + Sync,
    sink: &mut impl Sink<R>,
    monitor: &Monitor,
) -> Result<u64> {
    let queue = Arc::new(Queue::default());
    let closing = Closing(&queue);
    let filled = Arc::clone(&queue);
    // Never waited for: it may hang in a read of standard input when the work is stopped.
    thread::spawn(move || filled.fill(read));
    let mut count = 0;
    while let Some(items) = closing.0.take(sink, monitor)? {
        let results: Vec<Result<R>> = if items.len() < FEW {
            items.iter().map(&work).collect()
        } else {
            items.par_iter().map(&work).collect()
        };
        for result in results {
            sink.write(result?)?;
        }
        count += items.len() as u64;
        monitor.advance(items.len() as u64)?;
    }
    Ok(count)
}

struct Waiting<I> {
    items: Vec<I>,
    bytes: usize,
    /// What ended the reading, once it has ended.
    end: Option<Result<()>>,
    /// Nobody takes items any more.
    closed: bool,
}

struct Queue<I> {
    waiting: Mutex<Waiting<I>>,
    changed: Condvar,
}

impl<I> Default for Queue<I> {
    fn default() -> Self {
        let waiting = Waiting { items: Vec::new(), bytes: 0, end: None, closed: false };
        Queue { waiting: Mutex::new(waiting), changed: Condvar::new() }
    }
}

impl<I: Item> Queue<I> {
    fn lock(&self) -> MutexGuard<'_, Waiting<I>> {
        // Nothing panics while holding the lock, and a half-done change would be harmless.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fill(&self, mut read: impl FnMut() -> Result<Option<I>>) {
        loop {
            let item = read();
            let mut waiting = self.lock();
            match item {
                Ok(Some(item)) => {
                    waiting.bytes += item.size();
                    waiting.items.push(item);
                }
                Ok(None) => waiting.end = Some(Ok(())),
                Err(error) => waiting.end = Some(Err(error)),
            }
            if waiting.items.len() == 1 || waiting.end.is_some() {
                self.changed.notify_all();
            }
            while !waiting.closed && is_full(&waiting) {
                waiting = self.changed.wait(waiting).unwrap_or_else(PoisonError::into_inner);
            }
            if waiting.closed || waiting.end.is_some() {
                return;
            }
        }
    }

    /// All that waits, at least one item; None at the end.
    fn take<R>(&self, sink: &mut impl Sink<R>, monitor: &Monitor) -> Result<Option<Vec<I>>> {
        let mut flushed = false;
        let mut waiting = self.lock();
        loop {
            if !waiting.items.is_empty() {
                waiting.bytes = 0;
                let items = std::mem::take(&mut waiting.items);
                self.changed.notify_all();
                return Ok(Some(items));
            }
            if let Some(end) = waiting.end.take() {
                return end.map(|()| None);
            }
            if !flushed {
                drop(waiting);
                sink.flush()?;
                flushed = true;
                waiting = self.lock();
                continue;
            }
            monitor.check()?;
            let woken = self.changed.wait_timeout(waiting, TICK);
            waiting = woken.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn is_full<I>(waiting: &Waiting<I>) -> bool {
    waiting.items.len() >= WAITING_ITEMS || waiting.bytes >= WAITING_BYTES
}

/// Lets the reading thread go when the work is over, however it ends.
struct Closing<'a, I: Item>(&'a Queue<I>);

impl<I: Item> Drop for Closing<'_, I> {
    fn drop(&mut self) {
        self.0.lock().closed = true;
        self.0.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    #[derive(Default)]
    struct Collected(Vec<String>);

    impl Sink<String> for Collected {
        fn write(&mut self, result: String) -> Result<()> {
            self.0.push(result);
            Ok(())
        }

        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }

    fn numbers(last: u64) -> impl FnMut() -> Result<Option<String>> + Send {
        let mut number = 0;
        move || {
            number += 1;
            Ok((number <= last).then(|| number.to_string()))
        }
    }

    #[test]
    fn results_come_in_order_from_any_number_of_threads() {
        for threads in [1, 2, 5] {
            let mut sink = Collected::default();
            let pool = crate::monitor::pool(threads).unwrap();
            let work = |item: &String| Ok(format!("{item}!"));
            let count =
                pool.install(|| pipeline(numbers(50_000), work, &mut sink, &Monitor::default()));
            assert_eq!(count.unwrap(), 50_000);
            assert!(sink.0.iter().enumerate().all(|(i, line)| *line == format!("{}!", i + 1)));
        }
    }

    #[test]
    fn what_was_read_before_a_failure_is_written() {
        let mut sink = Collected::default();
        let mut read = numbers(10);
        let failing = move || match read()? {
            None => Err(Error::setting("broken")),
            item => Ok(item),
        };
        let done =
            pipeline(failing, |item: &String| Ok(item.clone()), &mut sink, &Monitor::default());
        assert_eq!(done.unwrap_err().to_string(), "broken");
        assert_eq!(sink.0.len(), 10);
    }

    #[test]
    fn a_stopped_monitor_ends_waiting() {
        let monitor = Monitor::default();
        monitor.stop();
        // Nothing is ever sent while the pipeline runs: only its monitor can end it.
        let (never, silence) = std::sync::mpsc::channel::<String>();
        let hanging = move || Ok(silence.recv().ok());
        let done = pipeline(
            hanging,
            |item: &String| Ok(item.clone()),
            &mut Collected::default(),
            &monitor,
        );
        assert!(matches!(done, Err(Error::Interrupted)));
        drop(never);
    }
}
