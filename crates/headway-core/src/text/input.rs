//! Reading lines from any source: plain, gzip or zstd (told by content, not by name), or
//! standard input. The one validating reader that every format is built on.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use flate2::bufread::MultiGzDecoder;
use memchr::memchr;

use super::stdin::{GIVEN_UP_KIND, StandardInput};
use crate::error::{Place, snippet};
use crate::{Error, Result};

/// Longer lines are refused: they are a sign of a binary file, and would fill memory.
pub const MAX_LINE: usize = 256 << 20;

/// A limit in words: `256 MiB`.
pub fn size(bytes: usize) -> String {
    match bytes >> 20 {
        0 => format!("{bytes} bytes"),
        mebibytes => format!("{mebibytes} MiB"),
    }
}

const BUFFER: usize = 128 << 10;
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// Opens `path` (`-` is standard input) and undoes gzip or zstd compression.
pub fn open(path: &Path) -> Result<Box<dyn BufRead + Send>> {
    let reading = |error: io::Error| match error.kind() {
        GIVEN_UP_KIND => Error::Interrupted,
        _ => Error::reading(path, &error),
    };
    let raw: Box<dyn Read + Send> = if path.as_os_str() == "-" {
        Box::new(StandardInput::open())
    } else {
        let file = File::open(path).map_err(reading)?;
        if file.metadata().map_err(reading)?.is_dir() {
            return Err(reading(io::ErrorKind::IsADirectory.into()));
        }
        Box::new(file)
    };
    let mut raw = BufReader::with_capacity(BUFFER, raw);
    let start = raw.fill_buf().map_err(reading)?;
    if start.starts_with(b"\x1f\x8b") {
        return Ok(Box::new(BufReader::with_capacity(BUFFER, MultiGzDecoder::new(raw))));
    }
    if start.starts_with(b"\x28\xb5\x2f\xfd") {
        let decoder = zstd::Decoder::with_buffer(raw).map_err(reading)?;
        return Ok(Box::new(BufReader::with_capacity(BUFFER, decoder)));
    }
    Ok(Box::new(raw))
}

/// Lines of one source, numbered from 1, in bounded memory.
///
/// `next` is for text; `next_raw` is for formats that are kept byte for byte.
pub struct Lines {
    reader: Box<dyn BufRead + Send>,
    path: PathBuf,
    number: u64,
    /// Bytes of the reader's own buffer that are on loan as the current line.
    lent: usize,
    /// A line that did not lie within the reader's buffer.
    buffer: Vec<u8>,
    /// Bytes that a line may have.
    longest: usize,
}

impl Lines {
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Lines::new(open(path)?, path))
    }

    /// Lines of a reader at hand; `path` is its name in messages.
    pub fn new(reader: Box<dyn BufRead + Send>, path: &Path) -> Self {
        let (path, buffer) = (path.to_path_buf(), Vec::new());
        Lines { reader, path, number: 0, lent: 0, buffer, longest: MAX_LINE }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of the line read last; 0 before the first.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// An error about the line read last.
    pub fn error(&self, message: impl Into<String>) -> Error {
        Error::format(&self.path, self.number, message)
    }

    /// The next line as checked text: UTF-8, no NUL, without its ending (`\n` or `\r\n`) and
    /// without a byte order mark at the start of the file.
    #[allow(clippy::should_implement_trait)] // lends its buffer, which Iterator cannot
    pub fn next(&mut self) -> Result<Option<&str>> {
        if !self.advance()? {
            return Ok(None);
        }
        let (path, number) = (&self.path, self.number);
        let line = current(&mut self.reader, self.lent, &self.buffer);
        checked(trimmed(line, number), path, number).map(Some)
    }

    /// The next line, unchecked: the same as `next`, but any bytes. For cleaning, which
    /// counts what is wrong instead of stopping at it.
    pub fn next_bytes(&mut self) -> Result<Option<&[u8]>> {
        if !self.advance()? {
            return Ok(None);
        }
        let line = current(&mut self.reader, self.lent, &self.buffer);
        Ok(Some(trimmed(line, self.number)))
    }

    /// The next line as checked text with its ending and everything else as it stands.
    pub fn next_raw(&mut self) -> Result<Option<&str>> {
        if !self.advance()? {
            return Ok(None);
        }
        let (path, number) = (&self.path, self.number);
        checked(current(&mut self.reader, self.lent, &self.buffer), path, number).map(Some)
    }

    /// Steps to the next line; false at the end. A line that lies within the reader's buffer
    /// is lent from there, any other is put together in ours.
    fn advance(&mut self) -> Result<bool> {
        self.reader.consume(std::mem::take(&mut self.lent));
        self.number += 1;
        let ready = loop {
            match self.reader.fill_buf() {
                Ok(ready) => break ready,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(broken(&self.path, self.number, &error)),
            }
        };
        match memchr(b'\n', ready) {
            Some(end) => {
                self.lent = end + 1;
                Ok(true)
            }
            None => self.fill(),
        }
    }

    /// Reads one line with its ending into our buffer; false at the end.
    fn fill(&mut self) -> Result<bool> {
        self.buffer.clear();
        let mut limited = (&mut self.reader).take(self.longest as u64 + 1);
        match limited.read_until(b'\n', &mut self.buffer) {
            Ok(0) => {
                self.number -= 1;
                Ok(false)
            }
            Ok(_) if self.buffer.len() > self.longest => {
                let longest = size(self.longest);
                Err(self.error(format!("line longer than {longest}; is this a text file?")))
            }
            Ok(_) => Ok(true),
            Err(error) => Err(broken(&self.path, self.number, &error)),
        }
    }
}

