//! Counting n-grams: each thread sorts its stretch of the text into a table.

use std::sync::Arc;

use rayon::prelude::*;

use super::corpus::{BEGIN, END, Text};
use super::key::{Key, Packing};
use super::table::{Layout, Row, Table, TableWriter};
use super::tape::Space;
use super::{Begin, Boundaries};
use crate::{Monitor, Result};

/// Sorting cannot be interrupted: no stretch takes longer than a second or two.
const LONGEST: u64 = 16 << 20;
const SHORTEST: u64 = 1 << 14;

/// Tokens between two looks at the monitor.
const STEP: u64 = 1 << 16;

/// How a text becomes n-grams.
pub struct Counter<'a> {
    pub text: &'a Text,
    pub order: usize,
    pub packing: Packing,
    pub boundaries: Boundaries,
    pub space: &'a Arc<Space>,
    /// Bytes for what is being sorted, on all threads together.
    pub memory: u64,
}

impl Counter<'_> {
    /// Every n-gram of the highest order with its count, in several sorted tables. Where a
    /// sentence has not enough words before it, an n-gram is filled up with `<s>`.
    pub fn count<K: Key>(&self, monitor: &Monitor) -> Result<Vec<Table<K>>> {
        let threads = rayon::current_num_threads() as u64;
        let rows = self.memory / threads / size_of::<K>() as u64;
        let rows = rows.min(self.text.tokens().div_ceil(threads)).clamp(SHORTEST, LONGEST);
        let starts: Vec<u64> = (0..self.text.tokens()).step_by(rows as usize).collect();
        starts.par_iter().map(|&start| self.stretch(start, rows, monitor)).collect()
    }

    fn stretch<K: Key>(&self, start: u64, length: u64, monitor: &Monitor) -> Result<Table<K>> {
        let length = length.min(self.text.tokens() - start);
        let mut ngrams: Vec<K> = Vec::with_capacity(length as usize);
        let mut window = Window::<K>::new(self);
        // What stands before the stretch is the context of its first words.
        let before = start.min(self.order as u64);
        let mut seen = 0;
        window.first = start == before;
        self.text.visit(start - before, |token| {
            let ngram = window.ngram(token);
            ngrams.extend(ngram.filter(|_| seen >= before));
            seen += 1;
            if seen % STEP == 0 {
                monitor.check()?;
            }
            Ok(seen < before + length)
        })?;
        ngrams.sort_unstable();
        monitor.advance(length)?;
        self.table(&ngrams)
    }

    fn table<K: Key>(&self, sorted: &[K]) -> Result<Table<K>> {
        let layout = Layout::new(self.packing.span(self.order), self.text.tokens());
        let mut writer = TableWriter::new(self.space, layout);
        for equal in sorted.chunk_by(K::eq) {
            writer.push(Row { key: equal[0], value: equal.len() as u64 })?;
        }
        Ok(writer.finish())
    }
}

/// The words before the next one.
struct Window<K> {
    packing: Packing,
    boundaries: Boundaries,
    length: usize,
    start: K,
    context: K,
    /// True where a sentence begins.
    first: bool,
}

impl<K: Key> Window<K> {
    fn new(counter: &Counter<'_>) -> Self {
        let (packing, length) = (counter.packing, counter.order - 1);
        let start =
            (0..length).fold(K::default(), |context, _| packing.follow(context, BEGIN, length));
        let boundaries = counter.boundaries;
        Window { packing, boundaries, length, start, context: start, first: true }
    }

    /// The n-gram that ends in `token`, if that is a word to be predicted.
    fn ngram(&mut self, token: u32) -> Option<K> {
        let given = self.first && self.boundaries.begin == Begin::FirstWord;
        let ngram = self.packing.ngram(self.context, token);
        if token == END {
            self.context = self.start;
            self.first = true;
            return (self.boundaries.end && !given).then_some(ngram);
        }
        self.context = self.packing.follow(self.context, token, self.length);
        self.first = false;
        (!given).then_some(ngram)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WordId;
    use crate::lm::estimate::corpus::Corpus;
    use crate::lm::estimate::table::Union;
    use std::collections::BTreeMap;

    fn counts(order: usize, boundaries: Boundaries, memory: u64) -> BTreeMap<String, u64> {
        let space = Space::new(&std::env::temp_dir(), memory);
        let mut corpus = Corpus::new(&space);
        for sentence in ["a b a", "", "b"].iter().cycle().take(30_000) {
            for word in sentence.split_terminator(' ') {
                let number = corpus.number(word).unwrap();
                corpus.push(number).unwrap();
            }
            corpus.end_sentence().unwrap();
        }
        let text = corpus.finish(None);
        let packing = Packing::of(text.vocabulary.len());
        let counter = Counter { text: &text, order, packing, boundaries, space: &space, memory };
        let tables = counter.count::<u128>(&Monitor::default()).unwrap();
        assert!(tables.len() > 1 || memory > 0);
        let mut union = Union::new(&tables).unwrap();
        let mut found = BTreeMap::new();
        while let Some(row) = union.next().unwrap() {
            let mut words = vec![WordId(0); order];
            packing.unpack(row.key, &mut words);
            let words: Vec<&str> = words.iter().map(|&word| text.vocabulary.word(word)).collect();
            found.insert(words.join(" "), row.value);
        }
        found
    }

    fn expected(pairs: &[&str]) -> BTreeMap<String, u64> {
        pairs.iter().map(|ngram| (ngram.to_string(), 10_000)).collect()
    }

    #[test]
    fn ngrams_are_filled_up_and_counted_wherever_the_text_is_cut() {
        let trigrams = ["<s> <s> a", "<s> a b", "a b a", "b a </s>", "<s> <s> </s>", "<s> <s> b"];
        let trigrams: Vec<&str> = trigrams.into_iter().chain(["<s> b </s>"]).collect();
        for memory in [0, 1 << 30] {
            assert_eq!(counts(3, Boundaries::default(), memory), expected(&trigrams));
        }
        let unigrams = [("</s>", 30_000), ("a", 20_000), ("b", 20_000)];
        let unigrams = unigrams.map(|(word, count)| (word.to_string(), count));
        assert_eq!(counts(1, Boundaries::default(), 0), BTreeMap::from(unigrams));
    }

    #[test]
    fn the_first_word_may_stand_for_the_start() {
        let boundaries = Boundaries { begin: Begin::FirstWord, end: false };
        assert_eq!(counts(3, boundaries, 0), expected(&["<s> a b", "a b a"]));
        let boundaries = Boundaries { begin: Begin::FirstWord, end: true };
        assert_eq!(counts(2, boundaries, 0)["b </s>"], 10_000);
    }
}
