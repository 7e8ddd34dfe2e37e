//! Estimating n-gram models from text: interpolated modified Kneser–Ney (Chen & Goodman, 1998)
//! with the conventions of KenLM's estimator (Heafield et al., 2013), in bounded memory.
//!
//! The words go to tape as numbers (`corpus`, `read`), their n-grams are counted by sorting
//! (`count`), one walk over them gives the adjusted counts of all orders (`adjust`) and with them
//! the discounts (`discount`), a second walk gives probabilities and back-off weights
//! (`interpolate`), and a last one hands the model over (`emit`). n-grams are integers (`key`)
//! in sorted tables (`table`) on tapes that spill to disk (`tape`). Every step works on all cores
//! and none of its results depends on their number or on the memory it may use.

mod adjust;
mod corpus;
mod count;
mod discount;
mod emit;
mod interpolate;
mod key;
mod read;
mod table;
mod tape;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use adjust::Adjuster;
use corpus::{Corpus, SYMBOLS, Text};
use count::Counter;
use discount::Discounts;
use emit::Emitter;
use interpolate::Interpolator;
use key::{Key, Packing, Wide};
use table::gather;
use tape::Space;

pub use read::Symbols;

use super::{MAX_ORDER, NgramSink};
use crate::{Error, Monitor, Result};

/// What is not the estimator's data: code, stacks, buffers, an interpreter around it.
const OVERHEAD: u64 = 64 << 20;

/// Texts with fewer tokens are not worth parts of their own.
const PART: u64 = 1 << 15;
const MOST_PARTS: usize = 64;

/// What a model is to be like.
#[derive(Debug, Clone)]
pub struct Options {
    pub order: usize,
    /// Bytes the process may take. The vocabulary must fit; everything else adapts.
    pub memory: u64,
    /// n-grams of length n seen `prune[n - 1]` times or less are dropped; the last value goes
    /// for all longer ones, and no value means none.
    pub prune: Vec<u64>,
    /// Words to keep, the most frequent first; all others become `<unk>`.
    pub vocabulary_limit: Option<usize>,
    pub symbols: Symbols,
    pub boundaries: Boundaries,
    /// Where temporary files go; the system's choice if None.
    pub temp: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            order: 5,
            memory: 2 << 30,
            prune: Vec::new(),
            vocabulary_limit: None,
            symbols: Symbols::Refuse,
            boundaries: Boundaries::default(),
            temp: None,
        }
    }
}

/// What stands before and after the words of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Boundaries {
    pub begin: Begin,
    /// Whether `</s>` is predicted after the last word.
    pub end: bool,
}

impl Default for Boundaries {
    fn default() -> Self {
        Boundaries { begin: Begin::Marker, end: true }
    }
}

/// What the first words of a sentence are predicted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// From `<s>`.
    Marker,
    /// From the first word itself, which is given and never predicted. An n-gram that begins
    /// with it keeps its count, as one that begins with `<s>` does. Empty sentences count for
    /// nothing.
    FirstWord,
}

/// What was estimated.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    pub sentences: u64,
    pub words: u64,
    /// Distinct words, with `<unk>`, `<s>` and `</s>`.
    pub vocabulary: usize,
    /// n-grams of each length, and how many pruning left.
    pub counts: Vec<u64>,
    pub kept: Vec<u64>,
    /// D₁, D₂, D₃₊ of each length.
    pub discounts: Vec<[f64; 3]>,
    /// Lengths for which the text gave no discounts, so that fixed ones were taken.
    pub fallback: Vec<usize>,
}

/// Takes a text, sentence by sentence or file by file, and gives a model.
pub struct Estimator {
    options: Options,
    prune: Vec<u64>,
    space: Arc<Space>,
    corpus: Corpus,
}

impl Estimator {
    pub fn new(options: Options) -> Result<Self> {
        let prune = thresholds(&options)?;
        let directory = options.temp.clone().unwrap_or_else(std::env::temp_dir);
        let space = Space::new(&directory, usable(options.memory) * 2 / 5);
        if options.temp.is_some() {
            space.check()?;
        }
        let corpus = Corpus::new(&space);
        Ok(Estimator { options, prune, space, corpus })
    }

