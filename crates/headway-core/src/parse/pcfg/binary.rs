//! Trees of at most two children, with at most one unary step above a word or a pair.

/// What a symbol of a binary tree is rewritten as. Children are positions among the nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A word of the sentence, counted from 0.
    Word(u32),
    Unary(u32),
    Binary(u32, u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BinaryNode {
    pub symbol: u16,
    pub step: Step,
}

/// Nodes, children before their parents; the last one is the root.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BinaryTree {
    pub nodes: Vec<BinaryNode>,
}

impl BinaryTree {
    /// Adds a node above others that are there; answers its position.
    pub fn push(&mut self, symbol: u16, step: Step) -> u32 {
        self.nodes.push(BinaryNode { symbol, step });
        self.nodes.len() as u32 - 1
    }
}
