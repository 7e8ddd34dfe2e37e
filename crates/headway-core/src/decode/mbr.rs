//! Minimum Bayes risk over a list of translations (Kumar & Byrne 2004): the one that is, on
//! average over all, most like the others by sentence BLEU.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

const LONGEST: usize = 4;

/// n-grams of one translation with their counts.
struct Grams<'a> {
    words: usize,
    counts: HashMap<&'a [String], u32, FxBuildHasher>,
}

impl<'a> Grams<'a> {
    fn new(words: &'a [String]) -> Self {
        let mut counts: HashMap<&[String], u32, FxBuildHasher> = HashMap::default();
        for length in 1..=LONGEST.min(words.len()) {
            for gram in words.windows(length) {
                *counts.entry(gram).or_default() += 1;
            }
        }
        Grams { words: words.len(), counts }
    }

    /// Sentence BLEU against a reference; one is added to the counts of 2-grams and longer.
    fn bleu(&self, words: &[String], reference: &Grams<'_>) -> f64 {
        if self.words == 0 || reference.words == 0 {
            return f64::from(u8::from(self.words == reference.words));
        }
        let mut log = 0.0;
        for length in 1..=LONGEST {
            let (mut matched, mut all) = (0, 0);
            let mut seen: HashMap<&[String], u32, FxBuildHasher> = HashMap::default();
            for gram in words.windows(length) {
                let before = seen.entry(gram).or_default();
                *before += 1;
                all += 1;
                matched +=
                    u32::from(reference.counts.get(gram).is_some_and(|&most| *before <= most));
            }
            let smooth = u32::from(length > 1);
            log += (f64::from(matched + smooth) / f64::from((all + smooth).max(1))).max(1e-9).ln();
        }
        let brevity = (1.0 - reference.words as f64 / self.words as f64).min(0.0);
        (log / LONGEST as f64 + brevity).exp()
    }
}

/// The place of the translation with the least expected loss. Scores count as logarithms of
/// probabilities, times `scale`; ties go to the first.
pub fn minimum_risk(translations: &[(Vec<String>, f64)], scale: f64) -> Option<usize> {
    let best = translations.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
    let grams: Vec<Grams<'_>> = translations.iter().map(|(words, _)| Grams::new(words)).collect();
    let chances: Vec<f64> =
        translations.iter().map(|(_, score)| ((score - best) * scale).exp()).collect();
    let gain = |place: usize| {
        let against = grams.iter().zip(&chances);
        against.map(|(other, p)| p * grams[place].bleu(&translations[place].0, other)).sum::<f64>()
    };
    let mut found: Option<(usize, f64)> = None;
    for place in 0..translations.len() {
        let gain = gain(place);
        if found.is_none_or(|(_, most)| gain > most) {
            found = Some((place, gain));
        }
    }
    found.map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(texts: &[(&str, f64)]) -> Vec<(Vec<String>, f64)> {
        let words = |text: &str| text.split(' ').map(ToString::to_string).collect();
        texts.iter().map(|&(text, score)| (words(text), score)).collect()
    }

    #[test]
    fn what_most_agree_on_wins() {
        let texts = [("x y z w", 0.0), ("a b c d", -0.1), ("a b c e", -0.1), ("a b c d e", -0.1)];
        assert_eq!(minimum_risk(&list(&texts), 1.0), Some(1));
        // With a large scale only the best counts.
        assert_eq!(minimum_risk(&list(&texts), 1000.0), Some(0));
        assert_eq!(minimum_risk(&[], 1.0), None);
    }
}
