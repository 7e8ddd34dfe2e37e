//! The slow, obvious answers.

use super::*;

/// How many derivations, finished or not, `derivations` holds at most at once for any node. A tail
/// without derivations counts as one: what stands before it was already combined.
pub(super) fn most_at_once(forest: &Forest) -> f64 {
    let mut counts: Vec<f64> = Vec::new();
    for node in forest.nodes() {
        let product = |edge: Edge<'_>| {
            edge.tails().iter().map(|tail| counts[tail.index()].max(1.0)).product()
        };
        counts.push(node.edges().map(product).fold(0.0, |sum: f64, many: f64| sum + many));
    }
    counts.into_iter().fold(0.0, f64::max)
}

/// All derivations of a node.
pub(crate) fn derivations(forest: &Forest, node: NodeId) -> Vec<Vec<EdgeId>> {
    let mut all = Vec::new();
    for edge in forest.node(node).edges() {
        let mut partial = vec![vec![edge.id()]];
        for &tail in edge.tails() {
            let below = derivations(forest, tail);
            let join = |start: &Vec<EdgeId>| {
                below.iter().map(|rest| [&start[..], &rest[..]].concat()).collect::<Vec<_>>()
            };
            partial = partial.iter().flat_map(join).collect();
        }
        all.extend(partial);
    }
    all
}

pub(crate) fn score(weighted: &Weighted<'_>, derivation: &[EdgeId]) -> f64 {
    derivation.iter().map(|edge| weighted.scores()[edge.index()]).sum()
}

/// Words with the edge's place in the derivation and the symbol each comes from; the edges used.
pub(super) struct Said {
    pub(super) words: Vec<(u32, usize, usize)>,
    pub(super) edges: usize,
}

pub(super) fn say(forest: &Forest, derivation: &[EdgeId], from: usize) -> Said {
    let edge = forest.edge(derivation[from]);
    let (mut place, mut below) = (from + 1, Vec::new());
    for _ in edge.tails() {
        let said = say(forest, derivation, place);
        place += said.edges;
        below.push(said.words);
    }
    let mut words = Vec::new();
    for (at, symbol) in edge.symbols().enumerate() {
        match symbol {
            Symbol::Word(word) => words.push((word, from, at)),
            Symbol::Slot(slot) => words.extend(&below[slot as usize]),
        }
    }
    Said { words, edges: place - from }
}

pub(crate) fn target(forest: &Forest, derivation: &[EdgeId]) -> Vec<u32> {
    say(forest, derivation, 0).words.iter().map(|&(word, _, _)| word).collect()
}

pub(super) fn log_sum(scores: impl Iterator<Item = f64>) -> f64 {
    scores.map(f64::exp).sum::<f64>().ln()
}

pub(crate) fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() <= 1e-7 * (1.0 + a.abs().max(b.abs()))
}
