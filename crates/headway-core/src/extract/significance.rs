//! Which phrase pairs occur together more often than chance would have it (Johnson, Martin,
//! Foster & Kuhn 2007): Fisher's exact test on the sentence pairs that contain either phrase.
//!
//! The text is held in memory with a suffix array for each side, to count the sentences with
//! any phrase, aligned or not.

use rayon::slice::ParallelSliceMut;
use rustc_hash::FxHashMap;

use super::options::Significance;
use super::pair::Pair;
use crate::table::Symbol;

/// Stands after every sentence.
const STOP: u32 = u32::MAX;

/// Bytes kept for each word: itself, its sentence, its place in the suffix array.
pub const BYTES_PER_WORD: u64 = 12;

/// What tells a value just above another from one just below. Two rates that differ do so by
/// much more.
const EPSILON: f64 = 1e-3;

/// Phrases that occur as often as this are counted once per part and remembered.
const FREQUENT: usize = 1 << 10;

/// Looking through a sentence costs as much as this many occurrences.
const SENTENCE_COST: usize = 16;

/// The text of one side.
#[derive(Debug, Default)]
pub struct Text {
    words: Vec<u32>,
    starts: Vec<u32>,
}

impl Text {
    pub fn push(&mut self, words: &[u32]) {
        self.starts.push(self.words.len() as u32);
        self.words.extend_from_slice(words);
        self.words.push(STOP);
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    fn sentence(&self, number: u32) -> &[u32] {
        let start = self.starts[number as usize] as usize;
        let end =
            self.starts.get(number as usize + 1).map_or(self.words.len(), |&end| end as usize);
        &self.words[start..end]
    }
}

/// A text with the places of its words sorted by what follows, up to a length.
#[derive(Debug)]
struct Index {
    text: Text,
    suffixes: Vec<u32>,
    sentences: Vec<u32>,
}

impl Index {
    fn new(text: Text, longest: usize) -> Self {
        let suffix = |&place: &u32| {
            let place = place as usize;
            &text.words[place..text.words.len().min(place + longest)]
        };
        let words = 0..text.words.len() as u32;
        let mut suffixes: Vec<u32> =
            words.filter(|&place| text.words[place as usize] != STOP).collect();
        suffixes.par_sort_unstable_by(|one, other| suffix(one).cmp(suffix(other)));
        let mut sentences = Vec::with_capacity(text.words.len());
        for number in 0..text.starts.len() as u32 {
            sentences.resize(sentences.len() + text.sentence(number).len(), number);
        }
        Index { text, suffixes, sentences }
    }

    /// Where the phrase is, as a range of the suffix array.
    fn find(&self, phrase: &[u32]) -> (usize, usize) {
        let start_of = |&place: &u32| {
            let place = place as usize;
            &self.text.words[place..self.text.words.len().min(place + phrase.len())]
        };
        let start = self.suffixes.partition_point(|place| start_of(place) < phrase);
        let length = self.suffixes[start..].partition_point(|place| start_of(place) == phrase);
        (start, start + length)
    }

    fn sentences(&self, (start, end): (usize, usize)) -> impl Iterator<Item = u32> {
        self.suffixes[start..end].iter().map(|&place| self.sentences[place as usize])
    }

