use std::path::PathBuf;
use std::sync::Arc;

use headway_core::Result;
use headway_core::forest::{
    Cover, Derivation as CoreDerivation, Edge, Forest as Core, Node, Span, Symbol, Weighted, load,
    save,
};
use pyo3::prelude::*;

use crate::errors::raise;
use crate::watch::watch;

/// A word, or the number of a slot.
#[derive(IntoPyObject)]
enum Token {
    Slot(u32),
    Word(String),
}

type Range = (u32, u32);
/// Edge, source spans, target ranges.
type SegmentParts = (u32, Vec<Range>, Vec<Range>);
/// Span or covered places, label.
type NodeParts = (Option<Range>, Option<Vec<u32>>, Option<String>);
/// Head, tails, target side, spans, links, features by number, flags, rule, heads.
type EdgeParts = (
    u32,
    Vec<u32>,
    Vec<Token>,
    Vec<Range>,
    Vec<(u32, u32)>,
    Vec<(u32, f32)>,
    Vec<&'static str>,
    Option<u32>,
    Vec<u16>,
);
/// From, to, word, score, edge.
type ArcParts = (u32, u32, Option<String>, f64, u32);

/// All derivations of one sentence that a search kept.
#[pyclass(module = "headway", frozen, eq)]
#[derive(PartialEq)]
pub struct Forest {
    pub core: Arc<Core>,
}

#[pymethods]
impl Forest {
    #[staticmethod]
    fn from_json(py: Python<'_>, text: &str) -> PyResult<Self> {
        py.detach(|| Core::from_json(text)).map(Self::from).map_err(raise)
    }

    fn to_json(&self, py: Python<'_>) -> PyResult<String> {
        py.detach(|| self.core.to_json()).map_err(raise)
    }

    fn features(&self) -> Vec<String> {
        self.core.features().names().to_vec()
    }

    fn weights(&self) -> Vec<f64> {
        self.core.weights().to_vec()
    }

    /// A copy with other weights.
    fn with_weights(&self, py: Python<'_>, weights: Vec<f64>) -> PyResult<Self> {
        let mut core = py.detach(|| Core::clone(&self.core));
        core.set_weights(weights.into()).map_err(raise)?;
        Ok(core.into())
    }

    fn source(&self) -> Vec<String> {
        self.core.source().iter().map(|&word| self.core.word(word).to_string()).collect()
    }

    #[getter]
    fn goal(&self) -> u32 {
        self.core.goal().0
    }

    fn node_count(&self) -> usize {
        self.core.node_count()
    }

    fn edge_count(&self) -> usize {
        self.core.edge_count()
    }

    fn log_derivations(&self, py: Python<'_>) -> f64 {
        py.detach(|| self.core.log_derivations())
    }

    fn nodes(&self) -> Vec<NodeParts> {
        self.core.nodes().map(node_parts).collect()
    }

    fn edges(&self) -> Vec<EdgeParts> {
        self.core.edges().map(|edge| edge_parts(&self.core, edge)).collect()
    }

    /// The best derivations, with different words if `effort` is given.
    fn k_best(
        &self,
        py: Python<'_>,
        k: usize,
        weights: Option<Vec<f64>>,
        effort: Option<usize>,
    ) -> PyResult<Vec<Derivation>> {
        let search = || {
            let weighted = self.weighted(weights.as_deref())?;
            let best = match effort {
                Some(effort) => weighted.distinct_k_best(k, effort)?,
                None if k == 1 => weighted.viterbi()?.into_iter().collect(),
                None => weighted.k_best(k)?,
            };
            Ok(best)
        };
        let best = py.detach(search).map_err(raise)?;
        Ok(best.into_iter().map(|core| Derivation { forest: self.core.clone(), core }).collect())
    }

    /// Logarithms of sums inside and outside of nodes, and the posteriors of edges.
    fn inside_outside(
        &self,
        py: Python<'_>,
        weights: Option<Vec<f64>>,
    ) -> PyResult<(Vec<f64>, Vec<f64>, Vec<f64>)> {
        let sum = || {
            let weighted = self.weighted(weights.as_deref())?;
            let inside = weighted.inside();
            let outside = weighted.outside(&inside);
            Ok((inside, outside, weighted.posteriors()))
        };
        py.detach(sum).map_err(raise)
    }

    fn expected_features(&self, py: Python<'_>, weights: Option<Vec<f64>>) -> PyResult<Vec<f64>> {
        py.detach(|| Ok(self.weighted(weights.as_deref())?.expected_features())).map_err(raise)
    }

    fn max_marginals(&self, py: Python<'_>, weights: Option<Vec<f64>>) -> PyResult<Vec<f64>> {
        py.detach(|| Ok(self.weighted(weights.as_deref())?.max_marginals())).map_err(raise)
    }

    /// To what is near the best, or to so many edges, or both.
    fn prune(
        &self,
        py: Python<'_>,
        threshold: Option<f64>,
        edges: Option<usize>,
        weights: Option<Vec<f64>>,
    ) -> PyResult<Self> {
        let prune = || {
            let near = match threshold {
                Some(threshold) => self.weighted(weights.as_deref())?.prune(threshold)?,
                None => self.core.trimmed()?,
            };
            match edges {
                Some(edges) => {
                    let weights = weights.as_deref().unwrap_or(near.weights());
                    near.weighted_with(weights)?.prune_to(edges)
                }
                None => Ok(near),
            }
        };
        py.detach(prune).map(Self::from).map_err(raise)
    }

