//! Drawing one word after a context.

use super::random::Random;
use crate::lm::LanguageModel;
use crate::lm::query::State;
use crate::lm::table::{Table, Trie};

/// Draws of a shorter context that may be refused in a row. Sound models get nowhere near;
/// one whose back-offs are wrong would never end.
const PATIENCE: usize = 10_000;

/// What each context draws from.
pub struct Urns {
    words: Alias,
    /// By length from 2 on, for each n-gram: the probability, in 2^-32, that its context draws
    /// its word or one before it.
    thresholds: Vec<Vec<u32>>,
}

impl Urns {
    pub fn new(table: &Trie, model: &LanguageModel) -> Self {
        let prob = |values: crate::lm::build::Values| 10_f64.powf(f64::from(values.log10_prob()));
        let mut words: Vec<f64> =
            (0..model.words() as u32).map(|id| prob(table.unigram(id))).collect();
        // `<s>` begins sentences; its probability, if stated, means nothing.
        words[model.begin().index()] = 0.0;
        let mut thresholds = Vec::new();
        for length in 2..=model.order() {
            let mut level = vec![0_u32; table.len(length)];
            for context in 0..table.len(length - 1) as u32 {
                let mut sum = 0.0;
                for place in table.followers(length - 1, context) {
                    let (word, values) = table.row(length, place);
                    if !values.is_blank() && word != model.begin().0 {
                        sum += prob(values);
                    }
                    level[place as usize] = (sum * 4_294_967_296.0) as u32; // saturates
                }
            }
            thresholds.push(level);
        }
        Urns { words: Alias::new(&words), thresholds }
    }

    /// A word after `state`.
    pub fn draw(&self, table: &Trie, state: &State, random: &mut Random) -> u32 {
        self.draw_after(table, state, state.len(), random)
    }

    /// A word after the last `length` words of `state`.
    fn draw_after(&self, table: &Trie, state: &State, length: usize, random: &mut Random) -> u32 {
        let Some(context) = length.checked_sub(1).map(|index| state.place(index)) else {
            return self.words.draw(random);
        };
        let followers = table.followers(length, context);
        let thresholds =
            &self.thresholds[length - 1][followers.start as usize..followers.end as usize];
        let drawn = (random.next() >> 32) as u32;
        let first = thresholds.partition_point(|&threshold| threshold <= drawn);
        if first < thresholds.len() {
            return table.row(length + 1, followers.start + first as u32).0;
        }
        for _ in 0..PATIENCE {
            let word = self.draw_after(table, state, length - 1, random);
            let found = table.find(length + 1, table.probe(length + 1, context, word));
            if found.is_none_or(|found| found.values.is_blank()) {
                return word;
            }
        }
        self.draw_after(table, state, length - 1, random)
    }
}

/// Draws in constant time (Walker 1977, as built by Vose 1991).
struct Alias {
    rows: Vec<(u32, u32)>,
}

impl Alias {
    fn new(weights: &[f64]) -> Self {
        let mean = weights.iter().sum::<f64>() / weights.len() as f64;
        let mut left: Vec<f64> = weights.iter().map(|weight| weight / mean).collect();
        let mut rows: Vec<(u32, u32)> =
            (0..weights.len()).map(|index| (u32::MAX, index as u32)).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..weights.len()).partition(|&index| left[index] < 1.0);
        while let (Some(&few), Some(&many)) = (small.last(), large.last()) {
            small.pop();
            rows[few] = ((left[few] * 4_294_967_296.0) as u32, many as u32);
            left[many] -= 1.0 - left[few];
            if left[many] < 1.0 {
                large.pop();
                small.push(many);
            }
        }
        Alias { rows }
    }

    fn draw(&self, random: &mut Random) -> u32 {
        let number = random.next();
        let index = (((number >> 32) * self.rows.len() as u64) >> 32) as u32;
        let (limit, other) = self.rows[index as usize];
        if (number as u32) < limit { index } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_drawn_by_weight() {
        let weights = [0.1, 0.0, 0.4, 0.2, 0.3];
        let alias = Alias::new(&weights);
        let mut random = Random::new(3, 1);
        let mut drawn = [0_u32; 5];
        (0..100_000).for_each(|_| drawn[alias.draw(&mut random) as usize] += 1);
        for (&many, weight) in drawn.iter().zip(weights) {
            assert!((f64::from(many) - 100_000.0 * weight).abs() < 600.0, "{drawn:?}");
        }
    }
}
