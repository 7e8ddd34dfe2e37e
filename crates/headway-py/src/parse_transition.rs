use std::path::PathBuf;

use headway_core::parse::tag::{TaggerKind, TaggerTraining};
use headway_core::parse::transition::{self as core, System, TransitionSetup, TransitionTraining};
use headway_core::parse::{TreeParser, Treebank};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::parse_shared::{
    LeftOut, RankedTree, Text, chosen, left_out, parse_all, parse_file, ranked, sources, tags_name,
};
use crate::tree::{DependencyTree, tags_named};
use crate::watch::watch;

/// The settings section `[parse]`, as far as it concerns this parser.
#[derive(FromPyObject)]
pub struct Training {
    tagger: String,
    tags: String,
    lowercase: bool,
    single_root: bool,
    tagger_rounds: u64,
    jackknife: usize,
    transition: Steps,
}

/// The settings section `[parse.transition]`.
#[derive(FromPyObject)]
struct Steps {
    system: String,
    beam: usize,
    rounds: u64,
    exploration: f64,
    batch: usize,
}

impl Training {
    fn core(&self, seed: u64) -> PyResult<TransitionSetup> {
        let kind = chosen("parse.tagger", &self.tagger, &TaggerKind::ALL).map_err(raise)?;
        let Steps { system, beam, rounds, exploration, batch } = &self.transition;
        let system = chosen("parse.transition.system", system, &System::ALL).map_err(raise)?;
        let lowercase = self.lowercase;
        Ok(TransitionSetup {
            tagger: TaggerTraining { kind, lowercase, rounds: self.tagger_rounds, seed },
            folds: self.jackknife,
            transition: TransitionTraining {
                system,
                single_root: self.single_root,
                lowercase,
                beam: *beam,
                rounds: *rounds,
                exploration: *exploration,
                batch: *batch,
                seed,
            },
            tags: tags_named(&self.tags)?,
        })
    }
}

/// Tagger and steps to a tree.
#[pyclass(module = "headway.parse", frozen)]
pub struct TransitionParser {
    core: core::TransitionParser,
}

#[pymethods]
impl TransitionParser {
    /// Learns from treebanks, each a path, a format and a weight; also answers how many
    /// sentences it learnt from and how many were left out.
    #[staticmethod]
    #[pyo3(signature = (treebanks, training, seed, threads = 0, progress = None))]
    fn train(
        py: Python<'_>,
        treebanks: Vec<(PathBuf, String, f64)>,
        training: Training,
        seed: u64,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(Self, usize, LeftOut)> {
        let how = training.core(seed)?;
        let sources = sources(treebanks)?;
        let (core, sentences, left) = watch(py, threads, progress, |monitor| {
            let treebank = Treebank::read(&sources, how.tags, monitor)?;
            let parser = core::TransitionParser::train(&treebank, &how, monitor)?;
            Ok((parser, treebank.examples.len(), treebank.left_out))
        })?;
        Ok((TransitionParser { core }, sentences, left_out(left)))
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let core = py.detach(|| core::TransitionParser::load(&path)).map_err(raise)?;
        Ok(TransitionParser { core })
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.core.save(&path)).map_err(raise)
    }

    /// The column of its tags: `upos` or `xpos`.
    #[getter]
    fn tags(&self) -> &'static str {
        tags_name(self.core.tags())
    }

    /// Its steps: `eager` or `swap`.
    #[getter]
    fn system(&self) -> &'static str {
        let mut known = System::ALL.iter();
        known.find(|(_, system)| *system == self.core.system()).map_or("", |one| one.0)
    }

    /// States kept side by side; 1 is greedy.
    #[getter]
    fn beam(&self) -> usize {
        self.core.beam()
    }

    /// The same parser with a beam of another size.
    fn with_beam(&self, beam: usize) -> PyResult<Self> {
        let core = self.core.clone().with_beam(beam).map_err(raise)?;
        Ok(TransitionParser { core })
    }

    /// The tags of the words of a sentence.
    fn tag(&self, forms: Vec<String>) -> Vec<String> {
        self.core.tag(&forms)
    }

    /// The best trees of sentences.
    #[pyo3(signature = (sentences, threads = 0, progress = None))]
    fn parse(
        &self,
        py: Python<'_>,
        sentences: Vec<Vec<String>>,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<DependencyTree>> {
        parse_all(py, &self.core, &sentences, threads, progress)
    }

    /// The best tree of words whose tags are known.
    fn parse_tagged(&self, forms: Vec<String>, tags: Vec<String>) -> PyResult<DependencyTree> {
        self.core.parse(&forms, Some(&tags)).map(DependencyTree::from).map_err(raise)
    }

    /// The best few trees of a beam, each with its score and its probability among them.
    #[pyo3(signature = (forms, k, scale = 1.0, tags = None))]
    fn kbest(
        &self,
        py: Python<'_>,
        forms: Vec<String>,
        k: usize,
        scale: f64,
        tags: Option<Vec<String>>,
    ) -> PyResult<Vec<RankedTree>> {
        ranked(py.detach(|| self.core.kbest(&forms, tags.as_deref(), k, scale)))
    }

    /// Parses a file line by line into a CoNLL-U file; answers how many lines there were.
    #[pyo3(signature = (source, output, language = None, tokenise = true, split_hyphens = false,
                        threads = 0, progress = None))]
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
    ) -> PyResult<u64> {
        let text = Text { source, output, language, tokenise, split_hyphens };
        parse_file(py, &self.core, text, threads, progress)
    }
}
