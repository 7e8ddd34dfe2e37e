use std::path::PathBuf;

use headway_core::align::{
    self as core, AlignmentScores, Gold, ModelKind, Symmetrisation, symmetrise,
};
use headway_core::{Error, Monitor, Result};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::choice::chosen;
use crate::errors::raise;
use crate::text::Alignment;
use crate::watch::watch;

/// Sentence pairs as the aligner sees them.
#[pyclass(module = "headway.align", frozen)]
pub struct Bitext {
    core: core::Bitext,
}

#[pymethods]
impl Bitext {
    /// Pairs at hand: for each side a list of sentences, each a list of words.
    #[new]
    fn new(source: Vec<Vec<String>>, target: Vec<Vec<String>>) -> PyResult<Self> {
        if source.len() != target.len() {
            let (ours, theirs) = (source.len(), target.len());
            let message = format!("{ours} source sentences but {theirs} target sentences");
            return Err(raise(Error::setting(message)));
        }
        let mut bitext = core::Bitext::default();
        for sentence in &source {
            bitext.source.push(sentence.iter().map(String::as_str));
        }
        for sentence in &target {
            bitext.target.push(sentence.iter().map(String::as_str));
        }
        Ok(Bitext { core: bitext })
    }

    /// Reads two files of tokenised text, one sentence a line.
    #[staticmethod]
    fn read(py: Python<'_>, source: PathBuf, target: PathBuf) -> PyResult<Self> {
        let read = |monitor: &Monitor| core::Bitext::read(&source, &target, monitor);
        Ok(Bitext { core: watch(py, 1, None, read)? })
    }

    /// How many pairs have a side of more than `most` words.
    fn longer_than(&self, most: usize) -> usize {
        (0..self.core.len()).filter(|&pair| self.core.is_longer(pair, most)).count()
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn __repr__(&self) -> String {
        format!("<Bitext of {} pairs>", self.core.len())
    }
}

/// How an aligner is trained: the settings section `[align]`.
#[derive(FromPyObject)]
pub struct Training {
    model: String,
    ibm1_iterations: usize,
    hmm_iterations: usize,
    fertility_iterations: usize,
    sweeps: usize,
    null_probability: f32,
    lexical_prior: f64,
    fertility_prior: f64,
    punctuation_apart: bool,
    jump_words: usize,
    jump_prior: f64,
    lowercase: bool,
    max_sentence_length: usize,
}

impl Training {
    fn core(&self, seed: u64) -> Result<core::Training> {
        let model = chosen("align.model", &self.model, &ModelKind::ALL)?;
        let training = core::Training {
            model,
            ibm1_iterations: self.ibm1_iterations,
            hmm_iterations: self.hmm_iterations,
            fertility_iterations: self.fertility_iterations,
            sweeps: self.sweeps,
            null: self.null_probability,
            lexical_prior: self.lexical_prior,
            fertility_prior: self.fertility_prior,
            punctuation_apart: self.punctuation_apart,
            jump_words: self.jump_words,
            jump_prior: self.jump_prior,
            seed,
        };
        training.check()?;
        Ok(training)
    }
}

/// What is made of the two directions.
#[derive(Clone, Copy)]
enum Links {
    Joined(Symmetrisation),
    Forward,
    Backward,
}

impl Links {
    fn from_name(name: &str) -> Result<Self> {
        let joined = Symmetrisation::ALL.iter().map(|&(name, how)| (name, Links::Joined(how)));
        let single = [("forward", Links::Forward), ("backward", Links::Backward)];
        let all: Vec<(&str, Links)> = joined.chain(single).collect();
        chosen("align.symmetrisation", name, &all)
    }
}

/// Refuses what is no way to make an alignment of two directions: before hours of training.
#[pyfunction]
pub fn check_symmetrisation(name: &str) -> PyResult<()> {
    Links::from_name(name).map(|_| ()).map_err(raise)
}

/// A trained word aligner, both directions.
#[pyclass(module = "headway.align", frozen)]
pub struct Aligner {
    core: core::Aligner,
}

#[pymethods]
impl Aligner {
    #[staticmethod]
    #[pyo3(signature = (bitext, training, seed, threads = 0, progress = None))]
    fn train(
        py: Python<'_>,
        bitext: &Bitext,
        training: Training,
        seed: u64,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let how = training.core(seed).map_err(raise)?;
        let core = watch(py, threads, progress, |monitor| {
            let longest = training.max_sentence_length;
            core::Aligner::train(&bitext.core, training.lowercase, longest, &how, monitor)
        })?;
        Ok(Aligner { core })
    }

