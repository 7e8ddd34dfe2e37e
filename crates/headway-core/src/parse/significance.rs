//! Whether one parser is better than another: approximate randomisation.

use crate::random::Random;

/// How likely a difference at least as large would come about if it did not matter which of two
/// parsers a sentence was parsed by (Riezler & Maxwell 2005). Values are sums per sentence.
pub fn randomisation(one: &[f64], other: &[f64], samples: u64, seed: u64) -> f64 {
    let differences: Vec<f64> = one.iter().zip(other).map(|(a, b)| a - b).collect();
    let found = differences.iter().sum::<f64>().abs();
    let differing: Vec<f64> = differences.into_iter().filter(|one| *one != 0.0).collect();
    let as_large = (0..samples).filter(|&sample| {
        let mut random = Random::new(seed, sample);
        let mut bits = 0;
        let mut sum = 0.0;
        for (at, difference) in differing.iter().enumerate() {
            if at % 64 == 0 {
                bits = random.next_u64();
            }
            sum += if bits & 1 == 0 { *difference } else { -difference };
            bits >>= 1;
        }
        sum.abs() >= found - 1e-9
    });
    (as_large.count() + 1) as f64 / (samples + 1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_results_differ_by_chance_and_clear_ones_do_not() {
        let one: Vec<f64> = (0..100).map(|at| f64::from(at % 3)).collect();
        assert_eq!(randomisation(&one, &one, 99, 1), 1.0);
        let better: Vec<f64> = one.iter().map(|value| value + 1.0).collect();
        assert_eq!(randomisation(&better, &one, 999, 1), 0.001);
    }

    #[test]
    fn few_sentences_give_the_exact_share_of_sign_changes() {
        // Of the 8 ways to exchange three differences of 1, two are as far from 0.
        let found = randomisation(&[1.0; 3], &[0.0; 3], 20_000, 3);
        assert!((found - 0.25).abs() < 0.02, "{found}");
    }
}
