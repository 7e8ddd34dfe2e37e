//! Split-merge EM (Petrov, Barrett, Thibaux & Klein 2006).

use crate::random::Random;
use crate::{Error, Monitor, Result};

use super::expect::{Model, expected_states};
use super::sample::Sample;

/// How the variants of symbols are learnt.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Refinement {
    /// How often all variants are split in two.
    pub cycles: u64,
    /// Steps of EM after each split.
    pub split_steps: u64,
    /// The share of the new pairs that are merged again.
    pub merged: f64,
    /// Steps of EM after each merge.
    pub merge_steps: u64,
    /// Steps of EM after that, each of them smoothed.
    pub smooth_steps: u64,
    /// The share by which rules of a symbol's variants are moved towards their mean.
    pub smoothing: f64,
    pub seed: u64,
}

/// How far a split makes variants differ.
const NOISE: f64 = 0.01;
/// Beyond this, tables of rules would not fit in memory.
const MOST_CYCLES: u64 = 7;

/// A model, and what became of variants on the way.
#[derive(Debug, Clone)]
pub struct Learnt {
    pub model: Model,
    /// For each round of splits, beginning with none, which variant of that time each variant of
    /// each symbol comes from.
    pub origins: Vec<Vec<Vec<u16>>>,
    /// How often each variant occurs in the treebank.
    pub states: Vec<f64>,
    /// The logarithm of the likelihood before each step of EM, but for a constant.
    pub likelihoods: Vec<f64>,
}

impl Refinement {
    pub fn check(&self) -> Result<()> {
        if self.cycles > MOST_CYCLES {
            return Err(Error::setting(format!(
                "parse.pcfg.cycles: {} is above {MOST_CYCLES}, and 2^{} variants of each symbol",
                self.cycles, self.cycles
            )));
        }
        for (name, value) in [("merged", self.merged), ("smoothing", self.smoothing)] {
            if !(0.0..=1.0).contains(&value) {
                return Err(Error::setting(format!("parse.pcfg.{name}: {value} is not in 0 to 1")));
            }
        }
        Ok(())
    }

    /// How many times the whole treebank is looked at.
    pub fn passes(&self) -> u64 {
        2 + self.cycles * (self.split_steps + 1 + self.merge_steps + self.smooth_steps)
    }

    /// Learns from a treebank, beginning with a model of unsplit symbols.
    pub fn learn(&self, mut model: Model, sample: &Sample, monitor: &Monitor) -> Result<Learnt> {
        let mut likelihoods = vec![model.step(sample, monitor)?];
        let symbols = model.grammar.symbols();
        let mut origins = vec![vec![vec![0]; symbols]];
        for cycle in 1..=self.cycles {
            model.split(NOISE, &mut Random::new(self.seed, cycle));
            origins.iter_mut().flatten().for_each(|of| *of = twice(of));
            for _ in 0..self.split_steps {
                likelihoods.push(model.step(sample, monitor)?);
            }
            let becomes = model.merge_least(self.merged, sample, monitor)?;
            origins.iter_mut().for_each(|level| follow(level, &becomes));
            for _ in 0..self.merge_steps {
                likelihoods.push(model.step(sample, monitor)?);
            }
            for _ in 0..self.smooth_steps {
                likelihoods.push(model.step(sample, monitor)?);
                model.grammar.smooth(self.smoothing);
            }
            let own = model.grammar.sizes.iter().map(|&size| (0..size as u16).collect());
            origins.push(own.collect());
        }
        let charts = model.charts(sample, monitor)?;
        let states = expected_states(sample, &charts, &model.grammar);
        Ok(Learnt { model, origins, states, likelihoods })
    }
}

/// Each twice, one behind the other.
fn twice(of: &[u16]) -> Vec<u16> {
    of.iter().flat_map(|&one| [one; 2]).collect()
}

/// The origins of variants once some are merged; those that are merged have the same.
fn follow(level: &mut [Vec<u16>], becomes: &[Vec<usize>]) {
    for (of, becomes) in level.iter_mut().zip(becomes) {
        let mut new = vec![0; 1 + becomes[becomes.len() - 1]];
        becomes.iter().zip(&*of).for_each(|(&to, &from)| new[to] = from);
        *of = new;
    }
}