    /// Aligns every pair; `symmetrisation` names a heuristic, `forward` or `backward`.
    #[pyo3(signature = (bitext, symmetrisation, longest, threads = 0, progress = None))]
    fn align(
        &self,
        py: Python<'_>,
        bitext: &Bitext,
        symmetrisation: &str,
        longest: usize,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Vec<Alignment>> {
        let how = Links::from_name(symmetrisation).map_err(raise)?;
        let found = watch(py, threads, progress, |monitor| {
            let directions = self.core.align(&bitext.core, longest, monitor)?;
            Ok(match how {
                Links::Forward => directions.into_iter().map(|pair| pair.forward).collect(),
                Links::Backward => directions.into_iter().map(|pair| pair.backward).collect(),
                Links::Joined(how) => symmetrise(&directions, how),
            })
        })?;
        Ok(found.into_iter().map(|core| Alignment { core }).collect())
    }

    /// Lexical translations at least this probable: (given word or None for NULL, word, t).
    fn lexicon(&self, forward: bool, least: f32) -> Vec<(Option<&str>, &str, f32)> {
        self.core.lexicon(forward, least)
    }

    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        py.detach(|| self.core.save(&path)).map_err(raise)
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let core = py.detach(|| core::Aligner::load(&path)).map_err(raise)?;
        Ok(Aligner { core })
    }
}

/// Aligners of one corpus that differ in their seeds: what they share is trained once.
#[pyclass(module = "headway.align", frozen)]
pub struct AlignerSampler {
    core: core::AlignerSampler,
}

#[pymethods]
impl AlignerSampler {
    #[staticmethod]
    #[pyo3(signature = (bitext, training, threads = 0, progress = None))]
    fn train(
        py: Python<'_>,
        bitext: &Bitext,
        training: Training,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let how = training.core(0).map_err(raise)?;
        let core = watch(py, threads, progress, |monitor| {
            let longest = training.max_sentence_length;
            core::AlignerSampler::train(&bitext.core, training.lowercase, longest, &how, monitor)
        })?;
        Ok(AlignerSampler { core })
    }

    /// The aligner that `Aligner.train` makes with this seed.
    #[pyo3(signature = (seed, threads = 0, progress = None))]
    fn aligner(
        &self,
        py: Python<'_>,
        seed: u64,
        threads: usize,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Aligner> {
        let core = watch(py, threads, progress, |monitor| self.core.aligner(seed, monitor))?;
        Ok(Aligner { core })
    }
}

/// Joins two directional alignments of each pair by the named heuristic.
#[pyfunction]
pub fn join_alignments(
    py: Python<'_>,
    forward: Vec<Alignment>,
    backward: Vec<Alignment>,
    how: &str,
) -> PyResult<Vec<Alignment>> {
    let how = chosen("align.symmetrisation", how, &Symmetrisation::ALL).map_err(raise)?;
    Ok(py.detach(|| {
        let pairs = forward.iter().zip(&backward);
        pairs.map(|(one, other)| Alignment { core: how.join(&one.core, &other.core) }).collect()
    }))
}

/// Gold links of a pair: sure ones, and possible ones (sure ones among them).
type GoldLinks = (Vec<(u32, u32)>, Vec<(u32, u32)>);

/// Reads a gold line: `0-0 1-2 2p3`.
#[pyfunction]
pub fn parse_gold(text: &str) -> PyResult<GoldLinks> {
    let gold = Gold::parse(text).map_err(PyValueError::new_err)?;
    Ok((gold.sure().links().to_vec(), gold.possible().links().to_vec()))
}

/// Counts of links, sure links, links found that are sure, links found that are possible.
#[pyfunction]
pub fn compare_alignments(found: Vec<Alignment>, gold: Vec<GoldLinks>) -> (u64, u64, u64, u64) {
    let mut scores = AlignmentScores::default();
    for (found, (sure, possible)) in found.iter().zip(gold) {
        scores.add(&found.core, &Gold::new(sure, possible));
    }
    (scores.links, scores.sure, scores.links_in_sure, scores.links_in_possible)
}
