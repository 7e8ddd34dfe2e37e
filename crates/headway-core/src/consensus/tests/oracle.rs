//! The slow, obvious answers.

use crate::consensus::{LinearGains, Numbers};
use crate::forest::tests::oracle::{derivations, score, target};
use crate::forest::{EdgeId, Forest};

/// A derivation: its probability, its scaled score, and the words that it says.
#[derive(Debug, Clone)]
pub struct Told {
    pub chance: f64,
    pub score: f64,
    pub words: Vec<u32>,
    pub edges: Vec<EdgeId>,
}

pub fn told(forest: &Forest, scale: f64, numbers: &Numbers) -> Vec<Told> {
    let weighted = forest.weighted().unwrap();
    let all = derivations(forest, forest.goal());
    let scores: Vec<f64> = all.iter().map(|one| score(&weighted, one) * scale).collect();
    let sum: f64 = scores.iter().map(|score| score.exp()).sum();
    let word = |word: u32| numbers.known(forest.word(word)).expect("a known word");
    all.into_iter()
        .zip(scores)
        .map(|(edges, score)| Told {
            chance: score.exp() / sum,
            score,
            words: target(forest, &edges).into_iter().map(word).collect(),
            edges,
        })
        .collect()
}

/// All n-grams of a sequence, each as often as it stands there.
pub fn grams(words: &[u32], order: usize) -> Vec<&[u32]> {
    (1..=order).flat_map(|length| words.windows(length)).collect()
}

pub fn count(words: &[u32], gram: &[u32]) -> usize {
    words.windows(gram.len()).filter(|own| *own == gram).count()
}

pub fn linear_gain(one: &Told, gains: &LinearGains<'_>) -> f64 {
    let of = |gram: &[u32]| gains.per_match[gram.len() - 1] * gains.expected.count(gram).min(1.0);
    let all: f64 = grams(&one.words, gains.per_match.len()).into_iter().map(of).sum();
    all + gains.per_unit * one.words.len() as f64 + gains.per_score * one.score
}
