//! A model as a source: all its n-grams, sorted by the ids of their words.

use super::build::{Gram, Values, Workspace};
use super::model::{LanguageModel, Tables, with_table};
use super::table::{Hashed, Table, Trie};
use super::{MAX_ORDER, NgramSink};
use crate::{Monitor, Result, WordId};

/// n-grams between two looks at the monitor.
const STRIDE: u64 = 1 << 16;

impl LanguageModel {
    /// Hands the model to `sink`, after a check that the file is whole.
    pub fn emit(&self, sink: &mut dyn NgramSink, monitor: &Monitor) -> Result<()> {
        self.verify()?;
        sink.begin(&self.vocabulary(), self.counts())?;
        monitor.expect(self.counts().iter().sum());
        let mut emission = Emission { model: self, sink, monitor, emitted: 0 };
        for id in 0..self.words() as u32 {
            let values = with_table!(self, table => table.unigram(id));
            emission.push(&[WordId(id)], values)?;
        }
        for length in 2..=self.order() {
            match &self.tables {
                Tables::Hashed(table) => emission.hashed(table, length)?,
                Tables::Trie(table) => emission.trie(table, length)?,
            }
        }
        sink.finish()
    }
}

struct Emission<'a> {
    model: &'a LanguageModel,
    sink: &'a mut dyn NgramSink,
    monitor: &'a Monitor,
    emitted: u64,
}

impl Emission<'_> {
    /// Blanks stay out: no source has them.
    fn push(&mut self, words: &[WordId], values: Values) -> Result<()> {
        if words.iter().any(|word| word.index() >= self.model.words()) {
            return Err(self.model.damaged("an n-gram has a word that is none"));
        }
        self.emitted += 1;
        if self.emitted.is_multiple_of(STRIDE) {
            self.monitor.advance(STRIDE)?;
        }
        match values.entry() {
            Some(entry) => self.sink.ngram(words, entry),
            None => Ok(()),
        }
    }

    /// Entries lie in the order of hashes: they are sorted on the way.
    fn hashed(&mut self, table: &Hashed, length: usize) -> Result<()> {
        let mut sorter = Workspace::default().sorter();
        for (context, word, found) in table.entries(length) {
            let mut words = [0; MAX_ORDER];
            words[length - 1] = word;
            let mut place = context;
            for shorter in (2..length).rev() {
                let parts = table.parts(shorter, place);
                let parts = parts.ok_or_else(|| self.model.damaged("a context is missing"))?;
                (place, words[shorter - 1]) = parts;
            }
            words[0] = place;
            sorter.push(Gram { words, values: found.values })?;
        }
        let sorted = sorter.finish()?;
        let mut reader = sorted.reader()?;
        while let Some(gram) = reader.next()? {
            self.push(&gram.words.map(WordId)[..length], gram.values)?;
        }
        Ok(())
    }

    fn trie(&mut self, table: &Trie, length: usize) -> Result<()> {
        let mut words = [WordId(0); MAX_ORDER];
        for id in 0..self.model.words() as u32 {
            words[0] = WordId(id);
            self.descend(table, &mut words[..length], 1, id)?;
        }
        Ok(())
    }

    /// Emits what follows the context of length `known` at `place` to the depth of `words`.
    fn descend(
        &mut self,
        table: &Trie,
        words: &mut [WordId],
        known: usize,
        place: u32,
    ) -> Result<()> {
        for next in table.followers(known, place) {
            let (word, values) = table.row(known + 1, next);
            words[known] = WordId(word);
            if known + 1 == words.len() {
                self.push(words, values)?;
            } else {
                self.descend(table, words, known + 1, next)?;
            }
        }
        Ok(())
    }
}
