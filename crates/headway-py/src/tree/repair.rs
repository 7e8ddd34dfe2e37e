use headway_core::tree::{Repaired, repair};
use pyo3::prelude::*;

use crate::watch::watch;

/// How many words, arcs (dependent, head), and the root word if it is known.
type Graph = (usize, Vec<(u32, u32)>, Option<u32>);

/// Heads, the root word, whether it was guessed, and counts of words with several heads, words
/// without a head, and cycles.
type Answer = (Vec<u32>, u32, bool, u32, u32, u32);

/// One head for every word of each graph.
#[pyfunction]
pub fn repair_graphs(py: Python<'_>, graphs: Vec<Graph>) -> PyResult<Vec<Answer>> {
    watch(py, 1, None, |_| {
        let repaired = graphs.iter().map(|(words, arcs, root)| repair(*words, arcs, *root));
        repaired.map(|found| found.map(answer)).collect()
    })
}

fn answer(found: Repaired) -> Answer {
    let Repaired { heads, root, guessed, several, headless, cycles } = found;
    (heads, root, guessed, several, headless, cycles)
}