/// The line `advance` stepped to.
fn current<'a>(reader: &'a mut dyn BufRead, lent: usize, buffer: &'a [u8]) -> &'a [u8] {
    if lent == 0 {
        return buffer;
    }
    // What was filled stays filled, so this neither reads nor fails.
    reader.fill_buf().ok().and_then(|ready| ready.get(..lent)).unwrap_or_default()
}

fn checked<'a>(bytes: &'a [u8], path: &Path, number: u64) -> Result<&'a str> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let column = error.valid_up_to();
        let message = format!(
            "not UTF-8: byte 0x{:02x} at column {} of {}; convert the file to UTF-8",
            bytes[column],
            column + 1,
            snippet(bytes),
        );
        Error::format(path, number, message)
    })?;
    if memchr(0, bytes).is_some() {
        let message = format!("NUL byte in {}; is this a text file?", snippet(bytes));
        return Err(Error::format(path, number, message));
    }
    Ok(text)
}

/// What a failure to read on at a line means, for whoever reads through `open`.
pub(super) fn broken(path: &Path, line: u64, error: &io::Error) -> Error {
    use io::ErrorKind as Kind;
    match error.kind() {
        GIVEN_UP_KIND => Error::Interrupted,
        // What the two decoders answer when the compressed data end too early.
        Kind::UnexpectedEof => {
            let message = "the compressed file is cut short; copy or download it again";
            Error::format(path, line, message)
        }
        Kind::InvalidData | Kind::InvalidInput | Kind::Other => {
            Error::format(path, line, format!("the compressed file is damaged: {error}"))
        }
        _ => {
            let place = Place { path: path.to_path_buf(), line: Some(line) };
            Error::Input { place, reason: format!("cannot read: {error}") }
        }
    }
}

fn trimmed(line: &[u8], number: u64) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if number == 1 { line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line) } else { line }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn lines(bytes: &[u8]) -> Lines {
        Lines::new(Box::new(Cursor::new(bytes.to_vec())), Path::new("t"))
    }

    fn all(bytes: &[u8]) -> Result<Vec<String>> {
        let mut lines = lines(bytes);
        let mut found = Vec::new();
        while let Some(line) = lines.next()? {
            found.push(line.to_string());
        }
        Ok(found)
    }

    #[test]
    fn endings_and_byte_order_mark_are_removed() {
        assert_eq!(all(b"\xEF\xBB\xBFa\r\nb\n\nc").unwrap(), ["a", "b", "", "c"]);
        assert_eq!(all(b"").unwrap(), [""; 0]);
        assert_eq!(all(b"a\rb\n").unwrap(), ["a\rb"]);
    }

    #[test]
    fn lines_across_the_ends_of_the_buffer_are_whole() {
        let lengths = [0, 1, BUFFER - 2, BUFFER - 1, BUFFER, BUFFER + 1, 5, 3 * BUFFER, 0];
        let expected: Vec<String> = lengths.iter().map(|&length| "x".repeat(length)).collect();
        let text = expected.join("\r\n");
        let reader = BufReader::with_capacity(BUFFER, Cursor::new(text.into_bytes()));
        let mut lines = Lines::new(Box::new(reader), Path::new("t"));
        let mut found = Vec::new();
        while let Some(line) = lines.next().unwrap() {
            found.push(line.to_string());
        }
        assert_eq!(found, expected[..8]); // nothing after the last ending is no line
    }

    #[test]
    fn raw_lines_are_kept_as_they_are() {
        let mut lines = lines(b"\xEF\xBB\xBFa\r\nb");
        assert_eq!(lines.next_raw().unwrap(), Some("\u{feff}a\r\n"));
        assert_eq!(lines.next_raw().unwrap(), Some("b"));
        assert_eq!(lines.next_raw().unwrap(), None);
        assert_eq!(lines.number(), 2);
    }

    #[test]
    fn a_line_without_end_is_an_error() {
        let reader = BufReader::with_capacity(16, Cursor::new(format!("a\n{}", "x".repeat(200))));
        let mut lines = Lines::new(Box::new(reader), Path::new("t"));
        lines.longest = 100;
        assert_eq!(lines.next().unwrap(), Some("a"));
        let error = lines.next().unwrap_err().to_string();
        assert_eq!(error, "t:2: line longer than 100 bytes; is this a text file?");
    }

    #[test]
    fn bad_text_is_named_with_its_line() {
        let error = all(b"fine\nab\xFFc\n").unwrap_err().to_string();
        assert!(error.starts_with("t:2: not UTF-8: byte 0xff at column 3"), "{error}");
        let error = all(b"a\0b").unwrap_err().to_string();
        assert!(error.starts_with("t:1: NUL byte"), "{error}");
    }
}
