//! Regularisation of learnt weights towards those at the start, at the scale of each feature.
//!
//! What a change of weights means is what it does to the scores of candidates, so distances are
//! measured by the covariances C of features within lists. The regularised weights w minimise
//! (w − learnt)ᵀ C (w − learnt) + λ (w − start)ᵀ C′ (w − start), where C′ is what of C the length
//! does not explain: whether scores prefer long translations or short ones is left to the dev set.
//! So all weights go the same share of their way back, 1 / (1 + λ) of it being kept, but the word
//! penalty, which makes good what this does to lengths.

use super::pool::Pool;
use super::spread::covariance;
use super::{check, check_places, norm, scaled_to};
use crate::Result;

/// The regularised weights, as large as `start` in the sum of absolute values. `strength` is λ:
/// with 1, weights stay half of their way. `length` is the feature that counts words.
pub fn regularised(
    pool: &Pool,
    start: &[f64],
    learnt: &[f64],
    strength: f64,
    length: Option<usize>,
) -> Result<Vec<f64>> {
    check(start, pool.features())?;
    check(learnt, pool.features())?;
    check_places(length.as_slice(), pool.features())?;
    // Preferences do not depend on the scale of weights, but the way back does.
    let learnt = scaled_to(learnt, norm(start));
    Ok(scaled_to(&pulled(pool, start, &learnt, strength, length), norm(start)))
}

fn pulled(
    pool: &Pool,
    start: &[f64],
    learnt: &[f64],
    strength: f64,
    length: Option<usize>,
) -> Vec<f64> {
    let share = strength / (1.0 + strength);
    let mut change: Vec<f64> =
        start.iter().zip(learnt).map(|(start, learnt)| share * (start - learnt)).collect();
    if let Some(length) = length {
        let mut words = vec![0.0; start.len()];
        words[length] = 1.0;
        let spread = covariance(pool, &words, &words);
        if spread > 0.0 {
            change[length] = 0.0;
            change[length] = -covariance(pool, &change, &words) / spread;
        }
    }
    learnt.iter().zip(change).map(|(learnt, change)| learnt + change).collect()
}

#[cfg(test)]
mod tests {
    use super::super::testing::random_pool;
    use super::*;

    const START: [f64; 3] = [0.3, 0.2, -0.4];
    const LEARNT: [f64; 3] = [0.1, 0.9, -0.5];

    fn minus(one: &[f64], other: &[f64]) -> Vec<f64> {
        one.iter().zip(other).map(|(a, b)| a - b).collect()
    }

    /// The objective, with what the length explains of the distance to the start found by trying.
    fn objective(pool: &Pool, found: &[f64], strength: f64, length: Option<usize>) -> f64 {
        let spread = |weights: &[f64]| covariance(pool, weights, weights);
        let mut away = minus(found, &START);
        let mut least = spread(&away);
        if let Some(length) = length {
            for step in [1.0, 0.1, 0.01, 0.001] {
                let middle = away[length];
                for place in -10..=10 {
                    let mut other = away.clone();
                    other[length] = middle + f64::from(place) * step;
                    if spread(&other) < least {
                        (least, away) = (spread(&other), other);
                    }
                }
            }
        }
        spread(&minus(found, &LEARNT)) + strength * least
    }

    #[test]
    fn no_other_weights_have_a_smaller_objective() {
        for seed in 0..4 {
            let pool = random_pool("bleu", 3, 5, seed);
            let length = [None, Some(0), Some(1), Some(2)][seed as usize];
            let found = pulled(&pool, &START, &LEARNT, 0.7, length);
            let least = objective(&pool, &found, 0.7, length);
            for place in 0..27 {
                let step = |feature: u32| f64::from(place / 3_i32.pow(feature) % 3 - 1) * 0.02;
                let other: Vec<f64> =
                    found.iter().zip(0..).map(|(weight, f)| weight + step(f)).collect();
                let value = objective(&pool, &other, 0.7, length);
                assert!(value >= least - 1e-5, "{seed} {place}: {value} {least}");
            }
        }
    }

    #[test]
    fn a_word_penalty_is_not_pulled_and_nothing_is_without_strength() {
        let pool = random_pool("bleu", 4, 9, 3);
        let none = pulled(&pool, &START, &LEARNT, 0.0, Some(1));
        assert!(none.iter().zip(LEARNT).all(|(a, b)| (a - b).abs() < 1e-9));
        let mut learnt = START;
        learnt[1] = 5.0;
        let hard = pulled(&pool, &START, &learnt, 1e9, Some(1));
        assert!(hard.iter().zip(learnt).all(|(a, b)| (a - b).abs() < 1e-6), "{hard:?}");
        let half = pulled(&pool, &START, &learnt, 1.0, None);
        assert!((half[1] - 2.6).abs() < 1e-9, "{half:?}");
    }

    #[test]
    fn the_scale_is_that_of_the_start_and_wrong_places_are_refused() {
        let pool = random_pool("bleu", 4, 9, 3);
        let large = LEARNT.map(|weight| weight * 1e3);
        let found = regularised(&pool, &START, &large, 1.0, Some(2)).unwrap();
        assert!((norm(&found) - norm(&START)).abs() < 1e-9);
        let same = regularised(&pool, &START, &LEARNT, 1.0, Some(2)).unwrap();
        assert!(found.iter().zip(same).all(|(a, b)| (a - b).abs() < 1e-9));
        assert!(regularised(&pool, &START, &LEARNT, 1.0, Some(3)).is_err());
    }
}
