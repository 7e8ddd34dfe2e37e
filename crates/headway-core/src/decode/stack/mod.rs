//! Phrase-based search: hypotheses by the number of source words they cover.

mod arena;
mod changes;
mod cube;
mod decoder;
mod derive;
mod edges;
mod extras;
mod guide;
mod input;
mod lattice;
mod literal;
mod plain;
mod restricted;
mod search;
mod sentence;
mod spans;
mod stated;

pub use decoder::Decoder;
