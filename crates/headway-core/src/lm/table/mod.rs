//! How the n-grams of a model lie in memory, and how one is found from its context.

mod bits;
mod hash;
mod hashed;
mod info;
mod lexicon;
mod sections;
mod trie;

pub use bits::{BitWriter, bits};
pub use hash::{Hash, MAX_SHIFT, SHIFT_BITS};
pub use hashed::{Bucket, EMPTY, Hashed, all_buckets, hash_of, slots};
pub use info::{Info, Layout};
pub use lexicon::Lexicon;
pub use sections::{MemoryWriter, SectionSink, Sections};
pub use trie::{BACKOFF_BITS, PROB_BITS, Trie, Widths};

use super::build::Values;

/// An n-gram within a table: its place among those of its length, and its values.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    pub place: u32,
    pub values: Values,
}

/// n-grams by context and word. The place of a context is what `find` answered for it, or for
/// a context of one word the word itself. Places that no `find` gave find nothing or anything,
/// but never fail.
pub trait Table: Send + Sync {
    /// What is known of a look-up before memory is touched.
    type Probe: Copy + Default;

    fn order(&self) -> usize;

    /// The values of a word; of the unknown word for ids the model does not have.
    fn unigram(&self, word: u32) -> Values;

    /// Prepares to look up the n-gram of length `order` (from 2 on), and calls for its memory.
    fn probe(&self, order: usize, context: u32, word: u32) -> Self::Probe;

    fn find(&self, order: usize, probe: Self::Probe) -> Option<Found>;
}

/// Asks for memory that will be read soon.
#[inline]
fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = items.get(index) {
        // SAFETY: a hint; the address is that of an item.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}
