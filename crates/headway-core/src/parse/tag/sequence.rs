//! The best sequence of tags: Viterbi over the tags that each word's own features leave.

use crate::parse::multiclass::Scores;

use super::features::{Word, tag_features, tags_feature};
use super::lexicon::Lexicon;

/// Tags that stay in the running for each word.
const CANDIDATES: usize = 6;

/// Stands for the tags before the first word.
const OUTSIDE: u64 = u64::MAX;

/// The tags of one word that are searched, with the scores of its own features.
struct Candidates {
    tags: Vec<u16>,
    scores: Vec<f32>,
}

/// The best tags of words, given the score of each tag for each word by its own features.
pub fn best_sequence(
    model: &impl Scores,
    lexicon: &Lexicon,
    words: &[Word],
    own: &[Vec<f32>],
) -> Vec<u16> {
    let known = |word: &Word| word.entry.map_or(&[][..], |entry| lexicon.tags(entry));
    let best = words.iter().zip(own).map(|(word, own)| Candidates::best(own, known(word)));
    let candidates: Vec<Candidates> = best.collect();
    let buffer = own.first().cloned().unwrap_or_default();
    let mut lattice = Lattice { model, words, candidates: &candidates, buffer };
    let columns = lattice.forward();
    backward(&candidates, &columns)
}

impl Candidates {
    /// The best of the tags that are known for a word, or of all where none are.
    fn best(scores: &[f32], known: &[u16]) -> Self {
        let all = || (0..scores.len() as u16).collect();
        let mut tags: Vec<u16> = if known.is_empty() { all() } else { known.to_vec() };
        let better = |&one: &u16, &other: &u16| {
            scores[other as usize].total_cmp(&scores[one as usize]).then(one.cmp(&other))
        };
        if tags.len() > CANDIDATES {
            tags.select_nth_unstable_by(CANDIDATES, better);
            tags.truncate(CANDIDATES);
        }
        tags.sort_by(better);
        let scores = tags.iter().map(|&tag| scores[tag as usize]).collect();
        Candidates { tags, scores }
    }
}

/// Best scores of pairs of tags at one word, and where they came from: entry
/// `before * tags + tag`, with the candidate two words before.
struct Column {
    scores: Vec<f32>,
    from: Vec<u8>,
}

struct Lattice<'a, M: Scores> {
    model: &'a M,
    words: &'a [Word],
    candidates: &'a [Candidates],
    buffer: Vec<f32>,
}

impl<M: Scores> Lattice<'_, M> {
    fn forward(&mut self) -> Vec<Column> {
        let mut columns: Vec<Column> = Vec::with_capacity(self.words.len());
        for at in 0..self.words.len() {
            let column = self.column(at, columns.last());
            columns.push(column);
        }
        columns
    }

    fn tags_at(&self, at: Option<usize>) -> Vec<u64> {
        match at {
            Some(at) => self.candidates[at].tags.iter().map(|&tag| u64::from(tag)).collect(),
            None => vec![OUTSIDE],
        }
    }

    fn column(&mut self, at: usize, before: Option<&Column>) -> Column {
        let here = &self.candidates[at];
        let width = here.tags.len();
        let befores = self.tags_at(at.checked_sub(1));
        let seconds = self.tags_at(at.checked_sub(2));
        let mut column = Column {
            scores: vec![f32::NEG_INFINITY; befores.len() * width],
            from: vec![0; befores.len() * width],
        };
        for (b, &tag_before) in befores.iter().enumerate() {
            let base = self.with_tag(at, tag_before);
            for (s, &second) in seconds.iter().enumerate() {
                let past = before.map_or(0.0, |before| before.scores[s * befores.len() + b]);
                let pair = self.with_key(at, tags_feature(second, tag_before));
                for t in 0..width {
                    let score = past + base[t] + pair[t];
                    if score > column.scores[b * width + t] {
                        column.scores[b * width + t] = score;
                        column.from[b * width + t] = s as u8;
                    }
                }
            }
        }
        column
    }

    /// The scores of the candidates by their own features and those with the tag before.
    fn with_tag(&mut self, at: usize, before: u64) -> [f32; CANDIDATES] {
        self.clear(at);
        for key in tag_features(self.words, at, before) {
            self.model.add(key, &mut self.buffer);
        }
        let here = &self.candidates[at];
        let mut scores = [0.0; CANDIDATES];
        for (score, (&tag, own)) in scores.iter_mut().zip(here.tags.iter().zip(&here.scores)) {
            *score = own + self.buffer[tag as usize];
        }
        scores
    }

    fn with_key(&mut self, at: usize, key: u64) -> [f32; CANDIDATES] {
        self.clear(at);
        self.model.add(key, &mut self.buffer);
        let mut scores = [0.0; CANDIDATES];
        for (score, &tag) in scores.iter_mut().zip(&self.candidates[at].tags) {
            *score = self.buffer[tag as usize];
        }
        scores
    }

    /// Only the candidates' places are read, so only these are made zero.
    fn clear(&mut self, at: usize) {
        for &tag in &self.candidates[at].tags {
            self.buffer[tag as usize] = 0.0;
        }
    }
}

