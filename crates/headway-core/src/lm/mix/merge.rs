//! A mixture written down as one back-off model.
//!
//! It has the n-grams of all models, each with the probability that the mixture gives it, and
//! new back-offs, with which every context sums to one. What none of the models has as an
//! n-gram scores by backing off, near to what the mixture itself says but not the same. SRILM
//! (Stolcke 2002) mixes models in this way.

use std::collections::BTreeMap;

use super::Mixture;
use crate::lm::query::State;
use crate::lm::{Entry, MAX_ORDER, NgramSink};
use crate::{Monitor, Result, Vocabulary, WordId};

/// What ARPA files say for 0.
const NEVER: f32 = -99.0;
/// Less than this is not left to share out.
const NOTHING: f64 = 1e-9;

type Words = [u32; MAX_ORDER];
type Level = BTreeMap<Words, Entry>;

impl Mixture<'_> {
    /// Hands the model to `sink`. All n-grams are held in memory.
    pub fn emit(&self, sink: &mut dyn NgramSink, monitor: &Monitor) -> Result<()> {
        let mut union = Union::default();
        for model in &self.models {
            let unknown = model.word(model.unknown()).unwrap_or_default().to_string();
            model
                .emit(&mut Gatherer { union: &mut union, unknown, numbers: Vec::new() }, monitor)?;
        }
        let Union { vocabulary, mut levels } = union;
        let ids = self.ids(&vocabulary);
        for length in 1..=levels.len() {
            monitor.check()?;
            let (shorter, rest) = levels.split_at_mut(length - 1);
            if let Some(level) = rest.first_mut() {
                Weighing { mixture: self, ids: &ids, length, shorter }.weigh(level);
            }
        }
        write(&vocabulary, &levels, sink)
    }

    /// For each word its id in each model.
    fn ids(&self, vocabulary: &Vocabulary) -> Vec<Vec<WordId>> {
        let ids = |word| self.models.iter().map(|model| model.word_id(word)).collect();
        vocabulary.words().map(ids).collect()
    }
}

fn write(vocabulary: &Vocabulary, levels: &[Level], sink: &mut dyn NgramSink) -> Result<()> {
    let counts: Vec<u64> = levels.iter().map(|level| level.len() as u64).collect();
    sink.begin(vocabulary, &counts)?;
    for (index, level) in levels.iter().enumerate() {
        for (words, &entry) in level {
            sink.ngram(&words.map(WordId)[..=index], entry)?;
        }
    }
    sink.finish()
}

/// The words and n-grams of all models.
#[derive(Default)]
struct Union {
    vocabulary: Vocabulary,
    levels: Vec<Level>,
}

/// Takes in those of one model.
struct Gatherer<'a> {
    union: &'a mut Union,
    /// Its name for unknown words.
    unknown: String,
    /// The numbers of its words in the union.
    numbers: Vec<u32>,
}

