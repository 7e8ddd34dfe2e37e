//! ARPA files: the text form in which toolkits exchange n-gram models.

mod header;
mod line;
mod locate;
mod read;
mod write;

pub(super) use locate::lines_of;
pub use read::{ArpaReader, read_arpa};
pub use write::ArpaWriter;

/// The longest n-grams a model may have.
pub const MAX_ORDER: usize = 6;
