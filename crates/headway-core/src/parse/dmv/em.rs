//! Expectation maximisation from one or several starts.

use rayon::prelude::*;

use crate::random::Random;
use crate::{Error, Monitor, Result};

use super::expect::expect;
use super::grammar::{Counts, Grammar};
use super::start;

/// Sentences whose counts are summed before they are added to the others: always the same
/// ones, so that sums come out the same on any number of threads.
const TOGETHER: usize = 64;

/// How the model is learnt.
#[derive(Debug, Clone, Copy)]
pub struct Em {
    /// Most steps from one start.
    pub iterations: u64,
    /// Stops when the logarithm of the likelihood rises by less than this share of itself.
    pub tolerance: f64,
    /// Starts from the harmonic one, and from so many random ones.
    pub harmonic: bool,
    pub restarts: u64,
    pub seed: u64,
}

/// What was learnt from the start that led to the highest likelihood.
#[derive(Debug, Clone)]
pub struct Learnt {
    pub grammar: Grammar,
    /// The logarithm of the likelihood before each step and at the end.
    pub likelihoods: Vec<f64>,
    /// 0 for the harmonic start, else the number of the random one.
    pub start: u64,
}

impl Em {
    pub fn check(&self) -> Result<()> {
        if !self.harmonic && self.restarts == 0 {
            return Err(Error::setting(
                "parse.dmv.start: a random start needs parse.dmv.restarts above 0",
            ));
        }
        if !(self.tolerance >= 0.0 && self.tolerance.is_finite()) {
            let found = self.tolerance;
            return Err(Error::setting(format!("parse.dmv.tolerance: {found} is below 0")));
        }
        Ok(())
    }

    /// Steps of all starts together.
    pub fn steps(&self) -> u64 {
        (self.iterations + 1) * (self.restarts + u64::from(self.harmonic))
    }

    /// Learns from sentences of tags, each with its weight, none of them empty.
    pub fn learn(
        &self,
        sentences: &[Vec<u16>],
        weights: &[f64],
        tags: usize,
        monitor: &Monitor,
    ) -> Result<Learnt> {
        self.check()?;
        let mut best: Option<Learnt> = None;
        for number in u64::from(!self.harmonic)..=self.restarts {
            let grammar = match number {
                0 => start::harmonic(sentences, weights, tags),
                number => start::random(tags, &mut Random::new(self.seed, number)),
            };
            let (grammar, likelihoods) = self.climb(grammar, sentences, weights, monitor)?;
            let last = |one: &Learnt| one.likelihoods.last().copied();
            if best.as_ref().is_none_or(|best| likelihoods.last().copied() > last(best)) {
                best = Some(Learnt { grammar, likelihoods, start: number });
            }
        }
        best.ok_or_else(|| Error::setting("parse.dmv.restarts: no start to learn from"))
    }

    fn climb(
        &self,
        mut grammar: Grammar,
        sentences: &[Vec<u16>],
        weights: &[f64],
        monitor: &Monitor,
    ) -> Result<(Grammar, Vec<f64>)> {
        let mut likelihoods: Vec<f64> = Vec::new();
        loop {
            let counts = expected(&grammar, sentences, weights, monitor)?;
            let before = likelihoods.last().copied().unwrap_or(f64::NEG_INFINITY);
            likelihoods.push(counts.likelihood);
            let rise = counts.likelihood - before;
            let done = rise <= self.tolerance * counts.likelihood.abs();
            if done || likelihoods.len() as u64 > self.iterations {
                return Ok((grammar, likelihoods));
            }
            grammar = counts.maximise(&grammar);
        }
    }
}

fn expected(
    grammar: &Grammar,
    sentences: &[Vec<u16>],
    weights: &[f64],
    monitor: &Monitor,
) -> Result<Counts> {
    let parts: Vec<Counts> = sentences
        .par_chunks(TOGETHER)
        .zip(weights.par_chunks(TOGETHER))
        .map(|(sentences, weights)| {
            let mut counts = Counts::new(grammar.tags());
            for (sentence, &weight) in sentences.iter().zip(weights) {
                expect(grammar, sentence, weight, &mut counts);
                monitor.advance(1)?;
            }
            Ok(counts)
        })
        .collect::<Result<_>>()?;
    let mut counts = Counts::new(grammar.tags());
    parts.iter().for_each(|part| counts.add(part));
    Ok(counts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const EM: Em = Em { iterations: 15, tolerance: 0.0, harmonic: true, restarts: 2, seed: 1 };

    fn learn(em: &Em, sentences: &[Vec<u16>]) -> Learnt {
        em.learn(sentences, &vec![1.0; sentences.len()], 4, &Monitor::default()).unwrap()
    }

    proptest! {
        #[test]
        fn steps_never_lower_the_likelihood(
            sentences in prop::collection::vec(prop::collection::vec(0_u16..4, 1..7), 1..20),
            seed in 0_u64..1000,
            harmonic: bool,
        ) {
            let found = learn(&Em { seed, harmonic, ..EM }, &sentences);
            for pair in found.likelihoods.windows(2) {
                prop_assert!(pair[1] >= pair[0] - 1e-9 * (1.0 + pair[0].abs()), "{:?}", found.likelihoods);
            }
        }
    }

    #[test]
    fn threads_change_nothing() {
        let mut random = Random::new(4, 4);
        let sentences: Vec<Vec<u16>> =
            (0..300).map(|at| (0..1 + at % 7).map(|_| random.below(4) as u16).collect()).collect();
        let on = |threads| {
            let pool = crate::monitor::pool(threads).unwrap();
            pool.install(|| learn(&EM, &sentences))
        };
        let (one, three) = (on(1), on(3));
        assert_eq!((one.grammar, one.likelihoods), (three.grammar, three.likelihoods));
    }

    #[test]
    fn the_most_likely_start_is_kept() {
        let sentences = vec![vec![0, 1, 2], vec![0, 1], vec![1, 0, 1, 2], vec![3, 1]];
        let last = |found: &Learnt| *found.likelihoods.last().unwrap();
        let all = learn(&Em { restarts: 5, ..EM }, &sentences);
        let harmonic = learn(&Em { restarts: 0, ..EM }, &sentences);
        let random = learn(&Em { harmonic: false, restarts: 5, ..EM }, &sentences);
        assert_eq!(last(&all), last(&harmonic).max(last(&random)));
        let none = Em { harmonic: false, restarts: 0, ..EM };
        assert!(none.learn(&sentences, &[1.0; 4], 4, &Monitor::default()).is_err());
    }
}
