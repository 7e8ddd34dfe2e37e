use std::path::PathBuf;

use headway_core::tree::conllu;
use headway_fragment::{Corpus, Pair, Stream};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::tree::Sentence;
use crate::watch::watch;

/// Writes a corpus of the built-in fragment of German and English into a directory.
#[pyfunction]
#[pyo3(signature = (out, *, pairs, dev, test, seed, difficulty, threads = 0, progress = None))]
pub fn write_fragment(
    py: Python<'_>,
    out: PathBuf,
    pairs: u64,
    dev: u64,
    test: u64,
    seed: u64,
    difficulty: f64,
    threads: usize,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<()> {
    let corpus = Corpus { train: pairs, dev, test, seed, difficulty };
    watch(py, threads, progress, |monitor| corpus.write(&out, monitor))
}

struct Made {
    source: String,
    target: String,
    alignment: Vec<(u32, u32)>,
    phenomena: Vec<&'static str>,
}

fn made(pair: Pair, index: u64, seed: u64) -> Made {
    let name = format!("fragment-{seed}-{index}");
    Made {
        source: pair.german_conllu(&name),
        target: pair.english_conllu(&name),
        phenomena: pair.phenomena.names().collect(),
        alignment: pair.alignment,
    }
}

fn sentence(text: &str) -> PyResult<Sentence> {
    conllu::Sentence::parse(text).map(Sentence::from).map_err(raise)
}

type Row = (Sentence, Sentence, Vec<(u32, u32)>, Vec<&'static str>);

/// The pairs of a seed and a difficulty in their fixed order, none twice.
#[pyclass(module = "headway.fragment")]
pub struct FragmentStream {
    core: Stream<Made>,
}

#[pymethods]
impl FragmentStream {
    #[new]
    fn new(seed: u64, difficulty: f64) -> PyResult<Self> {
        Stream::new(seed, difficulty, made).map(|core| FragmentStream { core }).map_err(raise)
    }

    /// The next pairs: German and English sentence, alignment, phenomena.
    fn read(&mut self, py: Python<'_>, count: usize) -> PyResult<Vec<Row>> {
        let core = &mut self.core;
        let pairs = watch(py, 0, None, |_| core.read(count))?;
        let row = |made: Made| {
            let (source, target) = (sentence(&made.source)?, sentence(&made.target)?);
            Ok((source, target, made.alignment, made.phenomena))
        };
        pairs.into_iter().map(row).collect()
    }
}