    /// Adds one sentence.
    pub fn sentence<'w>(&mut self, words: impl IntoIterator<Item = &'w str>) -> Result<()> {
        for word in words {
            let number = self.corpus.number(word)?;
            match SYMBOLS.get(number as usize) {
                None => self.corpus.push(number)?,
                Some(_) if self.options.symbols == Symbols::Skip => {}
                Some(symbol) => {
                    return Err(Error::setting(format!("\"{symbol}\" as a word of a sentence")));
                }
            }
        }
        self.corpus.end_sentence()
    }

    /// Adds one sentence per line of a file: words stand between spaces or tabs.
    pub fn read(&mut self, path: &Path, monitor: &Monitor) -> Result<()> {
        read::read(&mut self.corpus, path, self.options.symbols, monitor)
    }

    /// Estimates the model of all that was added, and hands it to `sink`.
    pub fn estimate(self, sink: &mut dyn NgramSink, monitor: &Monitor) -> Result<Report> {
        let text = self.corpus.finish(self.options.vocabulary_limit);
        if text.sentences == 0 {
            return Err(Error::setting("no sentences to estimate a language model from"));
        }
        let packing = Packing::of(text.vocabulary.len());
        let model = Estimation { options: &self.options, prune: &self.prune, space: &self.space };
        match packing.span(self.options.order) {
            ..=64 => model.run::<u64>(text, packing, sink, monitor),
            65..=128 => model.run::<u128>(text, packing, sink, monitor),
            _ => model.run::<Wide>(text, packing, sink, monitor),
        }
    }
}

/// The estimator's steps, once the text is complete.
struct Estimation<'a> {
    options: &'a Options,
    prune: &'a [u64],
    space: &'a Arc<Space>,
}

impl Estimation<'_> {
    fn run<K: Key>(
        &self,
        text: Text,
        packing: Packing,
        sink: &mut dyn NgramSink,
        monitor: &Monitor,
    ) -> Result<Report> {
        let order = self.options.order;
        let Boundaries { begin, .. } = self.options.boundaries;
        let sorting = usable(self.options.memory).saturating_sub(text.memory) * 2 / 5;
        let (read, _) = monitor.progress();
        monitor.expect(read + 5 * text.tokens());
        let counter = Counter {
            text: &text,
            order,
            packing,
            boundaries: self.options.boundaries,
            space: self.space,
            memory: sorting,
        };
        let tables = gather(counter.count::<K>(monitor)?, self.space, monitor)?;
        self.space.give(sorting / 2);
        let adjuster = Adjuster {
            order,
            packing,
            begin,
            prune: self.prune,
            words: text.vocabulary.len(),
            largest: text.tokens(),
            space: self.space,
        };
        let adjusted = adjuster.adjust(&tables, &bounds(&text, order), monitor)?;
        drop(tables);
        let longer: u64 = adjusted.counts[1..].iter().map(|counts| counts.total).sum();
        if adjusted.unigrams.iter().all(|&count| count == 0) {
            return Err(Error::setting("no words to predict in the text"));
        }
        monitor.expect(monitor.progress().0 + 2 * longer);
        let discounts: Vec<Discounts> = adjusted.counts.iter().map(Discounts::of).collect();
        let interpolator = Interpolator {
            order,
            packing,
            discounts: &discounts,
            space: self.space,
            memory: sorting / 2,
        };
        let estimates = interpolator.interpolate(&adjusted, monitor)?;
        let emitter = Emitter {
            text: &text,
            order,
            packing,
            begin,
            adjusted: &adjusted,
            estimates: &estimates,
        };
        emitter.emit(sink, monitor)?;
        let fallback = |&n: &usize| discounts[n - 1].fallback;
        let report = Report {
            sentences: text.sentences,
            words: text.words,
            vocabulary: text.vocabulary.len(),
            counts: adjusted.counts.iter().map(|counts| counts.total).collect(),
            kept: emitter.counts(),
            discounts: discounts.iter().map(|discounts| discounts.amounts).collect(),
            fallback: (1..=order).filter(fallback).collect(),
        };
        // What the sink still has to do may take memory of its own.
        drop((text, adjusted, estimates));
        sink.finish()?;
        Ok(report)
    }
}

/// Memory for data.
fn usable(memory: u64) -> u64 {
    memory.saturating_sub(OVERHEAD).max(memory / 8)
}

/// Words at which to cut the n-grams into parts of about equal size by the last word of their
/// context.
fn bounds(text: &Text, order: usize) -> Vec<u32> {
    let parts = (4 * rayon::current_num_threads()).min(MOST_PARTS) as u64;
    let size = (text.tokens() / parts).max(PART);
    let (mut bounds, mut sum) = (Vec::new(), 0);
    if order == 1 {
        return bounds;
    }
    for (word, &frequency) in text.frequencies.iter().enumerate() {
        if sum >= size {
            bounds.push(word as u32);
            sum = 0;
        }
        sum += frequency;
    }
    bounds
}

