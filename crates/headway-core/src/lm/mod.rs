//! n-gram language models: estimated from text, read from ARPA files, queried.

mod arpa;
mod build;
mod emit;
pub mod estimate;
mod mix;
mod model;
mod query;
mod sample;
mod sink;
mod store;
mod table;

/// The largest absolute value of a log10 probability or back-off: sums of them stay finite.
pub const MOST_LOG10: f32 = 1e6;

pub use arpa::{ArpaReader, ArpaWriter, MAX_ORDER, read_arpa};
pub use build::{Loss, Workspace};
pub use mix::{Mixture, Tuning};
pub use model::LanguageModel;
pub use query::{Boundaries, ChartState, Piece, SentenceScore, State, WordScore, words_of};
pub use sample::{SampleOptions, Sampler};
pub use sink::{Entry, NgramSink};
pub use store::{BinaryWriter, Options, build};
pub use table::Layout;
