use std::path::PathBuf;

use headway_core::WordId;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};

use crate::errors::raise;

/// Words to dense ids and back.
#[pyclass(module = "headway", eq, from_py_object)]
#[derive(Clone, PartialEq, Default)]
pub struct Vocabulary {
    core: headway_core::Vocabulary,
}

#[pymethods]
impl Vocabulary {
    /// A vocabulary of these words, numbered in order of first sight.
    #[new]
    #[pyo3(signature = (words = Vec::new()))]
    fn new(words: Vec<String>) -> Self {
        let mut vocabulary = Vocabulary::default();
        vocabulary.add(words);
        vocabulary
    }

    /// The ids of these words; new words get the next free numbers.
    fn add(&mut self, words: Vec<String>) -> Vec<u32> {
        words.iter().map(|word| self.core.add(word).0).collect()
    }

    /// The ids of these words, None where a word is unknown.
    fn ids(&self, words: Vec<String>) -> Vec<Option<u32>> {
        words.iter().map(|word| self.core.get(word).map(|id| id.0)).collect()
    }

    /// The words of these ids.
    fn words(&self, ids: Vec<u32>) -> PyResult<Vec<&str>> {
        ids.into_iter().map(|id| self.__getitem__(id)).collect()
    }

    /// Writes a file that `load` reads again.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.core.save(&path)).map_err(raise)
    }

    /// Reads a vocabulary that `save` wrote.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let core = py.detach(|| headway_core::Vocabulary::load(&path)).map_err(raise)?;
        Ok(Vocabulary { core })
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn __repr__(&self) -> String {
        format!("<Vocabulary of {} words>", self.core.len())
    }

    fn __contains__(&self, word: &str) -> bool {
        self.core.get(word).is_some()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyList::new(py, self.core.words().collect::<Vec<_>>())?.try_iter()
    }

    fn __getitem__(&self, id: u32) -> PyResult<&str> {
        if (id as usize) < self.core.len() {
            Ok(self.core.word(WordId(id)))
        } else {
            Err(PyIndexError::new_err(format!("no word {id} among {}", self.core.len())))
        }
    }
}
