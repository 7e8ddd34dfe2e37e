//! What does not fit into memory: a file without a name, gone however the process ends.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::{Error, Result};

#[derive(Debug)]
pub struct Scratch {
    directory: PathBuf,
    /// The file, made when first needed, and its length.
    file: Mutex<(Option<File>, u64)>,
}

impl Scratch {
    pub fn new(directory: Option<&Path>) -> Self {
        let directory = directory.map_or_else(std::env::temp_dir, Path::to_path_buf);
        Scratch { directory, file: Mutex::default() }
    }

    /// Says at once, and not after an hour, that files cannot be made there.
    pub fn check(&self) -> Result<()> {
        tempfile::tempfile_in(&self.directory).map(drop).map_err(|error| self.failed(&error))
    }

    /// Adds bytes at the end; where they start.
    pub fn append(&self, bytes: &[u8]) -> Result<u64> {
        let mut held = self.lock();
        let (file, length) = &mut *held;
        if file.is_none() {
            *file = Some(tempfile::tempfile_in(&self.directory).map_err(|e| self.failed(&e))?);
        }
        let start = *length;
        if let Some(file) = file {
            write_at(file, bytes, start).map_err(|error| self.failed(&error))?;
        }
        *length += bytes.len() as u64;
        Ok(start)
    }

    pub fn read(&self, start: u64, bytes: &mut [u8]) -> Result<()> {
        match &self.lock().0 {
            Some(file) => read_at(file, bytes, start).map_err(|error| self.failed(&error)),
            None => Err(self.failed(&io::ErrorKind::UnexpectedEof.into())),
        }
    }

    fn lock(&self) -> MutexGuard<'_, (Option<File>, u64)> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, error: &io::Error) -> Error {
        let reason = match error.kind() {
            io::ErrorKind::StorageFull => "the disk is full".to_string(),
            io::ErrorKind::NotFound => "no such directory".to_string(),
            io::ErrorKind::NotADirectory => "not a directory".to_string(),
            io::ErrorKind::PermissionDenied => "no permission".to_string(),
            _ => error.to_string(),
        };
        let reason = format!(
            "cannot keep temporary files there: {reason}; name another directory with --temp"
        );
        Error::Output { path: self.directory.clone(), reason }
    }
}

#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, start)
}

#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, start)
}

// Elsewhere by seeking: the lock is held.
#[cfg(not(unix))]
fn write_at(mut file: &File, bytes: &[u8], start: u64) -> io::Result<()> {
    use io::{Seek, Write};
    file.seek(io::SeekFrom::Start(start))?;
    file.write_all(bytes)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, bytes: &mut [u8], start: u64) -> io::Result<()> {
    use io::{Read, Seek};
    file.seek(io::SeekFrom::Start(start))?;
    file.read_exact(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_read_again() {
        let directory = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(Some(directory.path()));
        scratch.check().unwrap();
        assert_eq!(scratch.append(b"one").unwrap(), 0);
        assert_eq!(scratch.append(b"three").unwrap(), 3);
        let mut found = [0; 5];
        scratch.read(3, &mut found).unwrap();
        assert_eq!(&found, b"three");
        assert!(scratch.read(4, &mut found).is_err());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn a_missing_directory_is_named() {
        let scratch = Scratch::new(Some(Path::new("no/such/place")));
        let error = scratch.check().unwrap_err().to_string();
        assert!(error.contains("no/such/place") && error.contains("--temp"), "{error}");
    }
}
