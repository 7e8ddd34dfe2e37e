//! The built-in corpus: a synchronous grammar of a fragment of German and English.
//!
//! A plan (`plan/`) chooses what to say and how: a tree of meaning (`meaning.rs`) whose every
//! piece has an id. Each language then builds its own words, order and dependency tree from it
//! (`german/`, `english/`); words that came from the same piece are aligned (`align.rs`).

mod align;
mod corpus;
mod english;
mod features;
mod german;
#[cfg(test)]
mod golden;
mod lexicon;
mod meaning;
mod modal;
mod observe;
mod pair;
mod phenomena;
mod plan;
#[cfg(test)]
mod properties;
mod render;
mod rng;
mod stream;
mod time;
mod words;

pub use corpus::Corpus;
pub use pair::{Pair, Word};
pub use phenomena::{Phenomena, Phenomenon};
pub use stream::Stream;
