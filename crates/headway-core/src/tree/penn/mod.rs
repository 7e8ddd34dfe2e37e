//! Constituent trees in Penn Treebank brackets.

mod assemble;
mod builder;
mod heads;
mod print;
mod reader;
mod strip;
mod tree;

pub use assemble::Assembler;
pub use heads::HeadRules;
pub use reader::Reader;
pub use strip::Strip;
pub use tree::{ConstituentTree, Node};
