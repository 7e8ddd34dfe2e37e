//! Several models as one: each word's probabilities in them, weighted and added up.
//!
//! A word that some of the models know is impossible in those that do not; one that none
//! knows is the unknown word of each. So the mixture sums to one over all their words.

mod merge;
mod tune;

use rayon::prelude::*;

use super::model::LanguageModel;
use super::query::{Boundaries, SentenceScore, State, WordScore, words_of};
use crate::{Error, Monitor, Result, WordId};

pub use tune::Tuning;

const CHUNK: usize = 64;
/// What a word scores, in log10, if no model with a weight has it.
const IMPOSSIBLE: f64 = -100.0;

/// Models and their weights.
pub struct Mixture<'a> {
    models: Vec<&'a LanguageModel>,
    weights: Vec<f64>,
}

impl<'a> Mixture<'a> {
    /// Weights are divided by their sum.
    pub fn new(models: Vec<&'a LanguageModel>, weights: &[f64]) -> Result<Self> {
        if models.is_empty() || models.len() != weights.len() {
            let (models, weights) = (models.len(), weights.len());
            return Err(Error::setting(format!("{models} models with {weights} weights")));
        }
        let sum: f64 = weights.iter().sum();
        let sound = weights.iter().all(|&weight| weight >= 0.0) && sum > 0.0 && sum.is_finite();
        if !sound {
            return Err(Error::setting(format!(
                "weights {weights:?}: expected none below 0 and one above it"
            )));
        }
        Ok(Mixture { models, weights: weights.iter().map(|weight| weight / sum).collect() })
    }

    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Scores each sentence, on the threads of the current pool.
    pub fn score_sentences<S: AsRef<str> + Sync>(
        &self,
        sentences: &[S],
        boundaries: Boundaries,
        monitor: &Monitor,
    ) -> Result<Vec<SentenceScore>> {
        let chunks: Vec<Vec<SentenceScore>> = sentences
            .par_chunks(CHUNK)
            .map(|chunk| {
                monitor.advance(chunk.len() as u64)?;
                Ok(chunk
                    .iter()
                    .map(|text| self.score_sentence(text.as_ref(), boundaries))
                    .collect())
            })
            .collect::<Result<_>>()?;
        Ok(chunks.concat())
    }

    fn score_sentence(&self, sentence: &str, boundaries: Boundaries) -> SentenceScore {
        let mut total = SentenceScore::default();
        self.visit(sentence, boundaries, |probs, length, unknown| {
            let prob: f64 =
                probs.iter().zip(&self.weights).map(|(prob, weight)| prob * weight).sum();
            let log10_prob = if prob > 0.0 { prob.log10() } else { IMPOSSIBLE };
            total.count(WordScore { log10_prob: log10_prob as f32, length }, unknown);
        });
        total
    }

    /// Calls `see` for each word with its probability in each model, the length of the longest
    /// n-gram it rests on, and whether no model knows it.
    fn visit(&self, sentence: &str, boundaries: Boundaries, mut see: impl FnMut(&[f64], u8, bool)) {
        let mut states: Vec<State> = self
            .models
            .iter()
            .map(|model| if boundaries.begin { model.begin_state() } else { State::default() })
            .collect();
        let words = words_of(sentence).map(Some).chain(boundaries.end.then_some(None));
        let mut probs = vec![0.0; self.models.len()];
        for word in words {
            let id = |model: &LanguageModel| match word {
                Some(word) => model.word_id(word),
                None => model.end(),
            };
            let ids: Vec<WordId> = self.models.iter().map(|model| id(model)).collect();
            let known = |(model, &id): (&&LanguageModel, &WordId)| id != model.unknown();
            let unknown = !self.models.iter().zip(&ids).any(known);
            let mut longest = 1;
            for (index, model) in self.models.iter().enumerate() {
                let score = model.score(&mut states[index], ids[index]);
                let possible = unknown || ids[index] != model.unknown();
                longest = if possible { longest.max(score.length) } else { longest };
                probs[index] = if possible { score.prob() } else { 0.0 };
            }
            see(&probs, longest, unknown);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::query::oracle::{Oracle, models, texts};
    use super::*;
    use crate::lm::{Entry, Layout};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn one_model_mixed_scores_as_alone(oracle in models(), text in texts()) {
            let model = oracle.model(Layout::Trie);
            let words = ["<s>", "</s>", "<unk>", "a", "b", "c"];
            let text: Vec<&str> = text.iter().map(|&id| words[id as usize]).collect();
            let text = [text.join(" ")];
            let (monitor, around) = (Monitor::default(), Boundaries::default());
            let alone = model.score_sentences(&text, around, &monitor).unwrap()[0];
            for mixture in [
                Mixture::new(vec![&model], &[3.0]).unwrap(),
                Mixture::new(vec![&model, &model], &[0.25, 0.5]).unwrap(),
            ] {
                let mixed = mixture.score_sentences(&text, around, &monitor).unwrap()[0];
                prop_assert!((mixed.log10_prob - alone.log10_prob).abs() < 1e-3);
                prop_assert_eq!((mixed.words, mixed.unknown), (alone.words, alone.unknown));
            }
        }
    }

    #[test]
    fn weights_that_cannot_be_are_refused() {
        let entry = Entry { log10_prob: -1.0, log10_backoff: 0.0 };
        let entries = (0..6).map(|id| (vec![id], entry)).collect();
        let model = Oracle { order: 1, entries }.model(Layout::Hashed);
        for weights in [&[][..], &[1.0, 2.0], &[-1.0], &[0.0], &[f64::NAN], &[f64::INFINITY]] {
            assert!(Mixture::new(vec![&model], weights).is_err());
        }
    }
}
