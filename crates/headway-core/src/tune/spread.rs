//! How scores vary within the candidate lists: weights matter by how far they move scores of
//! candidates of one sentence apart, whatever the units of features are.

use rayon::prelude::*;

use super::pool::{Candidates, Pool};

/// Mean over all lists of the covariance, within a list, of the scores by two choices of weights.
pub(super) fn covariance(pool: &Pool, one: &[f64], other: &[f64]) -> f64 {
    // Summed in their order whatever the number of cores.
    let found: Vec<f64> = pool.sentences.par_iter().map(|list| within(list, one, other)).collect();
    let lists = pool.sentences.iter().filter(|list| list.len() > 1).count();
    found.iter().sum::<f64>() / lists.max(1) as f64
}

fn within(list: &Candidates, one: &[f64], other: &[f64]) -> f64 {
    let [one, other] = [one, other].map(|weights| centred(scores(list, weights)));
    one.iter().zip(other).map(|(a, b)| a * b).sum::<f64>() / list.len().max(1) as f64
}

pub(super) fn scores(list: &Candidates, weights: &[f64]) -> Vec<f64> {
    (0..list.len()).map(|candidate| list.dot(candidate, weights)).collect()
}

/// Minus their mean.
pub(super) fn centred(mut values: Vec<f64>) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
    values.iter_mut().for_each(|value| *value -= mean);
    values
}

#[cfg(test)]
mod tests {
    use super::super::testing::random_pool;
    use super::*;

    #[test]
    fn the_covariance_is_that_of_products_and_means() {
        for seed in 0..4 {
            let pool = random_pool("bleu", 40, 12, seed);
            let (one, other) = ([0.3, -1.2, 0.5], [1.0, 0.0, 2.0]);
            let mut sum = 0.0;
            for list in &pool.sentences {
                let mean = |of: &dyn Fn(usize) -> f64| {
                    (0..list.len()).map(of).sum::<f64>() / list.len() as f64
                };
                let both = mean(&|c| list.dot(c, &one) * list.dot(c, &other));
                sum += both - mean(&|c| list.dot(c, &one)) * mean(&|c| list.dot(c, &other));
            }
            let found = covariance(&pool, &one, &other);
            assert!((found - sum / 40.0).abs() < 1e-6, "{found} {sum}");
        }
    }
}
