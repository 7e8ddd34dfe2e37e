//! Scoring strings that are put together in any order.
//!
//! A part of a sentence is known by both its ends: the first words, whose scores may still
//! change when it gets a left neighbour (Heafield 2011, Li & Khudanpur 2008), and the state
//! behind its last word. However a string is put together, its parts add up to the score
//! that it has from left to right.

use std::f32::consts::LN_10;
use std::hash::{Hash, Hasher};

use super::score::{Pending, natural};
use super::state::State;
use crate::WordId;
use crate::lm::model::with_table;
use crate::lm::table::Table;
use crate::lm::{LanguageModel, MAX_ORDER};

/// Both ends of a part of a sentence. Parts whose neighbours cannot tell them apart are equal.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChartState {
    left: [u32; MAX_ORDER - 1],
    /// log10 scores of the left words, as far as they are known.
    scores: [f32; MAX_ORDER - 1],
    length: u8,
    /// Whether no further word of the part depends on what stands to its left.
    full: bool,
    right: State,
}

impl ChartState {
    /// The first words, as far as they depend on what stands to their left.
    pub fn left(&self) -> impl Iterator<Item = WordId> + '_ {
        self.left[..usize::from(self.length)].iter().map(|&id| WordId(id))
    }

    /// The natural log of what the left words score without what stands to their left.
    pub fn left_log_prob(&self) -> f32 {
        self.scores[..usize::from(self.length)].iter().sum::<f32>() * LN_10
    }

    /// Whether what lies left of the part touches no more than its left words.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The state behind the last word.
    pub fn right(&self) -> &State {
        &self.right
    }

    /// Appends all that it holds to a list of words, without the places that it does not use.
    pub fn pack(&self, words: &mut Vec<u32>) {
        let (left, right) = (usize::from(self.length), self.right.len());
        words.push(u32::from_le_bytes([self.length, self.right.length, self.full.into(), 0]));
        words.extend_from_slice(&self.left[..left]);
        words.extend(self.scores[..left].iter().map(|score| score.to_bits()));
        words.extend_from_slice(&self.right.places[..right]);
        words.extend(self.right.backoffs[..right].iter().map(|backoff| backoff.to_bits()));
    }

    /// Takes a state from the front of such a list.
    pub fn unpack(words: &mut &[u32]) -> Self {
        let mut state = ChartState::default();
        let [length, right, full, _] = words[0].to_le_bytes();
        (state.length, state.right.length, state.full) = (length, right, full != 0);
        let mut rest = &words[1..];
        let mut take = |many: u8| {
            let (taken, after) = rest.split_at(usize::from(many));
            rest = after;
            taken.iter().enumerate()
        };
        take(length).for_each(|(place, &word)| state.left[place] = word);
        take(length).for_each(|(place, &word)| state.scores[place] = f32::from_bits(word));
        take(right).for_each(|(place, &word)| state.right.places[place] = word);
        take(right).for_each(|(place, &word)| state.right.backoffs[place] = f32::from_bits(word));
        *words = rest;
        state
    }

    fn identity(&self) -> (&[u32], bool, &State) {
        (&self.left[..usize::from(self.length)], self.full, &self.right)
    }
}

impl PartialEq for ChartState {
    fn eq(&self, other: &Self) -> bool {
        self.identity() == other.identity()
    }
}

impl Eq for ChartState {}

impl Hash for ChartState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.identity().hash(hasher);
    }
}

/// What a part of a sentence is put together from.
#[derive(Debug, Clone, Copy)]
pub enum Piece<'a> {
    /// `<s>`, which is not scored itself.
    Begin,
    Word(WordId),
    Part(&'a ChartState),
}

impl LanguageModel {
    /// Joins pieces from left to right. Also answers the natural log of what the words score,
    /// and what the join changes in the scores of its parts; what these scored alone is not
    /// counted again.
    pub fn join<'a>(&self, pieces: impl IntoIterator<Item = Piece<'a>>) -> (ChartState, f64) {
        with_table!(self, table => {
            let mut join = Join { table, state: ChartState::default(), log10_prob: 0.0 };
            for piece in pieces {
                match piece {
                    Piece::Begin => join.begin(self.begin_state()),
                    Piece::Word(word) => join.word(word.0),
                    Piece::Part(part) => join.part(part),
                }
            }
            (join.state, natural(join.log10_prob))
        })
    }
}

