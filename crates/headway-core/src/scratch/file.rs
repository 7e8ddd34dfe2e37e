//! What does not fit into memory: a file without a name, which is gone however the process ends.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memmap2::Mmap;

use crate::{Error, Result};

const NAMED: &str = "name another directory with --temp";

/// Bytes that are appended and read again at any place, by any number of threads.
#[derive(Debug)]
pub struct Scratch {
    directory: PathBuf,
    /// What the user can do if the directory cannot take the file.
    advice: &'static str,
    /// Made when it is first needed.
    file: OnceLock<File>,
    length: AtomicU64,
}

impl Scratch {
    /// A file in the directory that the option `--temp` of a command names, or in the system's own:
    /// not all commands have the option.
    pub fn new(directory: &Path) -> Self {
        let system = directory == std::env::temp_dir();
        let advice = if system { "set TMPDIR to another directory" } else { NAMED };
        Self::with_advice(directory, advice)
    }

    /// A file beside the output `path`, for commands without `--temp`.
    pub fn beside(path: &Path) -> Self {
        Self::with_advice(super::directory_of(path), "write the output to another directory")
    }

    fn with_advice(directory: &Path, advice: &'static str) -> Self {
        let (file, length) = (OnceLock::new(), AtomicU64::new(0));
        Scratch { directory: directory.to_path_buf(), advice, file, length }
    }

    /// Says at once, and not after an hour, that files cannot be made there.
    pub fn check(&self) -> Result<()> {
        self.make().map(drop)
    }

    /// True until something is appended.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn len(&self) -> u64 {
        self.length.load(Relaxed)
    }

    /// Adds bytes at the end; where they start.
    pub fn append(&self, bytes: &[u8]) -> Result<u64> {
        let file = match self.file.get() {
            Some(file) => file,
            None => {
                let made = self.make()?;
                self.file.get_or_init(|| made)
            }
        };
        let start = self.length.fetch_add(bytes.len() as u64, Relaxed);
        write_at(file, bytes, start).map_err(|error| self.failed(&error))?;
        Ok(start)
    }

    pub fn read(&self, start: u64, bytes: &mut [u8]) -> Result<()> {
        let read = match self.file.get() {
            Some(file) => read_at(file, bytes, start),
            None => Err(io::ErrorKind::UnexpectedEof.into()),
        };
        read.map_err(|error| self.failed(&error))
    }

    /// Everything that was appended, for reading in place.
    pub fn map(&self) -> Result<Mmap> {
        let file = match self.file.get() {
            Some(file) => file,
            None => return Err(self.failed(&io::ErrorKind::UnexpectedEof.into())),
        };
        // SAFETY: no other process knows the file, and bytes are appended, never changed.
        unsafe { Mmap::map(file) }.map_err(|error| self.failed(&error))
    }

    fn make(&self) -> Result<File> {
        tempfile::tempfile_in(&self.directory).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> Error {
        let reason = match error.kind() {
            io::ErrorKind::StorageFull => "the disk is full".to_string(),
            io::ErrorKind::NotFound => "no such directory".to_string(),
            io::ErrorKind::NotADirectory => "not a directory".to_string(),
            io::ErrorKind::PermissionDenied => "no permission".to_string(),
            _ => error.to_string(),
        };
        let reason = format!("cannot keep temporary files there: {reason}; {}", self.advice);
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

#[cfg(windows)]
fn write_at(file: &File, mut bytes: &[u8], mut start: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let written = std::os::windows::fs::FileExt::seek_write(file, bytes, start)?;
        (bytes, start) = (&bytes[written..], start + written as u64);
    }
    Ok(())
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut start: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, start)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (bytes, start) = (&mut bytes[read..], start + read as u64),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rayon::prelude::*;

    use super::*;

    #[test]
    fn what_was_added_is_read_again() {
        let directory = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(directory.path());
        scratch.check().unwrap();
        assert!(scratch.is_empty());
        assert_eq!(scratch.append(b"one").unwrap(), 0);
        assert_eq!(scratch.append(b"three").unwrap(), 3);
        assert_eq!(scratch.len(), 8);
        let mut found = [0; 5];
        scratch.read(3, &mut found).unwrap();
        assert_eq!(&found, b"three");
        assert!(scratch.read(4, &mut found).is_err());
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    }

    #[test]
    fn threads_append_side_by_side() {
        let directory = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(directory.path());
        let added = |number: u32| (number, scratch.append(&number.to_le_bytes()).unwrap());
        let starts: Vec<(u32, u64)> = (0..5000).into_par_iter().map(added).collect();
        starts.par_iter().for_each(|&(number, start)| {
            let mut found = [0; 4];
            scratch.read(start, &mut found).unwrap();
            assert_eq!(u32::from_le_bytes(found), number);
        });
        assert_eq!(scratch.len(), 20_000);
    }

    #[test]
    fn a_missing_directory_is_named() {
        let message = |scratch: &Scratch| scratch.check().unwrap_err().to_string();
        let error = message(&Scratch::new(Path::new("no/such/place")));
        assert!(error.starts_with("no/such/place: cannot keep temporary files there"), "{error}");
        assert!(error.contains("no such directory") && error.contains("--temp"), "{error}");
        assert_eq!(Scratch::new(&std::env::temp_dir()).advice, "set TMPDIR to another directory");
        let beside = Scratch::beside(Path::new("no/such/place/out"));
        let error = message(&beside);
        assert!(error.starts_with("no/such/place: ") && error.contains("the output"), "{error}");
        assert_eq!(beside.append(b"x").unwrap_err().to_string(), error);
    }
}
