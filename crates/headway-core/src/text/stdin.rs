//! Standard input that can be given up.
//!
//! A thread that waits in a read cannot be told to stop. So a thread of its own reads, whoever
//! wants the bytes waits for that thread, and `give_up` ends the waiting.

use std::io::{self, Read};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

const TICK: Duration = Duration::from_millis(50);
const BLOCK: usize = 64 << 10;

static GIVEN_UP: AtomicBool = AtomicBool::new(false);

/// What a reader answers that was given up; not `Interrupted`, which the library tries again.
pub const GIVEN_UP_KIND: io::ErrorKind = io::ErrorKind::ConnectionAborted;

/// Ends every wait for standard input with an error.
pub fn give_up() {
    GIVEN_UP.store(true, Relaxed);
}

pub struct StandardInput {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: Vec<u8>,
    read: usize,
}

impl StandardInput {
    pub fn open() -> Self {
        GIVEN_UP.store(false, Relaxed);
        let (sender, blocks) = sync_channel(4);
        thread::spawn(move || {
            let mut input = io::stdin().lock();
            loop {
                let mut block = vec![0; BLOCK];
                let answer = match input.read(&mut block) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Ok(0) => return,
                    Ok(length) => {
                        block.truncate(length);
                        Ok(block)
                    }
                    Err(error) => Err(error),
                };
                if sender.send(answer).is_err() {
                    return;
                }
            }
        });
        StandardInput { blocks, block: Vec::new(), read: 0 }
    }

    fn next_block(&mut self) -> io::Result<()> {
        loop {
            if GIVEN_UP.load(Relaxed) {
                return Err(GIVEN_UP_KIND.into());
            }
            match self.blocks.recv_timeout(TICK) {
                Ok(block) => {
                    (self.block, self.read) = (block?, 0);
                    return Ok(());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    self.block.clear();
                    self.read = 0;
                    return Ok(());
                }
            }
        }
    }
}

impl Read for StandardInput {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.read == self.block.len() {
            self.next_block()?;
        }
        let rest = &self.block[self.read..];
        let length = rest.len().min(into.len());
        into[..length].copy_from_slice(&rest[..length]);
        self.read += length;
        Ok(length)
    }
}
