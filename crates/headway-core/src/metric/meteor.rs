//! METEOR (Banerjee & Lavie 2005) with exact and stem matches: an alignment with most matches,
//! then fewest chunks, and from it precision, recall and a penalty for disorder.

/// A word and its stem, as numbers.
pub type Word = (u32, u32);

/// Recall counts nine times as much as precision.
const ALPHA: f64 = 0.9;
/// The share of chunks among matches, to this power …
const BETA: f64 = 3.0;
/// … costs up to this much.
const GAMMA: f64 = 0.5;
/// Partial alignments kept at each word.
const BEAM: usize = 40;

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

/// An alignment of the words so far.
#[derive(Clone)]
struct Partial {
    used: Vec<u64>,
    /// The place in the reference that the word before is aligned to.
    before: Option<usize>,
    exact: u32,
    matches: u32,
    chunks: u32,
    distance: usize,
}

impl Partial {
    fn is_used(&self, place: usize) -> bool {
        self.used[place / 64] >> (place % 64) & 1 == 1
    }

    /// The better one has the smaller rank: more matches, more exact ones, fewer chunks, less
    /// moved.
    fn rank(&self) -> (i64, i64, u32, usize) {
        (-i64::from(self.matches), -i64::from(self.exact), self.chunks, self.distance)
    }

    fn with(&self, word: usize, place: usize, exact: bool) -> Partial {
        let mut next = self.clone();
        next.used[place / 64] |= 1 << (place % 64);
        next.chunks += u32::from(self.before.is_none_or(|before| before + 1 != place));
        next.before = Some(place);
        next.matches += 1;
        next.exact += u32::from(exact);
        next.distance += word.abs_diff(place);
        next
    }
}

/// Matches and chunks of the best alignment that a beam finds.
fn align(hypothesis: &[Word], reference: &[Word]) -> (u32, u32) {
    let used = vec![0; reference.len().div_ceil(64)];
    let mut beam =
        vec![Partial { used, before: None, exact: 0, matches: 0, chunks: 0, distance: 0 }];
    for (word, &(form, stem)) in hypothesis.iter().enumerate() {
        let places: Vec<(usize, bool)> = (0..reference.len())
            .filter(|&place| reference[place].0 == form || reference[place].1 == stem)
            .map(|place| (place, reference[place].0 == form))
            .collect();
        let mut next: Vec<Partial> = Vec::with_capacity(beam.len() * (places.len() + 1));
        for partial in &beam {
            next.push(Partial { before: None, ..partial.clone() });
            let free = places.iter().filter(|&&(place, _)| !partial.is_used(place));
            next.extend(free.map(|&(place, exact)| partial.with(word, place, exact)));
        }
        // Stable, so that ties fall the same way every time.
        next.sort_by_key(Partial::rank);
        next.dedup_by(|a, b| a.used == b.used && a.before == b.before);
        next.truncate(BEAM);
        beam = next;
    }
    let best = beam.iter().min_by_key(|partial| partial.rank());
    best.map_or((0, 0), |partial| (partial.matches, partial.chunks))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Words of one letter; the stem of a capital letter is that of the small one.
    fn words(text: &str) -> Vec<Word> {
        text.chars().map(|c| (c as u32, c.to_ascii_lowercase() as u32)).collect()
    }

    #[test]
    fn alignments_match_most_and_break_least() {
        assert_eq!(align(&words("abcd"), &words("abcd")), (4, 1));
        assert_eq!(align(&words("cdab"), &words("abcd")), (4, 2));
        assert_eq!(align(&words("aXb"), &words("ab")), (2, 2));
        assert_eq!(align(&words("Ab"), &words("ab")), (2, 1));
        // The second a goes with the b that follows it.
        assert_eq!(align(&words("ab"), &words("axab")), (2, 1));
        assert_eq!(align(&words(""), &words("ab")), (0, 0));
    }

    /// Ranks of all alignments of what is left of a hypothesis, whose matches so far are `done`.
    fn ranks(hypothesis: &[Word], reference: &[Word], done: &Partial) -> Vec<(i64, i64, u32)> {
        let word = done.distance;
        if word == hypothesis.len() {
            let (matches, exact, chunks, _) = done.rank();
            return vec![(matches, exact, chunks)];
        }
        let step =
            |next: Partial| ranks(hypothesis, reference, &Partial { distance: word + 1, ..next });
        let mut found = step(Partial { before: None, ..done.clone() });
        for (place, of) in reference.iter().enumerate().filter(|&(at, _)| !done.is_used(at)) {
            if *of == hypothesis[word] || of.1 == hypothesis[word].1 {
                found.extend(step(done.with(word, place, of.0 == hypothesis[word].0)));
            }
        }
        found
    }

    proptest! {
        #[test]
        fn no_alignment_of_all_is_better(a in "[aAbBc]{0,6}", b in "[aAbBc]{0,6}") {
            let (hypothesis, reference) = (words(&a), words(&b));
            let none = Partial { used: vec![0], before: None, exact: 0, matches: 0, chunks: 0, distance: 0 };
            let (matches, _, chunks) = ranks(&hypothesis, &reference, &none).into_iter().min().unwrap();
            prop_assert_eq!(align(&hypothesis, &reference), ((-matches) as u32, chunks));
        }
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
