//! The best head of each word by itself.

use super::matrix::ArcScores;

/// The best head of each word; loops may come out, and stay (the paper's "local classifier").
pub fn local_heads(scores: &ArcScores) -> Vec<u32> {
    (1..=scores.words()).map(|word| best_head(scores.into_word(word), word)).collect()
}

fn best_head(scores: &[f64], word: usize) -> u32 {
    let mut best = 0;
    for (head, &score) in scores.iter().enumerate() {
        if head != word && score > scores[best] {
            best = head;
        }
    }
    best as u32
}

#[cfg(test)]
mod tests {
    use super::super::matrix::enumeration::random_scores;
    use super::*;

    #[test]
    fn every_word_gets_its_best_head() {
        let scores = random_scores(9, 3);
        for (head, word) in local_heads(&scores).into_iter().zip(1..) {
            assert_ne!(head as usize, word);
            for other in (0..=9).filter(|&other| other != word) {
                assert!(scores.get(other, word) <= scores.get(head as usize, word));
            }
        }
    }
}
