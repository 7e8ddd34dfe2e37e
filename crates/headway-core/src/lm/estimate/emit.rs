//! Handing a finished model to whoever keeps it.

use super::Begin;
use super::adjust::{Adjusted, Counted, Part};
use super::corpus::{BEGIN, Text};
use super::interpolate::Estimates;
use super::key::{Key, Packing};
use super::table::{Row, Rows, Union};
use super::tape::{Tape, quads};
use crate::lm::{Entry, NgramSink};
use crate::{Monitor, Result, WordId};

/// n-grams that go to the sink at once.
const BATCH: usize = 1 << 15;

/// What ARPA files say of words that are context only, such as `<s>` in most toolkits.
const NEVER: f32 = -99.0;

/// A model that is complete but lies in pieces.
pub struct Emitter<'a, K> {
    pub text: &'a Text,
    pub order: usize,
    pub packing: Packing,
    pub begin: Begin,
    pub adjusted: &'a Adjusted<K>,
    pub estimates: &'a Estimates<K>,
}

impl<K: Key> Emitter<'_, K> {
    /// Everything but the sink's `finish`.
    pub fn emit(&self, sink: &mut dyn NgramSink, monitor: &Monitor) -> Result<()> {
        sink.begin(&self.text.vocabulary, &self.adjusted.kept())?;
        for (word, &prob) in self.estimates.unigrams.iter().enumerate() {
            let entry = Entry {
                log10_prob: self.unigram(word, prob),
                log10_backoff: self.estimates.unigram_backoffs[word],
            };
            sink.ngram(&[WordId(word as u32)], entry)?;
        }
        for length in 2..=self.order {
            self.length(length, sink, monitor)?;
        }
        Ok(())
    }

    fn unigram(&self, word: usize, prob: f64) -> f32 {
        if prob > 0.0 {
            return prob.log10() as f32;
        }
        // KenLM lets `<s>` be scored like a word, as certain.
        let certain = word == BEGIN as usize && self.begin == Begin::Marker;
        if certain { 0.0 } else { NEVER }
    }

    fn length(&self, length: usize, sink: &mut dyn NgramSink, monitor: &Monitor) -> Result<()> {
        let none = Vec::new();
        let tables = self.estimates.backoffs.get(length - 2).unwrap_or(&none);
        let mut backoffs = BackoffCursor::new(Union::new(tables)?)?;
        let mut batch = Batch { length, words: Vec::new(), entries: Vec::new() };
        for (part, probs) in self.adjusted.parts.iter().zip(&self.estimates.probs) {
            let mut kept = Kept::new(part, &probs[length - 2], length)?;
            while let Some((ngram, log10_prob)) = kept.next()? {
                let log10_backoff = backoffs.of(ngram)?;
                self.packing.unpack(ngram, batch.push(Entry { log10_prob, log10_backoff }));
                if batch.entries.len() == BATCH {
                    batch.hand_over(sink, monitor)?;
                }
            }
        }
        batch.hand_over(sink, monitor)
    }
}

/// n-grams on their way to the sink.
struct Batch {
    length: usize,
    words: Vec<WordId>,
    entries: Vec<Entry>,
}

impl Batch {
    /// Adds an n-gram, whose words are to be filled in.
    fn push(&mut self, entry: Entry) -> &mut [WordId] {
        self.entries.push(entry);
        let start = self.words.len();
        self.words.resize(start + self.length, WordId(0));
        &mut self.words[start..]
    }

    fn hand_over(&mut self, sink: &mut dyn NgramSink, monitor: &Monitor) -> Result<()> {
        sink.ngrams(self.length, &self.words, &self.entries)?;
        monitor.advance(self.entries.len() as u64)?;
        self.words.clear();
        self.entries.clear();
        Ok(())
    }
}

/// The n-grams of one length that are kept, with their probabilities.
struct Kept<'a, K> {
    rows: Rows<'a, K>,
    probs: &'a Tape,
    next: u64,
    buffer: Vec<f32>,
    position: usize,
    bytes: Vec<u8>,
}

impl<'a, K: Key> Kept<'a, K> {
    fn new(part: &'a Part<K>, probs: &'a Tape, length: usize) -> Result<Self> {
        let rows = part.tables[length - 2].rows()?;
        Ok(Kept { rows, probs, next: 0, buffer: Vec::new(), position: 0, bytes: Vec::new() })
    }

    fn next(&mut self) -> Result<Option<(K, f32)>> {
        while let Some(row) = self.rows.head() {
            self.rows.advance()?;
            if !Counted::unpack(row.value).pruned {
                return Ok(Some((row.key, self.prob()?)));
            }
        }
        Ok(None)
    }

    fn prob(&mut self) -> Result<f32> {
        if self.position == self.buffer.len() {
            let values = quads(self.probs.from(self.next, &mut self.bytes)?);
            self.buffer.clear();
            self.buffer.extend(values.map(f32::from_le_bytes));
            self.next += self.buffer.len() as u64;
            self.position = 0;
        }
        self.position += 1;
        Ok(self.buffer.get(self.position - 1).copied().unwrap_or(NEVER))
    }
}

/// Back-off weights, asked for in the order of n-grams.
struct BackoffCursor<'a, K> {
    union: Union<'a, K>,
    head: Option<Row<K>>,
}

impl<'a, K: Key> BackoffCursor<'a, K> {
    fn new(mut union: Union<'a, K>) -> Result<Self> {
        let head = union.next()?;
        Ok(BackoffCursor { union, head })
    }

    /// 0 for n-grams that are no contexts.
    fn of(&mut self, ngram: K) -> Result<f32> {
        while let Some(row) = self.head {
            if row.key > ngram {
                break;
            }
            self.head = self.union.next()?;
            if row.key == ngram {
                return Ok(f32::from_bits(row.value as u32));
            }
        }
        Ok(0.0)
    }
}
