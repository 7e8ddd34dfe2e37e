//! The hidden Markov model with fertility: how many words a word generates is part of the
//! model, which keeps rare words from generating whatever is left over.
//!
//! Exact expectation is out of reach, so the expectation step samples (Gibbs; Zhao & Gildea
//! 2010), with parameters fixed within a round: sentences are independent, and the result is
//! the same for any number of threads. What a pair itself has added to the counts is left out
//! when it is sampled, as if its links were the only ones unknown: else a rare word would hold on to
//! whatever it was linked to by chance.

use crate::random::Random;

use super::lexicon::Counts;

/// A word that generates more than this many words counts as generating this many.
const MOST: usize = 8;
const WIDTH: usize = MOST + 1;

/// n(φ | e): how likely a given word generates φ words.
#[derive(Debug, Clone, Default)]
pub struct Fertilities {
    /// For each given word (NULL has none) its distribution.
    rows: Vec<f32>,
    /// For each given word how many counts its distribution rests on, the prior's included; empty
    /// where that is not known.
    weights: Vec<f32>,
}

impl Fertilities {
    /// Distributions from counts, drawn towards the average of all words by `prior` counts.
    pub fn maximised(counts: &Counts, words: usize, prior: f64) -> Self {
        let count = |word: usize, many: usize| counts.get(word * WIDTH + many);
        let mut average = [1e-3; WIDTH];
        for word in 0..words {
            for (many, cell) in average.iter_mut().enumerate() {
                *cell += count(word, many);
            }
        }
        let total: f64 = average.iter().sum();
        let mut rows = Vec::with_capacity(words * WIDTH);
        let mut weights = Vec::with_capacity(words);
        for word in 0..words {
            let seen: f64 = (0..WIDTH).map(|many| count(word, many)).sum();
            weights.push((seen + prior) as f32);
            rows.extend((0..WIDTH).map(|many| {
                ((count(word, many) + prior * average[many] / total) / (seen + prior)) as f32
            }));
        }
        Fertilities { rows, weights }
    }

    pub fn counts(words: usize) -> Counts {
        Counts::zero(words * WIDTH)
    }

    pub fn from_rows(rows: Vec<f32>) -> Self {
        Fertilities { rows, weights: Vec::new() }
    }

    pub fn rows(&self) -> &[f32] {
        &self.rows
    }

    pub fn words(&self) -> usize {
        self.rows.len() / WIDTH
    }

    pub fn has_right_size(rows: &[f32], words: usize) -> bool {
        rows.len() == words * WIDTH
    }

    /// How much likelier (or less likely) one more generated word makes the whole, by how many
    /// there are already. A word never seen in training may generate one. `own` is what this very
    /// word added to the counts, which is not to speak for itself.
    fn one_more(&self, word: u32, own: Option<usize>) -> [f32; WIDTH] {
        let Some(row) = self.rows.get(word as usize * WIDTH..(word as usize + 1) * WIDTH) else {
            return std::array::from_fn(|already| if already == 0 { 1.0 } else { 0.1 });
        };
        let weight = self.weights.get(word as usize).copied().unwrap_or(1.0);
        let likely = |many: usize| {
            let added = if own == Some(many) { 1.0 } else { 0.0 };
            (row[many] * weight - added).max(f32::MIN_POSITIVE)
        };
        std::array::from_fn(|already| likely((already + 1).min(MOST)) / likely(already))
    }
}

/// What sampling needs of a sentence pair; matrices and probabilities as in the HMM.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    pub given: &'a [u32],
    pub probabilities: &'a [f32],
    pub matrix: &'a [f32],
    pub null: f32,
    pub fertilities: &'a Fertilities,
    /// The links that the pair itself added to the counts, if it did.
    pub own: Option<&'a [u32]>,
}

