//! n-gram language models: estimated from text, read from ARPA files, queried.

mod arpa;
pub mod estimate;
mod sink;

pub use arpa::{ArpaReader, ArpaWriter, MAX_ORDER, read_arpa};
pub use sink::{Entry, NgramSink};
