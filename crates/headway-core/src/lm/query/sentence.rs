//! Scoring sentences, many at a time.
//!
//! A look-up mostly waits for memory. So several sentences are scored in turns: while the
//! memory for a word of one is on its way, words of the others are scored.

use rayon::prelude::*;

use super::score::{Pending, WordScore, complete, natural, prepare};
use super::state::State;
use crate::lm::LanguageModel;
use crate::lm::model::with_table;
use crate::lm::table::Table;
use crate::{Monitor, Result, WordId};

/// Sentences scored in turns.
const LANES: usize = 20;
/// Sentences that one thread takes at a time.
const CHUNK: usize = 256;

/// What stands around a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Boundaries {
    /// It begins after `<s>`.
    pub begin: bool,
    /// `</s>` is scored after it.
    pub end: bool,
}

impl Default for Boundaries {
    fn default() -> Self {
        Boundaries { begin: true, end: true }
    }
}

/// The score of a sentence or of many.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SentenceScore {
    /// Base 10, of all words.
    pub log10_prob: f64,
    /// Base 10, of unknown words alone.
    pub log10_unknown: f64,
    /// Words scored, with `</s>` if it is.
    pub words: u64,
    pub unknown: u64,
}

impl SentenceScore {
    /// Natural logarithm.
    pub fn log_prob(&self) -> f64 {
        natural(self.log10_prob)
    }

    /// Natural logarithm, of unknown words alone.
    pub fn log_unknown(&self) -> f64 {
        natural(self.log10_unknown)
    }

    /// Per word scored, unknown words too.
    pub fn perplexity(&self) -> f64 {
        perplexity(self.log10_prob, self.words)
    }

    /// Per word that the model knows, without what unknown words scored.
    pub fn perplexity_of_known(&self) -> f64 {
        perplexity(self.log10_prob - self.log10_unknown, self.words - self.unknown)
    }

    pub fn add(&mut self, other: &SentenceScore) {
        self.log10_prob += other.log10_prob;
        self.log10_unknown += other.log10_unknown;
        self.words += other.words;
        self.unknown += other.unknown;
    }

    #[inline]
    pub(in crate::lm) fn count(&mut self, score: WordScore, unknown: bool) {
        self.log10_prob += f64::from(score.log10_prob);
        self.words += 1;
        if unknown {
            self.log10_unknown += f64::from(score.log10_prob);
            self.unknown += 1;
        }
    }
}

/// NaN of no words.
fn perplexity(log10_prob: f64, words: u64) -> f64 {
    10_f64.powf(-log10_prob / words as f64)
}

/// The words of a sentence: what stands between spaces, tabs and line ends. Other white space
/// is part of words, as in estimation.
pub fn words_of(sentence: &str) -> impl Iterator<Item = &str> {
    sentence.split([' ', '\t', '\r', '\n']).filter(|word| !word.is_empty())
}

impl LanguageModel {
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
                Ok(self.score_chunk(chunk, boundaries))
            })
            .collect::<Result<_>>()?;
        Ok(chunks.concat())
    }

    /// The score of each word of a sentence, and whether it is unknown.
    pub fn score_words(&self, sentence: &str, boundaries: Boundaries) -> Vec<(WordScore, bool)> {
        let mut state = self.first_state(boundaries);
        let ids = words_of(sentence).map(|word| self.word_id(word));
        let ids = ids.chain(boundaries.end.then(|| self.end()));
        ids.map(|id| (self.score(&mut state, id), id == self.unknown())).collect()
    }

    fn first_state(&self, boundaries: Boundaries) -> State {
        if boundaries.begin { self.begin_state() } else { State::default() }
    }

    fn score_chunk<S: AsRef<str>>(
        &self,
        chunk: &[S],
        boundaries: Boundaries,
    ) -> Vec<SentenceScore> {
        let mut text = Text {
            ids: Vec::with_capacity(chunk.len() * 16),
            ends: Vec::with_capacity(chunk.len()),
        };
        for sentence in chunk {
            text.push(self, sentence.as_ref(), boundaries.end);
        }
        let first = self.first_state(boundaries);
        with_table!(self, table => text.score(table, first, self.unknown()))
    }
}

