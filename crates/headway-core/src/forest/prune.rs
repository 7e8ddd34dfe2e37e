//! Smaller forests: edges far from the best derivation go, and with them what is cut off.

use super::graph::{Forest, NONE, NodeId, Span};
use super::semiring::Exists;
use super::weighted::Weighted;
use crate::{Error, Result};

impl Weighted<'_> {
    /// Keeps the edges that stand in a derivation at most `threshold` below the best.
    ///
    /// Rounding differs along different paths, so scores within 1e-9 (relative) count as equal.
    pub fn prune(&self, threshold: f64) -> Result<Forest> {
        if threshold.is_nan() || threshold < 0.0 {
            let message =
                format!("forest: a threshold of {threshold} below the best; give 0 or more");
            return Err(Error::Setting(message));
        }
        let marginals = self.max_marginals();
        let best = marginals.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let lowest = best - threshold - slack(best);
        let kept: Vec<bool> =
            marginals.iter().map(|&it| it > f64::NEG_INFINITY && it >= lowest).collect();
        self.forest.only(&kept)
    }

    /// Keeps at most `edges` edges, by the most liberal threshold; edges that are equally good
    /// stay or go together. If that leaves no derivation, the best one stays, whatever its size.
    pub fn prune_to(&self, edges: usize) -> Result<Forest> {
        let marginals = self.max_marginals();
        let mut order: Vec<f64> =
            marginals.iter().copied().filter(|&it| it > f64::NEG_INFINITY).collect();
        order.sort_unstable_by(|a, b| b.total_cmp(a));
        let apart = |many: &usize| match (order.get(*many), order.first()) {
            (Some(next), Some(&best)) => order[many - 1] - next > slack(best),
            _ => true,
        };
        match (1..=edges.min(order.len())).rev().find(apart) {
            Some(many) => {
                let lowest = order[many - 1];
                self.forest.only(&marginals.iter().map(|&it| it >= lowest).collect::<Vec<_>>())
            }
            None => self.only_best(),
        }
    }

    fn only_best(&self) -> Result<Forest> {
        let mut kept = vec![false; self.forest.edge_count()];
        for edge in self.viterbi()?.iter().flat_map(|best| &best.edges) {
            kept[edge.index()] = true;
        }
        self.forest.only(&kept)
    }
}

fn slack(best: f64) -> f64 {
    1e-9 * best.abs().max(1.0)
}

impl Forest {
    /// Drops edges that cannot stand in any derivation, and nodes likewise.
    pub fn trimmed(&self) -> Result<Forest> {
        self.only(&vec![true; self.edge_count()])
    }

    /// These edges, without those that no longer stand in any derivation. The goal stays.
    pub(super) fn only(&self, kept: &[bool]) -> Result<Forest> {
        let value = |edge: super::EdgeId| kept[edge.index()];
        let inside = self.inside_over::<Exists>(value);
        let outside = self.outside_over::<Exists>(value, &inside);
        let used = |node: usize| inside[node] && outside[node];
        let parts = (self.features.clone(), self.weights.clone(), self.source.clone());
        let mut forest = Forest::empty(parts.0, parts.1, parts.2);
        forest.words = self.words.clone();
        let mut names = vec![NodeId(NONE); self.node_count()];
        for node in (0..names.len()).filter(|&node| used(node) || node == self.goal.index()) {
            names[node] = NodeId(forest.nodes.len() as u32);
            forest.copy_node(self, node);
            let edges = self.incoming(node).filter(|&edge| {
                used(node) && kept[edge] && self.tails_of(edge).iter().all(|it| inside[it.index()])
            });
            for edge in edges {
                forest.copy_edge(self, edge, |node| names[node.index()])?;
            }
        }
        forest.goal = names[self.goal.index()];
        forest.group();
        Ok(forest)
    }

    fn copy_node(&mut self, other: &Forest, node: usize) {
        let mut record = other.nodes[node];
        if record.cover.end == NONE {
            let (start, width) = (record.cover.start as usize, self.source.len().div_ceil(64));
            record.cover = Span { start: self.bits.len() as u32, end: NONE };
            self.bits.extend_from_slice(&other.bits[start..start + width]);
        }
        self.nodes.push(record);
    }
}
