//! The one error type of the core.
//!
//! Every message says where, what was expected against what was found, and, where it is
//! known, what to do next. `headway-py` maps each variant to one Python exception.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

pub type Result<T> = std::result::Result<T, Error>;

/// A file, and the line in it when there is one (counted from 1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    pub path: PathBuf,
    pub line: Option<u64>,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.as_os_str() == "-" {
            f.write_str("standard input")?;
        } else {
            write!(f, "{}", self.path.display())?;
        }
        match self.line {
            Some(line) => write!(f, ":{line}"),
            None => Ok(()),
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An input that cannot be opened or read.
    #[error("{place}: {reason}")]
    Input { place: Place, reason: String },

    /// Text that is not what its format promises.
    #[error("{place}: {message}")]
    Format { place: Place, message: String },

    /// A binary file of ours that is damaged, of another kind, or from another version.
    #[error("{}: {message}", path.display())]
    Model { path: PathBuf, message: String },

    /// An output that cannot be written.
    #[error("{}: {reason}", path.display())]
    Output { path: PathBuf, reason: String },

    /// The reader of our standard output went away (`… | head -1`): not a failure.
    #[error("standard output was closed")]
    BrokenPipe,

    /// A setting or an argument that cannot be used.
    #[error("{0}")]
    Setting(String),

    /// Work that could not be finished.
    #[error("{0}")]
    Failure(String),

    /// The same, or any other error, at one sentence of a batch (counted from 1).
    #[error("sentence {number} ({start}): {cause}")]
    Sentence { number: u64, start: String, cause: Box<Error> },

    /// Stopped from outside, by Ctrl-C.
    #[error("interrupted")]
    Interrupted,

    /// A fault of headway, whatever the input.
    #[error("{0}; please report this")]
    Internal(String),
}

impl Error {
    pub fn format(path: &Path, line: u64, message: impl Into<String>) -> Self {
        let place = Place { path: path.to_path_buf(), line: Some(line) };
        Error::Format { place, message: message.into() }
    }

    pub fn model(path: &Path, message: impl Into<String>) -> Self {
        Error::Model { path: path.to_path_buf(), message: message.into() }
    }

    pub fn setting(message: impl Into<String>) -> Self {
        Error::Setting(message.into())
    }

    pub fn internal(message: impl Into<String>) -> Self {
        Error::Internal(message.into())
    }

    pub fn reading(path: &Path, error: &io::Error) -> Self {
        let place = Place { path: path.to_path_buf(), line: None };
        Error::Input { place, reason: describe(error, "read") }
    }

    pub fn writing(path: &Path, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Error::BrokenPipe;
        }
        Error::Output { path: path.to_path_buf(), reason: describe(error, "write") }
    }
}

/// What the operating system said, in words that say what to do.
fn describe(error: &io::Error, action: &str) -> String {
    use io::ErrorKind as Kind;
    match error.kind() {
        Kind::NotFound if action == "write" => {
            "cannot write: no such directory; create it first".into()
        }
        Kind::NotFound => "no such file; check the path".into(),
        Kind::IsADirectory => "is a directory where a file is expected; name a file in it".into(),
        Kind::PermissionDenied => {
            format!("no permission to {action}; change its owner or mode, or use another path")
        }
        Kind::InvalidFilename => {
            format!("cannot {action}: the path is too long; use a shorter one")
        }
        Kind::StorageFull => "cannot write: the disk is full; free some space and run again".into(),
        Kind::ReadOnlyFilesystem => "cannot write: the file system is read-only".into(),
        _ => format!("cannot {action}: {error}"),
    }
}

/// The start of a piece of text for an error message, with control characters made visible.
pub fn snippet(text: &[u8]) -> String {
    const LONGEST: usize = 40;
    let text = String::from_utf8_lossy(&text[..text.len().min(LONGEST * 4)]);
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_debug).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_name_file_and_line() {
        let error = Error::format(Path::new("a.txt"), 7, "bad");
        assert_eq!(error.to_string(), "a.txt:7: bad");
        let error = Error::format(Path::new("-"), 7, "bad");
        assert_eq!(error.to_string(), "standard input:7: bad");
    }

    #[test]
    fn faults_of_headway_ask_for_a_report() {
        assert_eq!(Error::internal("lost").to_string(), "lost; please report this");
    }

    #[test]
    fn snippets_are_short_and_visible() {
        assert_eq!(snippet(b"a\tb\0"), "\"a\\tb\\0\"");
        assert_eq!(snippet(&[b'x'; 1000]).chars().filter(|&c| c == 'x').count(), 40);
        assert!(snippet(&[b'x'; 1000]).ends_with("…\""));
    }
}
