//! The second best spanning tree, out of the contraction that found the best one (Camerini,
//! Fratta & Maffioli 1980).
//!
//! Each arc of the best tree was chosen for a node, a word or a joined cycle. The second best
//! tree is the best one in which a single node has another arc, from a head that does not hang
//! below it; what that costs stands in the node's row of scores. Looking through the rows takes
//! O(n²), as the contraction did.

use crate::Result;
use crate::tree::{Heads, Topology};

use super::mst::{Contraction, Expansion};

/// Another arc for a node, and what the tree loses by it.
#[derive(Clone, Copy)]
struct Exchange {
    node: u32,
    head: u32,
    word: u32,
    loss: f64,
}

impl Contraction {
    /// The best tree but for `best`, which is what this contraction expands to.
    pub fn second_best(mut self, best: &Expansion) -> Result<Option<Vec<u32>>> {
        let Some(exchange) = self.best_exchange(best)? else { return Ok(None) };
        let node = &mut self.nodes[exchange.node as usize];
        (node.head, node.word) = (exchange.head, exchange.word);
        Ok(Some(self.expand().heads))
    }

    fn best_exchange(&self, best: &Expansion) -> Result<Option<Exchange>> {
        let topology = Topology::new(&Heads::new(best.heads.clone())?);
        let mut below = vec![0; best.heads.len() + 1];
        let mut found: Option<Exchange> = None;
        for (&node, word) in best.chosen_by.iter().zip(1..) {
            // All words of a node hang below the one that its arc leads to.
            topology.subtree(word).iter().for_each(|&under| below[under as usize] = word);
            let outside = |head: usize| below[head] != word;
            for exchange in self.exchanges(node, outside) {
                if found.is_none_or(|known| exchange.loss < known.loss) {
                    found = Some(exchange);
                }
            }
        }
        Ok(found.filter(|exchange| exchange.loss < f64::INFINITY))
    }

    /// The arcs that a node could have instead of its own: the best from each head.
    fn exchanges(
        &self,
        at: u32,
        outside: impl Fn(usize) -> bool,
    ) -> impl Iterator<Item = Exchange> {
        let node = &self.nodes[at as usize];
        let arc = move |head: usize, word: u32, score: f64| {
            let loss = node.score - score;
            Exchange { node: at, head: head as u32, word, loss }
        };
        let others = (0..node.scores.len()).filter(move |&head| {
            head != node.head as usize && node.scores[head] > f64::NEG_INFINITY && outside(head)
        });
        let others = others.map(move |head| arc(head, node.members[head], node.scores[head]));
        let same = self.other_member(at);
        others.chain(same.map(|(word, score)| arc(node.head as usize, word, score)))
    }

    /// The best word of a node that its head could lead to instead, with the score of that arc
    /// as the node sees it: less the arcs of all nodes that it goes into.
    fn other_member(&self, at: u32) -> Option<(u32, f64)> {
        let Contraction { nodes, .. } = self;
        let (head, word) = (nodes[at as usize].head as usize, nodes[at as usize].word);
        let mut best: Option<(u32, f64)> = None;
        let mut open = vec![(at, 0.0)];
        while let Some((outer, replaced)) = open.pop() {
            for &part in &nodes[outer as usize].parts {
                let node = &nodes[part as usize];
                let replaced = replaced + node.score;
                let score = node.scores[head] - replaced;
                let is_word = node.parts.is_empty();
                if !is_word {
                    open.push((part, replaced));
                } else if part != word && best.is_none_or(|(_, known)| score > known) {
                    best = Some((part, score));
                }
            }
        }
        best.filter(|&(_, score)| score > f64::NEG_INFINITY)
    }
}