    fn has(&self, sentence: u32, phrase: &[u32]) -> bool {
        self.text.sentence(sentence).windows(phrase.len()).any(|words| words == phrase)
    }
}

#[derive(Debug)]
pub struct Cooccurrence {
    source: Index,
    target: Index,
    /// ln n! for every n up to the number of pairs.
    log_factorials: Vec<f64>,
    least: f64,
}

/// What is remembered between questions.
#[derive(Debug, Default)]
pub struct Tally {
    source: Vec<u32>,
    phrase: Vec<u32>,
    /// By sentence, when it was last marked.
    marks: Vec<u32>,
    time: u32,
    /// Sentences with target phrases that occur often, by their place in the suffix array.
    frequent: FxHashMap<(usize, usize), u64>,
}

impl Tally {
    /// Two marks that no sentence bears.
    fn new_marks(&mut self, sentences: usize) -> (u32, u32) {
        if self.time >= u32::MAX - 2 {
            self.marks.fill(0);
            self.time = 0;
        }
        self.marks.resize(sentences, 0);
        self.time += 2;
        (self.time - 1, self.time)
    }
}

impl Cooccurrence {
    pub fn new(source: Text, target: Text, longest: usize, threshold: Significance) -> Self {
        let pairs = source.starts.len();
        let alpha = (pairs.max(1) as f64).ln();
        let least = match threshold {
            Significance::AlphaPlus => alpha + EPSILON,
            Significance::AlphaMinus => alpha - EPSILON,
            Significance::Value(value) => value,
        };
        let mut log_factorials = vec![0.0];
        for number in 1..=pairs {
            log_factorials.push(log_factorials[number - 1] + (number as f64).ln());
        }
        let (source, target) =
            rayon::join(|| Index::new(source, longest), || Index::new(target, longest));
        Cooccurrence { source, target, log_factorials, least }
    }

    fn pairs(&self) -> usize {
        self.log_factorials.len() - 1
    }

    /// The questions that follow are about this source phrase.
    pub fn set_source(&self, source: &[Symbol], tally: &mut Tally) {
        words(source, &mut tally.phrase);
        tally.source.clear();
        tally.source.extend(self.source.sentences(self.source.find(&tally.phrase)));
        tally.source.sort_unstable();
        tally.source.dedup();
    }

    pub fn is_significant(&self, target: &[Symbol], tally: &mut Tally) -> bool {
        words(target, &mut tally.phrase);
        let found = self.target.find(&tally.phrase);
        let (with_target, with_both) = self.count(found, tally);
        let with_source = tally.source.len() as u64;
        self.surprise(with_source, with_target, with_both) >= self.least
    }

    /// Sentence pairs with the target phrase, and with both.
    fn count(&self, found: (usize, usize), tally: &mut Tally) -> (u64, u64) {
        let occurrences = found.1 - found.0;
        let known = tally.frequent.get(&found).copied();
        if let Some(with_target) = known
            && occurrences > tally.source.len() * SENTENCE_COST
        {
            let has_both = |&&sentence: &&u32| self.target.has(sentence, &tally.phrase);
            return (with_target, tally.source.iter().filter(has_both).count() as u64);
        }
        let (with_source, seen) = tally.new_marks(self.pairs());
        for &sentence in &tally.source {
            tally.marks[sentence as usize] = with_source;
        }
        let (mut with_target, mut with_both) = (0, 0);
        for sentence in self.target.sentences(found) {
            let mark = &mut tally.marks[sentence as usize];
            if *mark != seen {
                with_both += u64::from(*mark == with_source);
                with_target += 1;
                *mark = seen;
            }
        }
        if occurrences >= FREQUENT {
            tally.frequent.insert(found, with_target);
        }
        (with_target, with_both)
    }

    /// −ln of the chance that phrases in so many of the pairs meet in at least `both`.
    fn surprise(&self, source: u64, target: u64, both: u64) -> f64 {
        let pairs = self.pairs() as u64;
        let choose = |from: u64, some: u64| {
            let [all, some, rest] =
                [from, some, from - some].map(|number| self.log_factorials[number as usize]);
            all - some - rest
        };
        let rest = target - both;
        if rest > pairs - source {
            return 0.0; // they cannot meet less often
        }
        let first = choose(source, both) + choose(pairs - source, rest) - choose(pairs, target);
        // The further terms, relative to the first.
        let (mut sum, mut term) = (1.0, 1.0);
        for both in both..source.min(target) {
            let more = (source - both) as f64 * (target - both) as f64;
            let less = (both + 1) as f64 * (pairs + both + 1 - source - target) as f64;
            term *= more / less;
            sum += term;
            if more < less && term < sum * 1e-17 {
                break;
            }
        }
        (-(first + f64::ln(sum))).max(0.0)
    }
}

fn words(side: &[Symbol], words: &mut Vec<u32>) {
    words.clear();
    words.extend(side.iter().filter_map(|symbol| match symbol {
        Symbol::Word(word) => Some(word.0),
        Symbol::Slot(_) => None,
    }));
}

/// Both sides of the text, as pairs are read.
#[derive(Debug, Default)]
pub struct Texts {
    pub source: Text,
    pub target: Text,
}

impl Texts {
    pub fn push(&mut self, pair: &Pair) {
        self.source.push(&pair.source);
        self.target.push(&pair.target);
    }

