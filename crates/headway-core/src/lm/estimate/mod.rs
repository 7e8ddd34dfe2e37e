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
mod options;
mod read;
mod steps;
mod table;
mod tape;

use std::path::Path;
use std::sync::Arc;

use corpus::{Corpus, SYMBOLS};
use key::{Packing, Wide};
use steps::Steps;
use tape::Space;

pub use options::{Begin, Boundaries, Options, Report};
pub use read::Symbols;

use super::NgramSink;
use crate::{Error, Monitor, Result};

/// What is not the estimator's data: code, stacks, buffers, an interpreter around it.
const OVERHEAD: u64 = 64 << 20;

/// Takes a text, sentence by sentence or file by file, and gives a model.
pub struct Estimator {
    options: Options,
    prune: Vec<u64>,
    space: Arc<Space>,
    corpus: Corpus,
}

impl Estimator {
    pub fn new(options: Options) -> Result<Self> {
        let prune = options.thresholds()?;
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
        let steps = Steps {
            options: &self.options,
            prune: &self.prune,
            space: &self.space,
            packing,
            sorting: usable(self.options.memory).saturating_sub(text.memory) * 2 / 5,
            monitor,
        };
        match packing.span(self.options.order) {
            ..=64 => steps.run::<u64>(text, sink),
            65..=128 => steps.run::<u128>(text, sink),
            _ => steps.run::<Wide>(text, sink),
        }
    }
}

/// Memory for data.
fn usable(memory: u64) -> u64 {
    memory.saturating_sub(OVERHEAD).max(memory / 8)
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
            let (mut sink, monitor) = (Collected::default(), Monitor::default());
            let steps = Steps {
                options: &options,
                prune: &prune,
                space: &space,
                packing,
                sorting: 1 << 20,
                monitor: &monitor,
            };
            let report = match width {
                64 => steps.run::<u64>(text, &mut sink),
                128 => steps.run::<u128>(text, &mut sink),
                _ => steps.run::<Wide>(text, &mut sink),
            };
            (sink, report.unwrap())
        };
        assert_eq!(run(64), run(128));
        assert_eq!(run(64), run(256));
    }

    #[test]
    fn little_memory_takes_few_threads() {
        let with = |memory| Options { memory, ..Options::default() };
        assert_eq!(with(1 << 20).threads(8), 1);
        assert_eq!(with(96 << 20).threads(2), 2);
        assert_eq!(with(96 << 20).threads(64), 4);
        assert_eq!(with(2 << 30).threads(64), 64);
        assert!(with(2 << 30).threads(0) >= 1);
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
