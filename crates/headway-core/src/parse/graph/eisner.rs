//! The best projective tree in O(n³) (Eisner 1996).
//!
//! A complete span is a word and all its dependents on one side; an incomplete one is an arc
//! and all between its ends. Each projective tree has one derivation.

use super::matrix::ArcScores;

/// Best scores and split points of spans `start..=end`, for one kind and direction of them.
struct Chart {
    size: usize,
    scores: Vec<f64>,
    splits: Vec<u32>,
}

impl Chart {
    fn new(size: usize) -> Self {
        Chart { size, scores: vec![0.0; size * size], splits: vec![0; size * size] }
    }

    #[inline]
    fn get(&self, start: usize, end: usize) -> f64 {
        self.scores[start * self.size + end]
    }

    fn set(&mut self, start: usize, end: usize, (score, split): (f64, usize)) {
        self.scores[start * self.size + end] = score;
        self.splits[start * self.size + end] = split as u32;
    }

    fn split(&self, start: usize, end: usize) -> usize {
        self.splits[start * self.size + end] as usize
    }
}

/// Spans whose head is their left end (`right` ones reach to the right of it) or their right
/// end. Three are also kept with start and end exchanged: inner loops then walk along memory.
struct Charts {
    right: Chart,
    left: Chart,
    right_arc: Chart,
    left_arc: Chart,
    right_by_end: Chart,
    left_by_end: Chart,
    left_arc_by_end: Chart,
}

/// The best projective tree. With `single_root`, one word hangs from the root.
pub fn eisner(scores: &ArcScores, single_root: bool) -> Vec<u32> {
    let words = scores.words();
    let mut heads = vec![0; words];
    if words == 0 {
        return heads;
    }
    let (scores, charge) = scores.searchable(single_root);
    let charts = Charts::fill(&scores, charge);
    charts.trace(words, &mut heads);
    heads
}

impl Charts {
    fn fill(scores: &ArcScores, charge: f64) -> Self {
        let size = scores.words() + 1;
        let new = || Chart::new(size);
        let mut charts = Charts {
            right: new(),
            left: new(),
            right_arc: new(),
            left_arc: new(),
            right_by_end: new(),
            left_by_end: new(),
            left_arc_by_end: new(),
        };
        for length in 1..size {
            for start in 0..size - length {
                charts.span(scores, charge, start, start + length);
            }
        }
        charts
    }

    fn span(&mut self, scores: &ArcScores, charge: f64, start: usize, end: usize) {
        let (inside, split) = best(start..end, |split| {
            self.right.get(start, split) + self.left_by_end.get(end, split + 1)
        });
        let root = if start == 0 { charge } else { 0.0 };
        self.right_arc.set(start, end, (inside + scores.get(start, end) - root, split));
        if start > 0 {
            let arc = (inside + scores.get(end, start), split);
            self.left_arc.set(start, end, arc);
            self.left_arc_by_end.set(end, start, arc);
            let left = best(start..end, |split| {
                self.left.get(start, split) + self.left_arc_by_end.get(end, split)
            });
            self.left.set(start, end, left);
            self.left_by_end.set(end, start, left);
        }
        let right = best(start + 1..end + 1, |split| {
            self.right_arc.get(start, split) + self.right_by_end.get(end, split)
        });
        self.right.set(start, end, right);
        self.right_by_end.set(end, start, right);
    }

    fn trace(&self, words: usize, heads: &mut [u32]) {
        let mut open = vec![(Kind::Right, 0, words)];
        while let Some((kind, start, end)) = open.pop() {
            if start == end {
                continue;
            }
            match kind {
                Kind::Right => {
                    let split = self.right.split(start, end);
                    open.extend([(Kind::RightArc, start, split), (Kind::Right, split, end)]);
                }
                Kind::Left => {
                    let split = self.left.split(start, end);
                    open.extend([(Kind::Left, start, split), (Kind::LeftArc, split, end)]);
                }
                Kind::RightArc | Kind::LeftArc => {
                    let right = kind == Kind::RightArc;
                    let (head, modifier) = if right { (start, end) } else { (end, start) };
                    heads[modifier - 1] = head as u32;
                    let arcs = if right { &self.right_arc } else { &self.left_arc };
                    let split = arcs.split(start, end);
                    open.extend([(Kind::Right, start, split), (Kind::Left, split + 1, end)]);
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Right,
    Left,
    RightArc,
    LeftArc,
}

#[inline]
fn best(splits: std::ops::Range<usize>, score: impl Fn(usize) -> f64) -> (f64, usize) {
    let mut best = (f64::NEG_INFINITY, splits.start);
    for split in splits {
        let score = score(split);
        if score > best.0 {
            best = (score, split);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::matrix::enumeration::{all_trees, random_scores};
    use super::*;

    #[test]
    fn the_best_of_all_projective_trees_is_found() {
        for words in 0..=6 {
            for seed in 0..if words == 6 { 4 } else { 20 } {
                let scores = random_scores(words, seed);
                for single_root in [false, true] {
                    let (best, heads) = all_trees(&scores, true, single_root).swap_remove(0);
                    let found = eisner(&scores, single_root);
                    assert!((scores.sum(&found) - best).abs() < 1e-9, "{found:?} {heads:?}");
                }
            }
        }
    }
}
