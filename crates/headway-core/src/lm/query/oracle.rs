//! For tests: random models, and what ARPA files mean, taken literally.

use std::collections::BTreeMap;
use std::path::Path;

use proptest::prelude::*;

use crate::lm::build::{Collector, Workspace};
use crate::lm::store::in_memory;
use crate::lm::{Entry, LanguageModel, Layout, NgramSink};
use crate::{Monitor, Result, Vocabulary, WordId};

/// `<s>`, `</s>`, `<unk>`, then letters: few, so that n-grams occur in random text.
pub const WORDS: u32 = 6;

#[derive(Debug, Clone)]
pub struct Oracle {
    pub order: usize,
    pub entries: BTreeMap<Vec<u32>, Entry>,
}

impl Oracle {
    /// The log10 probability of the last word after the others, and the n-gram it rests on.
    pub fn score(&self, words: &[u32]) -> (f64, usize) {
        let words = &words[words.len().saturating_sub(self.order)..];
        if let Some(entry) = self.entries.get(words) {
            return (f64::from(entry.log10_prob), words.len());
        }
        let context = self.entries.get(&words[..words.len() - 1]);
        let (prob, length) = self.score(&words[1..]);
        (prob + context.map_or(0.0, |entry| f64::from(entry.log10_backoff)), length)
    }

    pub fn emit(&self, sink: &mut dyn NgramSink) -> Result<()> {
        let mut vocabulary = Vocabulary::default();
        for word in ["<s>", "</s>", "<unk>", "a", "b", "c"] {
            vocabulary.add(word);
        }
        let count = |n: usize| self.entries.keys().filter(|words| words.len() == n).count() as u64;
        let counts: Vec<u64> = (1..=self.order).map(count).collect();
        sink.begin(&vocabulary, &counts)?;
        for length in 1..=self.order {
            for (words, &entry) in self.entries.iter().filter(|(words, _)| words.len() == length) {
                let words: Vec<WordId> = words.iter().map(|&id| WordId(id)).collect();
                sink.ngram(&words, entry)?;
            }
        }
        sink.finish()
    }

    pub fn model(&self, layout: Layout) -> LanguageModel {
        let mut collector = Collector::new(Workspace::default());
        self.emit(&mut collector).unwrap();
        in_memory(&mut collector, Path::new("oracle"), layout, &Monitor::default()).unwrap()
    }
}

/// Any set of n-grams, also ones that lack parts of longer ones, as after pruning.
pub fn models() -> impl Strategy<Value = Oracle> {
    let value = || (-4.0_f32..0.0).prop_map(|value| (value * 64.0).round() / 64.0);
    let backoff = prop_oneof![Just(0.0_f32), -2.0_f32..0.5];
    let entry = (value(), backoff)
        .prop_map(|(log10_prob, log10_backoff)| Entry { log10_prob, log10_backoff });
    (1_usize..=5).prop_flat_map(move |order| {
        let longer = prop::collection::vec(0..WORDS, 1..=order);
        let grams = prop::collection::vec((longer, entry.clone()), 0..80);
        (grams, prop::collection::vec(entry.clone(), WORDS as usize)).prop_map(
            move |(grams, unigrams)| {
                let mut entries: BTreeMap<Vec<u32>, Entry> = grams.into_iter().collect();
                for (id, entry) in unigrams.into_iter().enumerate() {
                    entries.insert(vec![id as u32], entry);
                }
                for (words, entry) in &mut entries {
                    if words.len() == order {
                        entry.log10_backoff = 0.0;
                    }
                }
                Oracle { order, entries }
            },
        )
    })
}

pub fn texts() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(0..WORDS, 0..12)
}
