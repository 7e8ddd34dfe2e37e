//! The best path between every two nodes of a lattice, and whether there is one.
//!
//! Nodes are in topological order, so one pass over the edges is enough: O(VE), not the O(V³) of
//! Floyd and Warshall.

use super::graph::Lattice;
use super::max_plus::raise;

pub struct Paths {
    nodes: usize,
    /// By the node where paths end, then by the one where they begin.
    best: Vec<f32>,
}

impl Paths {
    /// Bytes of a table.
    pub fn size(nodes: usize) -> usize {
        nodes * nodes * size_of::<f32>()
    }

    /// By the scores of edges.
    pub fn new(lattice: &Lattice) -> Self {
        let nodes = lattice.nodes();
        let mut best = vec![f32::NEG_INFINITY; nodes * nodes];
        for node in 0..nodes {
            best[node * nodes + node] = 0.0;
        }
        // Edges are in the order of the nodes they leave: all that enter a node come before
        // those that leave it.
        for edge in &lattice.edges {
            let (from, to) = (edge.from as usize, edge.to as usize);
            let (before, after) = best.split_at_mut(to * nodes);
            let known = &before[from * nodes..=from * nodes + from];
            raise(&mut after[..=from], known, edge.score);
        }
        Paths { nodes, best }
    }

    /// The score of the best path; −∞ if there is none.
    #[inline]
    pub fn best(&self, from: usize, to: usize) -> f32 {
        self.best[to * self.nodes + from]
    }

    #[inline]
    pub fn reaches(&self, from: usize, to: usize) -> bool {
        self.best(from, to) > f32::NEG_INFINITY
    }
}
