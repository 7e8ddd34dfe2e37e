//! Metrics over sufficient statistics: numbers per sentence whose sums give the score of a text.
//!
//! A `Metric` makes a `Judge` for the references of one sentence; the judge turns a hypothesis
//! into numbers, and the metric turns sums of such numbers into a score, larger being better.
//! BLEU, chrF and TER are those of sacrebleu over words that are cut already.

mod bleu;
mod chrf;
mod chunks;
mod combined;
mod meteor;
mod ter;
mod text;

pub use bleu::{Bleu, Smoothing};
pub use chrf::Chrf;
pub use chunks::Word as MeteorWord;
pub use combined::Combined;
pub use meteor::{Numbers as MeteorNumbers, meteor, meteor_numbers};
pub use ter::Ter;
pub use text::{meteor_lines, statistics, words};

use crate::{Error, Result};

pub trait Metric: Send + Sync {
    /// How many numbers the statistics of a sentence have.
    fn width(&self) -> usize;

    /// The references of one sentence, ready to be compared with.
    fn judge(&self, references: &[Vec<&str>]) -> Box<dyn Judge>;

    /// The score of a text, from the sums of its statistics.
    fn score(&self, sums: &[f64]) -> f64;

    /// The score of one sentence, smoothed where a text would not need it.
    fn sentence_score(&self, statistics: &[f64]) -> f64;
}

pub trait Judge: Send + Sync {
    /// Appends the statistics of a hypothesis.
    fn judge(&self, words: &[&str], statistics: &mut Vec<f64>);
}

/// Names of metrics that `named` knows.
pub const NAMES: [&str; 4] = ["bleu", "ter", "chrf", "bleu-ter"];

/// A metric by its name. TER counts negatively, so that larger is better for all.
pub fn named(name: &str) -> Result<Box<dyn Metric>> {
    match name {
        "bleu" => Ok(Box::new(Bleu)),
        "ter" => Ok(Box::new(Ter)),
        "chrf" => Ok(Box::new(Chrf)),
        "bleu-ter" => Ok(Box::new(Combined::new(vec![Box::new(Bleu), Box::new(Ter)]))),
        _ => {
            let message = format!("metric \"{name}\": expected one of {}", NAMES.join(", "));
            Err(Error::setting(message))
        }
    }
}

/// Adds statistics to sums.
pub fn add(sums: &mut [f64], statistics: &[f64]) {
    for (sum, value) in sums.iter_mut().zip(statistics) {
        *sum += value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_have_names_and_their_statistics_a_width() {
        for name in NAMES {
            let metric = named(name).unwrap();
            let mut numbers = Vec::new();
            metric.judge(&[vec!["a", "b"]]).judge(&["a"], &mut numbers);
            assert_eq!(numbers.len(), metric.width(), "{name}");
            let mut none = Vec::new();
            metric.judge(&[]).judge(&[], &mut none);
            assert!(metric.score(&none).is_finite(), "{name}");
            assert!(metric.sentence_score(&none).is_finite(), "{name}");
        }
        assert!(named("blue").err().unwrap().to_string().contains("bleu, ter, chrf"));
    }
}
