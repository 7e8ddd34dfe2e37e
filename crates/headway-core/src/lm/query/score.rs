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

/// Calls for everything that scoring `word` after `state` may read.
#[inline]
pub fn prepare<T: Table>(table: &T, state: &State, word: u32) -> Pending<T::Probe> {
    let mut pending = Pending { word, ..Pending::default() };
    for (known, probe) in (1..=state.len()).zip(&mut pending.probes) {
        *probe = table.probe(known + 1, state.places[known - 1], word);
    }
    pending
}

/// Scores a prepared word; `state` moves on over it. Also answers whether a longer context,
/// reaching back further than `state`, could change the score.
#[inline]
pub fn complete<T: Table>(
    table: &T,
    state: &mut State,
    pending: &Pending<T::Probe>,
) -> (WordScore, bool) {
    let mut values = table.unigram(pending.word);
    let mut score = WordScore { log10_prob: values.log10_prob(), length: 1 };
    let mut next = State::default();
    if table.order() > 1 {
        next.remember(1, pending.word, values);
    }
    for known in 1..=state.len() {
        let Some(found) = table.find(known + 1, pending.probes[known - 1]) else {
            score.log10_prob += state.backoff_beyond(known - 1);
            *state = next;
            return (score, false);
        };
        values = found.values;
        if values.is_blank() {
            score.log10_prob += state.backoffs[known - 1];
        } else {
            score = WordScore { log10_prob: values.log10_prob(), length: known as u8 + 1 };
        }
        if known + 1 < table.order() {
            next.remember(known + 1, found.place, values);
        }
    }
    *state = next;
    (score, values.extends_left())
}

/// Scores `word` after `state`, which moves on over it.
#[inline]
pub fn score_word<T: Table>(table: &T, state: &mut State, word: u32) -> WordScore {
    let pending = prepare(table, state, word);
    complete(table, state, &pending).0
}

impl State {
    /// Takes in the context of length `length`.
    #[inline]
    fn remember(&mut self, length: usize, place: u32, values: Values) {
        self.places[length - 1] = place;
        self.backoffs[length - 1] = values.log10_backoff();
        if values.extends_right() {
            self.length = length as u8;
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
