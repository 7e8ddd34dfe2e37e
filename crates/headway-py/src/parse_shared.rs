//! What the bindings of all parsers share.

use std::path::PathBuf;

use headway_core::parse::{self as core, ParserKind, Ranked, Source, TreeParser};
use headway_core::text::Tokeniser;
use headway_core::tree::conllu::Tags;
use headway_core::{Error, Result};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::tree::{DependencyTree, format_named};
use crate::watch::watch;

/// Sentences left out of training: cyclic, without heads, without words.
pub type LeftOut = (u64, u64, u64);

/// A tree with its score and its probability.
pub type RankedTree = (DependencyTree, f64, f64);

/// Text to parse, and where its trees go.
pub struct Text<'l> {
    pub source: PathBuf,
    pub output: PathBuf,
    pub language: Option<&'l str>,
    pub tokenise: bool,
    pub split_hyphens: bool,
}

pub fn left_out(left: core::LeftOut) -> LeftOut {
    (left.cyclic, left.unparsed, left.empty)
}

/// Treebanks, each a path, a format and a weight.
pub fn sources(treebanks: Vec<(PathBuf, String, f64)>) -> PyResult<Vec<Source>> {
    let source = |(path, format, weight): (PathBuf, String, f64)| {
        Ok(Source { path, format: format_named(&format)?, weight })
    };
    treebanks.into_iter().map(source).collect()
}

/// The value that a name stands for.
pub fn chosen<T: Copy>(what: &str, name: &str, known: &[(&str, T)]) -> Result<T> {
    let found = known.iter().find(|(known, _)| *known == name);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        Error::setting(format!("{what}: unknown choice {name:?}; expected one of {names}"))
    })
}

pub fn tags_name(tags: Tags) -> &'static str {
    if tags == Tags::Upos { "upos" } else { "xpos" }
}

pub fn ranked(found: Result<Vec<Ranked>>) -> PyResult<Vec<RankedTree>> {
    let found = found.map_err(raise)?.into_iter();
    Ok(found.map(|one| (DependencyTree::from(one.tree), one.score, one.probability)).collect())
}

pub fn parse_all(
    py: Python<'_>,
    parser: &impl TreeParser,
    sentences: &[Vec<String>],
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Vec<DependencyTree>> {
    let trees = watch(py, threads, progress, |monitor| parser.parse_all(sentences, monitor))?;
    Ok(trees.into_iter().map(DependencyTree::from).collect())
}

pub fn parse_file(
    py: Python<'_>,
    parser: &impl TreeParser,
    text: Text,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<u64> {
    let Text { source, output, .. } = &text;
    let tokeniser = text.tokenise.then(|| Tokeniser::new(text.language, text.split_hyphens));
    let tokeniser = tokeniser.transpose().map_err(raise)?;
    watch(py, threads, progress, |monitor| {
        core::parse_lines(parser, source, output, tokeniser.as_ref(), monitor)
    })
}

/// The kind of the parser in a file: `graph`, `transition` or `dmv`.
#[pyfunction]
pub fn parser_kind(py: Python<'_>, path: PathBuf) -> PyResult<&'static str> {
    py.detach(|| ParserKind::of_file(&path)).map(ParserKind::name).map_err(raise)
}
