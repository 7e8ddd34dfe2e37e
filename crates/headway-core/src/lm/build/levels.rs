//! All n-grams of a model by length, each length sorted, ready to be laid out in a file.
//!
//! Layouts find an n-gram from its context (all words but the last), and look longer ones up
//! only after finding the n-gram without its first word. Models of some toolkits lack such
//! parts after pruning; they are put in as blanks, which score as if they were not there.

use std::path::PathBuf;

use super::close::close;
use super::gram::{Gram, Values};
use super::sort::{Sorted, Sorter};
use super::spool::Spool;
use crate::lm::table::{Info, Layout};
use crate::lm::{Entry, MAX_ORDER, NgramSink};
use crate::{Error, Monitor, Result, Vocabulary, WordId};

/// What an unknown word scores in a model without `<unk>`; the same as with KenLM.
const UNKNOWN_LOG10_PROB: f32 = -100.0;

/// Where and in how much memory a model is built.
#[derive(Debug, Clone)]
pub struct Workspace {
    /// For temporary files.
    pub directory: PathBuf,
    /// Bytes of memory to use, roughly.
    pub memory: usize,
}

impl Workspace {
    /// What one of the several sequences that are held at once may take.
    pub(super) fn share(&self) -> usize {
        self.memory / 8
    }

    pub(in crate::lm) fn sorter<R: bytemuck::Pod + Ord + Send>(&self) -> Sorter<R> {
        Sorter::new(&self.directory, self.share())
    }

    pub(super) fn spool<R: bytemuck::Pod>(&self) -> Spool<R> {
        Spool::new(&self.directory, self.share())
    }
}

impl Default for Workspace {
    fn default() -> Self {
        Workspace { directory: std::env::temp_dir(), memory: 4 << 30 }
    }
}

/// Collects a model from a source.
pub struct Collector {
    workspace: Workspace,
    vocabulary: Vocabulary,
    orders: usize,
    sorter: Sorter<Gram>,
    raw: Vec<Sorted<Gram>>,
    repeated: Option<Vec<WordId>>,
}

/// The levels of a model, complete with blanks and marks.
pub struct Levels {
    pub vocabulary: Vocabulary,
    /// n-grams of each length that the source has.
    pub counts: Vec<u64>,
    pub(super) grams: Vec<Spool<Gram>>,
    pub(super) workspace: Workspace,
}

impl Levels {
    /// What the description of the model says whatever its layout.
    pub(super) fn describe(&self, layout: Layout) -> Result<Info> {
        let mut info = Info::new(layout, self.counts.len());
        info.words = self.vocabulary.len() as u64;
        info.begin = self.marker("<s>")?;
        info.end = self.marker("</s>")?;
        info.unknown = self.unknown().map_or(info.words, |id| u64::from(id.0));
        for (index, level) in self.grams.iter().enumerate() {
            (info.counts[index], info.stored[index]) = (self.counts[index], level.len());
        }
        Ok(info)
    }

    fn marker(&self, word: &str) -> Result<u64> {
        let id = self.vocabulary.get(word).map(|id| u64::from(id.0));
        id.ok_or_else(|| {
            Error::setting(format!("the model has no 1-gram {word}; sentences cannot be scored"))
        })
    }

    fn unknown(&self) -> Option<WordId> {
        self.vocabulary.get("<unk>").or_else(|| self.vocabulary.get("<UNK>"))
    }

    /// What a word scores that the model does not know.
    pub(super) fn unknown_values(&self) -> Result<Values> {
        let Some(id) = self.unknown() else { return Ok(Values::unknown(UNKNOWN_LOG10_PROB)) };
        let found = self.grams[0].range(u64::from(id.0)..u64::from(id.0) + 1).next()?;
        Ok(found.map_or_else(|| Values::unknown(UNKNOWN_LOG10_PROB), |gram| gram.values))
    }
}

impl Collector {
    pub fn new(workspace: Workspace) -> Self {
        let (vocabulary, sorter) = (Vocabulary::default(), workspace.sorter());
        Collector { workspace, vocabulary, orders: 0, sorter, raw: Vec::new(), repeated: None }
    }

    /// What was collected, once the source has finished.
    pub fn levels(&mut self, monitor: &Monitor) -> Result<Levels> {
        let raw = std::mem::take(&mut self.raw);
        let counts: Vec<u64> = raw.iter().map(Sorted::len).collect();
        let mut grams: Vec<Spool<Gram>> = Vec::new(); // longest first
        for (index, raw) in raw.into_iter().enumerate().rev() {
            monitor.check()?;
            let closed = close(&raw, index + 1, grams.last(), &self.workspace)?;
            let level = closed.map_err(|words| self.found_twice(&words[..=index]))?;
            if level.len() >= u64::from(u32::MAX) - 1 {
                let order = index + 1;
                return Err(Error::setting(format!(
                    "more {order}-grams than 2^32; prune the model"
                )));
            }
            grams.push(level);
        }
        grams.reverse();
        let vocabulary = std::mem::take(&mut self.vocabulary);
        if counts.first() != Some(&(vocabulary.len() as u64)) {
            return Err(Error::setting("a word of the model has no 1-gram"));
        }
        Ok(Levels { vocabulary, counts, grams, workspace: self.workspace.clone() })
    }

    /// The n-gram that was given twice, if that is why `levels` failed.
    pub fn repeated(&self) -> Option<&[WordId]> {
        self.repeated.as_deref()
    }

    fn found_twice(&mut self, words: &[u32]) -> Error {
        let words: Vec<WordId> = words.iter().map(|&id| WordId(id)).collect();
        let shown: Vec<&str> = words.iter().map(|&id| self.vocabulary.word(id)).collect();
        let error = format!("the {}-gram \"{}\" is given twice", words.len(), shown.join(" "));
        self.repeated = Some(words);
        Error::setting(error)
    }

    /// Ends the levels of n-grams shorter than `order`.
    fn enter(&mut self, order: usize) -> Result<()> {
        while self.raw.len() + 1 < order {
            let sorter = std::mem::replace(&mut self.sorter, self.workspace.sorter());
            self.raw.push(sorter.finish()?);
        }
        Ok(())
    }
}

impl NgramSink for Collector {
    fn begin(&mut self, vocabulary: &Vocabulary, counts: &[u64]) -> Result<()> {
        if counts.is_empty() || counts.len() > MAX_ORDER {
            let found = counts.len();
            return Err(Error::setting(format!("order {found}; models have 1 to {MAX_ORDER}")));
        }
        self.vocabulary = vocabulary.clone();
        self.orders = counts.len();
        Ok(())
    }

    fn ngram(&mut self, words: &[WordId], entry: Entry) -> Result<()> {
        self.enter(words.len())?;
        let in_turn = self.raw.len() + 1 == words.len() && words.len() <= self.orders;
        if !in_turn || words.iter().any(|word| word.index() >= self.vocabulary.len()) {
            return Err(Error::setting("n-grams must come shorter ones first, of known words"));
        }
        self.sorter.push(Gram::new(words, entry))
    }

    fn finish(&mut self) -> Result<()> {
        self.enter(self.orders + 1)
    }
}
