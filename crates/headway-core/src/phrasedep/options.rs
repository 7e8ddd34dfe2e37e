//! What is extracted, and within which limits.

use std::path::PathBuf;

use crate::scratch::Scratch;
use crate::{Error, Result};

const LONGEST_PHRASE: usize = 200;
const LONGEST_SENTENCE: usize = 10_000;
const LEAST_MEMORY: u64 = 16 << 20;
/// What the program and its vocabularies take beside what is sorted.
const PROGRAM: u64 = 64 << 20;

#[derive(Debug, Clone)]
pub struct Options {
    /// Words on either side of the phrase pairs whose target sides are parents and children.
    pub phrase_length: usize,
    /// Pairs with a longer side give no phrases, and are counted.
    pub sentence_length: usize,
    /// Bytes to work in; what does not fit goes by way of the disk.
    pub memory: u64,
    /// Where unnamed temporary files are made; None is the system's place.
    pub temp: Option<PathBuf>,
}

impl Options {
    pub fn check(&self) -> Result<()> {
        within("max_length", self.phrase_length, LONGEST_PHRASE)?;
        within("max_sentence_length", self.sentence_length, LONGEST_SENTENCE)?;
        if self.memory < LEAST_MEMORY {
            return Err(Error::setting("memory: too little to work with; give at least 16M"));
        }
        Ok(())
    }

    /// Bytes for what is sorted.
    pub fn sorting(&self) -> u64 {
        self.memory.saturating_sub(PROGRAM).max(self.memory / 2)
    }

    pub fn scratch(&self) -> Scratch {
        Scratch::new(self.temp.as_deref().unwrap_or(&std::env::temp_dir()))
    }
}

fn within(name: &str, value: usize, most: usize) -> Result<()> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    Err(Error::setting(format!("phrasedep.{name} {value}: expected 1 to {most}")))
}