    fn to_dot(&self, py: Python<'_>, weights: Option<Vec<f64>>) -> PyResult<String> {
        py.detach(|| self.weighted(weights.as_deref())?.to_dot()).map_err(raise)
    }

    fn to_search_graph(
        &self,
        py: Python<'_>,
        sentence: usize,
        weights: Option<Vec<f64>>,
    ) -> PyResult<String> {
        py.detach(|| self.weighted(weights.as_deref())?.to_search_graph(sentence)).map_err(raise)
    }

    /// Number of states, the last one, arcs, all as Python lattice format.
    fn lattice(
        &self,
        py: Python<'_>,
        weights: Option<Vec<f64>>,
    ) -> PyResult<(u32, u32, Vec<ArcParts>, String)> {
        let convert = || {
            let lattice = self.weighted(weights.as_deref())?.lattice()?;
            let spelt = |word: u32| self.core.word(word).to_string();
            let arcs = lattice.arcs.iter();
            let arcs =
                arcs.map(|arc| (arc.from, arc.to, arc.word.map(spelt), arc.score, arc.edge.0));
            Ok((lattice.states, lattice.end, arcs.collect(), lattice.to_plf(&self.core)))
        };
        py.detach(convert).map_err(raise)
    }
}

impl From<Core> for Forest {
    fn from(core: Core) -> Self {
        Forest { core: Arc::new(core) }
    }
}

impl Forest {
    fn weighted(&self, weights: Option<&[f64]>) -> Result<Weighted<'_>> {
        match weights {
            Some(weights) => self.core.weighted_with(weights),
            None => self.core.weighted(),
        }
    }
}

/// One derivation of a forest; what it says is worked out when asked for.
#[pyclass(module = "headway", frozen)]
pub struct Derivation {
    forest: Arc<Core>,
    core: CoreDerivation,
}

#[pymethods]
impl Derivation {
    #[getter]
    fn score(&self) -> f64 {
        self.core.score
    }

    fn edges(&self) -> Vec<u32> {
        self.core.edges.iter().map(|edge| edge.0).collect()
    }

    fn words(&self) -> PyResult<Vec<&str>> {
        let words = self.forest.target(&self.core.edges).map_err(raise)?;
        Ok(words.into_iter().map(|word| self.forest.word(word)).collect())
    }

    fn text(&self) -> PyResult<String> {
        self.forest.text(&self.core.edges).map_err(raise)
    }

    /// Numbers and sums of the features that are not 0.
    fn features(&self) -> Vec<(u32, f64)> {
        self.forest.feature_totals(&self.core.edges)
    }

    fn alignment(&self) -> PyResult<Vec<(u32, u32)>> {
        self.forest.alignment(&self.core.edges).map_err(raise)
    }

    fn segments(&self) -> PyResult<Vec<SegmentParts>> {
        let segments = self.forest.segments(&self.core.edges).map_err(raise)?;
        let parts = segments.into_iter();
        Ok(parts.map(|it| (it.edge.0, ranges(&it.source), ranges(&it.target))).collect())
    }
}

fn ranges(spans: &[Span]) -> Vec<Range> {
    spans.iter().map(|span| (span.start, span.end)).collect()
}

fn node_parts(node: Node<'_>) -> NodeParts {
    let (span, covered) = match node.cover() {
        Cover::Span(Span { start, end }) => (Some((start, end)), None),
        Cover::Bits(_) => (None, Some(node.covered().collect())),
    };
    (span, covered, node.label().map(str::to_string))
}

fn edge_parts(forest: &Core, edge: Edge<'_>) -> EdgeParts {
    let token = |symbol| match symbol {
        Symbol::Word(word) => Token::Word(forest.word(word).to_string()),
        Symbol::Slot(slot) => Token::Slot(slot),
    };
    let dense = (0..).zip(edge.dense().iter().copied()).filter(|&(_, value)| value != 0.0);
    (
        edge.head().0,
        edge.tails().iter().map(|tail| tail.0).collect(),
        edge.symbols().map(token).collect(),
        ranges(edge.spans()),
        edge.links().to_vec(),
        dense.chain(edge.sparse().iter().copied()).collect(),
        edge.flags().names().collect(),
        edge.rule(),
        edge.heads().to_vec(),
    )
}

/// All forests of a file, binary or lines of JSON.
#[pyfunction]
pub fn load_forests(py: Python<'_>, path: PathBuf) -> PyResult<Vec<Forest>> {
    let forests = watch(py, 1, None, |_| load(&path))?;
    Ok(forests.into_iter().map(Forest::from).collect())
}

/// Writes forests, as JSON if the name says so; answers how many.
#[pyfunction]
pub fn save_forests(py: Python<'_>, path: PathBuf, forests: Vec<Py<Forest>>) -> PyResult<u64> {
    let forests: Vec<&Core> = forests.iter().map(|forest| &*forest.get().core).collect();
    watch(py, 1, None, |_| save(&path, forests))
}
