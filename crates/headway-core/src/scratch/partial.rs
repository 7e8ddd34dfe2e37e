//! Files under temporary names, and those that a process left behind when it was killed.
//!
//! Whoever writes such a file or directory holds a lock on it (`flock`), which the system takes
//! back when the process ends, however it ends. What is not locked was left behind. A number of a
//! process in the name would not tell: numbers are used again, and other machines that share
//! the file system have their own. Where the file system has no locks, nothing is removed.

use std::fs::{self, File};
use std::io;
use std::path::Path;

use tempfile::{Builder, NamedTempFile};

use super::replace::directory_of;

const PREFIX: &str = ".headway-";
const SUFFIX: &str = ".partial";
/// What libraries put between prefix and suffix is not longer.
const LONGEST: usize = 8;

/// An unnamed-to-be file beside `path`, with the mode an ordinary new file would get. It is
/// locked while it is open. Removes what others left behind in the directory.
pub(crate) fn temporary(path: &Path) -> io::Result<NamedTempFile> {
    let directory = directory_of(path);
    sweep(directory, PREFIX, SUFFIX);
    let mut builder = Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666)); // less the umask
    }
    builder.prefix(PREFIX).suffix(SUFFIX);
    loop {
        let file = builder.tempfile_in(directory)?;
        if is_held(file.as_file())? {
            return Ok(file);
        }
    }
}

/// Locks a new file. False if somebody who sweeps was quicker and has removed it, or is about to.
fn is_held(file: &File) -> io::Result<bool> {
    match lock(file) {
        Lock::Taken => Ok(false),
        Lock::Unknown => Ok(true),
        Lock::Ours => still_named(file),
    }
}

#[cfg(unix)]
fn still_named(file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    Ok(file.metadata()?.nlink() > 0)
}

#[cfg(not(unix))]
fn still_named(_file: &File) -> io::Result<bool> {
    Ok(true)
}

/// Removes files and directories named `PREFIX…SUFFIX` that no process holds any more. What
/// cannot be removed stays: this is tidiness, not work that was asked for.
pub fn sweep(directory: &Path, prefix: &str, suffix: &str) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let name = entry.file_name();
        if name.to_str().is_some_and(|name| is_temporary(name, prefix, suffix)) {
            let _ = remove_left(&entry.path());
        }
    }
}

fn is_temporary(name: &str, prefix: &str, suffix: &str) -> bool {
    let middle = name.strip_prefix(prefix).and_then(|rest| rest.strip_suffix(suffix));
    middle.is_some_and(|middle| {
        let random = |c: char| c.is_ascii_alphanumeric() || c == '_';
        (1..=LONGEST).contains(&middle.len()) && middle.chars().all(random)
    })
}

fn remove_left(path: &Path) -> io::Result<()> {
    let kind = fs::symlink_metadata(path)?.file_type();
    if !kind.is_file() && !kind.is_dir() {
        return Ok(());
    }
    // Open until it is gone, so that nobody else takes it for one of theirs.
    let file = File::open(path)?;
    match lock(&file) {
        Lock::Ours if kind.is_dir() => fs::remove_dir_all(path),
        Lock::Ours => fs::remove_file(path),
        Lock::Taken | Lock::Unknown => Ok(()),
    }
}

enum Lock {
    Ours,
    /// Another process has it.
    Taken,
    /// The file system has no locks.
    Unknown,
}

#[cfg(unix)]
fn lock(file: &File) -> Lock {
    use std::os::fd::AsRawFd;
    // SAFETY: the descriptor is open, and nothing in memory is touched.
    if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
        return Lock::Ours;
    }
    match io::Error::last_os_error().kind() {
        io::ErrorKind::WouldBlock => Lock::Taken,
        _ => Lock::Unknown,
    }
}

#[cfg(not(unix))]
fn lock(_file: &File) -> Lock {
    Lock::Unknown
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn names(directory: &Path) -> Vec<String> {
        let entries = fs::read_dir(directory).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn what_nobody_holds_is_removed() {
        let directory = tempfile::tempdir().unwrap();
        let kept = [".headway-.partial", ".headway-a.b.partial", ".headway-longer_than_8.partial"];
        for name in kept.iter().chain(&[".headway-abcdef.partial", "headway-abcdef.partial"]) {
            fs::write(directory.path().join(name), "").unwrap();
        }
        fs::create_dir_all(directory.path().join(".headway-dir.partial/inner")).unwrap();
        std::os::unix::fs::symlink("/", directory.path().join(".headway-link.partial")).unwrap();
        sweep(directory.path(), PREFIX, SUFFIX);
        let expected = [
            ".headway-.partial",
            ".headway-a.b.partial",
            ".headway-link.partial",
            ".headway-longer_than_8.partial",
            "headway-abcdef.partial",
        ];
        assert_eq!(names(directory.path()), expected);
    }

    #[test]
    fn what_is_being_written_stays() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("file");
        let first = temporary(&path).unwrap();
        let second = temporary(&path).unwrap();
        assert!(first.path().exists() && second.path().exists());
        let (file, left) = first.keep().unwrap();
        drop(file);
        sweep(directory.path(), PREFIX, SUFFIX);
        assert!(!left.exists() && second.path().exists());
    }
}
