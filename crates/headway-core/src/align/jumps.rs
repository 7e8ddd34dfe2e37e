//! How far apart the generators of neighbouring words are (Vogel, Ney & Tillmann 1996).

use std::sync::OnceLock;

/// Longer jumps count as this long.
const LONGEST: usize = 100;

/// Transition matrices of sentences up to this length are kept, of longer ones made anew.
const KEPT: usize = 128;

/// Weights of jump lengths −100 … 100.
#[derive(Debug)]
pub struct Jumps {
    weights: Vec<f32>,
    kept: Vec<OnceLock<Vec<f32>>>,
}

impl Jumps {
    /// A start for EM: short forward jumps are the likelier ones.
    pub fn initial() -> Self {
        let weight = |index: usize| {
            let distance = (index as f64 - LONGEST as f64 - 1.0).abs();
            (1.0 / (1.0 + distance)) as f32
        };
        Jumps::new((0..=2 * LONGEST).map(weight).collect())
    }

    pub fn new(weights: Vec<f32>) -> Self {
        Jumps { weights, kept: (0..=KEPT).map(|_| OnceLock::new()).collect() }
    }

    /// From expected counts; a little is added to each so that no jump is impossible.
    pub fn maximised(counts: &JumpCounts) -> Self {
        let total: f64 = counts.0.iter().sum();
        let floor = 1e-6 * total.max(1.0);
        Jumps::new(counts.0.iter().map(|count| ((count + floor) / total.max(1.0)) as f32).collect())
    }

    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    pub fn has_right_size(weights: &[f32]) -> bool {
        weights.len() == 2 * LONGEST + 1
    }

    /// Calls `use_matrix` with the transition matrix for a given sentence of `length` words: row
    /// by position before (0 is the start), column by position after (1 … length; the last
    /// column, length + 1, is the end); `length + 2` columns, of which column 0 is zero.
    pub fn with_matrix<T>(&self, length: usize, use_matrix: impl FnOnce(&[f32]) -> T) -> T {
        match self.kept.get(length) {
            Some(kept) => use_matrix(kept.get_or_init(|| self.matrix(length))),
            None => use_matrix(&self.matrix(length)),
        }
    }

    fn matrix(&self, length: usize) -> Vec<f32> {
        let width = length + 2;
        let mut matrix = vec![0.0; (length + 1) * width];
        for (before, row) in matrix.chunks_exact_mut(width).enumerate() {
            for (after, cell) in row.iter_mut().enumerate().skip(1) {
                *cell = self.weights[slot(before, after)];
            }
            let total: f32 = row.iter().sum();
            row.iter_mut().for_each(|cell| *cell /= total);
        }
        matrix
    }
}

fn slot(before: usize, after: usize) -> usize {
    let jump = after as i64 - before as i64;
    (jump.clamp(-(LONGEST as i64), LONGEST as i64) + LONGEST as i64) as usize
}

/// Expected counts of jump lengths.
#[derive(Debug, Clone)]
pub struct JumpCounts(Vec<f64>);

impl Default for JumpCounts {
    fn default() -> Self {
        JumpCounts(vec![0.0; 2 * LONGEST + 1])
    }
}

impl JumpCounts {
    pub fn add(&mut self, before: usize, after: usize, amount: f64) {
        self.0[slot(before, after)] += amount;
    }

    /// Adds the jumps from one position to each position: products of two rows, scaled.
    pub fn add_row(&mut self, before: usize, first: &[f32], second: &[f32], scale: f32) {
        if before.max(first.len()) > LONGEST {
            for (after, (a, b)) in first.iter().zip(second).enumerate() {
                self.0[slot(before, after)] += f64::from(scale * a * b);
            }
            return;
        }
        // Within the range jump lengths are neighbours, and need no clamping.
        for (cell, (a, b)) in self.0[LONGEST - before..].iter_mut().zip(first.iter().zip(second)) {
            *cell += f64::from(scale * a * b);
        }
    }

    #[cfg(test)]
    pub fn distance(&self, other: &JumpCounts) -> f64 {
        self.0.iter().zip(&other.0).map(|(own, other)| (own - other).abs()).sum()
    }

    pub fn add_all(&mut self, other: &JumpCounts) {
        for (own, other) in self.0.iter_mut().zip(&other.0) {
            *own += other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_distributions_over_positions_and_the_end() {
        for length in [1, 2, 7, 150, 300] {
            Jumps::initial().with_matrix(length, |matrix| {
                assert_eq!(matrix.len(), (length + 1) * (length + 2));
                for row in matrix.chunks_exact(length + 2) {
                    assert_eq!(row[0], 0.0);
                    assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-4);
                }
            });
        }
    }

    #[test]
    fn counted_jumps_become_likelier() {
        let mut counts = JumpCounts::default();
        counts.add(1, 3, 5.0);
        counts.add(2, 1, 1.0);
        Jumps::maximised(&counts).with_matrix(5, |matrix| {
            let row = &matrix[7..14];
            assert!(row[3] > 0.99, "{row:?}");
        });
    }
}
