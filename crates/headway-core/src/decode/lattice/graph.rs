//! A phrase lattice: nodes in topological order, and edges of at least one target word each.

use std::ops::Range;

use crate::forest::{EdgeId, NodeId};

/// A phrase in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Edge {
    pub from: u32,
    pub to: u32,
    /// What phrase features are worth under the fine weights.
    pub score: f32,
    /// What it says, and of which source words; many edges share one.
    pub unit: u32,
    /// The edges of the forest that it is made of.
    pub parts: Vec<EdgeId>,
}

/// Paths from node 0 to the last node are translations. Edges are in the order of the nodes they
/// leave, so that an edge that comes before another on a path has the lower number.
#[derive(Debug, Clone, Default)]
pub struct Lattice {
    pub edges: Vec<Edge>,
    /// The first edge that leaves each node; one more at the end.
    first: Vec<u32>,
    /// The forest's nodes; none for a start that the forest does not have.
    pub origins: Vec<Option<NodeId>>,
}

impl Lattice {
    pub fn new(mut edges: Vec<Edge>, origins: Vec<Option<NodeId>>) -> Self {
        edges.sort_by_key(|edge| (edge.from, edge.to));
        let leaving = |node: usize| edges.partition_point(|edge| (edge.from as usize) < node);
        let first = (0..=origins.len()).map(|node| leaving(node) as u32).collect();
        Lattice { edges, first, origins }
    }

    pub fn nodes(&self) -> usize {
        self.origins.len()
    }

    /// The last node.
    pub fn end(&self) -> usize {
        self.origins.len() - 1
    }

    /// The first edge that leaves a node or one after it.
    #[inline]
    pub fn first(&self, node: usize) -> usize {
        self.first[node] as usize
    }

    /// The edges that leave a node.
    pub fn leaving(&self, node: usize) -> Range<usize> {
        self.first(node)..self.first(node + 1)
    }

    #[inline]
    pub fn from(&self, edge: usize) -> usize {
        self.edges[edge].from as usize
    }

    #[inline]
    pub fn to(&self, edge: usize) -> usize {
        self.edges[edge].to as usize
    }

    #[inline]
    pub fn score(&self, edge: usize) -> f32 {
        self.edges[edge].score
    }

    /// The edges of the best path by these values of edges; none if there is no path.
    pub fn best_path(&self, value: impl Fn(usize) -> f32) -> Vec<usize> {
        let mut best = vec![f32::NEG_INFINITY; self.nodes()];
        let mut by = vec![None; self.nodes()];
        best[0] = 0.0;
        for edge in 0..self.edges.len() {
            let (score, to) = (best[self.from(edge)] + value(edge), self.to(edge));
            if score > best[to] {
                (best[to], by[to]) = (score, Some(edge));
            }
        }
        let (mut path, mut node) = (Vec::new(), self.end());
        while let Some(edge) = by[node] {
            path.push(edge);
            node = self.from(edge);
        }
        path.reverse();
        path
    }

    /// One path as a lattice.
    pub fn only(&self, path: &[usize]) -> Lattice {
        let place = |(at, &edge): (usize, &usize)| Edge {
            from: at as u32,
            to: at as u32 + 1,
            ..self.edges[edge].clone()
        };
        let edges = path.iter().enumerate().map(place).collect();
        let ends = path.iter().map(|&edge| self.origins[self.to(edge)]);
        let origins = std::iter::once(self.origins[0]).chain(ends).collect();
        Lattice::new(edges, origins)
    }
}
