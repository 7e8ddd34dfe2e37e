//! METEOR (Banerjee & Lavie 2005) with exact and stem matches: an alignment with most matches,
//! then fewest chunks, and from it precision, recall and a penalty for disorder.

use super::chunks::{Word, align};

/// Recall counts nine times as much as precision.
const ALPHA: f64 = 0.9;
/// The share of chunks among matches, to this power …
const BETA: f64 = 3.0;
/// … costs up to this much.
const GAMMA: f64 = 0.5;

/// Matches, words of the hypothesis, words of the reference, chunks.
pub type Numbers = [f64; 4];

/// The score from 0 to 100 of sums of numbers.
pub fn meteor(sums: &Numbers) -> f64 {
    let [matches, hypothesis, reference, chunks] = *sums;
    if matches == 0.0 || hypothesis == 0.0 || reference == 0.0 {
        return 0.0;
    }
    let (precision, recall) = (matches / hypothesis, matches / reference);
    let mean = precision * recall / (ALPHA * precision + (1.0 - ALPHA) * recall);
    // One chunk means that all stands in order.
    let penalty = GAMMA * (chunks / matches).powf(BETA);
    100.0 * mean * (1.0 - penalty)
}

/// The numbers of a hypothesis against the reference that gives the best score.
pub fn meteor_numbers(hypothesis: &[Word], references: &[Vec<Word>]) -> Numbers {
    let mut best = [0.0, hypothesis.len() as f64, 0.0, 0.0];
    let mut highest = -1.0;
    for reference in references {
        let (matches, chunks) = align(hypothesis, reference);
        let lengths = [hypothesis.len() as f64, reference.len() as f64];
        let numbers = [f64::from(matches), lengths[0], lengths[1], f64::from(chunks)];
        let score = meteor(&numbers);
        if score > highest {
            (best, highest) = (numbers, score);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words of one letter; the stem of a capital letter is that of the small one.
    fn words(text: &str) -> Vec<Word> {
        text.chars().map(|c| (c as u32, c.to_ascii_lowercase() as u32)).collect()
    }

    #[test]
    fn the_score_is_that_of_the_formula() {
        // Precision 2/3, recall 2/4, two chunks of two matches: the whole penalty.
        let numbers = meteor_numbers(&words("axb"), &[words("aybz")]);
        assert_eq!(numbers, [2.0, 3.0, 4.0, 2.0]);
        let mean = 10.0 * (2.0 / 3.0) * 0.5 / (0.5 + 9.0 * 2.0 / 3.0);
        assert!((meteor(&numbers) - 100.0 * mean * 0.5).abs() < 1e-9);
        let best = meteor_numbers(&words("ab"), &[words("xy"), words("ab")]);
        assert_eq!(best, [2.0, 2.0, 2.0, 1.0]);
        assert_eq!(meteor(&meteor_numbers(&words("ab"), &[words("")])), 0.0);
    }
}
