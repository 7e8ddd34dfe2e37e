//! Candidates of all iterations so far: each derivation once, each translation judged once.

use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::judged;
use crate::metric::{Judge, Metric, add};
use crate::{Error, Result};

/// A candidate as it comes from a decoder: words, and features by number.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    pub words: Vec<String>,
    pub features: Vec<(u32, f64)>,
}

/// Everything known about the translations of a dev set.
pub struct Pool {
    pub(crate) metric: Box<dyn Metric>,
    pub(crate) features: usize,
    pub(crate) sentences: Vec<Candidates>,
}

/// The candidates of one sentence.
pub(crate) struct Candidates {
    pub(crate) judge: Box<dyn Judge>,
    /// Words of each reference.
    references: Vec<usize>,
    /// For each distinct translation the place of its statistics.
    texts: FxHashMap<u128, u32>,
    known: FxHashSet<u128>,
    statistics: Vec<f32>,
    /// Words of each distinct translation.
    words: Vec<usize>,
    /// For each candidate its translation, and where its features end.
    text: Vec<u32>,
    ends: Vec<usize>,
    features: Vec<(u32, f32)>,
}

impl Pool {
    /// An empty pool for sentences with these references (sentence, reference, word).
    pub fn new(
        metric: Box<dyn Metric>,
        references: &[Vec<Vec<String>>],
        features: usize,
    ) -> Result<Self> {
        let mut sentences = judged(&*metric, references, Candidates::new)?;
        for (sentence, references) in sentences.iter_mut().zip(references) {
            sentence.references = references.iter().map(Vec::len).collect();
        }
        Ok(Pool { metric, features, sentences })
    }

    pub fn len(&self) -> usize {
        self.sentences.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }

    pub fn features(&self) -> usize {
        self.features
    }

    pub fn metric(&self) -> &dyn Metric {
        self.metric.as_ref()
    }

    /// How many candidates there are in all.
    pub fn candidates(&self) -> usize {
        self.sentences.iter().map(Candidates::len).sum()
    }

    /// Adds a list for each sentence; how many of the candidates are new.
    pub fn merge(&mut self, lists: Vec<Vec<Entry>>) -> Result<usize> {
        if lists.len() != self.len() {
            let (found, expected) = (lists.len(), self.len());
            let message = format!("tuning: {found} n-best lists for {expected} sentences");
            return Err(Error::setting(message));
        }
        self.check(&lists)?;
        let width = self.metric.width();
        let added = self.sentences.par_iter_mut().zip(lists);
        Ok(added.map(|(sentence, list)| sentence.merge(list, width)).sum())
    }

    fn check(&self, lists: &[Vec<Entry>]) -> Result<()> {
        for entry in lists.iter().flatten() {
            for &(feature, value) in &entry.features {
                if feature as usize >= self.features || !value.is_finite() {
                    let all = self.features;
                    let message = format!("tuning: feature {feature} of {all} has value {value}");
                    return Err(Error::setting(message));
                }
            }
        }
        Ok(())
    }

    /// Which candidate of each sentence weights prefer; `None` where there is none.
    pub fn best(&self, weights: &[f64]) -> Vec<Option<usize>> {
        self.sentences.par_iter().map(|sentence| sentence.best(weights)).collect()
    }

    /// The metric of what weights prefer.
    pub fn score(&self, weights: &[f64]) -> f64 {
        let mut sums = vec![0.0; self.metric.width()];
        for (sentence, best) in self.sentences.iter().zip(self.best(weights)) {
            if let Some(best) = best {
                add(&mut sums, &sentence.statistics_of(best, self.metric.width()));
            }
        }
        self.metric.score(&sums)
    }
}

