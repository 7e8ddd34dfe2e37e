//! Parsers of all kinds: how they are trained, and how they are read from files.

use std::path::PathBuf;

use headway_core::parse::dmv::{DmvParser as Dmv, DmvTraining, Learning};
use headway_core::parse::tag::{TaggerKind, TaggerTraining};
use headway_core::parse::transition::{TransitionParser as Transition, TransitionSetup};
use headway_core::parse::{self as core, ParserKind, Source, Treebank};
use headway_core::tree::conllu::Tags;
use headway_core::{Monitor, Result};
use pyo3::prelude::*;

use super::base::object;
use super::dmv::DmvSettings;
use super::graph::GraphSettings;
use super::transition::TransitionSettings;
use super::{DmvParser, GraphParser, TransitionParser};
use crate::choice::chosen;
use crate::errors::raise;
use crate::tree::{format_named, tags_named};
use crate::watch::watch;

/// Sentences left out of training: cyclic, without heads, without words.
type LeftOut = (u64, u64, u64);

/// The settings section `[parse]`, as far as it concerns all parsers.
#[derive(FromPyObject)]
pub struct SharedSettings {
    tagger: String,
    tags: String,
    tagger_rounds: u64,
    pub lowercase: bool,
    pub single_root: bool,
}

impl SharedSettings {
    pub fn tagger(&self, seed: u64) -> PyResult<TaggerTraining> {
        let kind = chosen("parse.tagger", &self.tagger, &TaggerKind::ALL).map_err(raise)?;
        let (lowercase, rounds) = (self.lowercase, self.tagger_rounds);
        Ok(TaggerTraining { kind, lowercase, rounds, seed })
    }

    pub fn tags(&self) -> PyResult<Tags> {
        tags_named(&self.tags)
    }
}

/// How a parser of one kind is trained.
enum Training {
    /// Also whether it learns the tags of both columns.
    Graph(core::Training, bool),
    Transition(TransitionSetup),
    Dmv(DmvTraining),
}

impl Training {
    fn new(kind: ParserKind, settings: &Bound<'_, PyAny>, seed: u64) -> PyResult<Self> {
        let shared: SharedSettings = settings.extract()?;
        Ok(match kind {
            ParserKind::Graph => {
                let own: GraphSettings = settings.extract()?;
                let training = own.core(&shared, seed)?;
                Training::Graph(training, own.coarse && training.tags == Tags::Xpos)
            }
            ParserKind::Transition => {
                let own: TransitionSettings = settings.extract()?;
                Training::Transition(own.core(&shared, seed)?)
            }
            ParserKind::Dmv => {
                let own: DmvSettings = settings.extract()?;
                Training::Dmv(own.core(&shared, seed)?)
            }
        })
    }

    /// A parser, and the treebank it learnt from.
    fn run(&self, sources: &[Source], monitor: &Monitor) -> Result<(Trained, Treebank)> {
        let treebank = match self {
            Training::Graph(_, true) => Treebank::read_joined(sources, monitor),
            Training::Graph(how, false) => Treebank::read(sources, how.tags, monitor),
            Training::Transition(how) => Treebank::read(sources, how.tags, monitor),
            Training::Dmv(how) => Treebank::read_tagged(sources, how.tags, monitor),
        }?;
        let trained = match self {
            Training::Graph(how, _) => {
                Trained::Graph(core::Parser::train(&treebank, how, monitor)?)
            }
            Training::Transition(how) => {
                Trained::Transition(Transition::train(&treebank, how, monitor)?)
            }
            Training::Dmv(how) => {
                let (parser, learning) = Dmv::train(&treebank, how, monitor)?;
                Trained::Dmv(parser, learning)
            }
        };
        Ok((trained, treebank))
    }
}

/// A parser of any kind.
enum Trained {
    Graph(core::Parser),
    Transition(Transition),
    Dmv(Dmv, Learning),
}

impl Trained {
    fn object(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self {
            Trained::Graph(core) => object(py, core, |core| GraphParser { core })?.into_any(),
            Trained::Transition(core) => {
                object(py, core, |core| TransitionParser { core })?.into_any()
            }
            Trained::Dmv(core, learning) => {
                object(py, core, |core| DmvParser { core, learning })?.into_any()
            }
        })
    }
}

/// Trains a parser of a kind, `graph`, `transition` or `dmv`, on treebanks, each a path, a format
/// and a weight; also answers how many sentences there were and how many were left out.
#[pyfunction]
#[pyo3(signature = (kind, treebanks, training, seed, threads = 0, progress = None))]
pub fn train_parser(
    py: Python<'_>,
    kind: &str,
    treebanks: Vec<(PathBuf, String, f64)>,
    training: &Bound<'_, PyAny>,
    seed: u64,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(Py<PyAny>, usize, LeftOut)> {
    let kind = chosen("parse.kind", kind, &ParserKind::ALL).map_err(raise)?;
    let training = Training::new(kind, training, seed)?;
    let source = |(path, format, weight): (PathBuf, String, f64)| {
        Ok(Source { path, format: format_named(&format)?, weight })
    };
    let sources = treebanks.into_iter().map(source).collect::<PyResult<Vec<Source>>>()?;
    let (trained, sentences, left) = watch(py, threads, progress, |monitor| {
        let (trained, treebank) = training.run(&sources, monitor)?;
        Ok((trained, treebank.examples.len(), treebank.left_out))
    })?;
    Ok((trained.object(py)?, sentences, (left.cyclic, left.unparsed, left.empty)))
}

/// The parser in a file, whatever its kind.
#[pyfunction]
pub fn load_parser(py: Python<'_>, path: PathBuf) -> PyResult<Py<PyAny>> {
    let load = || {
        Ok(match ParserKind::of_file(&path)? {
            ParserKind::Graph => Trained::Graph(core::Parser::load(&path)?),
            ParserKind::Transition => Trained::Transition(Transition::load(&path)?),
            ParserKind::Dmv => {
                let learning = Learning { sentences: 0, likelihoods: Vec::new() };
                Trained::Dmv(Dmv::load(&path)?, learning)
            }
        })
    };
    py.detach(load).map_err(raise)?.object(py)
}
