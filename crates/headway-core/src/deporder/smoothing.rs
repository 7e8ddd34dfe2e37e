//! Witten–Bell interpolation, with the weight that Collins (1999) gives to what is less specific.
//!
//! P(o | context) = (c(o) + 5·T·P(o | less specific)) / (N + 5·T), where N is how often the context
//! was seen and T with how many different offsets.

/// Collins's factor of T.
const DIVERSITY: f64 = 5.0;

/// What remains for the less specific distribution: 5·T / (N + 5·T); all of it for a context that
/// was never seen.
pub fn backoff(total: f64, types: usize) -> f64 {
    let spread = DIVERSITY * types as f64;
    if types == 0 { 1.0 } else { spread / (total + spread) }
}

/// The distribution of one context over all outcomes.
pub fn interpolate(counts: &[u64], shorter: &[f64]) -> Vec<f64> {
    let total: u64 = counts.iter().sum();
    let types = counts.iter().filter(|&&count| count > 0).count();
    let backoff = backoff(total as f64, types);
    let seen = 1.0 / total.max(1) as f64 * (1.0 - backoff);
    counts.iter().zip(shorter).map(|(&count, p)| count as f64 * seen + backoff * p).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula() {
        let found = interpolate(&[3, 0, 1, 0], &[0.25; 4]);
        let expected = [3.0, 0.0, 1.0, 0.0].map(|count| (count + 10.0 * 0.25) / 14.0);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-15);
        }
        assert_eq!(interpolate(&[0, 0], &[0.1, 0.9]), [0.1, 0.9]);
    }
}
