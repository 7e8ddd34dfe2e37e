use std::path::PathBuf;
use std::sync::Arc;

use headway_core::Monitor;
use headway_core::lm::{self, Boundaries, Layout, Piece};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::classes::WordClasses;
use crate::errors::raise;
use crate::watch::watch;

/// Logarithm, n-gram length, whether the word is unknown.
type ScoredWord = (f64, u8, bool);

/// Fewer sentences are scored at once, without threads or looks for Ctrl-C.
const FEW: usize = 64;

/// Natural logs of all words and of unknown ones, words, unknown words.
pub type Score = (f64, f64, u64, u64);

/// An n-gram model, in a mapped file or in memory.
#[pyclass(module = "headway._core", frozen)]
pub struct LanguageModel {
    pub core: Arc<lm::LanguageModel>,
}

/// What a model remembers of the words before; equal if all that follows scores alike.
#[pyclass(module = "headway.lm", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    core: lm::State,
    /// Which model it belongs to.
    model: usize,
}

/// Both ends of a part of a sentence; equal if no neighbour can tell the parts apart.
#[pyclass(module = "headway.lm", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ChartState {
    core: lm::ChartState,
    model: usize,
}

#[pymethods]
impl State {
    fn __len__(&self) -> usize {
        self.core.len()
    }
}

#[pymethods]
impl ChartState {
    /// Whether only the left words depend on what stands to the left of the part.
    #[getter]
    fn full(&self) -> bool {
        self.core.is_full()
    }

    /// The state behind the last word.
    #[getter]
    fn right(&self) -> State {
        State { core: *self.core.right(), model: self.model }
    }
}

pub fn layout(name: &str) -> PyResult<Layout> {
    match name {
        "hashed" => Ok(Layout::Hashed),
        "trie" => Ok(Layout::Trie),
        _ => Err(raise(headway_core::Error::setting(format!(
            "layout \"{name}\": expected hashed or trie"
        )))),
    }
}

#[pymethods]
impl LanguageModel {
    /// Opens a binary, in memory if asked, or reads an ARPA file into the layout named.
    #[staticmethod]
    fn load(
        py: Python<'_>,
        path: PathBuf,
        layout: &str,
        in_memory: bool,
        classes: Option<Py<WordClasses>>,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let layout = self::layout(layout)?;
        let model = watch(py, threads, progress, |monitor| {
            let model = lm::LanguageModel::load_as(&path, layout, monitor)?;
            let model = if in_memory { model.into_memory()? } else { model };
            Ok(match &classes {
                Some(classes) => model.by_class(&classes.get().core),
                None => model,
            })
        })?;
        Ok(LanguageModel { core: Arc::new(model) })
    }

    #[getter]
    fn order(&self) -> usize {
        self.core.order()
    }

    #[getter]
    fn counts(&self) -> Vec<u64> {
        self.core.counts().to_vec()
    }

    #[getter]
    fn layout(&self) -> &str {
        match self.core.layout() {
            Layout::Hashed => "hashed",
            Layout::Trie => "trie",
        }
    }

    /// Bits of probabilities and back-offs in a trie, from bigrams on.
    #[getter]
    fn value_bits(&self) -> Vec<(u64, u64)> {
        self.core.value_bits()
    }

    #[getter]
    fn size(&self) -> u64 {
        self.core.size()
    }

    #[getter]
    fn has_unknown(&self) -> bool {
        self.core.has_unknown()
    }

    #[getter]
    fn is_binary(&self) -> bool {
        self.core.is_binary()
    }

