use std::path::PathBuf;
use std::sync::Arc;

use headway_core::extract::Corpus;
use headway_core::phrasedep::{self as core, Listed, Options};
use pyo3::prelude::*;

use crate::classes::WordClasses;
use crate::errors::raise;
use crate::watch::watch;

/// A parent (None is the root), a child, whether the child is left, how often it was seen, and
/// logs of its probability and of its lexical weight.
type Row = (Option<String>, String, bool, u32, f32, f32);

/// The phrase dependencies of a file.
#[pyclass(module = "headway.phrasedep", frozen)]
pub struct PhraseDependencies {
    pub core: Arc<core::PhraseDependencies>,
}

#[pymethods]
impl PhraseDependencies {
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let core = py.detach(|| core::PhraseDependencies::open(&path)).map_err(raise)?;
        Ok(PhraseDependencies { core: Arc::new(core) })
    }

    fn verify(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.core.verify()).map_err(raise)
    }

    /// Bytes of the file.
    #[getter]
    fn size(&self) -> u64 {
        self.core.size()
    }

    /// Phrases and dependencies, of words and then of clusters.
    #[getter]
    fn counts(&self) -> [[usize; 2]; 2] {
        self.core.counts()
    }

    /// Logs of phrase, lexical, and both over clusters; None where unseen.
    fn scores(&self, parent: Option<&str>, child: &str, left: bool) -> [Option<f32>; 4] {
        let key = |phrase: &str| self.core.phrase(&words(phrase));
        self.core.scores(parent.map(key).as_ref(), &key(child), left)
    }

    /// Of all ordered pairs of these phrases, in both directions: how many there are, and how many
    /// were seen as words and as clusters.
    fn coverage(&self, py: Python<'_>, phrases: Vec<String>) -> (usize, usize, usize) {
        py.detach(|| {
            let keys: Vec<_> = phrases.iter().map(|one| self.core.phrase(&words(one))).collect();
            let (mut all, mut by_words, mut by_clusters) = (0, 0, 0);
            for parent in &keys {
                for child in &keys {
                    for left in [true, false] {
                        let [phrase, _, clusters, _] = self.core.scores(Some(parent), child, left);
                        all += 1;
                        by_words += usize::from(phrase.is_some());
                        by_clusters += usize::from(clusters.is_some());
                    }
                }
            }
            (all, by_words, by_clusters)
        })
    }

    fn most_frequent(
        &self,
        py: Python<'_>,
        many: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Row>> {
        let listed = watch(py, 1, progress, |monitor| self.core.most_frequent(many, monitor))?;
        Ok(listed.into_iter().map(row).collect())
    }

    fn children(&self, py: Python<'_>, parent: Option<&str>, left: bool, many: usize) -> Vec<Row> {
        let parent = parent.map(words);
        let listed = py.detach(|| self.core.children(parent.as_deref(), left, many));
        listed.into_iter().map(row).collect()
    }
}

fn words(phrase: &str) -> Vec<&str> {
    phrase.split_whitespace().collect()
}

fn row(listed: Listed) -> Row {
    let Listed { parent, child, left, count, probability, lexical } = listed;
    (parent, child, left, count, probability, lexical)
}

/// Pairs, pairs skipped, pairs without a tree, trees with cycles; phrases of words and of
/// clusters; dependencies of words and of clusters.
type Report = (u64, u64, u64, u64, [u64; 2], [u64; 2]);

/// Extracts the phrase dependencies of aligned text with trees into a file.
#[pyfunction]
#[pyo3(signature = (
    source, target, alignments, trees, classes, output, length, sentence_length, memory, temp,
    threads, progress,
))]
pub fn extract_phrase_dependencies(
    py: Python<'_>,
    source: PathBuf,
    target: PathBuf,
    alignments: Vec<PathBuf>,
    trees: PathBuf,
    classes: &WordClasses,
    output: PathBuf,
    length: usize,
    sentence_length: usize,
    memory: u64,
    temp: Option<PathBuf>,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Report> {
    let options = Options { phrase_length: length, sentence_length, memory, temp };
    let corpus = Corpus { source, target, alignments, trees: Some(trees) };
    let classes = &classes.core;
    let found = watch(py, threads, progress, |monitor| {
        core::extract(&corpus, classes, &options, &output, monitor)
    })?;
    let core::Report { pairs, skipped, treeless, cyclic, phrases, dependencies, .. } = found;
    Ok((pairs, skipped, treeless, cyclic, phrases, dependencies))
}
