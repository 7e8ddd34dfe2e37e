//! How the allocator gives memory back.

use std::sync::Once;

/// Larger blocks are mapped on their own, and go back to the system when they are freed. glibc
/// raises its limit to the largest block ever freed, up to 32 MB: what search frees then lies
/// between small blocks that live on, and a process that translates long lines grows.
#[cfg(target_env = "gnu")]
const LARGE: libc::c_int = 8 << 20;

/// Sets this once in a process, unless the environment says otherwise.
pub fn settle() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        #[cfg(target_env = "gnu")]
        if std::env::var_os("MALLOC_MMAP_THRESHOLD_").is_none() {
            // SAFETY: a setting of the allocator, which may change at any time.
            unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
        }
    });
}
