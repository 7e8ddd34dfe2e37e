//! Constituent trees in Penn Treebank brackets.

mod builder;
mod heads;
mod print;
mod reader;
mod strip;
mod tree;

pub use heads::HeadRules;
pub use reader::Reader;
pub use strip::Strip;
pub use tree::{ConstituentTree, Node};
