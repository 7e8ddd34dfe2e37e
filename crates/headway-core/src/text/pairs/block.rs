//! Lines on their way from a reading thread.

use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use super::examine::{Check, Reading, examine};
use crate::{Monitor, Result};

/// A block is handed over when it holds this much.
const FULL: usize = 256 << 10;
const FULL_LINES: usize = 4096;
/// Blocks that may wait between two threads: what bounds memory.
const WAITING: usize = 4;
const TICK: Duration = Duration::from_millis(50);

/// One side of a pair, on loan from its block.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// UTF-8 unless the check says otherwise.
    pub bytes: &'a [u8],
    pub check: Check,
}

impl<'a> Text<'a> {
    /// The text; empty where it is not UTF-8.
    pub fn text(&self) -> &'a str {
        std::str::from_utf8(self.bytes).unwrap_or_default()
    }
}

/// Examined texts one after the other.
#[derive(Debug, Default)]
pub(super) struct Block {
    bytes: Vec<u8>,
    texts: Vec<(usize, Check)>,
}

impl Block {
    pub fn push(&mut self, raw: &[u8], reading: Reading) {
        let check = examine(raw, reading, &mut self.bytes);
        self.texts.push((self.bytes.len(), check));
    }

    pub fn push_checked(&mut self, raw: &[u8], check: Check) {
        self.bytes.extend_from_slice(raw);
        self.texts.push((self.bytes.len(), check));
    }

    pub fn len(&self) -> usize {
        self.texts.len()
    }

    pub fn is_full(&self) -> bool {
        self.bytes.len() >= FULL || self.texts.len() >= FULL_LINES
    }

    pub fn get(&self, index: usize) -> Option<Text<'_>> {
        let &(end, check) = self.texts.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.texts[before].0);
        Some(Text { bytes: &self.bytes[start..end], check })
    }
}

/// Starts a thread that hands over blocks until its reader ends, fails, or nobody listens. It
/// is never waited for: it may hang in a read of standard input when the work is stopped.
pub(super) fn read_ahead<B: Send + 'static>(
    mut next: impl FnMut() -> Result<Option<B>> + Send + 'static,
) -> Ahead<B> {
    let (sender, receiver): (SyncSender<Result<B>>, _) = sync_channel(WAITING);
    thread::spawn(move || {
        while let Some(block) = next().transpose() {
            let failed = block.is_err();
            if sender.send(block).is_err() || failed {
                break;
            }
        }
    });
    Ahead { receiver }
}

pub(super) struct Ahead<B> {
    receiver: Receiver<Result<B>>,
}

impl<B> Ahead<B> {
    /// The next block; None at the end. Does not wait longer than the monitor allows.
    pub fn next(&self, monitor: &Monitor) -> Result<Option<B>> {
        loop {
            match self.receiver.recv_timeout(TICK) {
                Ok(block) => return block.map(Some),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => monitor.check()?,
            }
        }
    }
}
