//! Files that appear whole or not at all: written beside their place, renamed when complete.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The directory that a file is in.
pub(crate) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Where a link leads: replacing the link itself would leave what it points to as it was.
pub(crate) fn real_path(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => match fs::canonicalize(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(path.parent().unwrap_or(Path::new("")).join(fs::read_link(path)?))
            }
            found => found,
        },
        _ => Ok(path.to_path_buf()),
    }
}

/// Devices and pipes cannot be replaced by renaming: they are written in place.
pub(crate) fn is_special(path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(found) => Ok(!found.is_file()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}
