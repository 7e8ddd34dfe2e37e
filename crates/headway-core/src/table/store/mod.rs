//! The file: how rules are coded, written and read.

mod check;
mod coding;
mod column;
mod infer;
mod levels;
mod lexicon;
mod notation;
mod plan;
mod record;
mod seen;
mod spool;
mod strings;
mod survey;
mod tokens;
mod trie;
mod writer;

pub use coding::Coding;
pub use record::{LONGEST, push_rest, read_rest};
pub use trie::{NodeId, Trie};
pub use writer::{Facts, KIND, TableWriter};
