//! A forest with a score on every edge: best derivation, sums, expectations, max-marginals.

use super::graph::{EdgeId, Forest, check_weights};
use super::path::Derivation;
use super::semiring::{Best, Log};
use crate::{Error, Result};

/// Beyond this, sums along a path would lose what distinguishes them.
const HIGHEST: f64 = 1e100;

/// A forest seen with weights.
#[derive(Debug, Clone)]
pub struct Weighted<'a> {
    pub(super) forest: &'a Forest,
    pub(super) scores: Vec<f64>,
}

impl Forest {
    /// With the weights it carries.
    pub fn weighted(&self) -> Result<Weighted<'_>> {
        self.weighted_with(&self.weights)
    }

    /// With other weights, one per feature.
    pub fn weighted_with(&self, weights: &[f64]) -> Result<Weighted<'_>> {
        check_weights(&self.features, weights)?;
        let scores: Vec<f64> = (0..self.edge_count()).map(|edge| self.dot(edge, weights)).collect();
        if let Some(edge) = scores.iter().position(|score| score.is_nan() || score.abs() > HIGHEST)
        {
            let message = format!("forest: edge {edge} would score {}: too far", scores[edge]);
            return Err(Error::Setting(format!("{message} from 0; check weights and features")));
        }
        Ok(Weighted { forest: self, scores })
    }

    fn dot(&self, edge: usize, weights: &[f64]) -> f64 {
        let dense = self.dense_of(edge).iter().zip(weights);
        // From 0.0, not `sum()`, which starts at −0.0: `total_cmp` tells the two apart, `>` does
        // not, and k-best needs both to choose the same of two equal edges.
        let dense = dense.fold(0.0, |sum, (&value, weight)| sum + f64::from(value) * weight);
        let sparse = self.sparse_of(edge).iter();
        sparse.fold(dense, |sum, &(place, value)| sum + f64::from(value) * weights[place as usize])
    }
}

impl<'a> Weighted<'a> {
    pub fn forest(&self) -> &'a Forest {
        self.forest
    }

    /// The score of each edge.
    pub fn scores(&self) -> &[f64] {
        &self.scores
    }

    fn score(&self) -> impl Fn(EdgeId) -> f64 {
        |edge| self.scores[edge.index()]
    }

    /// For each node the score of its best derivation; −∞ if it has none.
    pub fn best_scores(&self) -> Vec<f64> {
        self.forest.inside_over::<Best>(self.score())
    }

    /// For each node the first of its edges that make its best derivation.
    pub(super) fn best_edges(&self, best: &[f64]) -> Vec<Option<EdgeId>> {
        let choose = |node: usize| {
            let score = |edge: &usize| self.forest.edge_inside::<Best>(*edge, &self.score(), best);
            let mut edges = self.forest.incoming(node);
            let edge = edges.find(|edge| score(edge) == best[node])?;
            (best[node] > f64::NEG_INFINITY).then_some(EdgeId(edge as u32))
        };
        (0..best.len()).map(choose).collect()
    }

    /// The best derivation, `None` if there are none. Of equal ones, that with the edge of the
    /// lowest number at the first place where they differ.
    pub fn viterbi(&self) -> Result<Option<Derivation>> {
        let best = self.best_scores();
        let choices = self.best_edges(&best);
        let goal = self.forest.goal.index();
        if choices[goal].is_none() {
            return Ok(None);
        }
        let edges = self.forest.expand(self.forest.goal, |node| choices[node.index()])?;
        Ok(Some(Derivation { score: best[goal], edges }))
    }

    /// For each node the logarithm of the sum of exp(score) over its derivations.
    pub fn inside(&self) -> Vec<f64> {
        self.forest.inside_over::<Log>(self.score())
    }

    /// For each node the same over all that can stand around it up to the goal.
    pub fn outside(&self, inside: &[f64]) -> Vec<f64> {
        self.forest.outside_over::<Log>(self.score(), inside)
    }

    /// For each edge how often a derivation uses it, on average, where derivations have the
    /// probability exp(score)/sum. Above 1 where an edge can stand in one several times.
    pub fn posteriors(&self) -> Vec<f64> {
        let inside = self.inside();
        let outside = self.outside(&inside);
        let total = inside[self.forest.goal.index()];
        let posterior = |edge: usize| {
            let head = self.forest.edges[edge].head.index();
            let around = outside[head] - total;
            (around + self.forest.edge_inside::<Log>(edge, &self.score(), &inside)).exp()
        };
        match total {
            f64::NEG_INFINITY => vec![0.0; self.scores.len()],
            _ => (0..self.scores.len()).map(posterior).collect(),
        }
    }

    /// The expected value of each feature; zeros if nothing can be derived.
    pub fn expected_features(&self) -> Vec<f64> {
        let mut expected = vec![0.0; self.forest.features.len()];
        for (edge, posterior) in self.posteriors().into_iter().enumerate() {
            for (sum, &value) in expected.iter_mut().zip(self.forest.dense_of(edge)) {
                *sum += posterior * f64::from(value);
            }
            for &(place, value) in self.forest.sparse_of(edge) {
                expected[place as usize] += posterior * f64::from(value);
            }
        }
        expected
    }

    /// For each edge the score of the best derivation that uses it; −∞ if none does.
    pub fn max_marginals(&self) -> Vec<f64> {
        let best = self.best_scores();
        let outside = self.forest.outside_over::<Best>(self.score(), &best);
        let marginal = |edge: usize| {
            let head = self.forest.edges[edge].head.index();
            outside[head] + self.forest.edge_inside::<Best>(edge, &self.score(), &best)
        };
        (0..self.scores.len()).map(marginal).collect()
    }
}
