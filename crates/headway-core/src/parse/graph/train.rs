//! Training: rounds of MIRA over the treebank.
//!
//! A few sentences at a time are parsed side by side with the weights as they are; then each
//! updates them in turn. So the result is the same on any number of threads.

use rayon::prelude::*;

use crate::parse::treebank::Treebank;
use crate::random::Random;
use crate::{Error, Monitor, Result};

use super::compact::CompactWeights;
use super::features::{FeatureSet, Slot};
use super::input::{Input, Token, UNKNOWN};
use super::matrix::ArcScores;
use super::mira::{Constraint, hildreth};
use super::model::{GraphModel, Numbering, arc_scores};
use super::search::Search;
use super::weights::{BITS, Weights};

/// What has to keep a margin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Update {
    /// The gold tree, over the k best trees where every wrong arc gains 1 (McDonald et al. 2005a).
    Trees,
    /// The gold head of each word, over the best few of its other heads (McDonald et al. 2005b).
    Heads,
}

impl Update {
    pub const ALL: [(&'static str, Update); 2] =
        [("trees", Update::Trees), ("heads", Update::Heads)];
}

#[derive(Debug, Clone, Copy)]
pub struct GraphTraining {
    pub search: Search,
    pub update: Update,
    pub features: FeatureSet,
    pub lowercase: bool,
    pub single_root: bool,
    pub rounds: u64,
    /// Trees that the gold tree has to beat at each step.
    pub k: usize,
    /// The longest step of an update.
    pub step: f64,
    /// Sentences parsed side by side.
    pub batch: usize,
    /// The number of weights, as a power of two.
    pub bits: u32,
    /// Where heads are learnt: a word that occurs so often is taken for an unknown one half of
    /// the time; 0 is never.
    pub blanking: f64,
    pub seed: u64,
}

/// Keeps the chances of blanking apart from those of other draws.
const BLANKING: u64 = 77;

/// Changes of weights by their places.
type Changes = Vec<(u32, f32)>;

impl GraphTraining {
    pub fn check(&self) -> Result<()> {
        if !BITS.contains(&self.bits) {
            let (bits, low, high) = (self.bits, BITS.start(), BITS.end());
            return Err(Error::setting(format!(
                "parse.feature_bits: {bits} is out of range; use {low} to {high}"
            )));
        }
        if self.k == 0 || self.batch == 0 || self.step.is_nan() || self.step <= 0.0 {
            return Err(Error::setting("parse.k, parse.batch and parse.step must be above 0"));
        }
        if self.k > 1 && self.update == Update::Heads {
            let k = self.k;
            return Err(Error::setting(format!(
                "parse.k: {k} trees are for parse.update=trees, and heads are learnt here, as by \
                 default with mst and local; set parse.update=trees, or leave parse.k at 1"
            )));
        }
        if !(self.blanking >= 0.0 && self.blanking.is_finite()) {
            let message = format!("parse.blanking is {}; expected 0 or more", self.blanking);
            return Err(Error::setting(message));
        }
        Ok(())
    }

    /// Learns from the heads of a treebank, with `tags` for each of its sentences.
    pub fn train(
        &self,
        treebank: &Treebank,
        tags: &[Vec<String>],
        monitor: &Monitor,
    ) -> Result<GraphModel> {
        self.check()?;
        let forms = treebank.examples.iter().flat_map(|example| example.tree.forms());
        let numbering = Numbering::new(forms, tags.iter().flatten(), self.lowercase);
        let sentences = treebank.examples.par_iter().zip(tags);
        let inputs: Vec<Input> =
            sentences.map(|(one, tags)| numbering.input(one.tree.forms(), tags)).collect();
        let average = self.learn(treebank, &inputs, monitor)?;
        let weights = CompactWeights::new(&average);
        Ok(GraphModel { numbering, features: self.features, weights })
    }

    /// The weights averaged over all steps.
    fn learn(&self, treebank: &Treebank, inputs: &[Input], monitor: &Monitor) -> Result<Weights> {
        let (mut weights, mut average) = (Weights::new(self.bits), Weights::new(self.bits));
        let rounds: Vec<Vec<u32>> =
            (0..self.rounds).map(|round| treebank.round(self.seed, round)).collect();
        let total: usize = rounds.iter().map(Vec::len).sum();
        let mut done = 0;
        let counts = word_counts(inputs);
        for batch in rounds.iter().flat_map(|order| order.chunks(self.batch)) {
            let changes = |(&at, visit): (&u32, u64)| {
                let gold = treebank.examples[at as usize].tree.heads();
                match self.blanked(&inputs[at as usize], &counts, visit) {
                    Some(blanked) => self.changes(&weights, &blanked, gold, monitor),
                    None => self.changes(&weights, &inputs[at as usize], gold, monitor),
                }
            };
            let visits = done as u64..(done + batch.len()) as u64;
            let numbered: Vec<(&u32, u64)> = batch.iter().zip(visits).collect();
            let found: Result<Vec<Changes>> = numbered.into_par_iter().map(changes).collect();
            for changes in found? {
                // A change counts in the average for as long as it will have stood.
                let remaining = (total - done) as f32 / total as f32;
                for (place, change) in changes {
                    weights.add(place, change);
                    average.add(place, change * remaining);
                }
                done += 1;
            }
            monitor.advance(batch.len() as u64)?;
        }
        Ok(average)
    }

    /// The sentence with rare words taken for unknown ones now and then, by a chance that depends
    /// on their counts, so that something is learnt about unknown words (Kiperwasser & Goldberg
    /// 2016). None where nothing changes, and where whole trees are learnt: it does not help them.
    fn blanked(&self, input: &Input, counts: &[u32], visit: u64) -> Option<Input> {
        if self.blanking == 0.0 || self.update == Update::Trees {
            return None;
        }
        let mut random = Random::new(self.seed ^ BLANKING, visit);
        let mut changed = false;
        let mut blanked = Input::start();
        for place in 1..=input.len() {
            let token = input.token(place);
            let count = counts.get(token.lower as usize).copied().unwrap_or(0);
            let blank = random.next_f64() < self.blanking / (self.blanking + f64::from(count));
            changed |= blank;
            let unknown = Token { word: UNKNOWN, lower: UNKNOWN, ..token };
            blanked.push(if blank { unknown } else { token });
        }
        changed.then_some(blanked)
    }

    /// What a sentence asks to be changed.
    fn changes(
        &self,
        weights: &Weights,
        input: &Input,
        gold: &[u32],
        monitor: &Monitor,
    ) -> Result<Changes> {
        let scores = arc_scores(weights, self.features, input);
        match self.update {
            Update::Trees => self.tree_changes(weights, input, gold, scores, monitor),
            Update::Heads => Ok(self.head_changes(weights, input, gold, &scores)),
        }
    }

    fn tree_changes(
        &self,
        weights: &Weights,
        input: &Input,
        gold: &[u32],
        mut scores: ArcScores,
        monitor: &Monitor,
    ) -> Result<Changes> {
        for (&right, modifier) in gold.iter().zip(1..) {
            for head in (0..=gold.len()).filter(|&head| head != right as usize) {
                scores.set(head, modifier, scores.get(head, modifier) + 1.0);
            }
        }
        let trees = match self.k {
            1 => vec![self.search.best(&scores, self.single_root)],
            k => {
                let ranked = self.search.kbest(&scores, self.single_root, k, monitor)?;
                ranked.into_iter().map(|(_, heads)| heads).collect()
            }
        };
        let constraints: Vec<Constraint> = trees
            .iter()
            .map(|heads| self.constraint(weights, input, gold, heads, 1))
            .filter(|one| one.loss > 0.0)
            .collect();
        let steps = hildreth(&constraints, self.step);
        let steps = constraints.iter().zip(steps).filter(|(_, step)| *step > 0.0);
        Ok(steps.flat_map(|(one, step)| moved(one, step)).collect())
    }

    fn head_changes(
        &self,
        weights: &Weights,
        input: &Input,
        gold: &[u32],
        scores: &ArcScores,
    ) -> Changes {
        let mut changes = Vec::new();
        for (&right, modifier) in gold.iter().zip(1..) {
            let demand = |rival: u32| self.constraint(weights, input, &[right], &[rival], modifier);
            let rivals = rivals(scores.into_word(modifier), right as usize, modifier);
            let constraints: Vec<Constraint> = rivals.into_iter().map(demand).collect();
            let steps = hildreth(&constraints, self.step);
            for (one, step) in constraints.iter().zip(steps).filter(|(_, step)| *step > 0.0) {
                changes.extend(moved(one, step));
            }
        }
        changes
    }

    /// The demand that heads `gold` of the words from `first` on beat `heads` by the number of
    /// those that differ.
    fn constraint(
        &self,
        weights: &Weights,
        input: &Input,
        gold: &[u32],
        heads: &[u32],
        first: usize,
    ) -> Constraint {
        let mut features = [Vec::new(), Vec::new()];
        let (mut keys, mut loss) = (Vec::new(), 0.0);
        for ((&right, &found), modifier) in gold.iter().zip(heads).zip(first..) {
            if right != found {
                loss += 1.0;
                for (head, places) in [right, found].into_iter().zip(&mut features) {
                    self.features.arc_keys(input, head as usize, modifier, &mut keys);
                    let slot = Slot::of(head as usize, modifier);
                    places.extend(keys.iter().flat_map(|&key| weights.places(key, slot)));
                }
            }
        }
        Constraint::new(&features[0], &features[1], loss, |place| weights.at(place))
    }
}

/// How often each word occurs, in small letters.
fn word_counts(inputs: &[Input]) -> Vec<u32> {
    let mut counts = Vec::new();
    for input in inputs {
        for place in 1..=input.len() {
            let word = input.token(place).lower as usize;
            if counts.len() <= word {
                counts.resize(word + 1, 0);
            }
            counts[word] += 1;
        }
    }
    counts
}

fn moved(constraint: &Constraint, step: f64) -> impl Iterator<Item = (u32, f32)> {
    let change = move |&(place, change): &(u32, f32)| (place, (f64::from(change) * step) as f32);
    constraint.difference.iter().map(change)
}

/// The most heads of a word that the right one has to beat at a time.
const RIVALS: usize = 3;

/// Heads of a word that come closer to the right one than by the margin, the best first.
fn rivals(scores: &[f64], right: usize, modifier: usize) -> Vec<u32> {
    let close =
        |&head: &usize| head != right && head != modifier && scores[head] > scores[right] - 1.0;
    let mut heads: Vec<usize> = (0..scores.len()).filter(close).collect();
    heads.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]).then(one.cmp(&other)));
    heads.into_iter().take(RIVALS).map(|head| head as u32).collect()
}

#[cfg(test)]
mod tests;
