//! Drawing text from a model.
//!
//! A context either draws one of the words that follow it in n-grams of the model, or backs
//! off and takes a word that its own shorter context draws, again and again until it is none
//! of those (Kneser–Ney backs off as rarely as that repeats, so that both cost little).

mod draw;
mod random;

use rayon::prelude::*;

use super::build::{Collector, Workspace};
use super::model::{LanguageModel, Tables};
use super::table::Layout;
use crate::text::Output;
use crate::{Error, Monitor, Result, WordId};
use draw::Urns;
use random::Random;

/// Sentences that one thread draws at a time, and threads' turns between two writes.
const CHUNK: u64 = 512;
const CHUNKS: u64 = 32;

/// Words between two looks at whether to go on.
const STRIDE: usize = 1024;

/// A model that draws `<unk>` so often in a row has nothing else to say.
const MOST_IN_VAIN: usize = 1 << 20;

/// What to draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleOptions {
    /// The same seed draws the same text, whatever the number of threads.
    pub seed: u64,
    /// How many sentences at most.
    pub sentences: u64,
    /// Stop after the sentence that completes so many words; 0 is no limit.
    pub words: u64,
    /// Longer sentences are cut.
    pub longest: usize,
    /// Whether `<unk>` may be drawn; if not, another word is drawn in its place.
    pub unknown: bool,
}

/// A model made ready to draw from.
pub struct Sampler {
    model: LanguageModel,
    urns: Urns,
}

impl Sampler {
    /// Reads the whole model; one that is not a trie is first made into one.
    pub fn new(model: LanguageModel, monitor: &Monitor) -> Result<Self> {
        let model = as_trie(model, monitor)?;
        model.verify()?;
        let urns = match &model.tables {
            Tables::Trie(table) => Urns::new(table, &model),
            Tables::Hashed(_) => return Err(model.damaged("not a trie")),
        };
        Ok(Sampler { model, urns })
    }

    /// Writes sentences, one per line; answers how many, and their words.
    pub fn write(
        &self,
        options: &SampleOptions,
        out: &mut Output,
        monitor: &Monitor,
    ) -> Result<(u64, u64)> {
        monitor.expect(if options.words > 0 { options.words } else { options.sentences });
        let (mut sentences, mut words) = (0, 0);
        while sentences < options.sentences && (options.words == 0 || words < options.words) {
            let end = options.sentences.min(sentences + CHUNK * CHUNKS);
            for drawn in self.draw_many(sentences..end, options, monitor)? {
                for sentence in drawn {
                    if options.words > 0 && words >= options.words {
                        return Ok((sentences, words));
                    }
                    out.write_line(&self.line(&sentence))?;
                    sentences += 1;
                    words += sentence.len() as u64;
                    monitor.advance(if options.words > 0 { sentence.len() as u64 } else { 1 })?;
                }
            }
        }
        Ok((sentences, words))
    }

    /// The sentences of these numbers.
    pub fn sentences(
        &self,
        numbers: std::ops::Range<u64>,
        options: &SampleOptions,
        monitor: &Monitor,
    ) -> Result<Vec<String>> {
        let drawn = self.draw_many(numbers, options, monitor)?;
        Ok(drawn.into_iter().flatten().map(|sentence| self.line(&sentence)).collect())
    }

    fn draw_many(
        &self,
        numbers: std::ops::Range<u64>,
        options: &SampleOptions,
        monitor: &Monitor,
    ) -> Result<Vec<Vec<Vec<u32>>>> {
        let chunks = (numbers.end - numbers.start).div_ceil(CHUNK);
        let chunk = |index: u64| {
            let start = numbers.start + index * CHUNK;
            let end = numbers.end.min(start + CHUNK);
            (start..end).map(|number| self.draw(number, options, monitor)).collect()
        };
        (0..chunks).into_par_iter().map(chunk).collect()
    }

    /// Sentence number `number`: each has its own sequence of random numbers.
    fn draw(&self, number: u64, options: &SampleOptions, monitor: &Monitor) -> Result<Vec<u32>> {
        let mut random = Random::new(options.seed, number);
        let Tables::Trie(table) = &self.model.tables else { return Ok(Vec::new()) };
        let (end, unknown) = (self.model.end(), self.model.unknown());
        let mut state = self.model.begin_state();
        let mut sentence = Vec::new();
        let mut in_vain = 0;
        while sentence.len() < options.longest {
            if (sentence.len() + in_vain).is_multiple_of(STRIDE) {
                monitor.check()?;
            }
            let word = self.urns.draw(table, &state, &mut random);
            if word == end.0 {
                break;
            }
            if word == unknown.0 && !options.unknown {
                in_vain += 1;
                if in_vain == MOST_IN_VAIN {
                    let message = "draws hardly anything but <unk>; allow it with --unknown";
                    return Err(Error::model(self.model.path(), message));
                }
                continue;
            }
            in_vain = 0;
            self.model.score(&mut state, WordId(word));
            sentence.push(word);
        }
        Ok(sentence)
    }

    fn line(&self, sentence: &[u32]) -> String {
        let words = sentence.iter().map(|&id| self.model.word(WordId(id)).unwrap_or_default());
        words.collect::<Vec<_>>().join(" ")
    }
}

fn as_trie(model: LanguageModel, monitor: &Monitor) -> Result<LanguageModel> {
    if model.layout() == Layout::Trie {
        return Ok(model);
    }
    let mut collector = Collector::new(Workspace::default());
    model.emit(&mut collector, monitor)?;
    super::store::in_memory(&mut collector, model.path(), Layout::Trie, monitor)
}
