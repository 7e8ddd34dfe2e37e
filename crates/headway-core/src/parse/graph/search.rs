//! How trees are searched, by name.

use crate::{Monitor, Result};

use super::eisner::eisner;
use super::kbest::projective_kbest;
use super::local::local_heads;
use super::matrix::ArcScores;
use super::mst::spanning_tree;
use super::spanning_kbest::spanning_kbest;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// Projective trees, O(n³).
    Eisner,
    /// All trees, O(n²).
    Mst,
    /// The best head of each word, loops kept.
    Local,
}

impl Search {
    pub const ALL: [(&'static str, Search); 3] =
        [("eisner", Search::Eisner), ("mst", Search::Mst), ("local", Search::Local)];

    /// The best heads.
    pub fn best(self, scores: &ArcScores, single_root: bool) -> Vec<u32> {
        match self {
            Search::Eisner => eisner(scores, single_root),
            Search::Mst => spanning_tree(scores, single_root),
            Search::Local => local_heads(scores),
        }
    }

    /// The `k` best trees with their scores, best first. Where loops are kept there is one.
    pub fn kbest(
        self,
        scores: &ArcScores,
        single_root: bool,
        k: usize,
        monitor: &Monitor,
    ) -> Result<Vec<(f64, Vec<u32>)>> {
        match self {
            _ if k == 0 => Ok(Vec::new()),
            Search::Eisner => projective_kbest(scores, single_root, k, monitor),
            Search::Mst => spanning_kbest(scores, single_root, k, monitor),
            Search::Local => {
                let heads = local_heads(scores);
                Ok(vec![(scores.sum(&heads), heads)])
            }
        }
    }
}
