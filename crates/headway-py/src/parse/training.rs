//! Parsers of all kinds: how they are trained, and how they are read from files.

use std::path::PathBuf;

use headway_core::parse::dmv::{DmvParser as Dmv, DmvTraining, Learning};
use headway_core::parse::pcfg::{BracketBank, PcfgParser as Pcfg, PcfgTraining};
use headway_core::parse::tag::{TaggerKind, TaggerTraining};
use headway_core::parse::transition::{TransitionParser as Transition, TransitionSetup};
use headway_core::parse::{self as core, LeftOut, ParserKind, Source, Treebank};
use headway_core::tree::conllu::Tags;
use headway_core::{Error, Monitor, Result};
use pyo3::prelude::*;

use super::base::object;
use super::dmv::DmvSettings;
use super::graph::GraphSettings;
use super::pcfg::PcfgSettings;
use super::transition::TransitionSettings;
use super::{DmvParser, GraphParser, PcfgParser, TransitionParser};
use crate::choice::chosen;
use crate::errors::raise;
use crate::tree::{format_named, tags_named};
use crate::watch::watch;

/// Sentences left out of training: cyclic, without heads, without words.
type LeftOutCounts = (u64, u64, u64);

/// A file of trees, its format, and how often each of its sentences counts.
type Part = (PathBuf, String, f64);

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
    Pcfg(PcfgTraining),
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
            ParserKind::Pcfg => {
                let own: PcfgSettings = settings.extract()?;
                Training::Pcfg(own.core(&shared, seed)?)
            }
        })
    }

    /// Files as this kind of parser reads them.
    fn inputs(&self, parts: Vec<Part>) -> PyResult<Inputs> {
        if matches!(self, Training::Pcfg(_)) {
            let parts = parts.into_iter().map(|(path, _, weight)| (path, weight));
            return Ok(Inputs::Brackets(parts.collect()));
        }
        let source = |(path, format, weight): Part| {
            Ok(Source { path, format: format_named(&format)?, weight })
        };
        Ok(Inputs::Tables(parts.into_iter().map(source).collect::<PyResult<_>>()?))
    }

    /// A parser, how many sentences it learnt from, and how many were left out.
    fn run(&self, inputs: &Inputs, monitor: &Monitor) -> Result<(Trained, usize, LeftOut)> {
        match (self, inputs) {
            (Training::Pcfg(how), Inputs::Brackets(parts)) => {
                let bank = BracketBank::read(parts, monitor)?;
                let parser = Pcfg::train(&bank, how, monitor)?;
                Ok((Trained::Pcfg(Box::new(parser)), bank.trees.len(), bank.left_out))
            }
            (_, Inputs::Tables(sources)) => self.run_on_tables(sources, monitor),
            (_, Inputs::Brackets(_)) => Err(Error::internal("brackets for dependency parsers")),
        }
    }

    fn run_on_tables(
        &self,
        sources: &[Source],
        monitor: &Monitor,
    ) -> Result<(Trained, usize, LeftOut)> {
        let treebank = match self {
            Training::Graph(_, true) => Treebank::read_joined(sources, monitor),
            Training::Graph(how, false) => Treebank::read(sources, how.tags, monitor),
            Training::Transition(how) => Treebank::read(sources, how.tags, monitor),
            Training::Dmv(how) => Treebank::read_tagged(sources, how.tags, monitor),
            Training::Pcfg(_) => Err(Error::internal("dependency trees for a parser of brackets")),
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
            Training::Pcfg(_) => return Err(Error::internal("no parser of brackets")),
        };
        Ok((trained, treebank.examples.len(), treebank.left_out))
    }
}

/// Files to learn from.
enum Inputs {
    Tables(Vec<Source>),
    /// Brackets, each file with its weight.
    Brackets(Vec<(PathBuf, f64)>),
}

/// A parser of any kind.
enum Trained {
    Graph(core::Parser),
    Transition(Transition),
    Dmv(Dmv, Learning),
    Pcfg(Box<Pcfg>),
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
            Trained::Pcfg(core) => object(py, *core, |core| PcfgParser { core })?.into_any(),
        })
    }
}

/// Trains a parser of a kind, `graph`, `transition`, `dmv` or `pcfg`, on treebanks, each a path, a format
/// and a weight; also answers how many sentences there were and how many were left out.
#[pyfunction]
#[pyo3(signature = (kind, treebanks, training, seed, threads = 0, progress = None))]
pub fn train_parser(
    py: Python<'_>,
    kind: &str,
    treebanks: Vec<Part>,
    training: &Bound<'_, PyAny>,
    seed: u64,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(Py<PyAny>, usize, LeftOutCounts)> {
    let kind = chosen("parse.kind", kind, &ParserKind::ALL).map_err(raise)?;
    let training = Training::new(kind, training, seed)?;
    let inputs = training.inputs(treebanks)?;
    let (trained, sentences, left) =
        watch(py, threads, progress, |monitor| training.run(&inputs, monitor))?;
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
            ParserKind::Pcfg => Trained::Pcfg(Box::new(Pcfg::load(&path)?)),
        })
    };
    py.detach(load).map_err(raise)?.object(py)
}
