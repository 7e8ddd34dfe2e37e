//! n-gram language models: estimated from text, read from ARPA files, queried.

mod sink;

pub use sink::{Entry, NgramSink};
