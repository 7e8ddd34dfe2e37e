//! Building a forest, with every part checked when it is added.

use std::sync::Arc;

use smallvec::SmallVec;

use super::check::Check;
use super::features::Features;
use super::graph::{EdgeRecord, Flags, Forest, NONE, NodeId, NodeRecord, Span, Symbol, packed};
use super::words::Interner;
use crate::{Error, Result};

/// What an edge is made of; what is not given is empty.
#[derive(Debug, Clone, Copy, Default)]
pub struct EdgeParts<'a> {
    pub head: NodeId,
    /// Nodes before the head; one may stand here more than once.
    pub tails: &'a [NodeId],
    /// The target side; each slot at most once. A tail without a slot yields no words.
    pub symbols: &'a [Symbol],
    /// The source words of the edge's own rule.
    pub spans: &'a [Span],
    /// Place in the source sentence, index of a word in `symbols`.
    pub links: &'a [(u32, u32)],
    /// A value for each dense feature.
    pub dense: &'a [f32],
    /// Numbers and values of other features, numbers rising.
    pub sparse: &'a [(u32, f32)],
    pub flags: Flags,
    pub rule: Option<u32>,
    /// Empty, or for each symbol the index of its head plus one, 0 where it lies outside.
    pub heads: &'a [u16],
}

/// Takes nodes in topological order, and edges in any order once their nodes are there.
#[derive(Debug)]
pub struct ForestBuilder {
    forest: Forest,
    words: Interner,
}

impl ForestBuilder {
    /// Starts the forest of a sentence; all weights are 0 until `weights` is called.
    pub fn new<S: AsRef<str>>(features: Arc<Features>, source: &[S]) -> Result<Self> {
        let mut words = Interner::default();
        let numbers: Result<Vec<u32>> =
            source.iter().map(|word| words.number(word.as_ref())).collect();
        let weights = vec![0.0; features.len()].into();
        Ok(ForestBuilder { forest: Forest::empty(features, weights, numbers?.into()), words })
    }

    pub fn weights(&mut self, weights: Arc<[f64]>) -> Result<()> {
        self.forest.set_weights(weights)
    }

    /// The number of a word (or a label) in this forest.
    pub fn word(&mut self, word: &str) -> Result<u32> {
        self.words.number(word)
    }

    /// A node that stands for a span of source words.
    pub fn span_node(&mut self, start: u32, end: u32, label: Option<u32>) -> Result<NodeId> {
        if start > end || end as usize > self.forest.source.len() {
            let (node, length) = (self.forest.nodes.len(), self.forest.source.len());
            let message = format!("the span {start}–{end} does not lie in {length} source words");
            return Err(Error::Setting(format!("forest: node {node}: {message}")));
        }
        self.node(Span { start, end }, label)
    }

    /// A node that stands for a set of source words: one bit each, the first lowest.
    pub fn bits_node(&mut self, bits: &[u64], label: Option<u32>) -> Result<NodeId> {
        let length = self.forest.source.len();
        let spare = bits.len() * 64 - length.min(bits.len() * 64);
        let beyond = bits.last().is_some_and(|last| spare > 0 && last >> (64 - spare) != 0);
        if bits.len() != length.div_ceil(64) || beyond {
            let node = self.forest.nodes.len();
            let message = format!("its bits do not fit {length} source words");
            return Err(Error::Setting(format!("forest: node {node}: {message}")));
        }
        let start = offset(self.forest.bits.len())?;
        let node = self.node(Span { start, end: NONE }, label)?;
        self.forest.bits.extend_from_slice(bits);
        Ok(node)
    }

    fn node(&mut self, cover: Span, label: Option<u32>) -> Result<NodeId> {
        let node = offset(self.forest.nodes.len())?;
        if label.is_some_and(|label| label as usize >= self.words.list.len()) {
            return Err(Error::Setting(format!("forest: node {node}: its label is no word yet")));
        }
        let label = label.unwrap_or(NONE);
        self.forest.nodes.push(NodeRecord { cover, label, edges: Span::default() });
        Ok(NodeId(node))
    }

    pub fn edge(&mut self, edge: &EdgeParts<'_>) -> Result<()> {
        let check = Check { forest: &self.forest, words: &self.words.list, edge };
        check.all().map_err(|message| {
            Error::Setting(format!("forest: edge {}: {message}", self.forest.edge_count()))
        })?;
        self.forest.push(edge)
    }

