//! Minimum Bayes risk over a list of translations (Kumar & Byrne 2004): the one that is, on
//! average over all, most like the others by sentence BLEU.

use hashbrown::HashMap;
use rayon::prelude::*;
use rustc_hash::FxBuildHasher;

const LONGEST: usize = 4;

type Numbers<'a> = HashMap<&'a [String], u32, FxBuildHasher>;

/// One translation: its n-grams by length, as (number, count) in order of numbers.
struct Grams {
    words: usize,
    counts: [Vec<(u32, u32)>; LONGEST],
}

impl Grams {
    fn new<'a>(words: &'a [String], numbers: &mut Numbers<'a>) -> Self {
        let counts = std::array::from_fn(|place| {
            let mut found: Vec<u32> = Vec::new();
            for gram in words.windows(place + 1) {
                let next = numbers.len() as u32;
                found.push(*numbers.entry(gram).or_insert(next));
            }
            found.sort_unstable();
            found.chunk_by(|a, b| a == b).map(|same| (same[0], same.len() as u32)).collect()
        });
        Grams { words: words.len(), counts }
    }

    /// Sentence BLEU against a reference; one is added to the counts of 2-grams and longer.
    fn bleu(&self, reference: &Grams) -> f64 {
        if self.words == 0 || reference.words == 0 {
            return f64::from(u8::from(self.words == reference.words));
        }
        let mut log = 0.0;
        for place in 0..LONGEST {
            let all = self.words.saturating_sub(place) as u32;
            let matched = common(&self.counts[place], &reference.counts[place]);
            let smooth = u32::from(place > 0);
            log += (f64::from(matched + smooth) / f64::from((all + smooth).max(1))).max(1e-9).ln();
        }
        let brevity = (1.0 - reference.words as f64 / self.words as f64).min(0.0);
        (log / LONGEST as f64 + brevity).exp()
    }
}

/// How many n-grams two sorted lists share.
fn common(ours: &[(u32, u32)], theirs: &[(u32, u32)]) -> u32 {
    let (mut shared, mut theirs) = (0, theirs.iter().peekable());
    for &(gram, count) in ours {
        while theirs.next_if(|&&(other, _)| other < gram).is_some() {}
        if let Some(&(_, most)) = theirs.next_if(|&&(other, _)| other == gram) {
            shared += count.min(most);
        }
    }
    shared
}

/// The place of the translation with the least expected loss. Scores count as logarithms of
/// probabilities, times `scale`; ties go to the first.
fn minimum_risk(translations: &[(&[String], f64)], scale: f64) -> Option<usize> {
    let best = translations.iter().map(|(_, score)| *score).fold(f64::NEG_INFINITY, f64::max);
    let mut numbers = Numbers::default();
    // Derivations of the same words are one translation, as probable as all of them together.
    let mut places: HashMap<&[String], usize, FxBuildHasher> = HashMap::default();
    let mut kept: Vec<(usize, Grams, f64)> = Vec::new();
    for (place, &(words, score)) in translations.iter().enumerate() {
        let chance = ((score - best) * scale).exp();
        let next = kept.len();
        match *places.entry(words).or_insert(next) {
            known if known < next => kept[known].2 += chance,
            _ => kept.push((place, Grams::new(words, &mut numbers), chance)),
        }
    }
    let mut found: Option<(usize, f64)> = None;
    for (place, grams, _) in &kept {
        let gain: f64 = kept.iter().map(|(_, other, chance)| chance * grams.bleu(other)).sum();
        if found.is_none_or(|(_, most)| gain > most) {
            found = Some((*place, gain));
        }
    }
    found.map(|(place, _)| place)
}

/// The same of many lists, on all threads; 0 for a list without translations.
pub fn minimum_risks(lists: &[Vec<(&[String], f64)>], scale: f64) -> Vec<usize> {
    lists.par_iter().map(|list| minimum_risk(list, scale).unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    type List = Vec<(Vec<String>, f64)>;

    fn list(texts: &[(&str, f64)]) -> List {
        let words = |text: &str| text.split(' ').map(ToString::to_string).collect();
        texts.iter().map(|&(text, score)| (words(text), score)).collect()
    }

    fn best(list: &List, scale: f64) -> Option<usize> {
        let list: Vec<(&[String], f64)> =
            list.iter().map(|(words, score)| (words.as_slice(), *score)).collect();
        minimum_risk(&list, scale)
    }

    #[test]
    fn what_most_agree_on_wins() {
        let texts = [("x y z w", 0.0), ("a b c d", -0.1), ("a b c e", -0.1), ("a b c d e", -0.1)];
        assert_eq!(best(&list(&texts), 1.0), Some(1));
        // With a large scale only the best counts.
        assert_eq!(best(&list(&texts), 1000.0), Some(0));
        assert_eq!(best(&list(&[]), 1.0), None);
    }

    #[test]
    fn derivations_of_the_same_words_count_together() {
        let texts = [("x y z w", 0.0), ("a b c d", -0.5), ("a b c d", -0.5), ("a b c d", -0.5)];
        assert_eq!(best(&list(&texts), 1.0), Some(1));
        assert_eq!(best(&list(&texts[..2]), 1.0), Some(0));
    }

    #[test]
    fn repeated_words_match_no_more_often_than_they_stand_there() {
        let (one, two) = (list(&[("a a a", 0.0)]), list(&[("a b", 0.0)]));
        let mut numbers = Numbers::default();
        let ours = Grams::new(&one[0].0, &mut numbers);
        let theirs = Grams::new(&two[0].0, &mut numbers);
        assert_eq!(common(&ours.counts[0], &theirs.counts[0]), 1);
        assert_eq!(common(&ours.counts[1], &theirs.counts[1]), 0);
    }
}
