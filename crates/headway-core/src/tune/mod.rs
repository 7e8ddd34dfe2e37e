//! Tuning: weights under which the translations that search prefers are the better ones.
//!
//! `Pool` gathers k-best lists over iterations of decoding; `Forests` does the same with whole
//! forests. Minimum error rate training (`mert`) follows the exact error surface of either along
//! lines; `pro` and `mira` learn from pairs of candidates and take any number of features.

mod envelope;
mod forests;
mod lbfgs;
mod length;
mod line;
pub mod lists;
mod mert;
mod mira;
mod pool;
mod prior;
mod pro;
mod regression;
mod solve;
mod space;
mod spread;

pub use forests::Forests;
pub use length::{Length, fit_length};
pub use line::{Optimum, line_search};
pub use mert::{Mert, mert};
pub use mira::{Mira, mira};
pub use pool::{Entry, Pool};
pub use prior::regularised;
pub use pro::{Loss, Pro, pro};
pub use regression::estimated;
pub use space::{KBest, Segments, Space};

use rayon::prelude::*;

use crate::metric::{Judge, Metric};
use crate::weight::check_weight;
use crate::{Error, Result};

/// Weights and the score of what they prefer among the candidates that are known.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    pub weights: Vec<f64>,
    pub score: f64,
}

/// Raises unless there is one weight within range for each feature, and one that is not 0.
pub fn check(weights: &[f64], features: usize) -> Result<()> {
    if weights.len() != features {
        let found = weights.len();
        return Err(Error::setting(format!("tuning: {found} weights for {features} features")));
    }
    for (number, &weight) in (1..).zip(weights) {
        check_weight(&format!("number {number}"), weight)?;
    }
    if weights.iter().all(|&weight| weight == 0.0) {
        return Err(Error::setting("tuning: all weights are 0; start from others"));
    }
    Ok(())
}

/// Raises unless there are features of these numbers.
fn check_places(places: &[usize], features: usize) -> Result<()> {
    match places.iter().find(|&&place| place >= features) {
        Some(place) => Err(Error::setting(format!("tuning: feature {place} of {features}"))),
        None => Ok(()),
    }
}

/// One value for each sentence of a dev set, made from the judge of its translations.
fn judged<T: Send>(
    metric: &dyn Metric,
    references: &[Vec<Vec<String>>],
    made: impl Fn(Box<dyn Judge>) -> T + Sync,
) -> Result<Vec<T>> {
    if references.is_empty() {
        return Err(Error::setting("tuning: the dev set is empty; give it some sentences"));
    }
    let sentence = |references: &Vec<Vec<String>>| {
        let words = references.iter().map(|words| words.iter().map(String::as_str).collect());
        let references: Vec<Vec<&str>> = words.collect();
        made(metric.judge(&references))
    };
    Ok(references.par_iter().map(sentence).collect())
}

/// The sum of absolute values.
pub(crate) fn norm(weights: &[f64]) -> f64 {
    weights.iter().map(|weight| weight.abs()).sum()
}

/// The same preferences at another scale. What is 0 or not finite stays what it is.
pub(crate) fn scaled_to(weights: &[f64], wanted: f64) -> Vec<f64> {
    let factor = wanted / norm(weights);
    let factor = if factor.is_finite() && factor > 0.0 { factor } else { 1.0 };
    weights.iter().map(|weight| weight * factor).collect()
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use crate::metric::named;
    use crate::random::Random;

    /// Lists of random candidates over few words, so that all metrics have something to say.
    pub fn random_pool(metric: &str, sentences: usize, candidates: usize, seed: u64) -> Pool {
        let mut random = Random::new(seed, 0);
        let sentence = |random: &mut Random| -> Vec<String> {
            (0..3 + random.below(6)).map(|_| format!("w{}", random.below(5))).collect()
        };
        let references: Vec<Vec<Vec<String>>> =
            (0..sentences).map(|_| vec![sentence(&mut random), sentence(&mut random)]).collect();
        let mut pool = Pool::new(named(metric).unwrap(), &references, 3).unwrap();
        let lists: Vec<Vec<Entry>> = (0..sentences)
            .map(|_| {
                (0..candidates)
                    .map(|_| Entry {
                        words: sentence(&mut random),
                        features: (0..3).map(|f| (f, random.next_f64() * 4.0 - 2.0)).collect(),
                    })
                    .collect()
            })
            .collect();
        pool.merge(lists).unwrap();
        pool
    }

    #[test]
    fn weights_that_cannot_be_used_are_refused() {
        assert!(check(&[1.0, 0.0], 2).is_ok());
        assert!(check(&[1.0], 2).is_err());
        assert!(check(&[1.0, f64::NAN], 2).is_err());
        assert!(check(&[0.0, 0.0], 2).is_err());
        assert_eq!(scaled_to(&[1.0, -3.0], 8.0), [2.0, -6.0]);
        assert_eq!(scaled_to(&[0.0], 8.0), [0.0]);
    }
}
