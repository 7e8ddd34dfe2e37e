//! A reader that counts lines, and what was read since it was last told to start anew.

use std::io::{self, BufRead, Read};

/// What reading on beyond the limit answers.
pub(super) const TOO_LONG: io::ErrorKind = io::ErrorKind::FileTooLarge;

pub(super) struct Metered {
    reader: Box<dyn BufRead + Send>,
    lines: u64,
    longest: usize,
    /// What may still be read.
    left: usize,
}

impl Metered {
    /// At most `longest` bytes may be read without `restart`, and what is buffered besides.
    pub fn new(reader: Box<dyn BufRead + Send>, longest: usize) -> Self {
        Metered { reader, lines: 0, longest, left: longest }
    }

    pub fn restart(&mut self) {
        self.left = self.longest;
    }

    pub fn longest(&self) -> usize {
        self.longest
    }

    /// Ends of lines so far.
    pub fn lines(&self) -> u64 {
        self.lines
    }
}

impl BufRead for Metered {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.left == 0 {
            return Err(TOO_LONG.into());
        }
        self.reader.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        if let Ok(buffer) = self.reader.fill_buf() {
            let used = &buffer[..amount.min(buffer.len())];
            self.lines += used.iter().filter(|&&byte| byte == b'\n').count() as u64;
        }
        self.left = self.left.saturating_sub(amount);
        self.reader.consume(amount);
    }
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}