/// The ids of some sentences, one after the other.
struct Text {
    ids: Vec<u32>,
    ends: Vec<usize>,
}

impl Text {
    fn push(&mut self, model: &LanguageModel, sentence: &str, end: bool) {
        // Byte by byte: all separators are ASCII, and no part of other characters.
        let words = sentence.as_bytes().split(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        for word in words.filter(|word| !word.is_empty()) {
            self.ids.push(model.id_of_bytes(word).0);
        }
        if end {
            self.ids.push(model.end().0);
        }
        self.ends.push(self.ids.len());
    }

    fn score<T: Table>(&self, table: &T, first: State, unknown: WordId) -> Vec<SentenceScore> {
        let mut scores = vec![SentenceScore::default(); self.ends.len()];
        let mut next = 0;
        let mut lanes: Vec<Lane<T::Probe>> = Vec::with_capacity(LANES);
        while lanes.len() < LANES {
            let Some(lane) = self.next_lane(table, first, &mut next) else { break };
            lanes.push(lane);
        }
        let mut turn = 0;
        while !lanes.is_empty() {
            if turn >= lanes.len() {
                turn = 0;
            }
            let lane = &mut lanes[turn];
            let word = self.ids[lane.word];
            let (score, _) = complete(table, &mut lane.state, &lane.pending);
            scores[lane.sentence].count(score, word == unknown.0);
            lane.word += 1;
            if lane.word < lane.end {
                lane.pending = prepare(table, &lane.state, self.ids[lane.word]);
            } else if let Some(other) = self.next_lane(table, first, &mut next) {
                *lane = other;
            } else {
                lanes.swap_remove(turn);
            }
            turn += 1;
        }
        scores
    }

    /// The next sentence that has words, with its first word under way.
    fn next_lane<T: Table>(
        &self,
        table: &T,
        state: State,
        next: &mut usize,
    ) -> Option<Lane<T::Probe>> {
        loop {
            let sentence = *next;
            let end = *self.ends.get(sentence)?;
            let word = if sentence == 0 { 0 } else { self.ends[sentence - 1] };
            *next += 1;
            if word < end {
                let pending = prepare(table, &state, self.ids[word]);
                return Some(Lane { sentence, word, end, state, pending });
            }
        }
    }
}

/// A sentence being scored, and the look-ups of its next word.
struct Lane<P> {
    sentence: usize,
    word: usize,
    end: usize,
    state: State,
    pending: Pending<P>,
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{models, texts};
    use super::*;
    use crate::lm::Layout;
    use proptest::prelude::*;

    const LETTERS: [&str; 8] = ["<s>", "</s>", "<unk>", "a", "b", "\u{a0}", "x y", " \t"];

    proptest! {
        #[test]
        fn sentences_score_as_their_words_do(
            oracle in models(), texts in prop::collection::vec(texts(), 0..40),
            begin in any::<bool>(), end in any::<bool>(),
        ) {
            let model = oracle.model(Layout::Hashed);
            let boundaries = Boundaries { begin, end };
            let texts: Vec<String> = texts.iter()
                .map(|ids| ids.iter().map(|&id| LETTERS[id as usize % 8]).collect::<Vec<_>>().join(" "))
                .collect();
            let scores = model.score_sentences(&texts, boundaries, &Monitor::default()).unwrap();
            prop_assert_eq!(scores.len(), texts.len());
            for (text, score) in texts.iter().zip(scores) {
                let mut expected = SentenceScore::default();
                for (word, unknown) in model.score_words(text, boundaries) {
                    expected.count(word, unknown);
                }
                prop_assert_eq!(score, expected);
                let words = words_of(text).count() as u64 + u64::from(end);
                prop_assert_eq!(score.words, words);
            }
        }
    }
}
