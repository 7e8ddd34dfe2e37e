use std::path::PathBuf;

use headway_core::classes;
use pyo3::prelude::*;

use crate::errors::raise;
use crate::watch::watch;

/// Which class each word is in.
#[pyclass(module = "headway._core", frozen)]
pub struct WordClasses {
    pub core: classes::WordClasses,
}

#[pymethods]
impl WordClasses {
    /// Finds classes in text, words between spaces.
    #[staticmethod]
    fn learn(
        py: Python<'_>,
        texts: Vec<PathBuf>,
        count: usize,
        rounds: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let how = classes::Learning { classes: count, rounds };
        let core =
            watch(py, 1, progress, |monitor| classes::WordClasses::learn(&texts, how, monitor))?;
        Ok(WordClasses { core })
    }

    /// Finds Brown clusters and their tree.
    #[staticmethod]
    fn learn_brown(
        py: Python<'_>,
        texts: Vec<PathBuf>,
        count: usize,
        min_count: u64,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let how = classes::Brown { classes: count, min_count };
        let core = watch(py, 1, progress, |monitor| {
            classes::WordClasses::learn_brown(&texts, how, monitor)
        })?;
        Ok(WordClasses { core })
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let core = py.detach(|| classes::WordClasses::read(&path)).map_err(raise)?;
        Ok(WordClasses { core })
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.core.write(&path)).map_err(raise)
    }

    /// Writes text with classes for words.
    fn rewrite(
        &self,
        py: Python<'_>,
        text: PathBuf,
        output: PathBuf,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        watch(py, 1, progress, |monitor| self.core.rewrite(&text, &output, monitor))
    }

    /// The class of a word; None of a word that has none.
    fn get(&self, word: &str) -> Option<u32> {
        self.core.class(word)
    }

    /// The place of a class in the tree of Brown clusters.
    fn path(&self, number: u32) -> Option<&str> {
        self.core.path(number)
    }

    /// All words with their classes.
    fn items(&self) -> Vec<(String, u32)> {
        let words = self.core.words().words().map(str::to_string);
        words.zip(self.core.of_words().iter().copied()).collect()
    }

    /// One more than the highest class.
    #[getter]
    fn count(&self) -> usize {
        self.core.count()
    }

    fn __len__(&self) -> usize {
        self.core.words().len()
    }

    fn __contains__(&self, word: &str) -> bool {
        self.core.class(word).is_some()
    }
}
