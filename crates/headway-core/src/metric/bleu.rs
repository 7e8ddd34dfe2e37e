//! BLEU (Papineni et al. 2002): numbers of matching and of all n-grams, length, closest
//! reference length.

use rustc_hash::FxHashMap;

use super::{Judge, Metric};

const LONGEST: usize = 4;
/// Length, reference length, matches per order, n-grams per order.
const WIDTH: usize = 2 + 2 * LONGEST;

pub struct Bleu;

/// What happens to orders without a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Smoothing {
    /// The first counts as half a match, the next as a quarter, and so on: sacrebleu's `exp`.
    Exponential,
    /// One more match and one more n-gram of each order above 1 (Lin & Och 2004), and one more
    /// reference word, without which short translations pay too little (Nakov et al. 2012).
    AddOne,
}

impl Bleu {
    /// BLEU from 0 to 100.
    pub fn smoothed(sums: &[f64], smoothing: Smoothing) -> f64 {
        let [length, mut closest] = [sums[0], sums[1]];
        let (matches, all) = sums[2..WIDTH].split_at(LONGEST);
        if matches.iter().all(|&count| count == 0.0) {
            return 0.0;
        }
        let (mut logs, mut penalty, mut add) = (0.0, 1.0, 0.0);
        for (&matched, &all) in matches.iter().zip(all) {
            let (matched, all) = (matched + add, all + add);
            if all == 0.0 {
                return 0.0;
            }
            logs += if matched == 0.0 {
                penalty *= 2.0;
                (100.0 / (penalty * all)).ln()
            } else {
                (100.0 * matched / all).ln()
            };
            add = f64::from(u8::from(smoothing == Smoothing::AddOne));
        }
        closest += add;
        let brevity = if length < closest { (1.0 - closest / length).exp() } else { 1.0 };
        brevity * (logs / LONGEST as f64).exp()
    }
}

impl Metric for Bleu {
    fn width(&self) -> usize {
        WIDTH
    }

    fn judge(&self, references: &[Vec<&str>]) -> Box<dyn Judge> {
        Box::new(Grams::new(references))
    }

    fn score(&self, sums: &[f64]) -> f64 {
        Bleu::smoothed(sums, Smoothing::Exponential)
    }

    fn sentence_score(&self, statistics: &[f64]) -> f64 {
        Bleu::smoothed(statistics, Smoothing::AddOne)
    }
}

type Gram = [u32; LONGEST];

/// A word of no reference: n-grams with it match nothing.
const UNKNOWN: u32 = u32::MAX;

/// The n-grams of all references, each with the most that one of them has.
struct Grams {
    words: FxHashMap<String, u32>,
    /// Place of each n-gram among the counts.
    places: FxHashMap<Gram, u32>,
    most: Vec<u32>,
    lengths: Vec<usize>,
}

impl Grams {
    fn new(references: &[Vec<&str>]) -> Self {
        let mut grams = Grams {
            words: FxHashMap::default(),
            places: FxHashMap::default(),
            most: Vec::new(),
            lengths: references.iter().map(Vec::len).collect(),
        };
        for reference in references {
            grams.add(reference);
        }
        grams
    }

    fn add(&mut self, reference: &[&str]) {
        let ids: Vec<u32> = reference
            .iter()
            .map(|word| {
                let next = self.words.len() as u32;
                *self.words.entry((*word).to_string()).or_insert(next)
            })
            .collect();
        let mut counts = vec![0; self.most.len()];
        for order in 1..=LONGEST {
            for window in ids.windows(order) {
                let next = self.places.len() as u32;
                let place = *self.places.entry(key(window)).or_insert(next) as usize;
                if place == counts.len() {
                    counts.push(0);
                }
                counts[place] += 1;
            }
        }
        self.most.resize(counts.len(), 0);
        for (most, count) in self.most.iter_mut().zip(counts) {
            *most = count.max(*most);
        }
    }

    /// The reference length nearest to `length`, the shorter of two.
    fn closest(&self, length: usize) -> usize {
        let nearest = self.lengths.iter().min_by_key(|&&other| (length.abs_diff(other), other));
        nearest.copied().unwrap_or(0)
    }
}

fn key(window: &[u32]) -> Gram {
    let mut key = [UNKNOWN; LONGEST];
    key[..window.len()].copy_from_slice(window);
    key
}

impl Judge for Grams {
    fn judge(&self, words: &[&str], statistics: &mut Vec<f64>) {
        let id = |word: &&str| self.words.get(*word).copied().unwrap_or(UNKNOWN);
        let ids: Vec<u32> = words.iter().map(id).collect();
        let mut left = self.most.clone();
        let mut matches = [0_u32; LONGEST];
        for order in 1..=LONGEST {
            for window in ids.windows(order) {
                // Padding and unknown words look alike, so the last word has to be known.
                if window[order - 1] == UNKNOWN {
                    continue;
                }
                if let Some(&place) = self.places.get(&key(window))
                    && left[place as usize] > 0
                {
                    left[place as usize] -= 1;
                    matches[order - 1] += 1;
                }
            }
        }
        let length = words.len();
        statistics.push(length as f64);
        statistics.push(self.closest(length) as f64);
        statistics.extend(matches.map(f64::from));
        statistics.extend((0..LONGEST).map(|less| length.saturating_sub(less) as f64));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(hypothesis: &str, references: &[&str]) -> Vec<f64> {
        let references: Vec<Vec<&str>> =
            references.iter().map(|r| r.split(' ').collect()).collect();
        let words: Vec<&str> = hypothesis.split(' ').collect();
        let mut numbers = Vec::new();
        Bleu.judge(&references).judge(&words, &mut numbers);
        numbers
    }

    #[test]
    fn matches_are_clipped_by_the_reference_that_has_most() {
        let found = numbers("the the the the", &["the cat the", "the mat"]);
        assert_eq!(found, [4.0, 3.0, 2.0, 0.0, 0.0, 0.0, 4.0, 3.0, 2.0, 1.0]);
    }

    #[test]
    fn unknown_words_match_nothing() {
        let found = numbers("a x b", &["a b"]);
        assert_eq!(found[2..6], [2.0, 0.0, 0.0, 0.0]);
    }

    #[test]
    fn smoothing_gives_short_matches_some_credit() {
        let found = numbers("a b", &["a b"]);
        assert_eq!(Bleu.score(&found), 0.0);
        assert!(Bleu.sentence_score(&found) > 50.0);
        let all = numbers("a b c d", &["a b c d"]);
        assert!((Bleu.score(&all) - 100.0).abs() < 1e-9);
    }
}
