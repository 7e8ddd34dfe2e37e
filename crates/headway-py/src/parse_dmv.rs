use std::path::PathBuf;

use headway_core::Error;
use headway_core::parse::dmv::{self as core, DmvTraining, Em};
use headway_core::parse::tag::{TaggerKind, TaggerTraining};
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
    dmv: Dmv,
}

/// The settings section `[parse.dmv]`.
#[derive(FromPyObject)]
struct Dmv {
    start: String,
    restarts: u64,
    iterations: u64,
    tolerance: f64,
    max_words: usize,
    punctuation: Vec<String>,
}

impl Training {
    fn core(&self, seed: u64) -> PyResult<DmvTraining> {
        let kind = chosen("parse.tagger", &self.tagger, &TaggerKind::ALL).map_err(raise)?;
        let Dmv { iterations, tolerance, restarts, .. } = self.dmv;
        let starts = [("harmonic", true), ("random", false)];
        let harmonic = chosen("parse.dmv.start", &self.dmv.start, &starts).map_err(raise)?;
        Ok(DmvTraining {
            tagger: TaggerTraining {
                kind,
                lowercase: self.lowercase,
                rounds: self.tagger_rounds,
                seed,
            },
            em: Em { iterations, tolerance, harmonic, restarts, seed },
            max_words: self.dmv.max_words,
            punctuation: self.dmv.punctuation.clone(),
            single_root: self.single_root,
            tags: tags_named(&self.tags)?,
        })
    }
}

/// Tagger and the dependency model with valence.
#[pyclass(module = "headway.parse", frozen)]
pub struct DmvParser {
    core: core::DmvParser,
    /// Only known right after training.
    likelihoods: Vec<f64>,
}

#[pymethods]
impl DmvParser {
    /// Learns from the tags of treebanks, each a path, a format and a weight; also answers how
    /// many sentences there were and how many were left out.
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
        let ((core, likelihoods), sentences, left) = watch(py, threads, progress, |monitor| {
            let treebank = Treebank::read_tagged(&sources, how.tags, monitor)?;
            let trained = core::DmvParser::train(&treebank, &how, monitor)?;
            Ok((trained, treebank.examples.len(), treebank.left_out))
        })?;
        Ok((DmvParser { core, likelihoods }, sentences, left_out(left)))
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let core = py.detach(|| core::DmvParser::load(&path)).map_err(raise)?;
        Ok(DmvParser { core, likelihoods: Vec::new() })
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.core.save(&path)).map_err(raise)
    }

    /// The column of its tags: `upos` or `xpos`.
    #[getter]
    fn tags(&self) -> &'static str {
        tags_name(self.core.tags())
    }

    /// The natural logarithm of the likelihood of what it learnt from.
    #[getter]
    fn likelihood(&self) -> f64 {
        self.core.likelihood()
    }

    /// The same before each step of EM and at the end; empty unless just trained.
    #[getter]
    fn likelihoods(&self) -> Vec<f64> {
        self.likelihoods.clone()
    }

    /// The start it was learnt from: 0 is the harmonic one, others are random.
    #[getter]
    fn start(&self) -> u64 {
        self.core.start()
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

    /// The best tree in a list, with the logarithm of its probability.
    #[pyo3(signature = (forms, k, scale = 1.0, tags = None))]
    fn kbest(
        &self,
        py: Python<'_>,
        forms: Vec<String>,
        k: usize,
        scale: f64,
        tags: Option<Vec<String>>,
    ) -> PyResult<Vec<RankedTree>> {
        if !scale.is_finite() {
            return Err(raise(Error::setting(format!("scale: {scale} is no number"))));
        }
        ranked(py.detach(|| self.core.kbest(&forms, tags.as_deref(), k)))
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
