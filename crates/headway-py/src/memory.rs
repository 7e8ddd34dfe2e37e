//! How the allocator gives memory back.

use std::sync::Once;

/// Larger blocks are mapped on their own, and go back to the system when they are freed. A limit
/// that is set stays as it is; glibc would raise its own with every large block that is freed, and
/// with it how much free memory it keeps for the next sentence.
#[cfg(target_env = "gnu")]
const LARGE: libc::c_int = 8 << 20;

/// Sets this once in a process, unless the environment says otherwise.
pub fn settle() {
    static DONE: Once = Once::new();
    DONE.call_once(|| {
        #[cfg(target_env = "gnu")]
        if std::env::var_os("MALLOC_MMAP_THRESHOLD_").is_none() {
            // SAFETY: settings of the allocator, which may change at any time.
            unsafe {
                libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
                libc::mallopt(libc::M_TRIM_THRESHOLD, 2 * LARGE);
            }
        }
    });
}
