//! A first weight for features that have none: what they tell about the quality of candidates
//! beside the score that a model gives already.

use super::pool::{Candidates, Pool};
use super::solve::solve;
use super::spread::{centred, covariance, scores};
use super::{check, check_places};
use crate::Result;

/// Weights with those of `new` features estimated, and that of the `length` feature changed so
/// that lengths stay what they are.
///
/// Sentence scores of candidates are regressed, within each list, on the model's score without
/// the new features, on the new features, and on the length. The weight of a new feature is its
/// coefficient over that of the model's score, so that it is at the model's scale.
pub fn estimated(
    pool: &Pool,
    weights: &[f64],
    new: &[usize],
    length: Option<usize>,
) -> Result<Vec<f64>> {
    check(weights, pool.features())?;
    check_places(new, pool.features())?;
    check_places(length.as_slice(), pool.features())?;
    let mut old = weights.to_vec();
    new.iter().for_each(|&feature| old[feature] = 0.0);
    let regression = Regression::new(pool, &old, new, length);
    let mut found = weights.to_vec();
    for (&feature, weight) in new.iter().zip(regression.weights()) {
        found[feature] = weight;
        if let Some(length) = length {
            found[length] -= (weight - weights[feature]) * slope(pool, feature, length);
        }
    }
    Ok(if check(&found, found.len()).is_ok() { found } else { weights.to_vec() })
}

/// By how much a feature grows with another, within lists: with one more word, where the other
/// counts words. That is less than its mean per word, as words are added where they cost little.
fn slope(pool: &Pool, feature: usize, unit: usize) -> f64 {
    let only = |feature: usize| {
        let mut weights = vec![0.0; pool.features()];
        weights[feature] = 1.0;
        weights
    };
    let spread = covariance(pool, &only(unit), &only(unit));
    if spread > 0.0 { covariance(pool, &only(feature), &only(unit)) / spread } else { 0.0 }
}

/// The normal equations of sentence scores on the model's score, new features and length.
struct Regression {
    rows: Vec<Vec<f64>>,
    right: Vec<f64>,
    new: usize,
}

impl Regression {
    fn new(pool: &Pool, old: &[f64], new: &[usize], length: Option<usize>) -> Self {
        let size = 1 + new.len() + usize::from(length.is_some());
        let (mut rows, mut right) = (vec![vec![0.0; size]; size], vec![0.0; size]);
        for list in pool.sentences.iter().filter(|list| list.len() > 1) {
            let quality = centred(quality(pool, list));
            let mut columns = vec![scores(list, old)];
            columns.extend(new.iter().chain(&length).map(|&feature| values(list, feature)));
            let columns: Vec<Vec<f64>> = columns.into_iter().map(centred).collect();
            let share = 1.0 / list.len() as f64;
            for (one, row) in columns.iter().zip(&mut rows) {
                for (other, sum) in columns.iter().zip(row) {
                    *sum += dot(one, other) * share;
                }
            }
            for (one, sum) in columns.iter().zip(&mut right) {
                *sum += dot(one, &quality) * share;
            }
        }
        Regression { rows, right, new: new.len() }
    }

    /// Of the new features, beside a weight of 1 for the model's score. Lists hold the best by that
    /// score, which hides how much it tells: so no feature may move scores of translations of one
    /// length farther than it does, and a model whose score tells nothing gives no scale to weigh
    /// others by.
    fn weights(&self) -> Vec<f64> {
        let found = solve(self.rows.clone(), self.right.clone());
        let (scale, model) = (found[0], self.variance(0));
        let weight = |place: usize| {
            let own = self.variance(place);
            if own <= 0.0 || scale <= 0.0 {
                return 0.0;
            }
            let most = (model / own).sqrt();
            (found[place] / scale).clamp(-most, most)
        };
        (1..=self.new).map(weight).collect()
    }

    /// Of a column, without what the length explains of it; 0 if that is rounding.
    fn variance(&self, place: usize) -> f64 {
        let (whole, length) = (self.rows[place][place], self.rows.len() - 1);
        let explained = if length > self.new && self.rows[length][length] > 0.0 {
            self.rows[place][length].powi(2) / self.rows[length][length]
        } else {
            0.0
        };
        if whole - explained > 1e-9 * whole { whole - explained } else { 0.0 }
    }
}

fn quality(pool: &Pool, list: &Candidates) -> Vec<f64> {
    let metric = pool.metric();
    let score = |c| metric.sentence_score(&list.statistics_of(c, metric.width())) / 100.0;
    (0..list.len()).map(score).collect()
}

