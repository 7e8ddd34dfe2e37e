//! Handing a finished model to whoever keeps it.

use super::Begin;
use super::adjust::{Adjusted, Counted, Part};
use super::corpus::{BEGIN, Text};
use super::interpolate::Estimates;
use super::key::{Key, Packing};
use super::table::{Row, Union};
use super::tape::Tape;
use crate::lm::{Entry, NgramSink};
use crate::{Monitor, Result, WordId};

/// n-grams between two looks at the monitor.
const STEP: u64 = 1 << 14;

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
        sink.begin(&self.text.vocabulary, &self.counts())?;
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

    /// n-grams of each length.
    pub fn counts(&self) -> Vec<u64> {
        self.adjusted.counts.iter().map(|counts| counts.kept).collect()
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
        let mut words = vec![WordId(0); length];
        for (part, probs) in self.adjusted.parts.iter().zip(&self.estimates.probs) {
            let mut step = 0;
            let mut kept = Kept::new(part, &probs[length - 2], length)?;
            while let Some((ngram, log10_prob)) = kept.next()? {
                self.packing.unpack(ngram, &mut words);
                let log10_backoff = backoffs.of(ngram)?;
                sink.ngram(&words, Entry { log10_prob, log10_backoff })?;
                step += 1;
                if step == STEP {
                    monitor.advance(step)?;
                    step = 0;
                }
            }
            monitor.advance(step)?;
        }
        Ok(())
    }
}

/// The n-grams of one length that are kept, with their probabilities.
struct Kept<'a, K> {
    rows: super::table::Rows<'a, K>,
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
            let (values, _) = self.probs.from(self.next, &mut self.bytes)?.as_chunks::<4>();
            self.buffer.clear();
            self.buffer.extend(values.iter().map(|&value| f32::from_le_bytes(value)));
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
