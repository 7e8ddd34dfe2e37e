//! The word penalty that suits a dev set best among those that give translations of the right
//! length, by an exact line search.

use super::envelope::upper;
use super::line::line_search;
use super::pool::Pool;
use super::space::{Direction, KBest, Segments, Space};
use super::{Found, check, check_places};
use crate::Result;
use crate::metric::{Judge, Metric};

/// What lengths are right: words of the translations over words of the closest references.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Length {
    /// How far the ratio may be from 1 before it costs.
    pub tolerance: f64,
    /// Points of the metric that each 1 beyond costs.
    pub cost: f64,
}

impl Length {
    /// What a ratio costs.
    pub fn of(&self, ratio: f64) -> f64 {
        let beyond = ((ratio - 1.0).abs() - self.tolerance).max(0.0);
        // A text of no words has none to be cut.
        if beyond.is_finite() { beyond * self.cost } else { 0.0 }
    }
}

/// The weights with the best weight of one feature, and the score of what they prefer, less the
/// cost of its length.
pub fn fit_length(pool: &Pool, weights: &[f64], feature: usize, length: Length) -> Result<Found> {
    check(weights, pool.features())?;
    check_places(&[feature], pool.features())?;
    let lists = KBest::new(pool);
    let metric = Measured { metric: pool.metric(), length };
    let space = Lengths { lists, metric };
    let best = line_search(&space, &space.at(weights)?, &[(feature, 1.0)])?;
    let mut weights = weights.to_vec();
    weights[feature] += best.step;
    Ok(Found { weights, score: best.score })
}

/// A metric with two more numbers behind its own: words, and words of the closest reference.
struct Measured<'a> {
    metric: &'a dyn Metric,
    length: Length,
}

impl Metric for Measured<'_> {
    fn width(&self) -> usize {
        self.metric.width() + 2
    }

    fn judge(&self, references: &[Vec<&str>]) -> Box<dyn Judge> {
        self.metric.judge(references)
    }

    fn score(&self, sums: &[f64]) -> f64 {
        let (own, lengths) = sums.split_at(self.metric.width());
        self.metric.score(own) - self.length.of(lengths[0] / lengths[1])
    }

    fn sentence_score(&self, statistics: &[f64]) -> f64 {
        self.metric.sentence_score(statistics)
    }
}

/// k-best lists whose segments know their lengths.
struct Lengths<'a> {
    lists: KBest<'a>,
    metric: Measured<'a>,
}

impl Space for Lengths<'_> {
    type Point = <KBest<'static> as Space>::Point;

    fn features(&self) -> usize {
        self.lists.features()
    }

    fn sentences(&self) -> usize {
        self.lists.sentences()
    }

    fn metric(&self) -> &dyn Metric {
        &self.metric
    }

    fn at(&self, weights: &[f64]) -> Result<Self::Point> {
        self.lists.at(weights)
    }

    fn segments(
        &self,
        sentence: usize,
        point: &Self::Point,
        direction: &Direction,
    ) -> Result<Segments> {
        let list = &self.lists.pool.sentences[sentence];
        let slopes = self.lists.slopes(sentence, direction);
        let mut segments = Segments::default();
        for (from, candidate) in upper(&point[sentence], &slopes) {
            let text = list.text(candidate);
            let own = list.raw_statistics(text, self.metric.metric.width());
            segments.from.push(from);
            segments.statistics.extend_from_slice(own);
            segments.statistics.extend(list.lengths(text).map(|words| words as f32));
        }
        Ok(segments)
    }
}

#[cfg(test)]
mod tests {
    use super::super::pool::Entry;
    use super::*;
    use crate::metric::named;
    use crate::random::Random;

    /// Candidates of 2 to 12 words for references of 5 and 7; feature 1 is minus the words.
    fn pool(metric: &str, seed: u64) -> Pool {
        let mut random = Random::new(seed, 9);
        let mut words = |count: usize| -> Vec<String> {
            (0..count).map(|_| format!("w{}", random.below(4))).collect()
        };
        let references: Vec<Vec<Vec<String>>> = (0..8).map(|_| vec![words(5), words(7)]).collect();
        let mut pool = Pool::new(named(metric).unwrap(), &references, 2).unwrap();
        let lists = (0..8).map(|_| {
            (0..30)
                .map(|place| {
                    let words = words(2 + place % 11);
                    let value = (place * 7 % 13) as f64 / 5.0;
                    let features = vec![(0, value), (1, -(words.len() as f64))];
                    Entry { words, features }
                })
                .collect()
        });
        pool.merge(lists.collect()).unwrap();
        pool
    }

    /// The score less the cost of the length, sentence by sentence.
    fn slowly(pool: &Pool, weights: &[f64], length: Length) -> f64 {
        let (mut words, mut closest) = (0, 0);
        for (list, best) in pool.sentences.iter().zip(pool.best(weights)) {
            let own = list.lengths(list.text(best.unwrap()))[0];
            words += own;
            closest += if own < 7 { 5 } else { 7 }; // 6 is as far from either: the shorter
        }
        let beyond = ((words as f64 / closest as f64 - 1.0).abs() - length.tolerance).max(0.0);
        pool.score(weights) - length.cost * beyond
    }

    #[test]
    fn the_word_penalty_equals_a_dense_scan() {
        for (number, metric) in crate::metric::NAMES.iter().enumerate() {
            for (seed, tolerance) in [(0, 0.0), (1, 0.02), (2, 0.1), (3, 0.02), (4, 10.0)] {
                let pool = pool(metric, seed * 10 + number as u64);
                let length = Length { tolerance, cost: 500.0 };
                let start = [1.0, 0.7];
                let found = fit_length(&pool, &start, 1, length).unwrap();
                assert_eq!(found.weights[0], 1.0);
                let value = slowly(&pool, &found.weights, length);
                assert!((value - found.score).abs() < 1e-5, "{value} {found:?}");
                let scan = (-3000..3000)
                    .map(|step| slowly(&pool, &[1.0, f64::from(step) / 250.0 + 1.3e-5], length));
                let highest = scan.fold(f64::NEG_INFINITY, f64::max);
                assert!(found.score >= highest - 1e-5, "{metric} {seed}: {found:?} {highest}");
            }
        }
    }

    #[test]
    fn a_feature_that_is_none_is_refused() {
        let length = Length { tolerance: 0.02, cost: 100.0 };
        assert!(fit_length(&pool("bleu", 1), &[1.0, 1.0], 2, length).is_err());
    }

    #[test]
    fn only_what_is_beyond_the_tolerance_costs() {
        let length = Length { tolerance: 0.02, cost: 100.0 };
        assert_eq!(length.of(0.99), 0.0);
        assert!((length.of(0.95) - 3.0).abs() < 1e-9 && (length.of(1.04) - 2.0).abs() < 1e-9);
        assert_eq!(length.of(f64::NAN), 0.0);
        assert_eq!(length.of(f64::INFINITY), 0.0);
    }
}