/// Samples generators of one sentence pair after another, with buffers that are kept.
#[derive(Debug, Default)]
pub struct Sampler {
    /// How many words each given word generates now.
    generated: Vec<usize>,
    /// The next position other than NULL, after each word.
    next: Vec<usize>,
    weights: Vec<f32>,
    /// What one more generated word is worth, for each given word.
    one_more: Vec<[f32; WIDTH]>,
}

impl Sampler {
    /// Must be called before the first sweep over a sentence pair.
    pub fn enter(&mut self, site: Site<'_>) {
        self.one_more.clear();
        let own = site.own.map(|links| numbers_generated(site.given.len(), links));
        self.one_more.extend(site.given.iter().enumerate().map(|(place, &word)| {
            site.fertilities.one_more(word, own.as_ref().map(|own| own[place].min(MOST)))
        }));
    }

    /// Draws every generator in `state` (0 is NULL) anew, given all others; `visit` gets each
    /// word with the distribution its generator was drawn from.
    pub fn sweep(
        &mut self,
        site: Site<'_>,
        state: &mut [u32],
        random: &mut Random,
        mut visit: impl FnMut(usize, &[f32]),
    ) {
        self.prepare(site, state);
        let mut before = 0;
        for (word, generator) in state.iter_mut().enumerate() {
            if let Some(old) = (*generator as usize).checked_sub(1) {
                self.generated[old] -= 1;
            }
            self.weigh(site, word, before);
            visit(word, &self.weights);
            let drawn = draw(&self.weights, random);
            *generator = drawn as u32;
            if let Some(new) = drawn.checked_sub(1) {
                self.generated[new] += 1;
                before = drawn;
            }
        }
    }

    fn prepare(&mut self, site: Site<'_>, state: &[u32]) {
        self.generated = numbers_generated(site.given.len(), state);
        self.next.clear();
        self.next.resize(state.len(), 0);
        let mut next = site.given.len() + 1;
        for (cell, &generator) in self.next.iter_mut().zip(state).rev() {
            *cell = next;
            if generator > 0 {
                next = generator as usize;
            }
        }
    }

    /// The distribution of the generator of `word`, all others given.
    fn weigh(&mut self, site: Site<'_>, word: usize, before: usize) {
        let length = site.given.len();
        let width = length + 2;
        let row = &site.probabilities[word * (length + 1)..(word + 1) * (length + 1)];
        let (after, from) = (self.next[word], &site.matrix[before * width..][..width]);
        self.weights.clear();
        self.weights.push(row[0] * site.null * from[after]);
        for (place, one_more) in self.one_more.iter().enumerate() {
            let at = place + 1;
            let jumps = from[at] * site.matrix[at * width + after];
            let fertility = one_more[self.generated[place].min(MOST)];
            self.weights.push(row[at] * (1.0 - site.null) * jumps * fertility);
        }
        let total: f32 = self.weights.iter().sum();
        if total > 0.0 {
            self.weights.iter_mut().for_each(|weight| *weight /= total);
        } else {
            self.weights.fill(0.0);
            self.weights[0] = 1.0;
        }
    }
}

/// Adds the fertilities of a state.
pub fn count_fertilities(given: &[u32], state: &[u32], counts: &Counts) {
    for (&word, many) in given.iter().zip(numbers_generated(given.len(), state)) {
        counts.add(word * WIDTH as u32 + many.min(MOST) as u32, 1.0);
    }
}

/// How many words each given word generates.
fn numbers_generated(given: usize, state: &[u32]) -> Vec<usize> {
    let mut generated = vec![0; given];
    for &generator in state.iter().filter(|&&generator| generator > 0) {
        generated[generator as usize - 1] += 1;
    }
    generated
}

fn draw(weights: &[f32], random: &mut Random) -> usize {
    let mut left = random.next_f64() as f32;
    for (index, &weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return index;
        }
    }
    // Rounding: the weights sum to a little less than one.
    weights.iter().rposition(|&weight| weight > 0.0).unwrap_or(0)
}
