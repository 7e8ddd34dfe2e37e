//! Pairwise ranking (Hopkins & May 2011): of pairs of candidates that the metric tells clearly
//! apart, weights should score the better one higher.

use rayon::prelude::*;

use super::line::line_search;
use super::pool::{Candidates, Pool};
use super::space::{KBest, Space};
use super::{Found, check, lbfgs, norm, scaled_to};
use crate::metric::Metric;
use crate::random::Random;
use crate::{Monitor, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loss {
    Logistic,
    /// The square of what is missing to a margin of 1: smooth, and no loss beyond it.
    Hinge,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Pro {
    /// Pairs drawn for each sentence.
    pub samples: usize,
    /// Pairs kept of them, those that differ most.
    pub keep: usize,
    /// Least difference of sentence scores, from 0 to 1.
    pub threshold: f64,
    pub loss: Loss,
    /// How much large weights cost.
    pub l2: f64,
    /// How far to go from the old weights to the learnt ones; `None` goes to the best place on
    /// the way by the score of the pool.
    pub interpolation: Option<f64>,
    pub seed: u64,
}

/// Features of a better candidate minus those of a worse one.
type Example = Vec<(u32, f32)>;

pub fn pro(pool: &Pool, start: &[f64], options: &Pro, monitor: &Monitor) -> Result<Found> {
    check(start, pool.features())?;
    let examples = examples(pool, options);
    if examples.is_empty() {
        // No two candidates of a sentence differ enough to learn from.
        return Ok(Found { weights: start.to_vec(), score: pool.score(start) });
    }
    let learnt = lbfgs::minimise(start.to_vec(), |weights| {
        monitor.check()?;
        Ok(loss(&examples, weights, options))
    })?;
    let weights = between(pool, start, &learnt, options.interpolation)?;
    let score = pool.score(&weights);
    Ok(Found { weights, score })
}

fn examples(pool: &Pool, options: &Pro) -> Vec<Example> {
    let sample = |(number, list): (usize, &Candidates)| {
        sampled(list, pool.metric(), options, Random::new(options.seed, number as u64))
    };
    pool.sentences.par_iter().enumerate().flat_map_iter(sample).collect()
}

fn sampled(
    list: &Candidates,
    metric: &dyn Metric,
    options: &Pro,
    mut random: Random,
) -> Vec<Example> {
    if list.len() < 2 {
        return Vec::new();
    }
    let score = |candidate| metric.sentence_score(&list.statistics_of(candidate, metric.width()));
    let scores: Vec<f64> = (0..list.len()).map(|candidate| score(candidate) / 100.0).collect();
    let mut pairs: Vec<(f64, usize, usize)> = Vec::new();
    for _ in 0..options.samples {
        let (a, b) = (random.below(list.len()), random.below(list.len()));
        let difference = scores[a] - scores[b];
        if difference.abs() >= options.threshold && difference != 0.0 {
            let (better, worse) = if difference > 0.0 { (a, b) } else { (b, a) };
            pairs.push((difference.abs(), better, worse));
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    pairs.dedup();
    pairs.truncate(options.keep);
    pairs.iter().map(|&(_, better, worse)| difference(list, better, worse)).collect()
}

/// Features of one candidate minus those of another, without zeros.
pub(super) fn difference(list: &Candidates, one: usize, other: usize) -> Example {
    let (mut a, mut b) = (list.features_of(one), list.features_of(other));
    let mut found = Vec::with_capacity(a.len());
    while let (Some(&(first, value)), Some(&(second, less))) = (a.first(), b.first()) {
        found.push(match first.cmp(&second) {
            std::cmp::Ordering::Less => (first, value),
            std::cmp::Ordering::Equal => (first, value - less),
            std::cmp::Ordering::Greater => (second, -less),
        });
        a = &a[usize::from(first <= second)..];
        b = &b[usize::from(second <= first)..];
    }
    found.extend_from_slice(a);
    found.extend(b.iter().map(|&(feature, value)| (feature, -value)));
    found.retain(|&(_, value)| value != 0.0);
    found
}

/// Examples summed on one core; sums are added in their order whatever the number of cores.
const CHUNK: usize = 4096;

/// Mean loss with its penalty, and the gradient.
fn loss(examples: &[Example], weights: &[f64], options: &Pro) -> (f64, Vec<f64>) {
    let parts: Vec<(f64, Vec<f64>)> = examples
        .par_chunks(CHUNK)
        .map(|chunk| {
            let (mut sum, mut gradient) = (0.0, vec![0.0; weights.len()]);
            for example in chunk {
                let margin: f64 =
                    example.iter().map(|&(f, v)| weights[f as usize] * f64::from(v)).sum();
                let (own, slope) = of_margin(margin, options.loss);
                sum += own;
                for &(feature, value) in example {
                    gradient[feature as usize] += slope * f64::from(value);
                }
            }
            (sum, gradient)
        })
        .collect();
    let mut total = 0.0;
    let mut gradient: Vec<f64> = weights.iter().map(|weight| options.l2 * weight).collect();
    let share = 1.0 / examples.len() as f64;
    for (sum, part) in parts {
        total += sum * share;
        for (slope, value) in gradient.iter_mut().zip(part) {
            *slope += value * share;
        }
    }
    let penalty: f64 = weights.iter().map(|weight| weight * weight).sum();
    (total + options.l2 / 2.0 * penalty, gradient)
}

fn of_margin(margin: f64, loss: Loss) -> (f64, f64) {
    match loss {
        // ln(1 + e^−m), without overflow on either side.
        Loss::Logistic => {
            let value = (-margin.abs()).exp().ln_1p() + (-margin).max(0.0);
            (value, -1.0 / (1.0 + margin.exp()))
        }
        Loss::Hinge => {
            let missing = (1.0 - margin).max(0.0);
            (missing * missing, -2.0 * missing)
        }
    }
}

/// A place on the way from old to learnt weights, both taken at the old scale.
fn between(pool: &Pool, old: &[f64], learnt: &[f64], share: Option<f64>) -> Result<Vec<f64>> {
    let learnt = scaled_to(learnt, norm(old));
    check(&learnt, old.len())?;
    let way: Vec<(usize, f64)> =
        old.iter().zip(&learnt).map(|(old, learnt)| learnt - old).enumerate().collect();
    let share = match share {
        Some(share) => share,
        None => {
            let space = KBest::new(pool);
            line_search(&space, &space.at(old)?, &way)?.step
        }
    };
    let mixed = old.iter().zip(way).map(|(old, (_, change))| old + share * change);
    Ok(scaled_to(&mixed.collect::<Vec<_>>(), norm(old)))
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::pool::Entry;
    use super::*;
    use crate::metric::named;

    fn options() -> Pro {
        Pro {
            samples: 5000,
            keep: 50,
            threshold: 0.05,
            loss: Loss::Logistic,
            l2: 1e-5,
            interpolation: Some(1.0),
            seed: 1,
        }
    }

    /// Candidates with k of 8 words right have feature 0 = k, feature 1 = −k/2 and noise, and
    /// each of them some of 3,000 features that mean nothing.
    pub fn ranked() -> Pool {
        let mut random = Random::new(5, 5);
        let reference: Vec<Vec<Vec<String>>> =
            (0..30).map(|n| vec![(0..8).map(|w| format!("r{n}-{w}")).collect()]).collect();
        let mut pool = Pool::new(named("bleu").unwrap(), &reference, 3003).unwrap();
        let lists = reference.iter().map(|reference| {
            (0..40)
                .map(|n| {
                    let right = random.below(9);
                    let words = (0..8).map(|w| {
                        if w < right { reference[0][w].clone() } else { format!("x{n}-{w}") }
                    });
                    let noise = |random: &mut Random| random.next_f64() * 2.0 - 1.0;
                    let mut features = vec![
                        (0, right as f64 + noise(&mut random)),
                        (1, -(right as f64) / 2.0 + noise(&mut random)),
                        (2, noise(&mut random) * 5.0),
                    ];
                    features.extend((0..5).map(|_| (3 + random.below(3000) as u32, 1.0)));
                    Entry { words: words.collect(), features }
                })
                .collect()
        });
        pool.merge(lists.collect()).unwrap();
        pool
    }

    #[test]
    fn what_ranks_candidates_is_learnt_among_thousands_of_features() {
        let pool = ranked();
        let mut start = vec![0.0; 3003];
        (start[0], start[1], start[2]) = (0.1, 0.1, 1.0);
        let before = pool.score(&start);
        for loss in [Loss::Logistic, Loss::Hinge] {
            for interpolation in [Some(1.0), None] {
                let options = Pro { loss, interpolation, ..options() };
                let found = pro(&pool, &start, &options, &Monitor::default()).unwrap();
                assert!(found.score > before + 40.0, "{loss:?}: {before} → {}", found.score);
                let [a, b, c] = [found.weights[0], found.weights[1], found.weights[2]];
                assert!(a > 0.0 && b < 0.0 && c.abs() < a, "{loss:?}: {a} {b} {c}");
                let again = pro(&pool, &start, &options, &Monitor::default()).unwrap();
                assert_eq!(again, found);
            }
        }
    }

    #[test]
    fn gradients_are_those_of_their_losses() {
        for kind in [Loss::Logistic, Loss::Hinge] {
            for margin in [-30.0, -1.0, 0.0, 0.3, 0.999, 2.0, 40.0] {
                let rise = of_margin(margin + 1e-6, kind).0 - of_margin(margin - 1e-6, kind).0;
                let slope = of_margin(margin, kind).1;
                assert!((rise / 2e-6 - slope).abs() < 1e-3, "{kind:?} {margin}");
            }
        }
    }

    #[test]
    fn lists_without_differences_change_nothing() {
        let references = vec![vec![vec!["a".to_string()]]];
        let pool = Pool::new(named("bleu").unwrap(), &references, 1).unwrap();
        let found = pro(&pool, &[1.5], &options(), &Monitor::default());
        assert_eq!(found.unwrap().weights, [1.5]);
    }
}
