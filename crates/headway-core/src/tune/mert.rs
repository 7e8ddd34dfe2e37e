//! Minimum error rate training (Och 2003): Powell's method with exact line searches, along the
//! features, random directions and the way of each round, from several starts.

use rayon::prelude::*;

use super::line::{is_flat, line_search};
use super::space::Space;
use super::{Found, check, norm, scaled_to};
use crate::random::Random;
use crate::{Error, Monitor, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Mert {
    /// Random starts besides the given ones.
    pub starts: usize,
    /// Random directions of each round besides the features.
    pub directions: usize,
    /// Most rounds from one start.
    pub rounds: usize,
    pub seed: u64,
}

/// A round that gains less is the last one.
const LEAST_GAIN: f64 = 1e-4;
/// Starts that are followed to the top.
const FINALISTS: usize = 5;
/// Every round looks along every feature, so beyond this it would not come to an end.
const MOST_FEATURES: usize = 1000;

/// The best weights found from `given` and from random starts. They are as large, in the sum of
/// absolute values, as the first given ones.
pub fn mert<S: Space>(
    space: &S,
    given: &[Vec<f64>],
    options: &Mert,
    monitor: &Monitor,
) -> Result<Found> {
    let features = space.features();
    let Some(first) = given.first() else {
        return Err(Error::setting("tuning: no weights to start from"));
    };
    for weights in given {
        check(weights, features)?;
    }
    if features > MOST_FEATURES {
        let message = format!("tuning: {features} features are too many for mert");
        return Err(Error::setting(format!(
            "{message} (at most {MOST_FEATURES}); use pro or mira"
        )));
    }
    let mut starts = given.to_vec();
    starts.extend((0..options.starts).map(|number| random_start(first, number, options.seed)));
    let seeded = |number: usize| Random::new(options.seed, number as u64);
    monitor.expect(starts.len() as u64);
    // One round from every start; only the most promising of them go on to the top.
    let begin = |(number, start): (usize, &Vec<f64>)| {
        let mut climb = Climb::new(space, start, seeded(number), monitor)?;
        climb.round(options)?;
        monitor.advance(1)?;
        Ok(climb)
    };
    let mut climbs: Vec<Climb<'_, S>> =
        starts.par_iter().enumerate().map(begin).collect::<Result<_>>()?;
    climbs.sort_by(|a, b| b.score.total_cmp(&a.score));
    climbs.truncate(FINALISTS);
    let found = climbs.into_par_iter().map(|climb| climb.climb(options));
    let found: Vec<Found> = found.collect::<Result<_>>()?;
    let mut best: Option<Found> = None;
    for found in found {
        if best.as_ref().is_none_or(|best| found.score > best.score + LEAST_GAIN / 100.0) {
            best = Some(found);
        }
    }
    let mut best = best.ok_or_else(|| Error::setting("tuning: no weights to start from"))?;
    best.weights = scaled_to(&best.weights, norm(first));
    keep_what_changes_nothing(space, first, &mut best.weights)?;
    Ok(best)
}

/// Weights that no sentence's choice depends on keep their old values instead of those of chance.
fn keep_what_changes_nothing<S: Space>(space: &S, old: &[f64], weights: &mut [f64]) -> Result<()> {
    let point = space.at(weights)?;
    for feature in 0..weights.len() {
        if weights[feature] != old[feature] && is_flat(space, &point, &[(feature, 1.0)])? {
            weights[feature] = old[feature];
        }
    }
    Ok(())
}

/// Every other start is near the given weights, each of them changed by up to its own size; the
/// others take the sizes alone and leave signs and proportions to chance.
fn random_start(given: &[f64], number: usize, seed: u64) -> Vec<f64> {
    let mut random = Random::new(seed ^ 0x5EED, number as u64);
    let typical = norm(given) / given.len().max(1) as f64;
    let change = |&weight: &f64| {
        let chance = random.next_f64() * 2.0 - 1.0;
        let size = weight.abs().max(typical / 10.0);
        if number.is_multiple_of(2) { weight + chance * size } else { chance * size * 2.0 }
    };
    given.iter().map(change).collect()
}

/// One start on its way up.
struct Climb<'a, S: Space> {
    space: &'a S,
    weights: Vec<f64>,
    point: S::Point,
    score: f64,
    random: Random,
    monitor: &'a Monitor,
}

impl<'a, S: Space> Climb<'a, S> {
    fn new(space: &'a S, start: &[f64], random: Random, monitor: &'a Monitor) -> Result<Self> {
        let point = space.at(start)?;
        let score = line_search(space, &point, &[])?.score;
        Ok(Climb { space, weights: start.to_vec(), point, score, random, monitor })
    }

    fn climb(mut self, options: &Mert) -> Result<Found> {
        for _ in 1..options.rounds {
            if self.round(options)? < LEAST_GAIN {
                break;
            }
        }
        Ok(Found { weights: self.weights, score: self.score })
    }

    /// Once along every direction, then along the way that this has made; the gain.
    fn round(&mut self, options: &Mert) -> Result<f64> {
        let (score, weights) = (self.score, self.weights.clone());
        for direction in self.directions(options.directions) {
            self.monitor.check()?;
            self.step(&direction)?;
        }
        let moved = self.weights.iter().zip(&weights).map(|(after, before)| after - before);
        let way: Vec<(usize, f64)> =
            moved.enumerate().filter(|&(_, change)| change != 0.0).collect();
        if way.len() > 1 {
            self.step(&way)?;
        }
        Ok(self.score - score)
    }

