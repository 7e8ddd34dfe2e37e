//! Items of Eisner's algorithm over the edges of a lattice.
//!
//! A complete half is an edge with all that depends on it on one side, up to some node; the edge
//! itself is no part of it. What lies between two edges, and depends on one of them, is joined
//! before an arc between the two is drawn. Every projective tree over a path, with one root, is
//! made in exactly one way.

use super::arcs::ArcTable;
use super::graph::Lattice;
use super::paths::Paths;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Item {
    /// Behind `head`, up to the node `to`.
    Right { head: u32, to: u32 },
    /// Before `head`, from the node `from`.
    Left { from: u32, head: u32 },
    /// Between two edges: a right half of the first and a left half of the second.
    Joint { one: u32, other: u32 },
    /// A whole tree.
    Goal,
}

/// What is parsed.
#[derive(Clone, Copy)]
pub struct Problem<'a> {
    pub lattice: &'a Lattice,
    pub arcs: &'a ArcTable,
    pub paths: &'a Paths,
}

impl Problem<'_> {
    /// The nodes between which an item lies.
    pub fn ends(&self, item: Item) -> (usize, usize) {
        let lattice = self.lattice;
        match item {
            Item::Right { head, to } => (lattice.to(head as usize), to as usize),
            Item::Left { from, head } => (from as usize, lattice.from(head as usize)),
            Item::Joint { one, other } => (lattice.to(one as usize), lattice.from(other as usize)),
            Item::Goal => (0, lattice.end()),
        }
    }

    /// Whether there is nothing in it, in the one way that there is.
    pub fn is_empty(&self, item: Item) -> bool {
        let (from, to) = self.ends(item);
        from == to
    }

    /// What an edge is worth as the root.
    #[inline]
    pub fn as_root(&self, edge: usize) -> f32 {
        self.lattice.score(edge) + self.arcs.root(edge)
    }
}
