use std::path::PathBuf;

use headway_core::text::{self, Language, TruecaserCounts};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::watch::watch;

/// Gives words the case they usually have.
#[pyclass(module = "headway.corpus", frozen)]
pub struct Truecaser {
    pub core: text::Truecaser,
}

#[pymethods]
impl Truecaser {
    /// Learns from a file of tokenised text.
    #[staticmethod]
    #[pyo3(signature = (path, language = None, *, progress = None))]
    fn learn(
        py: Python<'_>,
        path: PathBuf,
        language: Option<&str>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let language = Language::new(language).map_err(raise)?;
        let core =
            watch(py, 1, progress, |monitor| text::Truecaser::learn(&path, language, monitor))?;
        Ok(Truecaser { core })
    }

    /// Learns from sentences at hand, each a list of words.
    #[staticmethod]
    #[pyo3(signature = (sentences, language = None))]
    fn learn_words(sentences: Vec<Vec<String>>, language: Option<&str>) -> PyResult<Self> {
        let mut counts = TruecaserCounts::new(Language::new(language).map_err(raise)?);
        for words in sentences {
            counts.add(&words.join(" "));
        }
        Ok(Truecaser { core: counts.finish() })
    }

    /// The words with sentence beginnings (and lines in capitals, if asked) in their usual case.
    #[pyo3(signature = (words, *, headlines = false))]
    fn apply(&self, words: Vec<String>, headlines: bool) -> Vec<String> {
        self.core.apply(&words, headlines)
    }

    /// The words with capitals where sentences begin: what `apply` took away.
    fn recase(&self, words: Vec<String>) -> Vec<String> {
        text::recase(&words, self.core.language())
    }

    /// The usual form of a word, None if it was never seen.
    fn form(&self, word: &str) -> Option<&str> {
        self.core.form(word)
    }

    /// Writes a file that `load` reads again.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.core.save(&path)).map_err(raise)
    }

    /// Reads what `save` wrote.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let core = py.detach(|| text::Truecaser::load(&path)).map_err(raise)?;
        Ok(Truecaser { core })
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn __repr__(&self) -> String {
        format!("<Truecaser of {} words>", self.core.len())
    }
}
