//! From the n-grams of any source to a binary model, in bounded memory.

mod close;
mod codebook;
mod gram;
mod hashed;
mod levels;
mod sort;
mod spool;
mod trie;

pub(super) use gram::Gram;
pub use gram::Values;
pub(crate) use gram::{EXTENDS_LEFT, NO_EXTENSION, is_sound_backoff, is_sound_code};
pub use hashed::write_hashed;
pub use levels::{Collector, Levels, Workspace};
pub use trie::{Loss, write_trie};