    /// The features in random order, then random mixtures of them.
    fn directions(&mut self, mixtures: usize) -> Vec<Vec<(usize, f64)>> {
        let features = self.weights.len();
        let mut order: Vec<usize> = (0..features).collect();
        for place in (1..features).rev() {
            order.swap(place, self.random.below(place + 1));
        }
        let mut directions: Vec<Vec<(usize, f64)>> =
            order.into_iter().map(|feature| vec![(feature, 1.0)]).collect();
        let typical = norm(&self.weights) / features.max(1) as f64;
        for _ in 0..mixtures {
            let mixture = self.weights.iter().enumerate().map(|(feature, weight)| {
                let size = weight.abs().max(typical / 10.0);
                (feature, (self.random.next_f64() * 2.0 - 1.0) * size)
            });
            directions.push(mixture.collect());
        }
        directions
    }

    fn step(&mut self, direction: &[(usize, f64)]) -> Result<()> {
        let best = line_search(self.space, &self.point, direction)?;
        if best.step == 0.0 {
            return Ok(());
        }
        let mut weights = self.weights.clone();
        for &(feature, share) in direction {
            weights[feature] += best.step * share;
        }
        if check(&weights, weights.len()).is_ok() {
            self.point = self.space.at(&weights)?;
            (self.weights, self.score) = (weights, best.score);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::pool::{Entry, Pool};
    use super::super::space::KBest;
    use super::super::testing::random_pool;
    use super::*;
    use crate::metric::named;

    fn options(seed: u64) -> Mert {
        Mert { starts: 20, directions: 4, rounds: 20, seed }
    }

    /// For each sentence one right candidate, which only weights in a cone around (1, −1, ½)
    /// prefer to all of the others.
    fn solvable() -> Pool {
        let mut random = Random::new(3, 3);
        let reference: Vec<Vec<Vec<String>>> =
            (0..40).map(|n| vec![(0..5).map(|w| format!("r{n}-{w}")).collect()]).collect();
        let mut pool = Pool::new(named("bleu").unwrap(), &reference, 3).unwrap();
        let lists = reference.iter().map(|reference| {
            let mut list: Vec<Entry> = (0..20)
                .map(|n| Entry {
                    words: (0..5).map(|w| format!("x{n}-{w}")).collect(),
                    features: (0..3).map(|f| (f, random.next_f64())).collect(),
                })
                .collect();
            let score = |e: &Entry| e.features[0].1 - e.features[1].1 + e.features[2].1 / 2.0;
            let best =
                (0..20).max_by(|&a, &b| score(&list[a]).total_cmp(&score(&list[b]))).unwrap();
            list[best].words = reference[0].clone();
            list
        });
        pool.merge(lists.collect()).unwrap();
        pool
    }

    #[test]
    fn the_known_answer_is_found() {
        let pool = solvable();
        let monitor = Monitor::default();
        let start = vec![vec![0.1, 0.1, 0.1]];
        let found = mert(&KBest::new(&pool), &start, &options(1), &monitor).unwrap();
        assert!((found.score - 100.0).abs() < 1e-6, "{found:?}");
        assert!((pool.score(&found.weights) - 100.0).abs() < 1e-6);
        let ratio = [found.weights[1] / found.weights[0], found.weights[2] / found.weights[0]];
        assert!((ratio[0] + 1.0).abs() < 0.2 && (ratio[1] - 0.5).abs() < 0.2, "{ratio:?}");
        assert!((norm(&found.weights) - 0.3).abs() < 1e-9);
    }

    #[test]
    fn the_same_seed_gives_the_same_weights_and_no_start_is_made_worse() {
        let monitor = Monitor::default();
        for seed in 0..4 {
            let pool = random_pool("bleu-ter", 8, 15, seed);
            let (space, start) = (KBest::new(&pool), vec![vec![0.3, 0.2, -0.4]]);
            let found = mert(&space, &start, &options(seed), &monitor).unwrap();
            assert!(found.score >= pool.score(&start[0]) - 1e-6);
            assert!((pool.score(&found.weights) - found.score).abs() < 1e-4);
            assert_eq!(mert(&space, &start, &options(seed), &monitor).unwrap(), found);
            let one = crate::monitor::pool(1).unwrap();
            let again = one.install(|| mert(&space, &start, &options(seed), &monitor)).unwrap();
            assert_eq!(again, found);
        }
    }

    #[test]
    fn bad_starts_are_refused() {
        let pool = random_pool("bleu", 2, 3, 1);
        let space = KBest::new(&pool);
        let monitor = Monitor::default();
        for bad in [vec![], vec![vec![0.0; 3]], vec![vec![1.0]], vec![vec![f64::NAN, 1.0, 1.0]]] {
            assert!(mert(&space, &bad, &options(1), &monitor).is_err());
        }
        monitor.stop();
        let start = vec![vec![1.0; 3]];
        assert!(matches!(mert(&space, &start, &options(1), &monitor), Err(Error::Interrupted)));
    }
}
