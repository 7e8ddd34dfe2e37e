//! n-gram language models: estimated from text, read from ARPA files, queried.

pub mod estimate;
mod sink;

pub use sink::{Entry, NgramSink};
