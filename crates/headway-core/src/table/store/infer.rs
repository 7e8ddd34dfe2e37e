//! Finding the lexical probabilities that a table's lexical scores were made from.
//!
//! The score of a rule of one word a side is such a probability. From there, wherever all
//! factors of a score but one are known, that one follows. A guess that turns out wrong costs
//! space, never truth: scores are coded by their distance from the product.

use rustc_hash::FxHashMap;

use super::lexicon::{Direction, Entries};
use super::spool::{Rules, Spool};
use super::survey::pair;
use crate::table::{Rule, Symbol};
use crate::{Monitor, Result};

/// Once for words without links, once for pairs that only occur beside such words.
const ROUNDS: usize = 2;
/// Symbols of the rules that probabilities are looked for in: longer ones say less, less
/// precisely.
const LONGEST: usize = 6;

#[derive(Debug, Clone, Copy)]
pub struct Pair {
    pub count: u64,
    /// By direction; NaN where unknown.
    pub weights: [f32; 2],
}

impl Default for Pair {
    fn default() -> Self {
        Pair { count: 0, weights: [f32::NAN; 2] }
    }
}

/// What is known of the lexical probabilities so far.
pub struct Weights {
    pairs: FxHashMap<u64, Pair>,
    /// By direction, then by target or source word.
    alone: [Vec<f32>; 2],
    /// By direction: the feature that holds the lexical score.
    features: [Option<usize>; 2],
}

/// What one score lets us know.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Found {
    direction: Direction,
    unknown: Unknown,
    weight: f32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unknown {
    Pair(u64),
    Alone(usize),
}

impl Weights {
    pub fn new(
        pairs: FxHashMap<u64, Pair>,
        source_words: usize,
        target_words: usize,
        features: [Option<usize>; 2],
    ) -> Self {
        let alone = [vec![f32::NAN; target_words], vec![f32::NAN; source_words]];
        Weights { pairs, alone, features }
    }

    /// `singles` are pairs and scores of rules of one word a side.
    pub fn infer(
        &mut self,
        singles: &[(u64, [f32; 2])],
        spool: &Spool,
        monitor: &Monitor,
    ) -> Result<()> {
        if self.features == [None, None] {
            return Ok(());
        }
        for &(pair, scores) in singles {
            for direction in Direction::BOTH {
                let weight = scores[direction.index()];
                self.learn(Found { direction, unknown: Unknown::Pair(pair), weight });
            }
        }
        for _ in 0..ROUNDS {
            self.round(spool, monitor)?;
        }
        Ok(())
    }

    fn round(&mut self, spool: &Spool, monitor: &Monitor) -> Result<()> {
        let mut all = Vec::new();
        spool.work(
            spool.step(),
            |rules| self.of_block(rules),
            |blocks| {
                all.extend(blocks.into_iter().flatten());
                monitor.check()
            },
        )?;
        all.into_iter().for_each(|found| self.learn(found));
        Ok(())
    }

    fn of_block(&self, mut rules: Rules<'_>) -> Vec<Found> {
        let (mut rule, mut found) = (Rule::default(), Vec::new());
        while rules.next(&mut rule) {
            if rule.source.len() + rule.target.len() <= LONGEST {
                let solved = Direction::BOTH.iter().filter_map(|&way| self.solve(&rule, way));
                found.extend(solved);
            }
        }
        found
    }

    /// The first rule that tells a probability is believed.
    fn learn(&mut self, found: Found) {
        let direction = found.direction.index();
        let weight = match found.unknown {
            Unknown::Pair(pair) => {
                self.pairs.get_mut(&pair).map(|pair| &mut pair.weights[direction])
            }
            Unknown::Alone(word) => self.alone[direction].get_mut(word),
        };
        if let Some(weight) = weight.filter(|weight| weight.is_nan()) {
            *weight = found.weight;
        }
    }

    /// The one unknown factor of a score, if there is exactly one.
    fn solve(&self, rule: &Rule, direction: Direction) -> Option<Found> {
        let score = f64::from(*rule.features.get(self.features[direction.index()]?)?);
        let words = match direction {
            Direction::TargetGivenSource => &rule.target,
            Direction::SourceGivenTarget => &rule.source,
        };
        let mut product = 1.0;
        // The unknown, how many links share its factor, and the sum of the known ones.
        let mut open: Option<(Unknown, f64, f64)> = None;
        for (place, symbol) in words.iter().enumerate() {
            let Symbol::Word(word) = symbol else { continue };
            let factor = self.factor(rule, direction, place, word.index())?;
            match factor {
                Factor::Known(factor) => product *= factor,
                Factor::Open(..) if open.is_some() => return None,
                Factor::Open(unknown, many, sum) => open = Some((unknown, many, sum)),
            }
        }
        let (unknown, many, sum) = open?;
        let weight = (score / product * many - sum) as f32;
        let likely = weight > 1e-30 && weight < 1.001;
        likely.then_some(Found { direction, unknown, weight })
    }

    /// The factor of the word at `place`; None if two of its probabilities are unknown.
    fn factor(
        &self,
        rule: &Rule,
        direction: Direction,
        place: usize,
        word: usize,
    ) -> Option<Factor> {
        let (mut sum, mut many, mut open) = (0.0, 0.0, None);
        for &(from, to) in &rule.links {
            let at = match direction {
                Direction::TargetGivenSource => to,
                Direction::SourceGivenTarget => from,
            };
            if usize::from(at) != place {
                continue;
            }
            let key = pair(rule, from, to)?;
            // A pair that was seen once will not be stored, nor will a rule be guessed by it.
            let known = self.pairs.get(&key).filter(|pair| pair.count > 1)?;
            many += 1.0;
            match known.weights[direction.index()] {
                weight if !weight.is_nan() => sum += f64::from(weight),
                _ if open.is_some() => return None,
                _ => open = Some(Unknown::Pair(key)),
            }
        }
        if many == 0.0 {
            let weight = *self.alone[direction.index()].get(word)?;
            return Some(match weight.is_nan() {
                true => Factor::Open(Unknown::Alone(word), 1.0, 0.0),
                false => Factor::Known(weight.into()),
            });
        }
        Some(open.map_or(Factor::Known(sum / many), |open| Factor::Open(open, many, sum)))
    }

    /// Entries by source word, the most frequent first.
    pub fn entries(self) -> Entries {
        let source_words = self.alone[Direction::SourceGivenTarget.index()].len();
        let mut lists: Vec<Vec<(u32, [f32; 2])>> = vec![Vec::new(); source_words];
        let mut pairs: Vec<(u64, Pair)> =
            self.pairs.into_iter().filter(|(_, pair)| pair.count > 1).collect();
        pairs.sort_unstable_by_key(|&(words, pair)| (std::cmp::Reverse(pair.count), words));
        for (words, pair) in pairs {
            if let Some(list) = lists.get_mut((words >> 32) as usize) {
                list.push((words as u32, pair.weights));
            }
        }
        Entries { lists, alone: self.alone }
    }
}

enum Factor {
    Known(f64),
    Open(Unknown, f64, f64),
}
