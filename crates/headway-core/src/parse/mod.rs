//! Taggers and dependency parsers: trained from treebanks, saved, and asked for trees, for the
//! best few of them, or for the score of a single arc.

pub mod graph;
mod hash;
mod multiclass;
pub mod tag;
mod treebank;

pub use treebank::{Example, LeftOut, Source, Treebank};
