//! How the allocator gives memory back.

use std::sync::Once;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

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

/// After so many sentences free memory goes back to the system.
const SENTENCES: usize = 1024;

/// Notes that so many sentences are about to be translated, and gives back what is free since those
/// before them. Each thread has a heap of its own, in which what is kept between sentences lies
/// among what only one of them needed: without this the heaps grow with the number of sentences.
pub fn before_sentences(count: usize) {
    static SINCE: AtomicUsize = AtomicUsize::new(0);
    if SINCE.fetch_add(count, Relaxed) >= SENTENCES {
        SINCE.store(count, Relaxed);
        give_back();
    }
}

fn give_back() {
    #[cfg(target_env = "gnu")]
    // SAFETY: takes a lock of each heap and changes nothing that is in use.
    unsafe {
        libc::malloc_trim(0);
    }
}
