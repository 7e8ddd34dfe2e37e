//! From a forest with one tail per edge to a lattice in which every edge has a target word.
//!
//! Edges without words (words that were dropped, the beginning, the end of the sentence) are
//! folded into the edge behind them, those before the goal into the edge before them. Of several
//! ways between two nodes that say nothing the best one counts.

use std::collections::BTreeMap;

use super::graph::{Edge, Lattice};
use crate::forest::{EdgeId, Forest, NodeId, Symbol};

/// A way that says nothing: what it is worth, and its edges.
type Silence = (f64, Vec<EdgeId>);

/// The forest's nodes by their places, which begin with 1; place 0 is before all of them.
struct Cleaning<'a> {
    forest: &'a Forest,
    scores: &'a [f64],
    /// By place the edges that leave it.
    silent: Vec<Vec<EdgeId>>,
    speaking: Vec<Vec<EdgeId>>,
}

/// The lattice of a forest; `scores` has one for each edge. Units are all 0.
pub fn clean(forest: &Forest, scores: &[f64]) -> Lattice {
    let places = forest.node_count() + 1;
    let (silent, speaking) = (vec![Vec::new(); places], vec![Vec::new(); places]);
    let mut cleaning = Cleaning { forest, scores, silent, speaking };
    for edge in forest.edges() {
        let from = edge.tails().first().map_or(0, |tail| place(*tail));
        let speaks = edge.symbols().any(|symbol| matches!(symbol, Symbol::Word(_)));
        let list = if speaks { &mut cleaning.speaking } else { &mut cleaning.silent };
        list[from].push(edge.id());
    }
    let edges = cleaning.edges();
    numbered(edges, places, place(forest.goal()))
}

fn place(node: NodeId) -> usize {
    node.index() + 1
}

impl Cleaning<'_> {
    fn head(&self, edge: EdgeId) -> usize {
        place(self.forest.edge(edge).head())
    }

    /// Edges between places.
    fn edges(&self) -> Vec<Edge> {
        let (places, goal) = (self.silent.len(), place(self.forest.goal()));
        let (mut edges, mut is_end) = (Vec::new(), vec![false; places]);
        let mut ends: Vec<Option<Silence>> = vec![None; places];
        is_end[0] = true;
        for from in 0..places {
            if !is_end[from] {
                continue;
            }
            for (at, (worth, silence)) in self.silences(from) {
                for &edge in &self.speaking[at] {
                    let to = self.head(edge);
                    is_end[to] = true;
                    let score = worth + self.scores[edge.index()];
                    let parts = silence.iter().copied().chain([edge]).collect();
                    edges.push((from, to, score, parts));
                }
                if at == goal && !silence.is_empty() {
                    ends[from] = Some((worth, silence));
                }
            }
        }
        self.with_ends(edges, &ends, goal)
    }

    /// What can be reached from a place without a word, and the best way there.
    fn silences(&self, from: usize) -> BTreeMap<usize, Silence> {
        let mut open = BTreeMap::from([(from, (0.0, Vec::new()))]);
        let mut found = BTreeMap::new();
        while let Some((at, (worth, way))) = open.pop_first() {
            for &edge in &self.silent[at] {
                let (to, score) = (self.head(edge), worth + self.scores[edge.index()]);
                if open.get(&to).is_none_or(|known| known.0 < score) {
                    open.insert(to, (score, way.iter().copied().chain([edge]).collect()));
                }
            }
            found.insert(at, (worth, way));
        }
        found
    }

    /// The edges, and those that can be the last one once more, with the silence behind them.
    fn with_ends(
        &self,
        edges: Vec<(usize, usize, f64, Vec<EdgeId>)>,
        ends: &[Option<Silence>],
        goal: usize,
    ) -> Vec<Edge> {
        let edge = |from: usize, to: usize, score: f64, parts| {
            let (from, to, score) = (from as u32, to as u32, score as f32);
            Edge { from, to, score, unit: 0, parts }
        };
        let mut found = Vec::with_capacity(edges.len());
        for (from, to, score, parts) in edges {
            if let Some((worth, silence)) = &ends[to] {
                let parts = [&parts[..], silence].concat();
                found.push(edge(from, goal, score + worth, parts));
            }
            found.push(edge(from, to, score, parts));
        }
        found
    }
}

/// Drops edges on no path from place 0 to the goal, and numbers the nodes that are left.
fn numbered(mut edges: Vec<Edge>, places: usize, goal: usize) -> Lattice {
    let (mut reached, mut reaches) = (vec![false; places], vec![false; places]);
    (reached[0], reaches[goal]) = (true, true);
    edges.sort_by_key(|edge| (edge.from, edge.to));
    for edge in &edges {
        reached[edge.to as usize] |= reached[edge.from as usize];
    }
    for edge in edges.iter().rev() {
        reaches[edge.from as usize] |= reaches[edge.to as usize];
    }
    let used = |place: usize| reached[place] && reaches[place];
    edges.retain(|edge| used(edge.from as usize) && used(edge.to as usize));
    let kept: Vec<usize> = (0..places).filter(|&place| used(place)).collect();
    let mut numbers = vec![0; places];
    for (number, &place) in kept.iter().enumerate() {
        numbers[place] = number as u32;
    }
    for edge in &mut edges {
        edge.from = numbers[edge.from as usize];
        edge.to = numbers[edge.to as usize];
    }
    let origin = |&place: &usize| place.checked_sub(1).map(|node| NodeId(node as u32));
    Lattice::new(edges, kept.iter().map(origin).collect())
}