impl LanguageModel {
    /// Appends a part to what ends in `state`, as a search from left to right does. Answers the
    /// state behind it and the natural log of what the join changes in the part's own score;
    /// None for the state if it is the part's right one.
    #[inline]
    pub fn append(&self, state: &State, part: &ChartState) -> (Option<State>, f32) {
        with_table!(self, table => append(table, state, part))
    }
}

#[inline]
fn append<T: Table>(table: &T, state: &State, part: &ChartState) -> (Option<State>, f32) {
    let (mut right, mut log10_prob) = (*state, 0.0);
    let length = usize::from(part.length);
    for index in 0..length {
        let mut pending = Pending::default();
        pending.prepare(table, &right, part.left[index]);
        let (score, _) = pending.complete(table, &mut right);
        log10_prob += score.log10_prob - part.scores[index];
        if right.len() <= index + 1 {
            // What stands left of the part touches no more of it. Its own state is longer than
            // this one only by words that no next word can depend on.
            let rest = index + 1 < length || part.full;
            return (if rest { None } else { Some(right) }, log10_prob * LN_10);
        }
    }
    if part.full {
        log10_prob += right.backoff_beyond(length);
    }
    (if part.full { None } else { Some(right) }, log10_prob * LN_10)
}

struct Join<'a, T> {
    table: &'a T,
    state: ChartState,
    log10_prob: f64,
}

