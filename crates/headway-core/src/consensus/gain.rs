//! Gains: how like the others a translation is, by expected n-gram counts.

use super::expected::Expected;
use super::grams::counted;
use super::lean::Numbers;
use crate::{Error, Result};

/// The metric whose expected value is approximated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Gain {
    #[default]
    Bleu,
    Chrf,
}

const WORDS: usize = 4;
const LETTERS: usize = 6;
/// Recall counts this much more than precision in chrF, squared.
const BETA2: f64 = 4.0;
/// Unigram precision and its decay with the length of n-grams, with which BLEU is linear (Tromble
/// et al. 2008).
const PRECISION: f64 = 0.85;
const DECAY: f64 = 0.72;

impl Gain {
    pub const NAMES: [(&'static str, Gain); 2] = [("bleu", Gain::Bleu), ("chrf", Gain::Chrf)];

    pub fn named(name: &str) -> Result<Gain> {
        let found = Gain::NAMES.into_iter().find(|(own, _)| *own == name);
        found.map(|(_, gain)| gain).ok_or_else(|| {
            Error::Setting(format!("consensus.gain \"{name}\": expected bleu or chrf"))
        })
    }

    /// The longest n-grams that it looks at: of words, or of letters.
    pub fn order(self) -> usize {
        match self {
            Gain::Bleu => WORDS,
            Gain::Chrf => LETTERS,
        }
    }

    /// The units of words that it counts.
    pub fn units(self, words: &[u32], numbers: &Numbers) -> Vec<u32> {
        match self {
            Gain::Bleu => words.to_vec(),
            Gain::Chrf => numbers.spelt(words),
        }
    }

    /// The metric against expected counts in place of a reference (DeNero et al. 2009), 0 to 1.
    pub fn of(self, units: &[u32], expected: &Expected) -> f64 {
        match self {
            Gain::Bleu => bleu(units, expected),
            Gain::Chrf => chrf(units, expected),
        }
    }
}

/// How many of the n-grams of a length are expected: their counts, cut to what is expected.
pub fn matches(units: &[u32], length: usize, expected: &Expected) -> f64 {
    let shared = |(gram, count): (u64, u32)| expected.by_key(gram).min(f64::from(count));
    counted(units, length).into_iter().map(shared).sum()
}

/// One is added to the counts of 2-grams and longer.
fn bleu(units: &[u32], expected: &Expected) -> f64 {
    let length = expected.total(1);
    if units.is_empty() {
        return if length == 0.0 { 1.0 } else { 0.0 };
    }
    let log = |order: usize| {
        let all = units.len().saturating_sub(order - 1) as f64;
        let smooth = f64::from(u8::from(order > 1));
        let share = (matches(units, order, expected) + smooth) / (all + smooth).max(1.0);
        share.max(1e-9).ln()
    };
    let sum: f64 = (1..=WORDS).map(log).sum();
    let brevity = (1.0 - length / units.len() as f64).min(0.0);
    (sum / WORDS as f64 + brevity).exp()
}

/// The mean of F scores over the orders that either side has.
fn chrf(units: &[u32], expected: &Expected) -> f64 {
    let (mut sum, mut orders) = (0.0, 0.0);
    for order in 1..=LETTERS {
        let ours = units.len().saturating_sub(order - 1) as f64;
        let theirs = expected.total(order);
        if ours + theirs < 1e-9 {
            continue;
        }
        orders += 1.0;
        let matched = matches(units, order, expected);
        if matched > 0.0 {
            let (precision, recall) = (matched / ours, matched / theirs);
            sum += (1.0 + BETA2) * precision * recall / (BETA2 * precision + recall);
        }
    }
    if orders == 0.0 { 1.0 } else { sum / orders }
}

/// A value for each unit, and for each n-gram with its expected count (at most 1) as its chance
/// to stand in a translation.
#[derive(Debug, Clone)]
pub struct LinearGains<'a> {
    pub expected: &'a Expected,
    pub per_unit: f64,
    /// By the length of n-grams, from 1.
    pub per_match: Vec<f64>,
    /// What the scaled score of the derivation counts.
    pub per_score: f64,
}

impl<'a> LinearGains<'a> {
    /// Those in which the metric is nearly linear.
    pub fn new(gain: Gain, expected: &'a Expected) -> Self {
        let order = gain.order();
        let value = |length: usize| 1.0 / (order as f64 * PRECISION * DECAY.powi(length as i32));
        let per_match = (0..order).map(value).collect();
        LinearGains { expected, per_unit: -1.0, per_match, per_score: 0.0 }
    }

    /// What an n-gram of a length adds wherever it stands.
    pub(super) fn of(&self, gram: u64, length: usize) -> f64 {
        self.per_match[length - 1] * self.expected.by_key(gram).min(1.0)
    }

    pub(super) fn order(&self) -> usize {
        self.per_match.len().max(2)
    }
}
