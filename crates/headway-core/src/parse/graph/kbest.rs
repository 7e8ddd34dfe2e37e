//! The k best projective trees, exactly: Eisner's chart with lists of derivations.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::{Monitor, Result};

use super::matrix::ArcScores;

/// The k best projective trees, best first, with their scores. Trees are distinct because each
/// has one derivation.
pub fn projective_kbest(
    scores: &ArcScores,
    single_root: bool,
    k: usize,
    monitor: &Monitor,
) -> Result<Vec<(f64, Vec<u32>)>> {
    let words = scores.words();
    if words == 0 {
        return Ok(vec![(0.0, Vec::new())]);
    }
    let (searched, charge) = scores.searchable(single_root);
    let charts = Charts::fill(&searched, charge, k, monitor)?;
    let count = charts.at(Kind::Right, 0, words).len();
    let trees = (0..count).map(|rank| {
        let mut heads = vec![0; words];
        charts.trace(rank, &mut heads);
        (scores.sum(&heads), heads)
    });
    let one_root = |heads: &[u32]| heads.iter().filter(|&&head| head == 0).count() == 1;
    Ok(trees.filter(|(_, heads)| !single_root || one_root(heads)).collect())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Right,
    Left,
    RightArc,
    LeftArc,
}

/// One derivation of a span: where it splits, and which derivations of the two parts it takes.
#[derive(Clone, Copy)]
struct Derivation {
    score: f64,
    split: u32,
    first: u32,
    second: u32,
}

/// Derivations of each kind of span, best first, at most k.
struct Charts {
    size: usize,
    k: usize,
    lists: [Vec<Vec<Derivation>>; 4],
}

const LEAF: [Derivation; 1] = [Derivation { score: 0.0, split: 0, first: 0, second: 0 }];

impl Charts {
    fn fill(scores: &ArcScores, charge: f64, k: usize, monitor: &Monitor) -> Result<Self> {
        let size = scores.words() + 1;
        let lists = || vec![Vec::new(); size * size];
        let mut charts = Charts { size, k, lists: [lists(), lists(), lists(), lists()] };
        for length in 1..size {
            for start in 0..size - length {
                monitor.check()?;
                charts.span(scores, charge, start, start + length);
            }
        }
        Ok(charts)
    }

    fn at(&self, kind: Kind, start: usize, end: usize) -> &[Derivation] {
        if start == end {
            return &LEAF;
        }
        &self.lists[kind as usize][start * self.size + end]
    }

    fn span(&mut self, scores: &ArcScores, charge: f64, start: usize, end: usize) {
        let root = if start == 0 { charge } else { 0.0 };
        self.set(Kind::RightArc, start, end, scores.get(start, end) - root);
        if start > 0 {
            self.set(Kind::LeftArc, start, end, scores.get(end, start));
            self.set(Kind::Left, start, end, 0.0);
        }
        self.set(Kind::Right, start, end, 0.0);
    }

    /// The parts of a span of a kind that splits at `split`.
    fn parts(&self, kind: Kind, start: usize, end: usize, split: usize) -> [Part; 2] {
        match kind {
            Kind::Right => [(Kind::RightArc, start, split), (Kind::Right, split, end)],
            Kind::Left => [(Kind::Left, start, split), (Kind::LeftArc, split, end)],
            _ => [(Kind::Right, start, split), (Kind::Left, split + 1, end)],
        }
    }

    fn set(&mut self, kind: Kind, start: usize, end: usize, arc: f64) {
        let splits = if kind == Kind::Right { start + 1..end + 1 } else { start..end };
        let mut agenda: BinaryHeap<Candidate> = BinaryHeap::new();
        for split in splits {
            agenda.extend(self.candidate(kind, (start, end), arc, (split as u32, 0, 0)));
        }
        let mut list: Vec<Derivation> = Vec::new();
        while let Some(Candidate(best)) = agenda.pop() {
            list.push(best);
            if list.len() == self.k {
                break;
            }
            // Second parts advance from any derivation, first parts only from the first one:
            // so each pair is put on the agenda once.
            let next = (best.split, best.first, best.second + 1);
            agenda.extend(self.candidate(kind, (start, end), arc, next));
            if best.second == 0 {
                let next = (best.split, best.first + 1, 0);
                agenda.extend(self.candidate(kind, (start, end), arc, next));
            }
        }
        self.lists[kind as usize][start * self.size + end] = list;
    }

    fn candidate(
        &self,
        kind: Kind,
        (start, end): (usize, usize),
        arc: f64,
        (split, first, second): (u32, u32, u32),
    ) -> Option<Candidate> {
        let [one, other] = self.parts(kind, start, end, split as usize);
        let one = self.at(one.0, one.1, one.2).get(first as usize)?;
        let other = self.at(other.0, other.1, other.2).get(second as usize)?;
        let score = one.score + other.score + arc;
        Some(Candidate(Derivation { score, split, first, second }))
    }

    fn trace(&self, rank: usize, heads: &mut [u32]) {
        let mut open = vec![((Kind::Right, 0, self.size - 1), rank)];
        while let Some(((kind, start, end), rank)) = open.pop() {
            if start == end {
                continue;
            }
            let found = self.at(kind, start, end)[rank];
            match kind {
                Kind::RightArc => heads[end - 1] = start as u32,
                Kind::LeftArc => heads[start - 1] = end as u32,
                _ => {}
            }
            let [one, other] = self.parts(kind, start, end, found.split as usize);
            open.extend([(one, found.first as usize), (other, found.second as usize)]);
        }
    }
}

type Part = (Kind, usize, usize);

struct Candidate(Derivation);

impl Candidate {
    fn order(&self) -> (u32, u32, u32) {
        (self.0.split, self.0.first, self.0.second)
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.score.total_cmp(&other.0.score).then_with(|| other.order().cmp(&self.order()))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

#[cfg(test)]
mod tests {
    use super::super::matrix::enumeration::{all_trees, random_scores};
    use super::*;

    #[test]
    fn the_list_is_the_head_of_all_trees_in_order() {
        for words in 0..=6 {
            for seed in 0..if words == 6 { 2 } else { 10 } {
                let scores = random_scores(words, seed);
                for (single_root, k) in [(false, 20), (true, 20), (false, 2000)] {
                    let mut all = all_trees(&scores, true, single_root);
                    all.truncate(k);
                    let found =
                        projective_kbest(&scores, single_root, k, &Monitor::default()).unwrap();
                    assert_eq!(found.len(), all.len());
                    for (found, expected) in found.iter().zip(&all) {
                        assert!((found.0 - expected.0).abs() < 1e-9);
                        assert_eq!(found.1, expected.1);
                    }
                }
            }
        }
    }
}