    /// Bytes that the index of all this will take.
    pub fn size(&self) -> u64 {
        (self.source.len() + self.target.len()) as u64 * BYTES_PER_WORD
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WordId;
    use proptest::prelude::*;

    fn cooccurrence(texts: Texts, threshold: Significance) -> Cooccurrence {
        Cooccurrence::new(texts.source, texts.target, 3, threshold)
    }

    /// Fisher's test as a sum of hypergeometric probabilities, multiplied out.
    fn literal(pairs: u64, source: u64, target: u64, both: u64) -> f64 {
        let choose = |n: u64, k: u64| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
        let terms = (both..=source.min(target)).filter(|k| target - k <= pairs - source);
        let sum: f64 = terms
            .map(|k| choose(source, k) * choose(pairs - source, target - k) / choose(pairs, target))
            .sum();
        -sum.ln()
    }

    #[test]
    fn one_pair_of_single_phrases_is_alpha() {
        let mut texts = Texts::default();
        for number in 0..50 {
            let (source, target) = (vec![number], vec![number]);
            texts.push(&Pair { source, target, ..Pair::default() });
        }
        let found = cooccurrence(texts, Significance::Value(0.0));
        assert!((found.surprise(1, 1, 1) - 50f64.ln()).abs() < 1e-9);
        for (source, target, both) in
            [(10, 20, 8), (10, 20, 2), (50, 50, 50), (7, 7, 7), (30, 40, 20)]
        {
            let expected = literal(50, source, target, both).max(0.0);
            assert!((found.surprise(source, target, both) - expected).abs() < 1e-9);
        }
    }

    proptest! {
        #[test]
        fn phrases_are_counted_in_sentences(
            pairs in proptest::collection::vec(
                (proptest::collection::vec(0u32..3, 0..6), proptest::collection::vec(0u32..3, 0..6)),
                1..20,
            ),
            sources in proptest::collection::vec(proptest::collection::vec(0u32..3, 1..4), 1..4),
            target in proptest::collection::vec(0u32..3, 1..4),
        ) {
            let mut texts = Texts::default();
            for (source, target) in &pairs {
                let (source, target) = (source.clone(), target.clone());
                texts.push(&Pair { source, target, ..Pair::default() });
            }
            let found = cooccurrence(texts, Significance::AlphaPlus);
            let symbols = |words: &[u32]| -> Vec<Symbol> {
                words.iter().map(|&word| Symbol::Word(WordId(word))).collect()
            };
            let has = |words: &[u32], phrase: &[u32]| words.windows(phrase.len()).any(|w| w == phrase);
            let mut tally = Tally::default();
            for source in &sources {
                found.set_source(&symbols(source), &mut tally);
                let with_source = pairs.iter().filter(|pair| has(&pair.0, source));
                prop_assert_eq!(tally.source.len(), with_source.clone().count());
                words(&symbols(&target), &mut tally.phrase);
                let place = found.target.find(&target);
                let with_target = pairs.iter().filter(|pair| has(&pair.1, &target)).count() as u64;
                let with_both = with_source.filter(|pair| has(&pair.1, &target)).count() as u64;
                prop_assert_eq!(found.count(place, &mut tally), (with_target, with_both));
                tally.frequent.insert(place, with_target);
                prop_assert_eq!(found.count(place, &mut tally), (with_target, with_both));
            }
        }
    }
}
