//! Checksums of whole files, on all cores.
//!
//! XXH3 finds every accidental change that matters here as surely as a cryptographic hash does,
//! and is as fast as memory. A file is hashed in chunks, and the checksums of its chunks are
//! hashed again, so that one large file keeps all cores busy too.

use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use xxhash_rust::xxh3::Xxh3;

use crate::{Error, Monitor, Result};

/// Part of the format: other chunks give other checksums.
const CHUNK: u64 = 8 << 20;
const BUFFER: usize = 256 << 10;

/// The checksum of each file, in order.
pub fn checksums(paths: &[PathBuf], monitor: &Monitor) -> Result<Vec<u128>> {
    let mut chunks = Vec::new();
    let mut counts = Vec::new();
    for path in paths {
        let found = std::fs::metadata(path).map_err(|error| Error::reading(path, &error))?;
        if found.is_dir() {
            return Err(Error::reading(path, &ErrorKind::IsADirectory.into()));
        }
        let count = found.len().div_ceil(CHUNK).max(1);
        chunks.extend((0..count).map(|number| (path.as_path(), number * CHUNK)));
        counts.push(count as usize);
    }
    let parts: Vec<u128> = chunks
        .into_par_iter()
        .map_init(
            || vec![0; BUFFER],
            |buffer, (path, start)| {
                monitor.advance(1)?;
                chunk(path, start, buffer).map_err(|error| Error::reading(path, &error))
            },
        )
        .collect::<Result<_>>()?;
    let mut rest = &parts[..];
    Ok(counts
        .into_iter()
        .map(|count| joined(rest.split_off(..count).unwrap_or_default()))
        .collect())
}

/// The checksum of the bytes from `start` on, at most `CHUNK` of them.
fn chunk(path: &Path, start: u64, buffer: &mut [u8]) -> std::io::Result<u128> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(start))?;
    let mut rest = file.take(CHUNK);
    let mut hash = Xxh3::new();
    loop {
        match rest.read(buffer) {
            Ok(0) => return Ok(hash.digest128()),
            Ok(count) => hash.update(&buffer[..count]),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn joined(parts: &[u128]) -> u128 {
    let mut hash = Xxh3::new();
    parts.iter().for_each(|part| hash.update(&part.to_le_bytes()));
    hash.digest128()
}

#[cfg(test)]
mod tests {
    use super::*;
    use xxhash_rust::xxh3::xxh3_128;

    /// The definition, in one thread and in memory.
    fn slowly(bytes: &[u8]) -> u128 {
        let mut chunks: Vec<u128> = bytes.chunks(CHUNK as usize).map(xxh3_128).collect();
        if bytes.is_empty() {
            chunks.push(xxh3_128(b""));
        }
        joined(&chunks)
    }

    #[test]
    fn files_of_any_length_have_the_checksum_of_their_chunks() {
        let directory = tempfile::tempdir().unwrap();
        let lengths = [0, 1, BUFFER + 7, CHUNK as usize, 2 * CHUNK as usize + 3];
        let contents: Vec<Vec<u8>> = lengths
            .iter()
            .map(|&length| (0..length).map(|at| ((at * at) >> 7) as u8).collect())
            .collect();
        let mut paths = Vec::new();
        for content in &contents {
            paths.push(directory.path().join(content.len().to_string()));
            std::fs::write(paths.last().unwrap(), content).unwrap();
        }
        let found = checksums(&paths, &Monitor::default()).unwrap();
        let expected: Vec<u128> = contents.iter().map(|content| slowly(content)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let directory = tempfile::tempdir().unwrap();
        let gone = directory.path().join("gone");
        for path in [gone, directory.path().to_path_buf()] {
            let error = checksums(std::slice::from_ref(&path), &Monitor::default()).unwrap_err();
            assert!(error.to_string().starts_with(path.to_str().unwrap()), "{error}");
        }
    }
}
