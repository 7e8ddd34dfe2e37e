//! Probabilities of the best few trees.

/// Probabilities of trees from their scores, normalised over the list: `exp(scale · score)`.
/// Scores learnt with a margin are no logarithms of probabilities; `scale` makes the
/// distribution flatter (below 1) or steeper.
pub fn probabilities(scores: &[f64], scale: f64) -> Vec<f64> {
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = scores.iter().map(|score| ((score - highest) * scale).exp()).collect();
    let total: f64 = weights.iter().sum();
    weights.iter().map(|weight| weight / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn probabilities_sum_to_one_and_follow_the_scores() {
        let found = probabilities(&[1000.0, 999.0, -5000.0], 1.0);
        assert!((found.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert!((found[0] / found[1] - std::f64::consts::E).abs() < 1e-9);
        assert!(probabilities(&[], 1.0).is_empty());
    }
}
