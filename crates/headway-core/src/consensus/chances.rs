//! How probable it is that an n-gram stands in a translation at least once, twice and so on.
//!
//! Exact, by an automaton that matches the n-gram (Knuth, Morris & Pratt 1977): each node has the
//! distribution over the automaton's states and the matches so far, for each state before it.

use super::lean::{Lean, LeanEdge, Part};

/// For a node: `chances[(before · states + after) · (most + 1) + matches]`.
type Table = Vec<f64>;

struct Automaton<'a> {
    gram: &'a [u32],
    borders: Vec<usize>,
    most: usize,
}

/// The probability that the n-gram stands in a translation at least 1, 2, … `most` times.
pub fn chances(lean: &Lean, gram: &[u32], most: usize) -> Vec<f64> {
    if gram.is_empty() || most == 0 || lean.is_empty() {
        return vec![0.0; most];
    }
    let automaton = Automaton { gram, borders: borders(gram), most };
    let shares = lean.shares();
    let mut tables: Vec<Table> = Vec::with_capacity(lean.nodes.len());
    for (edges, shares) in lean.nodes.iter().zip(&shares) {
        let mut table = vec![0.0; automaton.size()];
        for (edge, &share) in edges.iter().zip(shares) {
            automaton.add_edge(edge, share, &tables, &mut table);
        }
        tables.push(table);
    }
    let mut exactly = vec![0.0; most + 1];
    if let Some(goal) = tables.last() {
        for after in 0..gram.len() {
            let start = after * (most + 1);
            let own = &goal[start..start + most + 1];
            exactly.iter_mut().zip(own).for_each(|(sum, chance)| *sum += chance);
        }
    }
    let at_least = |times: usize| exactly[times..].iter().sum::<f64>().clamp(0.0, 1.0);
    (1..=most).map(at_least).collect()
}

/// For each number of matched units the longest shorter beginning that is an end of it as well.
fn borders(gram: &[u32]) -> Vec<usize> {
    (0..=gram.len())
        .map(|long| (0..long).rev().find(|&it| gram[..it] == gram[long - it..long]).unwrap_or(0))
        .collect()
}

impl Automaton<'_> {
    fn states(&self) -> usize {
        self.gram.len()
    }

    fn size(&self) -> usize {
        self.states() * self.states() * (self.most + 1)
    }

    /// The state after a unit, and whether the n-gram ends there.
    fn step(&self, state: usize, unit: u32) -> (usize, bool) {
        let mut matched = state;
        while matched > 0 && self.gram[matched] != unit {
            matched = self.borders[matched];
        }
        if self.gram[matched] == unit {
            matched += 1;
        }
        match matched == self.gram.len() {
            true => (self.borders[matched], true),
            false => (matched, false),
        }
    }

    fn add_edge(&self, edge: &LeanEdge, share: f64, tables: &[Table], table: &mut Table) {
        let width = self.most + 1;
        for before in 0..self.states() {
            // By state and matches, from this state.
            let mut now = vec![0.0; self.states() * width];
            now[before * width] = share;
            for part in &edge.parts {
                let mut next = vec![0.0; now.len()];
                for state in 0..self.states() {
                    let own = &now[state * width..(state + 1) * width];
                    if own.iter().all(|&chance| chance == 0.0) {
                        continue;
                    }
                    match *part {
                        Part::Unit(unit) => {
                            let (after, matched) = self.step(state, unit);
                            for (times, chance) in own.iter().enumerate() {
                                let times = (times + usize::from(matched)).min(self.most);
                                next[after * width + times] += chance;
                            }
                        }
                        Part::Slot(slot) => {
                            let below = &tables[edge.tails[slot as usize] as usize];
                            let row = &below[state * now.len()..(state + 1) * now.len()];
                            self.convolve(own, row, &mut next);
                        }
                    }
                }
                now = next;
            }
            let row = &mut table[before * now.len()..(before + 1) * now.len()];
            row.iter_mut().zip(&now).for_each(|(sum, chance)| *sum += chance);
        }
    }

    fn convolve(&self, own: &[f64], row: &[f64], next: &mut [f64]) {
        let width = self.most + 1;
        for (times, &chance) in own.iter().enumerate().filter(|(_, chance)| **chance != 0.0) {
            for (place, &other) in row.iter().enumerate().filter(|(_, other)| **other != 0.0) {
                let (after, more) = (place / width, place % width);
                next[after * width + (times + more).min(self.most)] += chance * other;
            }
        }
    }
}