impl<T: Table> Join<'_, T> {
    fn begin(&mut self, right: State) {
        self.part(&ChartState { full: true, right, ..ChartState::default() });
    }

    fn word(&mut self, word: u32) {
        self.log10_prob += f64::from(self.append(word));
    }

    fn part(&mut self, part: &ChartState) {
        if self.is_empty() {
            self.state = *part;
            return;
        }
        let length = usize::from(part.length);
        for index in 0..length {
            let log10_prob = self.append(part.left[index]);
            self.log10_prob += f64::from(log10_prob) - f64::from(part.scores[index]);
            if self.state.right.len() <= index + 1 {
                // What stands left of the part touches no more of it.
                return self.end_with(part);
            }
        }
        if part.full {
            // The next word found nothing beyond the left words: it backs off from the rest.
            self.log10_prob += f64::from(self.state.right.backoff_beyond(length));
            self.end_with(part);
        }
    }

    fn is_empty(&self) -> bool {
        self.state.length == 0 && !self.state.full
    }

    fn end_with(&mut self, part: &ChartState) {
        self.state.full = true;
        self.state.right = part.right;
    }

    /// Takes in a word; answers its log10 score.
    fn append(&mut self, word: u32) -> f32 {
        let state = &mut self.state;
        let before = state.right.len();
        let mut pending = Pending::default();
        pending.prepare(self.table, &state.right, word);
        let (score, open) = pending.complete(self.table, &mut state.right);
        if !state.full && open {
            state.left[before] = word;
            state.scores[before] = score.log10_prob;
            state.length += 1;
        }
        let reaches_back = state.right.len() == before + 1;
        let last = usize::from(state.length) + 1 == self.table.order();
        state.full = state.full || !open || !reaches_back || last;
        score.log10_prob
    }
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{Oracle, models, texts};
    use super::*;
    use crate::lm::Layout;
    use proptest::prelude::*;

    /// Scores text[..] put together as `cuts` say; the whole begins with `<s>` if `begin`.
    fn bracketed(
        model: &LanguageModel,
        text: &[u32],
        begin: bool,
        cuts: &mut dyn Iterator<Item = usize>,
    ) -> (ChartState, f64) {
        let many = cuts.next().unwrap_or(0) % 4 + 1;
        let mut ends: Vec<usize> =
            (1..many).map(|_| cuts.next().unwrap_or(0) % (text.len() + 1)).collect();
        ends.sort_unstable();
        ends.push(text.len());
        let (mut parts, mut total, mut start) = (Vec::new(), 0.0, 0);
        for end in ends {
            let part = &text[start..end];
            start = end;
            if part.len() > 1 && part.len() < text.len() {
                let (state, score) = bracketed(model, part, false, cuts);
                parts.push(vec![state]);
                total += score;
            } else {
                let words = part.iter().map(|&id| model.join([Piece::Word(WordId(id))]));
                let (states, scores): (Vec<ChartState>, Vec<f64>) = words.unzip();
                parts.push(states);
                total += scores.iter().sum::<f64>();
            }
        }
        let begin = begin.then_some(Piece::Begin).into_iter();
        let (state, score) = model.join(begin.chain(parts.iter().flatten().map(Piece::Part)));
        (state, total + score)
    }

    /// The same state with zeros in all places that it does not use.
    fn used(mut state: ChartState) -> ChartState {
        let (left, right) = (usize::from(state.length), state.right.len());
        state.left[left..].fill(0);
        state.scores[left..].fill(0.0);
        state.right.places[right..].fill(0);
        state.right.backoffs[right..].fill(0.0);
        state
    }

    fn left_to_right(oracle: &Oracle, text: &[u32], begin: bool) -> f64 {
        let mut words = if begin { vec![0] } else { vec![] };
        let mut total = 0.0;
        for &word in text {
            words.push(word);
            total += oracle.score(&words).0;
        }
        natural(total)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn every_bracketing_has_the_score_from_left_to_right(
            oracle in models(), text in texts(), begin in any::<bool>(),
            cuts in prop::collection::vec(0_usize..100, 60),
        ) {
            let expected = left_to_right(&oracle, &text, begin);
            for layout in [Layout::Hashed, Layout::Trie] {
                let model = oracle.model(layout);
                let (state, score) = bracketed(&model, &text, begin, &mut cuts.iter().copied());
                prop_assert!((score - expected).abs() < 1e-4, "{score} {expected}");
                let words = text.iter().map(|&id| Piece::Word(WordId(id)));
                let (plain, score) = model.join(begin.then_some(Piece::Begin).into_iter().chain(words));
                prop_assert!((score - expected).abs() < 1e-4, "{score} {expected}");
                prop_assert_eq!(plain, state);
                let mut packed = vec![7];
                plain.pack(&mut packed);
                packed.push(9);
                let mut rest = &packed[1..];
                prop_assert_eq!(format!("{:?}", ChartState::unpack(&mut rest)), format!("{:?}", used(plain)));
                prop_assert_eq!(rest, &[9][..]);
            }
        }

        #[test]
        fn appending_a_part_is_scoring_its_words(
            oracle in models(), before in texts(), part in texts(),
        ) {
            for layout in [Layout::Hashed, Layout::Trie] {
                let model = oracle.model(layout);
                let mut state = model.begin_state();
                before.iter().for_each(|&id| { model.score(&mut state, WordId(id)); });
                let (joined, alone) = model.join(part.iter().map(|&id| Piece::Word(WordId(id))));
                let (next, change) = model.append(&state, &joined);
                let mut expected = 0.0;
                for &id in &part {
                    expected += model.score(&mut state, WordId(id)).log_prob();
                }
                prop_assert!((alone + f64::from(change) - expected).abs() < 1e-4);
                prop_assert_eq!(next.unwrap_or(*joined.right()), state);
            }
        }

        #[test]
        fn equal_parts_change_their_neighbours_alike(
            oracle in models(), before in texts(), one in texts(), other in texts(), after in texts(),
        ) {
            let model = oracle.model(Layout::Hashed);
            let [before, one, other, after] = [before, one, other, after]
                .map(|text| model.join(text.iter().map(|&id| Piece::Word(WordId(id)))).0);
            if one == other {
                let joined = [one, other].map(|part| {
                    model.join([Piece::Part(&before), Piece::Part(&part), Piece::Part(&after)])
                });
                prop_assert_eq!(joined[0].0, joined[1].0);
                prop_assert!((joined[0].1 - joined[1].1).abs() < 1e-4);
            }
        }
    }
}
