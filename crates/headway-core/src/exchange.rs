//! Two names change places in one step, where the system can do that.

use std::io;
use std::path::Path;

/// Exchanges what two paths name, files or directories. At no moment is either of them missing.
/// The error has the kind `Unsupported` where the system or the file system has no such call.
#[cfg(target_os = "linux")]
pub fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use std::ffi::CString;
    use std::os::unix::ffi::OsStrExt;

    let name = |path: &Path| CString::new(path.as_os_str().as_bytes()).map_err(io::Error::from);
    let (one, other) = (name(one)?, name(other)?);
    let here = libc::AT_FDCWD;
    // SAFETY: both are strings that end in NUL and outlive the call, which only reads them. The
    // C library has a function for it only since 2018, the kernel has had the call since 2014.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_renameat2,
            here,
            one.as_ptr(),
            here,
            other.as_ptr(),
            libc::RENAME_EXCHANGE,
        )
    };
    if answer == 0 {
        return Ok(());
    }
    let error = io::Error::last_os_error();
    match error.raw_os_error() {
        Some(libc::ENOSYS | libc::EINVAL | libc::EOPNOTSUPP) => {
            Err(io::ErrorKind::Unsupported.into())
        }
        _ => Err(error),
    }
}

#[cfg(not(target_os = "linux"))]
pub fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn directories_change_places() {
        let directory = tempfile::tempdir().unwrap();
        let (one, other) = (directory.path().join("one"), directory.path().join("other"));
        for path in [&one, &other] {
            fs::create_dir(path).unwrap();
            fs::write(path.join("name"), path.to_str().unwrap()).unwrap();
        }
        match exchange(&one, &other) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => return,
            done => done.unwrap(),
        }
        assert_eq!(fs::read_to_string(one.join("name")).unwrap(), other.to_str().unwrap());
        assert_eq!(fs::read_to_string(other.join("name")).unwrap(), one.to_str().unwrap());
        assert!(exchange(&one, &directory.path().join("gone")).is_err());
    }
}
