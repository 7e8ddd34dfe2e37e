//! Phrase-based search: hypotheses by the number of source words they cover.

mod arena;
mod cube;
mod decoder;
mod derive;
mod edges;
mod input;
mod lattice;
mod literal;
mod nbest;
mod plain;
mod search;
mod sentence;

pub use decoder::{Added, Decoder, Listed, Request};
pub use derive::{Segment, Translation};
pub use literal::Given;
