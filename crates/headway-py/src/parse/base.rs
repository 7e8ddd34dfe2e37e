//! What the bindings of all parsers share.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use headway_core::Monitor;
use headway_core::parse::tag::names::fine_name;
use headway_core::parse::{self as core, TreeParser};
use headway_core::text::Tokeniser;
use headway_core::tree::conllu::Tags;
use pyo3::PyClass;
use pyo3::prelude::*;

use crate::errors::raise;
use crate::tree::{ConstituentTree, DependencyTree};
use crate::watch::watch;

/// A tree with its score and its probability.
pub type RankedTree = (DependencyTree, f64, f64);

/// What parsers of all kinds do: the base of their classes.
#[pyclass(module = "headway._core", name = "TreeParser", subclass, frozen)]
pub struct BaseParser {
    core: Arc<dyn TreeParser>,
}

/// A parser as an object of its own class; `class` gets the same parser as the base has.
pub fn object<P, C>(py: Python<'_>, parser: P, class: impl FnOnce(Arc<P>) -> C) -> PyResult<Py<C>>
where
    P: TreeParser + 'static,
    C: PyClass<BaseType = BaseParser>,
{
    let parser = Arc::new(parser);
    let base = BaseParser { core: Arc::clone(&parser) as Arc<dyn TreeParser> };
    Py::new(py, PyClassInitializer::from(base).add_subclass(class(parser)))
}

fn ranked(one: core::Ranked) -> RankedTree {
    (DependencyTree::from(one.tree), one.score, one.probability)
}

#[pymethods]
impl BaseParser {
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.core.save(&path)).map_err(raise)
    }

    /// The column of its tags: `upos` or `xpos`.
    #[getter]
    fn tags(&self) -> &'static str {
        if self.core.tags() == Tags::Upos { "upos" } else { "xpos" }
    }

    /// The tags of the words of a sentence.
    fn tag(&self, forms: Vec<String>) -> Vec<String> {
        self.core.tag(&forms)
    }

    /// The best trees of sentences, which errors count from `first` on.
    #[pyo3(signature = (sentences, threads = 0, progress = None, first = 1))]
    fn parse(
        &self,
        py: Python<'_>,
        sentences: Vec<Vec<String>>,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
        first: u64,
    ) -> PyResult<Vec<DependencyTree>> {
        let found = self.parse_with_coarse(py, sentences, threads, progress, first)?;
        Ok(found.into_iter().map(|(tree, _)| tree).collect())
    }

    /// The same, each tree with the tags of the column that it does not show: none if the parser
    /// knows one column only.
    #[pyo3(signature = (sentences, threads = 0, progress = None, first = 1))]
    fn parse_with_coarse(
        &self,
        py: Python<'_>,
        sentences: Vec<Vec<String>>,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
        first: u64,
    ) -> PyResult<Vec<(DependencyTree, Vec<String>)>> {
        let parse = |monitor: &Monitor| self.core.parse_all(&sentences, first, monitor);
        let found = watch(py, threads, progress, parse)?;
        Ok(found.into_iter().map(|(tree, coarse)| (DependencyTree::from(tree), coarse)).collect())
    }

    /// The best brackets of sentences, which errors count from `first` on.
    #[pyo3(signature = (sentences, threads = 0, progress = None, first = 1))]
    fn brackets(
        &self,
        py: Python<'_>,
        sentences: Vec<Vec<String>>,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
        first: u64,
    ) -> PyResult<Vec<ConstituentTree>> {
        let parse = |monitor: &Monitor| self.core.brackets_all(&sentences, first, monitor);
        let found = watch(py, threads, progress, parse)?;
        Ok(found.into_iter().map(ConstituentTree::from).collect())
    }

    /// The best brackets of words whose tags are known.
    fn brackets_tagged(&self, forms: Vec<String>, tags: Vec<String>) -> PyResult<ConstituentTree> {
        self.core.brackets(&forms, Some(&tags)).map(ConstituentTree::from).map_err(raise)
    }

    /// The tags that it knows, of its column.
    #[getter]
    fn known_tags(&self) -> BTreeSet<String> {
        self.core.tagger().tags().words().map(|tag| fine_name(tag).to_string()).collect()
    }

    /// How many words with letters there are in sentences, and how many it has never seen.
    fn count_unknown(&self, py: Python<'_>, sentences: Vec<Vec<String>>) -> (u64, u64) {
        let count = |sum: (u64, u64), forms: &Vec<String>| {
            let found = self.core.count_unknown(forms);
            (sum.0 + found.words, sum.1 + found.unknown)
        };
        py.detach(|| sentences.iter().fold((0, 0), count))
    }

    /// The best tree of words whose tags are known.
    fn parse_tagged(&self, forms: Vec<String>, tags: Vec<String>) -> PyResult<DependencyTree> {
        self.core.parse(&forms, Some(&tags)).map(DependencyTree::from).map_err(raise)
    }

    /// The best few trees, each with its score and its probability among them.
    #[pyo3(signature = (forms, k, scale = 1.0, tags = None))]
    fn kbest(
        &self,
        py: Python<'_>,
        forms: Vec<String>,
        k: usize,
        scale: f64,
        tags: Option<Vec<String>>,
    ) -> PyResult<Vec<RankedTree>> {
        let found = watch(py, 1, None, |monitor| {
            self.core.kbest(&forms, tags.as_deref(), k, scale, monitor)
        })?;
        Ok(found.into_iter().map(ranked).collect())
    }

    /// The same for many sentences, which errors count from `first` on.
    #[pyo3(signature = (sentences, k, scale = 1.0, threads = 0, progress = None, first = 1))]
    fn kbest_all(
        &self,
        py: Python<'_>,
        sentences: Vec<Vec<String>>,
        k: usize,
        scale: f64,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
        first: u64,
    ) -> PyResult<Vec<Vec<RankedTree>>> {
        let found = watch(py, threads, progress, |monitor| {
            self.core.kbest_all(&sentences, k, scale, first, monitor)
        })?;
        Ok(found.into_iter().map(|one| one.into_iter().map(ranked).collect()).collect())
    }

    /// Parses a file line by line into a CoNLL-U file, or into one of brackets; answers how many
    /// lines there were, and what `count_unknown` finds in them.
    #[pyo3(signature = (source, output, language = None, tokenise = true, split_hyphens = false,
                        threads = 0, progress = None, brackets = false))]
    fn parse_file(
        &self,
        py: Python<'_>,
        source: PathBuf,
        output: PathBuf,
        language: Option<&str>,
        tokenise: bool,
        split_hyphens: bool,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
        brackets: bool,
    ) -> PyResult<(u64, u64, u64)> {
        let tokeniser = tokenise.then(|| Tokeniser::new(language, split_hyphens));
        let tokeniser = tokeniser.transpose().map_err(raise)?;
        let (lines, found) = watch(py, threads, progress, |monitor| {
            let parse = if brackets { core::bracket_lines } else { core::parse_lines };
            parse(&*self.core, &source, &output, tokeniser.as_ref(), monitor)
        })?;
        Ok((lines, found.words, found.unknown))
    }
}
