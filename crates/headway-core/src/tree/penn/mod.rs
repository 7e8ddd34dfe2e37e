//! Constituent trees in Penn Treebank brackets.

mod assemble;
mod builder;
mod print;
mod reader;
mod strip;
mod tree;

pub use assemble::Assembler;
pub use reader::Reader;
pub use strip::Strip;
pub use tree::{ConstituentTree, Node};