/// One threshold per order.
fn thresholds(options: &Options) -> Result<Vec<u64>> {
    let (order, prune) = (options.order, &options.prune);
    if !(1..=MAX_ORDER).contains(&order) {
        return Err(Error::setting(format!("order {order}: expected 1 to {MAX_ORDER}")));
    }
    if prune.len() > order {
        let given = prune.len();
        return Err(Error::setting(format!(
            "{given} pruning thresholds for a model of order {order}"
        )));
    }
    if prune.first().is_some_and(|&words| words > 0) {
        return Err(Error::setting(
            "the first pruning threshold, for single words, must be 0; limit the vocabulary instead",
        ));
    }
    if let Some(pair) = prune.windows(2).find(|pair| pair[1] < pair[0]) {
        let (first, second) = (pair[0], pair[1]);
        return Err(Error::setting(format!(
            "pruning thresholds must not fall with the order, but {second} follows {first}"
        )));
    }
    let last = prune.last().copied().unwrap_or(0);
    Ok((0..order).map(|n| prune.get(n).copied().unwrap_or(last)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lm::Entry;
    use crate::{Vocabulary, WordId, monitor};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// A model as a table from n-grams to entries, and a literal way to ask it.
    #[derive(Default, Debug, PartialEq)]
    struct Collected {
        words: Vec<String>,
        entries: BTreeMap<Vec<u32>, (f32, f32)>,
        finished: bool,
    }

    impl NgramSink for Collected {
        fn begin(&mut self, vocabulary: &Vocabulary, _counts: &[u64]) -> Result<()> {
            self.words = vocabulary.words().map(str::to_string).collect();
            Ok(())
        }

        fn ngram(&mut self, words: &[WordId], entry: Entry) -> Result<()> {
            let ngram = words.iter().map(|word| word.0).collect();
            assert_eq!(self.entries.insert(ngram, (entry.log10_prob, entry.log10_backoff)), None);
            Ok(())
        }

        fn finish(&mut self) -> Result<()> {
            self.finished = true;
            Ok(())
        }
    }

    impl Collected {
        fn prob(&self, context: &[u32], word: u32) -> f64 {
            let ngram: Vec<u32> = context.iter().copied().chain([word]).collect();
            if let Some(&(prob, _)) = self.entries.get(&ngram) {
                return 10_f64.powf(f64::from(prob));
            }
            let backoff = self.entries.get(context).map_or(0.0, |&(_, backoff)| backoff);
            10_f64.powf(f64::from(backoff)) * self.prob(&context[1..], word)
        }

        /// Σ p(w | context) over all words that can be predicted.
        fn sum(&self, context: &[u32]) -> f64 {
            let predicted =
                |&word: &u32| word != corpus::BEGIN && self.entries[&vec![word]].0 > -99.0;
            let words = (0..self.words.len() as u32).filter(predicted);
            words.map(|word| self.prob(context, word)).sum()
        }
    }

    fn estimate(
        sentences: &[Vec<String>],
        options: &Options,
        threads: usize,
    ) -> Result<(Collected, Report)> {
        let mut estimator = Estimator::new(options.clone())?;
        for sentence in sentences {
            estimator.sentence(sentence.iter().map(String::as_str))?;
        }
        let mut model = Collected::default();
        let monitor = Monitor::default();
        let pool = monitor::pool(threads)?;
        let report = pool.install(|| estimator.estimate(&mut model, &monitor))?;
        assert!(model.finished);
        Ok((model, report))
    }

    fn sentences() -> impl Strategy<Value = Vec<Vec<String>>> {
        let word = prop_oneof!["[a-c]", "[a-z]"];
        prop::collection::vec(prop::collection::vec(word, 0..8), 1..60)
    }

    fn boundaries() -> impl Strategy<Value = Boundaries> {
        let begin = prop::sample::select(vec![Begin::Marker, Begin::FirstWord]);
        (begin, prop::bool::ANY).prop_map(|(begin, end)| Boundaries { begin, end })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn probabilities_sum_to_one_whatever_the_text(
            sentences in sentences(),
            order in 1_usize..=6,
            prune in prop::sample::select(vec![vec![], vec![0, 1], vec![0, 0, 2], vec![0, 1, 3]]),
            vocabulary_limit in prop::sample::select(vec![None, Some(1), Some(4)]),
            boundaries in boundaries(),
        ) {
            let prune = prune.into_iter().take(order).collect();
            let options =
                Options { order, prune, vocabulary_limit, boundaries, ..Options::default() };
            let Ok((model, report)) = estimate(&sentences, &options, 1) else {
                // Sentences whose only words are given leave nothing to predict.
                let most = sentences.iter().map(Vec::len).max().unwrap_or(0);
                prop_assert!(!boundaries.end && most < 2 || most == 0);
                return Ok(());
            };
            prop_assert_eq!(report.kept.iter().sum::<u64>(), model.entries.len() as u64);
            let contexts = model.entries.keys().filter(|ngram| ngram.len() < order);
            for context in contexts.chain([&vec![]]) {
                let sum = model.sum(context);
                prop_assert!((sum - 1.0).abs() < 1e-5, "{context:?} {sum}");
            }
        }

        #[test]
        fn memory_and_threads_change_nothing(
            sentences in sentences(),
            order in 1_usize..=6,
            repeats in 1_usize..400,
        ) {
            let sentences: Vec<_> = sentences.iter().cycle().take(sentences.len() * repeats).cloned().collect();
            let options = |memory| Options { order, memory, ..Options::default() };
            let expected = estimate(&sentences, &options(1 << 30), 1)?;
            for threads in [1, 3] {
                prop_assert_eq!(&estimate(&sentences, &options(0), threads)?, &expected);
            }
        }
    }

    #[test]
    fn the_width_of_keys_changes_nothing() {
        let text = ["a b a c", "b a", "", "c c a b"];
        let run = |width: u32| {
            let mut estimator = Estimator::new(Options { order: 3, ..Options::default() }).unwrap();
            for line in text {
                estimator.sentence(line.split_terminator(' ')).unwrap();
            }
            let Estimator { options, prune, space, corpus } = estimator;
            let text = corpus.finish(None);
            let packing = Packing::of(text.vocabulary.len());
            let model = Estimation { options: &options, prune: &prune, space: &space };
            let (mut sink, monitor) = (Collected::default(), Monitor::default());
            let report = match width {
                64 => model.run::<u64>(text, packing, &mut sink, &monitor),
                128 => model.run::<u128>(text, packing, &mut sink, &monitor),
                _ => model.run::<Wide>(text, packing, &mut sink, &monitor),
            };
            (sink, report.unwrap())
        };
        assert_eq!(run(64), run(128));
        assert_eq!(run(64), run(256));
    }

    #[test]
    fn what_cannot_be_estimated_is_refused() {
        let message = |options: Options| match Estimator::new(options) {
            Ok(_) => panic!("accepted"),
            Err(error) => error.to_string(),
        };
        let with =
            |order, prune: &[u64]| Options { order, prune: prune.to_vec(), ..Options::default() };
        assert!(message(with(0, &[])).contains("expected 1 to 6"));
        assert!(message(with(7, &[])).contains("expected 1 to 6"));
        assert!(message(with(2, &[0, 1, 1])).contains("3 pruning thresholds"));
        assert!(message(with(3, &[1])).contains("must be 0"));
        assert!(message(with(3, &[0, 2, 1])).contains("1 follows 2"));
        let error = estimate(&[], &with(3, &[]), 1).unwrap_err().to_string();
        assert!(error.starts_with("no sentences"), "{error}");
    }

    #[test]
    fn a_given_first_word_keeps_the_counts_of_what_follows() {
        let text = ["h a", "h a", "h b", "g a"];
        let sentences: Vec<Vec<String>> =
            text.iter().map(|line| line.split(' ').map(str::to_string).collect()).collect();
        let boundaries = Boundaries { begin: Begin::FirstWord, end: false };
        let options = Options { order: 2, boundaries, ..Options::default() };
        let (model, _) = estimate(&sentences, &options, 1).unwrap();
        let number =
            |word: &str| model.words.iter().position(|known| known == word).unwrap() as u32;
        // Fallback discounts: p(a | h) = (2 − 1)/3 + (1 + ½)/3 · p(a), and
        // p(a) = (2 − 1)/3 + (1 + ½)/3 · 1/3 over a, b and <unk>.
        let unigram = 1.0 / 3.0 + 0.5 / 3.0;
        let expected = 1.0 / 3.0 + 0.5 * unigram;
        assert!((model.prob(&[number("h")], number("a")) - expected).abs() < 1e-6);
        for given in ["h", "g", "<s>", "</s>"] {
            assert_eq!(model.entries[&vec![number(given)]].0, -99.0);
        }
    }
}
