//! The probability of a word after a context.

use super::state::State;
use crate::lm::MAX_ORDER;
use crate::lm::build::Values;
use crate::lm::table::Table;

/// A word's score and what it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WordScore {
    /// Base 10, as in ARPA files.
    pub log10_prob: f32,
    /// Length of the longest n-gram of the model that ends here.
    pub length: u8,
}

impl WordScore {
    /// Natural logarithm.
    pub fn log_prob(self) -> f64 {
        natural(f64::from(self.log10_prob))
    }

    pub fn prob(self) -> f64 {
        self.log_prob().exp()
    }
}

/// The one place where base 10 becomes natural.
#[inline]
pub fn natural(log10: f64) -> f64 {
    log10 * std::f64::consts::LN_10
}

/// Look-ups of a word after a state, under way.
#[derive(Clone, Copy)]
pub struct Pending<P> {
    word: u32,
    probes: [P; MAX_ORDER - 1],
}

impl<P: Copy + Default> Default for Pending<P> {
    fn default() -> Self {
        Pending { word: 0, probes: [P::default(); MAX_ORDER - 1] }
    }
}

impl<P: Copy> Pending<P> {
    /// Calls for everything that scoring `word` after `state` may read.
    #[inline]
    pub fn prepare<T: Table<Probe = P>>(&mut self, table: &T, state: &State, word: u32) {
        self.word = word;
        let contexts = &state.places[..state.len()];
        for (index, (&place, probe)) in contexts.iter().zip(&mut self.probes).enumerate() {
            *probe = table.probe(index + 2, place, word);
        }
    }

    /// Scores the word prepared; `state` moves on over it. Also answers whether a longer
    /// context, reaching back further than `state`, could change the score.
    #[inline]
    pub fn complete<T: Table<Probe = P>>(&self, table: &T, state: &mut State) -> (WordScore, bool) {
        let mut values = table.unigram(self.word);
        let mut score = WordScore { log10_prob: values.log10_prob(), length: 1 };
        let mut next = State::default();
        next.remember(0, self.word, values);
        let mut complete = true;
        for (index, &probe) in self.probes[..state.len()].iter().enumerate() {
            let Some(found) = table.find(index + 2, probe) else {
                score.log10_prob += state.backoff_beyond(index);
                complete = false;
                break;
            };
            values = found.values;
            if values.is_blank() {
                score.log10_prob += state.backoffs[index];
            } else {
                score = WordScore { log10_prob: values.log10_prob(), length: index as u8 + 2 };
            }
            next.remember(index + 1, found.place, values);
        }
        *state = next;
        (score, complete && values.extends_left())
    }
}

/// Scores `word` after `state`, which moves on over it.
#[inline]
pub fn score_word<T: Table>(table: &T, state: &mut State, word: u32) -> WordScore {
    let mut pending = Pending::default();
    pending.prepare(table, state, word);
    pending.complete(table, state).0
}

impl State {
    /// Takes in the context of `index` + 1 words. The longest n-grams are none: nothing extends
    /// them.
    #[inline]
    fn remember(&mut self, index: usize, place: u32, values: Values) {
        if index < self.places.len() {
            self.places[index] = place;
            self.backoffs[index] = values.log10_backoff();
            self.length = if values.extends_right() { index as u8 + 1 } else { self.length };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{models, texts};
    use crate::WordId;
    use crate::lm::{Entry, Layout};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_score_as_the_arpa_file_says(oracle in models(), text in texts()) {
            for layout in [Layout::Hashed, Layout::Trie] {
                let model = oracle.model(layout);
                let mut state = model.begin_state();
                let mut words = vec![0];
                for &word in &text {
                    words.push(word);
                    let (log10_prob, length) = oracle.score(&words);
                    let score = model.score(&mut state, WordId(word));
                    prop_assert!((f64::from(score.log10_prob) - log10_prob).abs() < 1e-5);
                    prop_assert_eq!(usize::from(score.length), length);
                    prop_assert!(state.len() < oracle.order);
                }
            }
        }

        #[test]
        fn equal_states_have_equal_futures(
            oracle in models(), one in texts(), other in texts(), future in texts(),
        ) {
            let model = oracle.model(Layout::Hashed);
            let [mut one, mut other] = [one, other].map(|text| {
                let mut state = model.begin_state();
                text.iter().for_each(|&word| { model.score(&mut state, WordId(word)); });
                state
            });
            if one == other {
                for word in future {
                    let scores = [&mut one, &mut other].map(|s| model.score(s, WordId(word)));
                    prop_assert_eq!(scores[0], scores[1]);
                    prop_assert_eq!(one, other);
                }
            }
        }

        #[test]
        fn states_remember_only_what_can_matter(oracle in models(), text in texts()) {
            let model = oracle.model(Layout::Trie);
            let (mut state, mut words) = (model.begin_state(), vec![0]);
            for word in text {
                model.score(&mut state, WordId(word));
                words.push(word);
            }
            let matters = |length: usize| {
                let context = &words[words.len() - length..];
                let before_last = |gram: &Vec<u32>| {
                    gram[..gram.len() - 1].windows(length).any(|part| part == context)
                };
                // Contexts of no n-gram with a back-off all the same count for their endings.
                let backs_off = |(gram, entry): (&Vec<u32>, &Entry)| {
                    gram.ends_with(context) && entry.log10_backoff != 0.0
                };
                oracle.entries.keys().any(before_last) || oracle.entries.iter().any(backs_off)
            };
            let longest = (1..oracle.order.min(words.len() + 1)).rev().find(|&n| matters(n));
            prop_assert!(state.len() <= longest.unwrap_or(0));
        }
    }
}
