//! What EM begins with.

use crate::random::Random;

use super::grammar::{Counts, Grammar, LEFT, RIGHT};

/// All decisions equally likely.
pub fn even(tags: usize) -> Grammar {
    let half = 0.5_f64.ln();
    let one = -(tags.max(1) as f64).ln();
    Grammar {
        tags,
        root: vec![one; tags],
        stop: vec![half; tags * 4],
        go: vec![half; tags * 4],
        choose: vec![one; tags * 2 * tags],
    }
}

/// The harmonic start (Klein & Manning 2004): every word is the root as likely as any other and
/// takes as many dependents as any other, each in inverse proportion to its distance. Stopping
/// is as likely as going on: taken from the same numbers it leads to worse trees.
pub fn harmonic(sentences: &[Vec<u16>], weights: &[f64], tags: usize) -> Grammar {
    let mut counts = Counts::new(tags);
    let shape = even(tags);
    for (sentence, &weight) in sentences.iter().zip(weights) {
        let words = sentence.len();
        for (at, &head) in sentence.iter().enumerate() {
            let head = head as usize;
            counts.root[head] += weight / words as f64;
            let near = |other: usize| 1.0 / at.abs_diff(other) as f64;
            let others = (0..words).filter(|&other| other != at);
            let total: f64 = others.clone().map(near).sum();
            let dependents = weight * (words - 1) as f64 / words as f64;
            for other in others {
                let side = if other < at { LEFT } else { RIGHT };
                let share = dependents * near(other) / total;
                counts.choose[shape.pair(head, side, sentence[other] as usize)] += share;
            }
        }
    }
    counts.maximise(&shape)
}

/// Probabilities drawn at random, all distributions equally likely.
pub fn random(tags: usize, random: &mut Random) -> Grammar {
    let mut counts = Counts::new(tags);
    let Counts { root, stop, go, choose, .. } = &mut counts;
    for value in [root, stop, go, choose].into_iter().flatten() {
        *value = -(1.0 - random.next_f64()).ln() + 1e-3;
    }
    counts.maximise(&even(tags))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_dependents_are_likelier_and_words_equally_often_root() {
        let grammar = harmonic(&[vec![0, 1, 2]], &[1.0], 3);
        let right = |dependent| grammar.choose[grammar.pair(0, RIGHT, dependent)].exp();
        assert!((right(1) - 2.0 / 3.0).abs() < 1e-12 && (right(2) - 1.0 / 3.0).abs() < 1e-12);
        assert!(grammar.root.iter().all(|root| (root.exp() - 1.0 / 3.0).abs() < 1e-12));
    }

    #[test]
    fn weights_are_copies() {
        let (one, other) = (vec![0, 1, 2], vec![2, 0]);
        let weighted = harmonic(&[one.clone(), other.clone()], &[3.0, 1.0], 3);
        let copied = harmonic(&[one.clone(), one.clone(), one, other], &[1.0; 4], 3);
        let same = |one: &[f64], other: &[f64]| {
            one.iter().zip(other).all(|(one, other)| (one.exp() - other.exp()).abs() < 1e-12)
        };
        assert!(same(&weighted.root, &copied.root) && same(&weighted.choose, &copied.choose));
        let unweighted = harmonic(&[vec![0, 1, 2], vec![2, 0]], &[1.0; 2], 3);
        assert!(!same(&weighted.root, &unweighted.root));
    }

    #[test]
    fn random_probabilities_sum_to_one() {
        let grammar = random(4, &mut Random::new(1, 1));
        for logs in grammar.choose.chunks(4).chain([&grammar.root[..]]) {
            assert!((logs.iter().map(|log| log.exp()).sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}