impl NgramSink for Gatherer<'_> {
    fn begin(&mut self, vocabulary: &Vocabulary, counts: &[u64]) -> Result<()> {
        for word in vocabulary.words() {
            let word = if word == self.unknown { "<unk>" } else { word };
            self.numbers.push(self.union.vocabulary.add(word).0);
        }
        let order = self.union.levels.len().max(counts.len());
        self.union.levels.resize(order, Level::new());
        Ok(())
    }

    fn ngram(&mut self, words: &[WordId], entry: Entry) -> Result<()> {
        let mut key = [0; MAX_ORDER];
        key.iter_mut().zip(words).for_each(|(id, word)| *id = self.numbers[word.index()]);
        // Also its contexts: each must be there to hold its back-off.
        for length in (1..=words.len()).rev() {
            key[length..].fill(0);
            if self.union.levels[length - 1].insert(key, entry).is_some() {
                break;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Finds the probabilities of the n-grams of one length and the back-offs of their contexts.
struct Weighing<'a> {
    mixture: &'a Mixture<'a>,
    ids: &'a [Vec<WordId>],
    length: usize,
    /// Levels of shorter n-grams, complete but for the back-offs of the longest of them.
    shorter: &'a mut [Level],
}

/// What a context's n-grams sum to, and what its shorter context gives their words.
#[derive(Default)]
struct Sums {
    own: f64,
    lower: f64,
}

impl Weighing<'_> {
    fn weigh(&mut self, level: &mut Level) {
        let mut current: Option<(Words, Vec<State>, Sums)> = None;
        for (words, entry) in level {
            let mut context = *words;
            context[self.length - 1..].fill(0);
            if current.as_ref().is_none_or(|(known, ..)| *known != context) {
                self.back_off(current.take());
                current = Some((context, self.states(&context), Sums::default()));
            }
            let Some((_, states, sums)) = &mut current else { continue };
            let prob = self.prob(states, words[self.length - 1]);
            *entry = Entry { log10_prob: log10(prob), log10_backoff: 0.0 };
            sums.own += prob;
            sums.lower += self.lower(&words[1..self.length]);
        }
        self.back_off(current);
    }

    /// Each model's state after a context.
    fn states(&self, context: &Words) -> Vec<State> {
        let models = self.mixture.models.iter().enumerate();
        let state = |(index, model): (usize, &&crate::lm::LanguageModel)| {
            let mut state = State::default();
            for &word in &context[..self.length - 1] {
                model.score(&mut state, self.ids[word as usize][index]);
            }
            state
        };
        models.map(state).collect()
    }

    /// The mixture's probability of a word after these states.
    fn prob(&self, states: &[State], word: u32) -> f64 {
        let ids = &self.ids[word as usize];
        let models = self.mixture.models.iter().zip(ids);
        if self.mixture.models.iter().zip(ids).all(|(model, &id)| id == model.begin()) {
            return 0.0; // `<s>` is never a word that follows
        }
        let unknown = models.clone().all(|(model, &id)| id == model.unknown());
        let weighted = models.zip(states).zip(&self.mixture.weights);
        let prob = |(((model, &id), state), weight): (
            ((&&crate::lm::LanguageModel, &WordId), &State),
            &f64,
        )| {
            let possible = unknown || id != model.unknown();
            if possible { weight * model.score(&mut state.clone(), id).prob() } else { 0.0 }
        };
        weighted.map(prob).sum()
    }

    /// The probability of the last word after the others, by the levels below.
    fn lower(&self, words: &[u32]) -> f64 {
        let entry = |words: &[u32]| {
            let mut key = [0; MAX_ORDER];
            key[..words.len()].copy_from_slice(words);
            self.shorter.get(words.len().wrapping_sub(1)).and_then(|level| level.get(&key))
        };
        let mut log10 = 0.0;
        for start in 0..words.len() {
            if let Some(found) = entry(&words[start..]) {
                return 10_f64.powf(log10 + f64::from(found.log10_prob));
            }
            let context = entry(&words[start..words.len() - 1]);
            log10 += context.map_or(0.0, |entry| f64::from(entry.log10_backoff));
        }
        0.0
    }

    /// Gives a context the back-off with which it sums to one.
    fn back_off(&mut self, context: Option<(Words, Vec<State>, Sums)>) {
        let Some((context, _, sums)) = context else { return };
        let Some(entry) = self.shorter.last_mut().and_then(|level| level.get_mut(&context)) else {
            return;
        };
        let (left, below) = (1.0 - sums.own, 1.0 - sums.lower);
        entry.log10_backoff = match () {
            () if below < NOTHING => 0.0,
            () if left < NOTHING => NEVER,
            () => (left / below).log10() as f32,
        };
    }
}

fn log10(prob: f64) -> f32 {
    if prob > 0.0 { prob.log10().min(0.0) as f32 } else { NEVER }
}