fn values(list: &Candidates, feature: usize) -> Vec<f64> {
    let value = |candidate| {
        let own = list.features_of(candidate).iter().find(|own| own.0 as usize == feature);
        own.map_or(0.0, |&(_, value)| f64::from(value))
    };
    (0..list.len()).map(value).collect()
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::super::pool::Entry;
    use super::super::testing::random_pool;
    use super::*;
    use crate::metric::named;
    use crate::random::Random;

    /// The sum of squared errors, candidate by candidate.
    fn errors(pool: &Pool, old: &[f64], coefficients: &[f64]) -> f64 {
        let mut sum = 0.0;
        for list in &pool.sentences {
            let predicted = |candidate: usize| {
                let value = |feature: usize| values(list, feature)[candidate];
                let model: f64 = old.iter().enumerate().map(|(f, w)| w * value(f)).sum();
                coefficients[0] * model + coefficients[1] * value(1) + coefficients[2] * value(2)
            };
            let scores = quality(pool, list);
            let wrong: Vec<f64> = (0..list.len()).map(|c| scores[c] - predicted(c)).collect();
            let mean = wrong.iter().sum::<f64>() / wrong.len() as f64;
            let squares: f64 = wrong.iter().map(|wrong| (wrong - mean).powi(2)).sum();
            sum += squares / list.len() as f64;
        }
        sum
    }

    #[test]
    fn no_other_coefficients_have_smaller_errors() {
        for seed in 0..5 {
            let pool = random_pool("bleu", 5, 9, seed);
            let old = [0.7, 0.0, 0.3];
            let regression = Regression::new(&pool, &old, &[1], Some(2));
            let found = solve(regression.rows.clone(), regression.right.clone());
            let least = errors(&pool, &old, &found);
            for place in 0..27 {
                let step = |feature: u32| f64::from(place / 3_i32.pow(feature) % 3 - 1) * 0.003;
                let other: Vec<f64> = found.iter().zip(0..).map(|(c, f)| c + step(f)).collect();
                assert!(errors(&pool, &old, &other) >= least - 1e-12, "{seed} {place}");
            }
        }
    }

    /// Candidates whose right words are the sum of two features; a third is minus the words, and
    /// the second grows by 3 with each of them.
    fn telling() -> Pool {
        let mut random = Random::new(8, 8);
        let reference: Vec<Vec<Vec<String>>> =
            (0..40).map(|n| vec![(0..12).map(|w| format!("r{n}-{w}")).collect()]).collect();
        let mut pool = Pool::new(named("ter").unwrap(), &reference, 3).unwrap();
        let lists = reference.iter().map(|reference| {
            (0..30)
                .map(|_| {
                    let (first, second) = (random.below(5), random.below(5));
                    let (right, length) = (first + second, 10 + random.below(3));
                    let mut words = reference[0][..right].to_vec();
                    words.extend((right..length).map(|w| format!("x{w}")));
                    // The new feature is in other units: a tenth of what the known one has.
                    let new = second as f64 * 0.1 + 3.0 * length as f64;
                    let values = [first as f64, new, -(length as f64)];
                    Entry { words, features: (0..3).zip(values).collect() }
                })
                .collect()
        });
        pool.merge(lists.collect()).unwrap();
        pool
    }

    #[test]
    fn a_new_feature_gets_its_weight_at_the_scale_of_the_model() {
        let (pool, weights) = (telling(), [2.0, 0.0, 0.5]);
        let found = estimated(&pool, &weights, &[1], Some(2)).unwrap();
        // A unit of it is worth ten of the known feature's, which weighs 2.
        assert!((found[1] - 20.0).abs() < 1.0, "{found:?}");
        assert_eq!(found[0], 2.0);
        // Of its 3 for each word nothing is left in the score.
        let change = found[2] - weights[2];
        assert!((change - 3.0 * found[1]).abs() < 0.02 * found[1], "{found:?}");
    }

    #[test]
    fn features_that_tell_nothing_or_models_that_do_weigh_nothing_new() {
        let pool = telling();
        // A model that prefers what is wrong gives no scale.
        assert_eq!(estimated(&pool, &[-1.0, 0.0, 0.0], &[1], None).unwrap(), [-1.0, 0.0, 0.0]);
        // Without new features nothing changes.
        assert_eq!(estimated(&pool, &[1.0, 0.2, 0.1], &[], Some(2)).unwrap(), [1.0, 0.2, 0.1]);
        assert!(estimated(&pool, &[1.0, 0.0], &[1], None).is_err());
        assert!(estimated(&pool, &[1.0, 0.0, 0.0], &[3], None).is_err());
        assert!(estimated(&pool, &[1.0, 0.0, 0.0], &[1], Some(3)).is_err());
    }
}
