//! What EM begins with.

use crate::random::Random;

use super::grammar::{Counts, Grammar, LEFT, RIGHT};

/// Added to distances, as in Klein & Manning's "inverse proportion to (a constant plus) the
/// distance".
const CONSTANT: f64 = 1.0;

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
/// takes as many dependents as any other, near ones rather than far ones.
pub fn harmonic(sentences: &[Vec<u16>], tags: usize) -> Grammar {
    let mut counts = Counts::new(tags);
    let shape = even(tags);
    for sentence in sentences {
        let words = sentence.len();
        let dependents = (words.max(1) - 1) as f64 / words.max(1) as f64;
        for (at, &head) in sentence.iter().enumerate() {
            let head = head as usize;
            counts.root[head] += 1.0 / words as f64;
            let weight = |other: usize| 1.0 / (at.abs_diff(other) as f64 + CONSTANT);
            let others = (0..words).filter(|&other| other != at);
            let total: f64 = others.clone().map(weight).sum();
            let mut taken = [0.0; 2];
            for other in others {
                let side = if other < at { LEFT } else { RIGHT };
                let share = dependents * weight(other) / total;
                counts.choose[shape.pair(head, side, sentence[other] as usize)] += share;
                taken[side] += share;
            }
            for (side, taken) in taken.into_iter().enumerate() {
                // As if going on were as likely each time: once stopped, so often gone on.
                for first in [false, true] {
                    counts.stop[Grammar::valence(head, side, first)] += 1.0;
                    counts.go[Grammar::valence(head, side, first)] += taken;
                }
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