    /// The forest; edges are now in the order of their heads, otherwise as they were added.
    pub fn finish(mut self, goal: NodeId) -> Result<Forest> {
        if goal.index() >= self.forest.nodes.len() {
            let (goal, nodes) = (goal.0, self.forest.nodes.len());
            return Err(Error::Setting(format!(
                "forest: the goal is node {goal} of {nodes} nodes"
            )));
        }
        self.forest.goal = goal;
        self.forest.words = Arc::new(self.words.list);
        let edges = &self.forest.edges[..self.forest.edge_count()];
        if edges.is_sorted_by_key(|edge| edge.head) {
            self.forest.group();
            return Ok(self.forest);
        }
        let mut order: Vec<usize> = (0..edges.len()).collect();
        order.sort_by_key(|&edge| edges[edge].head);
        self.forest.gathered(&order)
    }
}

/// A position in one of the arrays.
fn offset(length: usize) -> Result<u32> {
    match u32::try_from(length) {
        Ok(offset) if offset < NONE => Ok(offset),
        _ => Err(Error::setting("forest: more than fits into one forest")),
    }
}

impl Forest {
    pub(super) fn empty(features: Arc<Features>, weights: Arc<[f64]>, source: Arc<[u32]>) -> Self {
        let end = EdgeRecord {
            head: NodeId(NONE),
            tails: 0,
            symbols: 0,
            spans: 0,
            links: 0,
            sparse: 0,
            heads: 0,
            rule: NONE,
            flags: Flags::default(),
        };
        Forest {
            features,
            weights,
            words: Arc::default(),
            source,
            goal: NodeId(0),
            nodes: Vec::new(),
            bits: Vec::new(),
            edges: vec![end],
            tails: Vec::new(),
            symbols: Vec::new(),
            spans: Vec::new(),
            links: Vec::new(),
            dense: Vec::new(),
            sparse: Vec::new(),
            heads: Vec::new(),
        }
    }

    /// Adds an edge that is known to be right.
    pub(super) fn push(&mut self, edge: &EdgeParts<'_>) -> Result<()> {
        self.tails.extend_from_slice(edge.tails);
        self.symbols.extend(edge.symbols.iter().map(|&symbol| packed(symbol)));
        self.spans.extend_from_slice(edge.spans);
        self.links.extend_from_slice(edge.links);
        self.dense.extend_from_slice(edge.dense);
        self.sparse.extend(edge.sparse.iter().filter(|(_, value)| *value != 0.0));
        self.heads.extend_from_slice(edge.heads);
        offset(self.edges.len())?;
        let end = EdgeRecord {
            head: NodeId(NONE),
            tails: offset(self.tails.len())?,
            symbols: offset(self.symbols.len())?,
            spans: offset(self.spans.len())?,
            links: offset(self.links.len())?,
            sparse: offset(self.sparse.len())?,
            heads: offset(self.heads.len())?,
            rule: NONE,
            flags: Flags::default(),
        };
        if let Some(record) = self.edges.last_mut() {
            record.head = edge.head;
            record.rule = edge.rule.unwrap_or(NONE);
            record.flags = edge.flags;
        }
        self.edges.push(end);
        Ok(())
    }

    /// Tells every node its edges, which are in the order of heads.
    pub(super) fn group(&mut self) {
        let mut start = 0;
        for (number, node) in self.nodes.iter_mut().enumerate() {
            let rest = &self.edges[start as usize..];
            let many = rest.iter().take_while(|edge| edge.head.index() == number).count() as u32;
            node.edges = Span { start, end: start + many };
            start += many;
        }
    }

    /// The same nodes with these edges, in the order of heads.
    pub(super) fn gathered(&self, edges: &[usize]) -> Result<Forest> {
        let parts = (self.features.clone(), self.weights.clone(), self.source.clone());
        let mut forest = Forest::empty(parts.0, parts.1, parts.2);
        (forest.words, forest.goal) = (self.words.clone(), self.goal);
        (forest.nodes, forest.bits) = (self.nodes.clone(), self.bits.clone());
        for &edge in edges {
            forest.copy_edge(self, edge, |node| node)?;
        }
        forest.group();
        Ok(forest)
    }

    /// Adds another forest's edge, its nodes renamed.
    pub(super) fn copy_edge(
        &mut self,
        other: &Forest,
        edge: usize,
        renamed: impl Fn(NodeId) -> NodeId,
    ) -> Result<()> {
        let edge = other.edge(super::EdgeId(edge as u32));
        let tails: SmallVec<[NodeId; 4]> = edge.tails().iter().map(|&tail| renamed(tail)).collect();
        let symbols: SmallVec<[Symbol; 8]> = edge.symbols().collect();
        self.push(&EdgeParts {
            head: renamed(edge.head()),
            tails: &tails,
            symbols: &symbols,
            spans: edge.spans(),
            links: edge.links(),
            dense: edge.dense(),
            sparse: edge.sparse(),
            flags: edge.flags(),
            rule: edge.rule(),
            heads: edge.heads(),
        })
    }
}
