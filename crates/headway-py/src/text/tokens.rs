use headway_core::text;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyIterator, PyList, PyString};
use rustc_hash::FxHashMap;

use crate::errors::raise;
use crate::short::short_list;
use crate::watch::watch;

/// A text cut into tokens, with everything between them kept.
#[pyclass(module = "headway.corpus", frozen, eq, from_py_object)]
#[derive(Clone, PartialEq)]
pub struct Tokens {
    core: text::Tokens,
}

#[pymethods]
impl Tokens {
    /// Tokens from their words and what stands before each and after the last.
    #[new]
    fn new(words: Vec<String>, gaps: Vec<String>) -> PyResult<Self> {
        Ok(Tokens { core: text::Tokens::from_parts(&words, &gaps).map_err(raise)? })
    }

    /// The words, without what stands between them.
    #[getter]
    fn words(&self) -> Vec<&str> {
        self.core.words().collect()
    }

    /// What stands before each word, and after the last: one more than there are words.
    #[getter]
    fn gaps(&self) -> Vec<&str> {
        self.core.gaps().collect()
    }

    /// The text the tokens came from.
    #[getter]
    fn text(&self) -> &str {
        self.core.text()
    }

    /// Other words, equally many, with the same gaps: `tokens.with_words([w.lower() for w in tokens])`.
    fn with_words(&self, words: Vec<String>) -> PyResult<Self> {
        Tokens::new(words, self.core.gaps().map(str::to_string).collect())
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<&str> {
        let length = self.core.len() as isize;
        let place = if index < 0 { index + length } else { index };
        let span = usize::try_from(place).ok().and_then(|place| self.core.spans().get(place));
        match span {
            Some(&(start, end)) => Ok(&self.core.text()[start..end]),
            None => Err(PyIndexError::new_err(format!("no token {index} among {length}"))),
        }
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.core.words())?.try_iter()
    }

    fn __repr__(&self) -> String {
        format!("Tokens({})", short_list(&self.core.words().collect::<Vec<_>>()))
    }
}

/// Cuts text of one language into tokens, and puts tokens together.
#[pyclass(module = "headway.corpus", frozen)]
pub struct Tokeniser {
    pub core: text::Tokeniser,
}

#[pymethods]
impl Tokeniser {
    /// For a language by its code, or with rules for any language.
    #[new]
    #[pyo3(signature = (language = None, *, split_hyphens = false))]
    fn new(language: Option<&str>, split_hyphens: bool) -> PyResult<Self> {
        Ok(Tokeniser { core: text::Tokeniser::new(language, split_hyphens).map_err(raise)? })
    }

    /// The language code, without region; None for the rules for any language.
    #[getter]
    fn language(&self) -> Option<&str> {
        Some(self.core.language().code()).filter(|code| !code.is_empty())
    }

    /// One text as tokens.
    fn tokenise(&self, text: &str) -> Tokens {
        Tokens { core: self.core.tokenise(text) }
    }

    /// Many texts as tokens, on `threads` threads (0: one per core).
    #[pyo3(signature = (texts, *, threads = 0))]
    fn tokenise_all(
        &self,
        py: Python<'_>,
        texts: Vec<String>,
        threads: usize,
    ) -> PyResult<Vec<Tokens>> {
        let spans = watch(py, threads, None, |monitor| self.core.spans_all(&texts, monitor))?;
        let tokens =
            texts.into_iter().zip(spans).map(|(text, spans)| text::Tokens::new(text, spans));
        Ok(tokens.map(|core| Tokens { core }).collect())
    }

    /// The words of many texts, without what stands between them.
    #[pyo3(signature = (texts, *, threads = 0))]
    fn words<'py>(
        &self,
        py: Python<'py>,
        texts: Vec<PyBackedStr>,
        threads: usize,
    ) -> PyResult<Vec<Bound<'py, PyList>>> {
        let spans = watch(py, threads, None, |monitor| self.core.spans_all(&texts, monitor))?;
        // The same word is the same object: quicker to make, and much smaller to keep.
        let mut known: FxHashMap<&str, Bound<'py, PyString>> = FxHashMap::default();
        let mut word = |word| known.entry(word).or_insert_with(|| PyString::new(py, word)).clone();
        let lines = texts.iter().zip(&spans);
        lines
            .map(|(text, spans)| {
                PyList::new(py, spans.iter().map(|span| word(&text[span.0..span.1])))
            })
            .collect()
    }

    /// Words as running text by the rules of the language, for words whose gaps nobody knows.
    fn detokenise(&self, words: Vec<String>) -> String {
        text::detokenise(&words, self.core.language())
    }

    /// Lower case as the language has it.
    fn lowercase(&self, text: &str) -> String {
        self.core.language().lowercase(text)
    }

    fn __repr__(&self) -> String {
        match self.language() {
            Some(code) => format!("Tokeniser('{code}')"),
            None => "Tokeniser()".to_string(),
        }
    }
}
