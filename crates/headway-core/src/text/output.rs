//! Writing files that appear whole or not at all.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempPath;

use crate::scratch::{is_special, real_path, temporary};
use crate::{Error, Result};

const BUFFER: usize = 128 << 10;

/// A file being written, compressed if its name ends in `.gz` or `.zst`; `-` is standard
/// output. A regular file gets its name only in `finish`: before that, and if `finish` is
/// never reached, whatever stood there stays.
pub struct Output {
    path: PathBuf,
    sink: Sink,
    unfinished: Option<TempPath>,
}

enum Sink {
    Plain(BufWriter<Box<dyn Write + Send>>),
    Gzip(GzEncoder<BufWriter<Box<dyn Write + Send>>>),
    Zstd(zstd::Encoder<'static, BufWriter<Box<dyn Write + Send>>>),
}

impl Output {
    pub fn create(path: &Path) -> Result<Self> {
        let writing = |error: io::Error| Error::writing(path, &error);
        let path = &real_path(path).map_err(writing)?;
        let (raw, unfinished): (Box<dyn Write + Send>, _) = if path.as_os_str() == "-" {
            (Box::new(io::stdout()), None)
        } else if is_special(path).map_err(writing)? {
            (Box::new(fs::File::options().write(true).open(path).map_err(writing)?), None)
        } else {
            let (file, unfinished) = temporary(path).map_err(writing)?.into_parts();
            (Box::new(file), Some(unfinished))
        };
        let raw = BufWriter::with_capacity(BUFFER, raw);
        let sink = match path.extension().and_then(|suffix| suffix.to_str()) {
            Some("gz") => Sink::Gzip(GzEncoder::new(raw, Compression::default())),
            Some("zst") => Sink::Zstd(zstd::Encoder::new(raw, 3).map_err(writing)?),
            _ => Sink::Plain(raw),
        };
        Ok(Output { path: path.to_path_buf(), sink, unfinished })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let written = match &mut self.sink {
            Sink::Plain(sink) => sink.write_all(bytes),
            Sink::Gzip(sink) => sink.write_all(bytes),
            Sink::Zstd(sink) => sink.write_all(bytes),
        };
        written.map_err(|error| Error::writing(&self.path, &error))
    }

    pub fn write_line(&mut self, line: &str) -> Result<()> {
        self.write(line.as_bytes())?;
        self.write(b"\n")
    }

    /// Hands what was written so far to the operating system: for readers that wait for it.
    pub fn flush(&mut self) -> Result<()> {
        let flushed = match &mut self.sink {
            Sink::Plain(sink) => sink.flush(),
            Sink::Gzip(sink) => sink.flush(),
            Sink::Zstd(sink) => sink.flush(),
        };
        flushed.map_err(|error| Error::writing(&self.path, &error))
    }

    /// Completes the file and gives it its name.
    pub fn finish(self) -> Result<()> {
        let Output { path, sink, unfinished } = self;
        let closed = match sink {
            Sink::Plain(sink) => Ok(sink),
            Sink::Gzip(sink) => sink.finish(),
            Sink::Zstd(sink) => sink.finish(),
        };
        // Open, and so locked, until the file has its name.
        let mut sink = closed.map_err(|error| Error::writing(&path, &error))?;
        sink.flush().map_err(|error| Error::writing(&path, &error))?;
        match unfinished {
            Some(unfinished) => {
                unfinished.persist(&path).map_err(|failed| Error::writing(&path, &failed.error))
            }
            None => Ok(()),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::Plain(sink) => sink.write(bytes),
            Sink::Gzip(sink) => sink.write(bytes),
            Sink::Zstd(sink) => sink.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Plain(sink) => sink.flush(),
            Sink::Gzip(sink) => sink.flush(),
            Sink::Zstd(sink) => sink.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Lines;

    fn first_line(path: &Path) -> String {
        Lines::open(path).unwrap().next().unwrap().unwrap().to_string()
    }

    #[test]
    fn what_is_written_is_read_again() {
        let directory = tempfile::tempdir().unwrap();
        for name in ["a.txt", "a.gz", "a.zst"] {
            let path = directory.path().join(name);
            let mut output = Output::create(&path).unwrap();
            output.write_line("Grüße").unwrap();
            assert!(!path.exists());
            output.finish().unwrap();
            assert_eq!(first_line(&path), "Grüße");
        }
    }

    #[test]
    fn an_unfinished_file_leaves_the_old_one() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a");
        fs::write(&path, "old\n").unwrap();
        let mut output = Output::create(&path).unwrap();
        output.write_line("new").unwrap();
        drop(output);
        assert_eq!(first_line(&path), "old");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_and_what_it_names_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("file"), directory.path().join("link"));
        for _ in 0..2 {
            let _ = std::os::unix::fs::symlink("file", &link);
            let mut output = Output::create(&link).unwrap();
            output.write_line("new").unwrap();
            output.finish().unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(first_line(&file), "new");
        }
    }

    #[test]
    fn a_truncated_gzip_file_is_an_error_with_a_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("a.gz");
        let mut output = Output::create(&path).unwrap();
        for number in 0..10_000 {
            output.write_line(&format!("{number} {}", number * 7919)).unwrap();
        }
        output.finish().unwrap();
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() / 2]).unwrap();
        let mut lines = Lines::open(&path).unwrap();
        let error = loop {
            match lines.next() {
                Ok(Some(_)) => {}
                Ok(None) => panic!("read to the end"),
                Err(error) => break error.to_string(),
            }
        };
        assert!(error.contains("cut short"), "{error}");
    }
}
