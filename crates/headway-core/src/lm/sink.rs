//! What passes between those who have the n-grams of a model (the estimator, the ARPA reader,
//! a model at hand) and those who keep them (the ARPA writer, the builders of binary models).

use crate::{Result, Vocabulary, WordId};

/// One n-gram as an ARPA file states it. Both values are base-10 logarithms and kept as they
/// are, so that a model passes through any number of files without change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    pub log10_prob: f32,
    /// 0 where the n-gram is no context of a longer one.
    pub log10_backoff: f32,
}

/// Takes a whole model: `begin`, then every n-gram with shorter ones before longer ones (in any
/// order among those of one length), then `finish`.
pub trait NgramSink {
    /// `counts[n - 1]` n-grams of length n will follow, over the words of `vocabulary`.
    fn begin(&mut self, vocabulary: &Vocabulary, counts: &[u64]) -> Result<()>;

    fn ngram(&mut self, words: &[WordId], entry: Entry) -> Result<()>;

    /// Many n-grams of one length at once, their words one after the other: for sinks that can
    /// do more with them on several threads.
    fn ngrams(&mut self, length: usize, words: &[WordId], entries: &[Entry]) -> Result<()> {
        for (ngram, &entry) in words.chunks_exact(length.max(1)).zip(entries) {
            self.ngram(ngram, entry)?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()>;
}
