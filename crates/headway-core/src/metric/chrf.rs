//! chrF (Popović 2015): character n-grams up to 6, without spaces, recall counting twice.

use rustc_hash::FxHashMap;

use super::{Judge, Metric};

const LONGEST: usize = 6;
/// For each order: n-grams of the hypothesis, of the reference, matches.
const WIDTH: usize = 3 * LONGEST;
const BETA: f64 = 2.0;

pub struct Chrf;

impl Metric for Chrf {
    fn width(&self) -> usize {
        WIDTH
    }

    fn judge(&self, references: &[Vec<&str>]) -> Box<dyn Judge> {
        Box::new(References(references.iter().map(|words| Reference::new(words)).collect()))
    }

    /// From 0 to 100: the F-measure of precision and recall, each the mean over the orders that
    /// both sides have.
    fn score(&self, sums: &[f64]) -> f64 {
        let (mut precision, mut recall, mut orders) = (0.0, 0.0, 0.0);
        for counts in sums[..WIDTH].chunks_exact(3) {
            let [hypothesis, reference, matched] = [counts[0], counts[1], counts[2]];
            if hypothesis > 0.0 && reference > 0.0 {
                precision += matched / hypothesis;
                recall += matched / reference;
                orders += 1.0;
            }
        }
        if orders == 0.0 || precision + recall == 0.0 {
            return 0.0;
        }
        precision /= orders;
        recall /= orders;
        let factor = BETA * BETA;
        100.0 * ((1.0 + factor) * precision * recall / (factor * precision + recall))
    }

    fn sentence_score(&self, statistics: &[f64]) -> f64 {
        self.score(statistics)
    }
}

struct References(Vec<Reference>);

struct Reference {
    places: FxHashMap<u128, u32>,
    counts: Vec<u32>,
    characters: usize,
}

impl Reference {
    fn new(words: &[&str]) -> Self {
        let characters = packed(words);
        let mut places: FxHashMap<u128, u32> = FxHashMap::default();
        let mut counts: Vec<u32> = Vec::new();
        for order in 1..=LONGEST {
            for window in characters.windows(order) {
                let next = places.len() as u32;
                let place = *places.entry(key(window)).or_insert(next) as usize;
                if place == counts.len() {
                    counts.push(0);
                }
                counts[place] += 1;
            }
        }
        Reference { places, counts, characters: characters.len() }
    }

    fn compare(&self, characters: &[u32]) -> Vec<f64> {
        let mut left = self.counts.clone();
        let mut numbers = Vec::with_capacity(WIDTH);
        for order in 1..=LONGEST {
            let own = (characters.len() + 1).saturating_sub(order);
            let others = (self.characters + 1).saturating_sub(order);
            let mut matched = 0_u32;
            for window in characters.windows(order) {
                if let Some(&place) = self.places.get(&key(window))
                    && left[place as usize] > 0
                {
                    left[place as usize] -= 1;
                    matched += 1;
                }
            }
            // Where the reference has no n-gram, those of the hypothesis do not count.
            let counted = if others > 0 { own } else { 0 };
            numbers.extend([counted as f64, others as f64, f64::from(matched)]);
        }
        numbers
    }
}

/// Characters of all words, plus one so that none is 0.
fn packed(words: &[&str]) -> Vec<u32> {
    words.iter().flat_map(|word| word.chars()).map(|character| character as u32 + 1).collect()
}

/// 21 bits a character, so that n-grams of all orders differ.
fn key(window: &[u32]) -> u128 {
    window.iter().fold(0, |key, &character| key << 21 | u128::from(character))
}

impl Judge for References {
    /// Statistics against the reference with the best score, the first of equals.
    fn judge(&self, words: &[&str], statistics: &mut Vec<f64>) {
        let characters = packed(words);
        let (mut best, mut highest) = (vec![0.0; WIDTH], -1.0);
        for reference in &self.0 {
            let numbers = reference.compare(&characters);
            let score = Chrf.score(&numbers);
            if score > highest {
                (best, highest) = (numbers, score);
            }
        }
        statistics.extend(best);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spaces_do_not_count_and_repeated_matches_are_clipped() {
        let mut numbers = Vec::new();
        Chrf.judge(&[vec!["ab", "c"]]).judge(&["a", "bcc"], &mut numbers);
        assert_eq!(numbers[..3], [4.0, 3.0, 3.0]);
        assert_eq!(numbers[3..6], [3.0, 2.0, 2.0]);
        let mut same = Vec::new();
        Chrf.judge(&[vec!["x"], vec!["ab", "c"]]).judge(&["abc"], &mut same);
        assert_eq!(Chrf.score(&same), 100.0);
    }
}
