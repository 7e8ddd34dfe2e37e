//! The file: how rules are coded, written and read.

mod coding;
mod column;
mod infer;
mod lexicon;
mod notation;
mod plan;
pub mod record;
mod spool;
mod strings;
mod survey;
mod trie;
mod writer;

pub use coding::Coding;
pub use trie::{NodeId, Trie};
pub use writer::{Facts, KIND, TableWriter};
