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
/// is as likely as going on.
pub fn harmonic(sentences: &[Vec<u16>], tags: usize) -> Grammar {
    let mut counts = Counts::new(tags);
    let shape = even(tags);
    for sentence in sentences {
        let words = sentence.len();
        for (at, &head) in sentence.iter().enumerate() {
            let head = head as usize;
            counts.root[head] += 1.0 / words as f64;
            let weight = |other: usize| 1.0 / at.abs_diff(other) as f64;
            let others = (0..words).filter(|&other| other != at);
            let total: f64 = others.clone().map(weight).sum();
            let dependents = (words - 1) as f64 / words as f64;
            for other in others {
                let side = if other < at { LEFT } else { RIGHT };
                let share = dependents * weight(other) / total;
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
        let grammar = harmonic(&[vec![0, 1, 2]], 3);
        let right = |dependent| grammar.choose[grammar.pair(0, RIGHT, dependent)].exp();
        assert!((right(1) - 2.0 / 3.0).abs() < 1e-12 && (right(2) - 1.0 / 3.0).abs() < 1e-12);
        assert!(grammar.root.iter().all(|root| (root.exp() - 1.0 / 3.0).abs() < 1e-12));
    }

    #[test]
    fn random_probabilities_sum_to_one() {
        let grammar = random(4, &mut Random::new(1, 1));
        for logs in grammar.choose.chunks(4).chain([&grammar.root[..]]) {
            assert!((logs.iter().map(|log| log.exp()).sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}