fn backward(candidates: &[Candidates], columns: &[Column]) -> Vec<u16> {
    let mut tags = vec![0; candidates.len()];
    let Some(last) = columns.last() else { return tags };
    let mut state = 0;
    for (at, &score) in last.scores.iter().enumerate() {
        if score > last.scores[state] {
            state = at;
        }
    }
    for at in (0..candidates.len()).rev() {
        let width = candidates[at].tags.len();
        let (before, here) = (state / width, state % width);
        tags[at] = candidates[at].tags[here];
        let width_before = at.checked_sub(1).map_or(1, |before| candidates[before].tags.len());
        state = columns[at].from[state] as usize * width_before + before;
    }
    tags
}

/// The keys of all features that tags take part in, along a sequence.
pub fn sequence_features(words: &[Word], tags: &[u16], at: usize, keys: &mut Vec<u64>) {
    let tag = |back: usize| at.checked_sub(back).map_or(OUTSIDE, |at| u64::from(tags[at]));
    keys.extend(tag_features(words, at, tag(1)));
    keys.push(tags_feature(tag(2), tag(1)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::multiclass::Learner;
    use crate::parse::multiclass::testing::Noise;

    fn score(model: &Noise, words: &[Word], own: &[Vec<f32>], tags: &[u16]) -> f32 {
        let mut total = 0.0;
        for (at, &tag) in tags.iter().enumerate() {
            let mut keys = Vec::new();
            sequence_features(words, tags, at, &mut keys);
            let mut scores = own[at].clone();
            keys.iter().for_each(|&key| model.add(key, &mut scores));
            total += scores[tag as usize];
        }
        total
    }

    #[test]
    fn viterbi_finds_the_best_of_all_sequences() {
        let lexicon = Lexicon::default();
        for seed in 0..30 {
            let model = Noise(seed);
            let length = seed as usize % 5;
            let words: Vec<Word> = ["a", "b", "c", "d", "e"][..length]
                .iter()
                .map(|form| Word::new(form, false, &lexicon))
                .collect();
            let own: Vec<Vec<f32>> = (0..length)
                .map(|at| {
                    let mut scores = vec![0.0; 3];
                    model.add(at as u64, &mut scores);
                    scores
                })
                .collect();
            let found = score(&model, &words, &own, &best_sequence(&model, &lexicon, &words, &own));
            let all = (0..3_usize.pow(length as u32)).map(|number| {
                let digit = |at: usize| (number / 3_usize.pow(at as u32) % 3) as u16;
                let tags: Vec<u16> = (0..length).map(digit).collect();
                score(&model, &words, &own, &tags)
            });
            let best = all.fold(f32::NEG_INFINITY, f32::max);
            assert!((found - best).abs() < 1e-4, "{found} {best}");
        }
    }

    #[test]
    fn no_words_have_no_tags() {
        assert!(best_sequence(&Learner::new(), &Lexicon::default(), &[], &[]).is_empty());
    }
}