    /// Reads the whole file and compares checksums.
    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.core.verify()).map_err(raise)
    }

    /// All words, in the order of their ids.
    fn words(&self) -> Vec<String> {
        self.core.vocabulary().words().map(str::to_string).collect()
    }

    fn __len__(&self) -> usize {
        self.core.words()
    }

    fn __contains__(&self, word: &str) -> bool {
        self.core.word_id(word) != self.core.unknown()
            || self.core.word(self.core.unknown()) == Some(word)
    }

    /// The state after `<s>`, or after nothing.
    fn state(&self, begin: bool) -> State {
        let core = if begin { self.core.begin_state() } else { lm::State::default() };
        State { core, model: self.identity() }
    }

    /// The natural log of each word in turn, n-gram length, whether unknown; and the state behind.
    fn advance(
        &self,
        state: &State,
        words: Vec<PyBackedStr>,
    ) -> PyResult<(Vec<ScoredWord>, State)> {
        self.check(state.model)?;
        let mut core = state.core;
        let score = |word: &PyBackedStr| {
            let id = self.core.word_id(word);
            let score = self.core.score(&mut core, id);
            (score.log_prob(), score.length, id == self.core.unknown())
        };
        let scores = words.iter().map(score).collect();
        Ok((scores, State { core, model: state.model }))
    }

    /// The natural log of each word of a sentence, n-gram length, whether unknown.
    fn score_words(&self, sentence: &str, begin: bool, end: bool) -> Vec<ScoredWord> {
        let scores = self.core.score_words(sentence, Boundaries { begin, end });
        scores.into_iter().map(|(word, unknown)| (word.log_prob(), word.length, unknown)).collect()
    }

    /// The natural log of each sentence.
    fn score(
        &self,
        py: Python<'_>,
        sentences: Vec<PyBackedStr>,
        begin: bool,
        end: bool,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<f64>> {
        let scores = self.all(py, &sentences, Boundaries { begin, end }, threads, progress)?;
        Ok(scores.iter().map(lm::SentenceScore::log_prob).collect())
    }

    /// Each sentence in detail.
    fn score_parts(
        &self,
        py: Python<'_>,
        sentences: Vec<PyBackedStr>,
        begin: bool,
        end: bool,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Score>> {
        let scores = self.all(py, &sentences, Boundaries { begin, end }, threads, progress)?;
        Ok(scores.iter().map(parts).collect())
    }

    /// Joins words and parts; also the natural log of what that adds to the parts' own scores.
    fn join(&self, pieces: Vec<Bound<'_, PyAny>>, begin: bool) -> PyResult<(ChartState, f64)> {
        let pieces = pieces.iter().map(|piece| self.piece(piece)).collect::<PyResult<Vec<_>>>()?;
        let begin = begin.then_some(Piece::Begin).into_iter();
        let (core, score) = self.core.join(begin.chain(pieces.iter().map(OwnPiece::borrow)));
        Ok((ChartState { core, model: self.identity() }, score))
    }
}

enum OwnPiece {
    Word(headway_core::WordId),
    Part(lm::ChartState),
}

impl OwnPiece {
    fn borrow(&self) -> Piece<'_> {
        match self {
            OwnPiece::Word(word) => Piece::Word(*word),
            OwnPiece::Part(part) => Piece::Part(part),
        }
    }
}

pub fn parts(score: &lm::SentenceScore) -> Score {
    (score.log_prob(), score.log_unknown(), score.words, score.unknown)
}

impl LanguageModel {
    fn identity(&self) -> usize {
        Arc::as_ptr(&self.core).addr()
    }

    fn check(&self, model: usize) -> PyResult<()> {
        if model == self.identity() {
            return Ok(());
        }
        Err(PyValueError::new_err("a state of another model; states belong to their model"))
    }

    fn piece(&self, piece: &Bound<'_, PyAny>) -> PyResult<OwnPiece> {
        if let Ok(word) = piece.extract::<PyBackedStr>() {
            return Ok(OwnPiece::Word(self.core.word_id(&word)));
        }
        let Ok(part) = piece.cast::<ChartState>() else {
            let found = piece.get_type().name()?;
            let message = format!("expected words (str) and parts (ChartState), found {found}");
            return Err(PyTypeError::new_err(message));
        };
        self.check(part.get().model)?;
        Ok(OwnPiece::Part(part.get().core))
    }

    fn all(
        &self,
        py: Python<'_>,
        sentences: &[PyBackedStr],
        boundaries: Boundaries,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<lm::SentenceScore>> {
        if sentences.len() < FEW {
            let monitor = Monitor::default();
            let scores = self.core.score_sentences(sentences, boundaries, &monitor);
            return scores.map_err(raise);
        }
        watch(py, threads, progress, |monitor| {
            monitor.expect(sentences.len() as u64);
            self.core.score_sentences(sentences, boundaries, monitor)
        })
    }
}
