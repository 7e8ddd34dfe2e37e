//! A language model at hand: opened from a binary, or made from an ARPA file.

use std::path::Path;
use std::sync::Arc;

use super::query::{State, WordScore, score_word};
use super::store::{self, KIND};
use super::table::{Hashed, Info, Layout, Lexicon, Sections, Trie};
use crate::classes::WordClasses;
use crate::container::Container;
use crate::{Error, Monitor, Result, Vocabulary, WordId};

/// An n-gram model that answers.
pub struct LanguageModel {
    sections: Arc<Sections>,
    info: Info,
    lexicon: Lexicon,
    pub(super) tables: Tables,
    /// Where the words of the model are classes.
    classes: Option<ClassIds>,
}

/// The model's id of the class of each word.
struct ClassIds {
    words: Vocabulary,
    ids: Vec<WordId>,
}

pub(super) enum Tables {
    Hashed(Hashed),
    Trie(Trie),
}

/// Evaluates an expression with the table of a model, whichever layout it has.
macro_rules! with_table {
    ($model:expr, $table:ident => $answer:expr) => {
        match &$model.tables {
            $crate::lm::model::Tables::Hashed($table) => $answer,
            $crate::lm::model::Tables::Trie($table) => $answer,
        }
    };
}
pub(super) use with_table;

impl LanguageModel {
    /// Opens a binary (mapped, so at once and shared between processes) or reads an ARPA file.
    pub fn load(path: &Path, monitor: &Monitor) -> Result<Self> {
        Self::load_as(path, Layout::Hashed, monitor)
    }

    /// The same; an ARPA file is laid out in memory as asked.
    pub fn load_as(path: &Path, layout: Layout, monitor: &Monitor) -> Result<Self> {
        if store::is_binary(path)? {
            return Self::open(path);
        }
        store::from_arpa(path, layout, monitor)
    }

    /// Opens a binary.
    pub fn open(path: &Path) -> Result<Self> {
        Self::from_sections(Sections::File(Container::open(path, KIND)?))
    }

    /// The same with a mapped file read into memory: not shared with other processes, but in
    /// larger pages, in which look-ups are faster.
    pub fn into_memory(self) -> Result<Self> {
        match self.sections.as_ref() {
            Sections::File(container) => {
                let container = Container::open(container.path(), KIND)?;
                Self::from_sections(Sections::File(container.into_memory()?))
            }
            Sections::Memory { .. } => Ok(self),
        }
    }

    pub(super) fn from_sections(sections: Sections) -> Result<Self> {
        if cfg!(target_endian = "big") {
            return Err(Error::model(sections.path(), "models are read on little-endian machines"));
        }
        let sections = Arc::new(sections);
        let info = Info::open(&sections)?;
        let lexicon = Lexicon::open(&sections)?;
        if lexicon.len() as u64 != info.words {
            return Err(sections.damaged("the words are not as many as promised"));
        }
        let tables = match info.layout() {
            Layout::Hashed => Tables::Hashed(Hashed::open(&sections, &info)?),
            Layout::Trie => Tables::Trie(Trie::open(&sections, &info)?),
        };
        Ok(LanguageModel { sections, info, lexicon, tables, classes: None })
    }

    /// The same, asked about words where its own words are the numbers of classes.
    pub fn by_class(mut self, classes: &WordClasses) -> Self {
        let own = |class: &u32| self.word_id(&class.to_string());
        let ids = classes.of_words().iter().map(own).collect();
        self.classes = Some(ClassIds { words: classes.words().clone(), ids });
        self
    }

    /// The length of the longest n-grams.
    pub fn order(&self) -> usize {
        self.info.order()
    }

    /// n-grams of each length.
    pub fn counts(&self) -> &[u64] {
        self.info.counts()
    }

    pub fn layout(&self) -> Layout {
        self.info.layout()
    }

    /// Bits of probabilities and back-offs from length 2 on, in a trie.
    pub fn value_bits(&self) -> Vec<(u64, u64)> {
        let bits = self.info.prob_bits.iter().zip(&self.info.backoff_bits);
        bits.take(self.order()).skip(1).map(|(&prob, &backoff)| (prob, backoff)).collect()
    }

    /// Bytes of the file, or of memory for a model that was read from an ARPA file.
    pub fn size(&self) -> u64 {
        self.sections.size()
    }

    pub fn path(&self) -> &Path {
        self.sections.path()
    }

    /// Whether it is a binary file, not an ARPA file read into memory.
    pub fn is_binary(&self) -> bool {
        matches!(*self.sections, Sections::File(_))
    }

    /// Reads the whole file and compares checksums.
    pub fn verify(&self) -> Result<()> {
        self.sections.verify()
    }

    pub(super) fn damaged(&self, what: &str) -> Error {
        self.sections.damaged(what)
    }

    /// The word's id; that of unknown words if the model does not have it.
    #[inline]
    pub fn word_id(&self, word: &str) -> WordId {
        self.id_of_bytes(word.as_bytes())
    }

    #[inline]
    pub(super) fn id_of_bytes(&self, word: &[u8]) -> WordId {
        let found = match &self.classes {
            None => self.lexicon.get(word),
            Some(classes) => {
                let word = std::str::from_utf8(word).ok();
                word.and_then(|word| classes.words.get(word)).map(|id| classes.ids[id.index()])
            }
        };
        found.unwrap_or(self.unknown())
    }

    /// The text of a word; None if the model has no such id.
    pub fn word(&self, id: WordId) -> Option<&str> {
        self.lexicon.word(id)
    }

    /// The id of unknown words, which need not be a word of the model.
    #[inline]
    pub fn unknown(&self) -> WordId {
        WordId(self.info.unknown as u32)
    }

    /// Whether the model itself has `<unk>`.
    pub fn has_unknown(&self) -> bool {
        self.info.unknown < self.info.words
    }

    /// `<s>`
    pub fn begin(&self) -> WordId {
        WordId(self.info.begin as u32)
    }

    /// `</s>`
    pub fn end(&self) -> WordId {
        WordId(self.info.end as u32)
    }

    pub fn words(&self) -> usize {
        self.lexicon.len()
    }

    pub fn vocabulary(&self) -> Vocabulary {
        self.lexicon.vocabulary()
    }

    /// The state after `<s>`.
    pub fn begin_state(&self) -> State {
        let mut state = State::default();
        self.score(&mut state, self.begin());
        state
    }

    /// Scores `word` after `state`, which moves on over it.
    #[inline]
    pub fn score(&self, state: &mut State, word: WordId) -> WordScore {
        with_table!(self, table => score_word(table, state, word.0))
    }
}