impl Candidates {
    fn new(judge: Box<dyn Judge>) -> Self {
        Candidates {
            judge,
            references: Vec::new(),
            texts: FxHashMap::default(),
            known: FxHashSet::default(),
            statistics: Vec::new(),
            words: Vec::new(),
            text: Vec::new(),
            ends: Vec::new(),
            features: Vec::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    fn merge(&mut self, list: Vec<Entry>, width: usize) -> usize {
        let before = self.len();
        for entry in list {
            let spelt = xxh3_128(entry.words.join(" ").as_bytes());
            let features = tidy(entry.features);
            if self.known.insert(identity(spelt, &features)) {
                let text = self.text_of(spelt, &entry.words, width);
                self.text.push(text);
                self.features.extend(features);
                self.ends.push(self.features.len());
            }
        }
        self.len() - before
    }

    fn text_of(&mut self, spelt: u128, words: &[String], width: usize) -> u32 {
        let next = self.texts.len() as u32;
        let text = *self.texts.entry(spelt).or_insert(next);
        if text == next {
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut numbers = Vec::with_capacity(width);
            self.judge.judge(&words, &mut numbers);
            self.statistics.extend(numbers.iter().map(|&number| number as f32));
            self.words.push(words.len());
        }
        text
    }

    /// Which translation a candidate is; equal ones have equal numbers.
    pub(crate) fn text(&self, candidate: usize) -> u32 {
        self.text[candidate]
    }

    pub(crate) fn raw_statistics(&self, text: u32, width: usize) -> &[f32] {
        &self.statistics[text as usize * width..(text as usize + 1) * width]
    }

    /// Words of a translation, and of the reference that is nearest in length; of two, the
    /// shorter.
    pub(crate) fn lengths(&self, text: u32) -> [usize; 2] {
        let words = self.words[text as usize];
        let closest = self.references.iter().min_by_key(|&&own| (own.abs_diff(words), own));
        [words, closest.copied().unwrap_or(0)]
    }

    /// The statistics of each translation, by its number.
    pub(crate) fn all_statistics(&self, width: usize) -> impl Iterator<Item = &[f32]> {
        self.statistics.chunks_exact(width)
    }

    pub(crate) fn statistics_of(&self, candidate: usize, width: usize) -> Vec<f64> {
        let numbers = self.raw_statistics(self.text[candidate], width);
        numbers.iter().map(|&number| f64::from(number)).collect()
    }

    pub(crate) fn features_of(&self, candidate: usize) -> &[(u32, f32)] {
        let start = candidate.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.features[start..self.ends[candidate]]
    }

    pub(crate) fn dot(&self, candidate: usize, weights: &[f64]) -> f64 {
        let features = self.features_of(candidate).iter();
        features.map(|&(feature, value)| weights[feature as usize] * f64::from(value)).sum()
    }

    fn best(&self, weights: &[f64]) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for candidate in 0..self.len() {
            let score = self.dot(candidate, weights);
            if best.is_none_or(|(_, highest)| score > highest) {
                best = Some((candidate, score));
            }
        }
        best.map(|(candidate, _)| candidate)
    }
}

/// In the order of numbers, each once, without zeros.
fn tidy(mut features: Vec<(u32, f64)>) -> Vec<(u32, f32)> {
    features.sort_by_key(|&(feature, _)| feature);
    features.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    let kept = features.into_iter().map(|(feature, value)| (feature, value as f32));
    kept.filter(|&(_, value)| value != 0.0).collect()
}

/// Words and features: what makes a candidate another one. Sums of single-precision numbers
/// come out a little differently in another order, so the last digits do not count.
fn identity(spelt: u128, features: &[(u32, f32)]) -> u128 {
    let mut hash = Xxh3::new();
    hash.update(&spelt.to_le_bytes());
    for &(feature, value) in features {
        hash.update(&feature.to_le_bytes());
        hash.update(&((f64::from(value) * 1e4).round() as i64).to_le_bytes());
    }
    hash.digest128()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::named;

    fn entry(text: &str, value: f64) -> Entry {
        let words = text.split(' ').map(ToString::to_string).collect();
        Entry { words, features: vec![(1, value), (0, 1.0)] }
    }

    fn pool() -> Pool {
        let references = vec![vec![vec!["a".to_string(), "b".to_string()]]];
        Pool::new(named("ter").unwrap(), &references, 2).unwrap()
    }

    #[test]
    fn lists_are_merged_and_translations_judged_once() {
        let mut pool = pool();
        let list = vec![entry("a b", 1.0), entry("a b", 2.0), entry("a", 1.0), entry("a", 1.0)];
        assert_eq!(pool.merge(vec![list.clone()]).unwrap(), 3);
        assert_eq!(pool.merge(vec![list]).unwrap(), 0);
        assert_eq!((pool.candidates(), pool.sentences[0].texts.len()), (3, 2));
        assert_eq!(pool.best(&[0.0, 1.0]), [Some(1)]);
        assert_eq!(pool.score(&[0.0, 1.0]), 0.0);
        assert_eq!(pool.score(&[0.0, -1.0]), 0.0);
    }

    #[test]
    fn lists_that_do_not_fit_are_refused() {
        let mut pool = pool();
        assert!(pool.merge(vec![]).unwrap_err().to_string().contains("0 n-best lists for 1"));
        assert!(pool.merge(vec![vec![entry("a", f64::NAN)]]).is_err());
        let far = Entry { words: vec![], features: vec![(2, 1.0)] };
        assert!(pool.merge(vec![vec![far]]).is_err());
    }
}
