//! Weights that make held-out text most probable.

use super::Mixture;
use crate::lm::query::Boundaries;
use crate::{Error, Monitor, Result};

/// Rounds of EM at most, and the change of a weight that ends it.
const ROUNDS: usize = 1000;
const CLOSE: f64 = 1e-6;

/// What tuning found.
#[derive(Debug, Clone, PartialEq)]
pub struct Tuning {
    pub weights: Vec<f64>,
    /// Words that some model knows, which the weights were tuned on.
    pub words: u64,
    /// Per such word, with equal weights and with those found.
    pub perplexity_before: f64,
    pub perplexity: f64,
}

impl Mixture<'_> {
    /// Expectation maximisation from equal weights, over the words that some model knows. The
    /// likelihood has one maximum only, so that nothing depends on where it starts.
    pub fn tune<S: AsRef<str>>(&self, sentences: &[S], monitor: &Monitor) -> Result<Tuning> {
        let probs = self.probabilities(sentences, monitor)?;
        let models = self.models.len();
        let words = (probs.len() / models) as u64;
        if words == 0 {
            return Err(Error::setting("no word of the tuning text is known to a model"));
        }
        let mut weights = vec![1.0 / models as f64; models];
        let before = log_likelihood(&probs, &weights);
        for _ in 0..ROUNDS {
            monitor.check()?;
            let next = step(&probs, &weights);
            let moved = next.iter().zip(&weights).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            weights = next;
            if moved < CLOSE {
                break;
            }
        }
        let after = log_likelihood(&probs, &weights);
        let perplexity = |log: f64| (-log / words as f64).exp();
        let (perplexity_before, perplexity) = (perplexity(before), perplexity(after));
        Ok(Tuning { weights, words, perplexity_before, perplexity })
    }

    /// For each known word its probability in each model, one word after the other.
    fn probabilities<S: AsRef<str>>(&self, sentences: &[S], monitor: &Monitor) -> Result<Vec<f32>> {
        let mut all = Vec::new();
        for sentence in sentences {
            monitor.advance(1)?;
            self.visit(sentence.as_ref(), Boundaries::default(), |probs, _, unknown| {
                if !unknown && probs.iter().any(|&prob| prob > 0.0) {
                    all.extend(probs.iter().map(|&prob| prob as f32));
                }
            });
        }
        Ok(all)
    }
}

fn mixed(row: &[f32], weights: &[f64]) -> f64 {
    row.iter().zip(weights).map(|(&prob, weight)| f64::from(prob) * weight).sum()
}

fn log_likelihood(probs: &[f32], weights: &[f64]) -> f64 {
    let rows = probs.chunks_exact(weights.len());
    rows.map(|row| mixed(row, weights).max(f64::MIN_POSITIVE).ln()).sum()
}

/// Each model's share of the words, as the current weights see it.
fn step(probs: &[f32], weights: &[f64]) -> Vec<f64> {
    let mut shares = vec![0.0; weights.len()];
    for row in probs.chunks_exact(weights.len()) {
        let total = mixed(row, weights).max(f64::MIN_POSITIVE);
        for (share, (&prob, weight)) in shares.iter_mut().zip(row.iter().zip(weights)) {
            *share += f64::from(prob) * weight / total;
        }
    }
    let sum: f64 = shares.iter().sum();
    shares.iter().map(|share| share / sum).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn no_step_lowers_the_likelihood(rows in prop::collection::vec(0.001_f32..1.0, 3..90)) {
            let probs = &rows[..rows.len() / 3 * 3];
            let mut weights = vec![1.0 / 3.0; 3];
            let mut before = log_likelihood(probs, &weights);
            for _ in 0..20 {
                weights = step(probs, &weights);
                let after = log_likelihood(probs, &weights);
                prop_assert!(after >= before - 1e-9);
                prop_assert!((weights.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                before = after;
            }
        }
    }
}
