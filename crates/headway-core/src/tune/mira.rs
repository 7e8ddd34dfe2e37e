//! k-best batch MIRA (Cherry & Foster 2012): passes over the pool that move weights just far
//! enough for a hopeful candidate to beat a fearful one, averaged over all moves.

use super::pool::{Candidates, Pool};
use super::pro::difference;
use super::{Found, check, norm, scaled_to};
use crate::metric::{Metric, add};
use crate::random::Random;
use crate::{Monitor, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Mira {
    /// Passes over all sentences.
    pub passes: usize,
    /// Farthest that one sentence may move weights.
    pub c: f64,
    /// What is kept of the statistics of earlier sentences at each new one.
    pub decay: f64,
    pub seed: u64,
}

pub fn mira(pool: &Pool, start: &[f64], options: &Mira, monitor: &Monitor) -> Result<Found> {
    check(start, pool.features())?;
    let stay = || Found { weights: start.to_vec(), score: pool.score(start) };
    if pool.sentences.iter().all(|list| list.len() < 2) {
        return Ok(stay()); // nothing to choose from, so nothing to learn
    }
    let mut learner = Learner::new(pool, start, options);
    let mut order: Vec<usize> = (0..pool.len()).collect();
    let mut random = Random::new(options.seed, 0);
    // Weights that decode best are often not those that choose best among what is known, so the start
    // is no candidate: staying there would end tuning after a round or two.
    let mut best: Option<Found> = None;
    monitor.expect(options.passes as u64);
    for _ in 0..options.passes {
        for place in (1..order.len()).rev() {
            order.swap(place, random.below(place + 1));
        }
        for &sentence in &order {
            learner.learn(&pool.sentences[sentence], pool.metric());
        }
        monitor.advance(1)?;
        let weights = learner.averaged();
        let score = pool.score(&weights);
        let better = best.as_ref().is_none_or(|best| score > best.score);
        if better && check(&weights, pool.features()).is_ok() {
            best = Some(Found { weights, score });
        }
    }
    let mut best = best.unwrap_or_else(stay);
    best.weights = scaled_to(&best.weights, norm(start));
    Ok(best)
}

struct Learner<'a> {
    options: &'a Mira,
    weights: Vec<f64>,
    /// Sum over all moves of the move times its number: averages without touching every weight.
    late: Vec<f64>,
    moves: f64,
    /// What a text of recent hopes looks like, and of how many sentences.
    background: Vec<f64>,
    sentences: f64,
    /// Sums and gains in hand; kept so as not to be allocated for each candidate.
    sums: Vec<f64>,
    gains: Vec<f64>,
}

impl<'a> Learner<'a> {
    /// The background is what the start prefers, at the size that decay leads to.
    fn new(pool: &Pool, start: &[f64], options: &'a Mira) -> Self {
        let width = pool.metric().width();
        let mut background = vec![0.0; width];
        for (list, best) in pool.sentences.iter().zip(pool.best(start)) {
            if let Some(best) = best {
                add(&mut background, &list.statistics_of(best, width));
            }
        }
        let sentences = (1.0 / (1.0 - options.decay).max(1e-6)).min(pool.len() as f64);
        let share = sentences / pool.len() as f64;
        background.iter_mut().for_each(|sum| *sum *= share);
        Learner {
            options,
            weights: start.to_vec(),
            late: vec![0.0; start.len()],
            moves: 0.0,
            background,
            sentences,
            sums: Vec::new(),
            gains: Vec::new(),
        }
    }

    fn averaged(&self) -> Vec<f64> {
        let share = 1.0 / (self.moves + 1.0);
        self.weights.iter().zip(&self.late).map(|(weight, late)| weight - late * share).collect()
    }

    fn learn(&mut self, list: &Candidates, metric: &dyn Metric) {
        self.moves += 1.0;
        let Some((hope, fear, cost)) = self.extremes(list, metric) else { return };
        if hope != fear {
            self.step(list, hope, fear, cost);
        }
        let width = metric.width();
        self.background.iter_mut().for_each(|sum| *sum *= self.options.decay);
        add(&mut self.background, &list.statistics_of(hope, width));
        self.sentences = self.sentences * self.options.decay + 1.0;
    }

    /// The candidate with most of score and metric, that with most of score and least of metric,
    /// and how much better the first is.
    fn extremes(&mut self, list: &Candidates, metric: &dyn Metric) -> Option<(usize, usize, f64)> {
        self.weigh(list, metric);
        let (mut hope, mut fear): (Option<Extreme>, Option<Extreme>) = (None, None);
        for candidate in 0..list.len() {
            let score = list.dot(candidate, &self.weights);
            let gain = self.gains[list.text(candidate) as usize];
            let found = |value| Extreme { candidate, value, gain };
            if hope.is_none_or(|known| score + gain > known.value) {
                hope = Some(found(score + gain));
            }
            if fear.is_none_or(|known| score - gain > known.value) {
                fear = Some(found(score - gain));
            }
        }
        let (hope, fear) = (hope?, fear?);
        Some((hope.candidate, fear.candidate, hope.gain - fear.gain))
    }

    /// The gain of each text: the metric of the background with this sentence in it, times its
    /// size, so that what one sentence changes does not depend on how many are in the background.
    fn weigh(&mut self, list: &Candidates, metric: &dyn Metric) {
        self.gains.clear();
        for statistics in list.all_statistics(metric.width()) {
            self.sums.clone_from(&self.background);
            let pairs = self.sums.iter_mut().zip(statistics);
            pairs.for_each(|(sum, &number)| *sum += f64::from(number));
            self.gains.push(metric.score(&self.sums) / 100.0 * (self.sentences + 1.0));
        }
    }

    fn step(&mut self, list: &Candidates, hope: usize, fear: usize, cost: f64) {
        let way = difference(list, hope, fear);
        let margin: f64 = way.iter().map(|&(f, v)| self.weights[f as usize] * f64::from(v)).sum();
        let length: f64 = way.iter().map(|&(_, v)| f64::from(v) * f64::from(v)).sum();
        if cost <= margin || length <= 0.0 {
            return;
        }
        let step = ((cost - margin) / length).min(self.options.c);
        for (feature, value) in way {
            let change = step * f64::from(value);
            self.weights[feature as usize] += change;
            self.late[feature as usize] += change * self.moves;
        }
    }
}

#[derive(Clone, Copy)]
struct Extreme {
    candidate: usize,
    value: f64,
    gain: f64,
}

#[cfg(test)]
mod tests {
    use super::super::pro::tests::ranked;
    use super::*;

    fn options() -> Mira {
        Mira { passes: 30, c: 0.01, decay: 0.999, seed: 1 }
    }

    #[test]
    fn what_ranks_candidates_is_learnt_among_thousands_of_features() {
        let pool = ranked();
        let mut start = vec![0.0; 3003];
        (start[0], start[1], start[2]) = (0.1, 0.1, 1.0);
        let before = pool.score(&start);
        let found = mira(&pool, &start, &options(), &Monitor::default()).unwrap();
        assert!(found.score > before + 40.0, "{before} → {}", found.score);
        let [a, b, c] = [found.weights[0], found.weights[1], found.weights[2]];
        // What means nothing weighed ten times as much as what means something.
        assert!(a > 0.0 && b < 0.0 && c.abs() < 2.0 * a, "{a} {b} {c}");
        assert!((pool.score(&found.weights) - found.score).abs() < 1e-9);
        assert_eq!(mira(&pool, &start, &options(), &Monitor::default()).unwrap(), found);
    }
}
