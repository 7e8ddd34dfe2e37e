//! The hypergraph: nodes in topological order, edges grouped by their heads, all in flat arrays.

use std::ops::Range;
use std::sync::Arc;

use super::features::Features;
use super::words::WordList;
use crate::weight::check_weight;
use crate::{Error, Result};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct NodeId(pub u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct EdgeId(pub u32);

impl NodeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl EdgeId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A part of an edge's target side: a word of the forest's list, or all that a tail yields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Symbol {
    Word(u32),
    /// The tail at this position, from 0.
    Slot(u32),
}

/// Source words from `start` to before `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

/// Which source words a node stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover<'a> {
    Span(Span),
    /// One bit per source word, the first in the lowest bit of the first element.
    Bits(&'a [u64]),
}

/// What is special about an edge; several may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Flags(pub u8);

impl Flags {
    pub const COPIED: Flags = Flags(1);
    pub const DROPPED: Flags = Flags(2);
    pub const MARKED: Flags = Flags(4);
    /// From a search that was cut short or made simpler so that there is a translation.
    pub const FALLBACK: Flags = Flags(8);
    pub const NAMES: [(&'static str, Flags); 4] = [
        ("unknown-copied", Flags::COPIED),
        ("unknown-dropped", Flags::DROPPED),
        ("unknown-marked", Flags::MARKED),
        ("fallback", Flags::FALLBACK),
    ];

    pub fn contains(self, other: Flags) -> bool {
        self.0 & other.0 == other.0
    }

    pub fn and(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }

    /// An unknown word, however it was treated.
    pub fn is_unknown(self) -> bool {
        self.0 & 7 != 0
    }

    pub fn names(self) -> impl Iterator<Item = &'static str> {
        Flags::NAMES.into_iter().filter(move |(_, flag)| self.contains(*flag)).map(|(name, _)| name)
    }
}

/// All derivations of one sentence's translations that a search kept.
#[derive(Debug, Clone, PartialEq)]
pub struct Forest {
    pub(super) features: Arc<Features>,
    pub(super) weights: Arc<[f64]>,
    pub(super) words: Arc<WordList>,
    pub(super) source: Arc<[u32]>,
    pub(super) goal: NodeId,
    pub(super) nodes: Vec<NodeRecord>,
    pub(super) bits: Vec<u64>,
    /// One more than there are edges: an edge's parts end where those of the next begin.
    pub(super) edges: Vec<EdgeRecord>,
    pub(super) tails: Vec<NodeId>,
    pub(super) symbols: Vec<u32>,
    pub(super) spans: Vec<Span>,
    pub(super) links: Vec<(u32, u32)>,
    pub(super) dense: Vec<f32>,
    pub(super) sparse: Vec<(u32, f32)>,
    pub(super) heads: Vec<u16>,
}

pub(super) const NONE: u32 = u32::MAX;
pub(super) const SLOT: u32 = 1 << 31;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct NodeRecord {
    /// A span, or where the bits lie and `NONE`.
    pub(super) cover: Span,
    pub(super) label: u32,
    pub(super) edges: Span,
}

/// Where the parts of an edge begin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct EdgeRecord {
    pub(super) head: NodeId,
    pub(super) tails: u32,
    pub(super) symbols: u32,
    pub(super) spans: u32,
    pub(super) links: u32,
    pub(super) sparse: u32,
    pub(super) heads: u32,
    pub(super) rule: u32,
    pub(super) flags: Flags,
}

impl Forest {
    pub fn features(&self) -> &Arc<Features> {
        &self.features
    }

    /// The weights it was made with, or was given since; one per feature.
    pub fn weights(&self) -> &Arc<[f64]> {
        &self.weights
    }

    /// Reweights: what asks for no other weights uses these from now on.
    pub fn set_weights(&mut self, weights: Arc<[f64]>) -> Result<()> {
        check_weights(&self.features, &weights)?;
        self.weights = weights;
        Ok(())
    }

    pub fn words(&self) -> &WordList {
        &self.words
    }

    pub fn word(&self, word: u32) -> &str {
        self.words.get(word)
    }

    /// The source sentence, as numbers of words.
    pub fn source(&self) -> &[u32] {
        &self.source
    }

    pub fn goal(&self) -> NodeId {
        self.goal
    }

    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    pub fn edge_count(&self) -> usize {
        self.edges.len() - 1
    }

    /// In topological order: whatever an edge needs stands before its head.
    pub fn nodes(&self) -> impl DoubleEndedIterator<Item = Node<'_>> + ExactSizeIterator {
        (0..self.nodes.len() as u32).map(|node| self.node(NodeId(node)))
    }

    /// Grouped by head, in the order of nodes.
    pub fn edges(&self) -> impl DoubleEndedIterator<Item = Edge<'_>> + ExactSizeIterator {
        (0..self.edge_count() as u32).map(|edge| self.edge(EdgeId(edge)))
    }

    /// Ids come from this forest; another one's may panic, as an index would.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        Node { forest: self, id, record: &self.nodes[id.index()] }
    }

    pub fn edge(&self, id: EdgeId) -> Edge<'_> {
        let place = id.index();
        Edge { forest: self, id, record: &self.edges[place], next: &self.edges[place + 1] }
    }

    /// The edges of a node, as a range of numbers.
    pub(super) fn incoming(&self, node: usize) -> Range<usize> {
        let edges = self.nodes[node].edges;
        edges.start as usize..edges.end as usize
    }

    pub(super) fn tails_of(&self, edge: usize) -> &[NodeId] {
        &self.tails[self.edges[edge].tails as usize..self.edges[edge + 1].tails as usize]
    }

    pub(super) fn symbols_of(&self, edge: usize) -> &[u32] {
        &self.symbols[self.edges[edge].symbols as usize..self.edges[edge + 1].symbols as usize]
    }

    pub(super) fn dense_of(&self, edge: usize) -> &[f32] {
        let width = self.features.dense();
        &self.dense[edge * width..(edge + 1) * width]
    }

    pub(super) fn sparse_of(&self, edge: usize) -> &[(u32, f32)] {
        &self.sparse[self.edges[edge].sparse as usize..self.edges[edge + 1].sparse as usize]
    }
}

/// One weight per feature, all of them within range.
pub(super) fn check_weights(features: &Features, weights: &[f64]) -> Result<()> {
    if weights.len() != features.len() {
        let (found, expected) = (weights.len(), features.len());
        return Err(Error::Setting(format!("forest: {found} weights for {expected} features")));
    }
    let mut named = features.names().iter().zip(weights);
    named.try_for_each(|(name, &weight)| check_weight(name, weight))
}

#[derive(Clone, Copy)]
pub struct Node<'a> {
    forest: &'a Forest,
    id: NodeId,
    record: &'a NodeRecord,
}

impl<'a> Node<'a> {
    pub fn id(self) -> NodeId {
        self.id
    }

    pub fn cover(self) -> Cover<'a> {
        match self.record.cover {
            Span { start, end: NONE } => {
                let start = start as usize;
                let width = self.forest.source.len().div_ceil(64);
                Cover::Bits(&self.forest.bits[start..start + width])
            }
            span => Cover::Span(span),
        }
    }

    /// The source words it stands for, in their order.
    pub fn covered(self) -> impl Iterator<Item = u32> + 'a {
        let (span, bits): (Span, &[u64]) = match self.cover() {
            Cover::Span(span) => (span, &[]),
            Cover::Bits(bits) => (Span::default(), bits),
        };
        let places = bits.iter().enumerate().flat_map(|(at, bits)| {
            (0..64).filter(move |bit| bits >> bit & 1 == 1).map(move |bit| at as u32 * 64 + bit)
        });
        (span.start..span.end).chain(places)
    }

    pub fn label(self) -> Option<&'a str> {
        let label = self.record.label;
        (label != NONE).then(|| self.forest.word(label))
    }

    /// The edges whose head it is.
    pub fn edges(self) -> impl DoubleEndedIterator<Item = Edge<'a>> + ExactSizeIterator {
        let Span { start, end } = self.record.edges;
        (start..end).map(move |edge| self.forest.edge(EdgeId(edge)))
    }
}

#[derive(Clone, Copy)]
pub struct Edge<'a> {
    forest: &'a Forest,
    id: EdgeId,
    record: &'a EdgeRecord,
    next: &'a EdgeRecord,
}

impl<'a> Edge<'a> {
    pub fn id(self) -> EdgeId {
        self.id
    }

    pub fn head(self) -> NodeId {
        self.record.head
    }

    pub fn tails(self) -> &'a [NodeId] {
        self.forest.tails_of(self.id.index())
    }

    /// The target side.
    pub fn symbols(self) -> impl DoubleEndedIterator<Item = Symbol> + ExactSizeIterator + 'a {
        self.forest.symbols_of(self.id.index()).iter().map(|&symbol| unpacked(symbol))
    }

    /// The source words of its own rule, without those of its tails.
    pub fn spans(self) -> &'a [Span] {
        &self.forest.spans[self.record.spans as usize..self.next.spans as usize]
    }

    /// Word links of its own rule: place in the source sentence, index of the symbol.
    pub fn links(self) -> &'a [(u32, u32)] {
        &self.forest.links[self.record.links as usize..self.next.links as usize]
    }

    /// Values of the dense features.
    pub fn dense(self) -> &'a [f32] {
        self.forest.dense_of(self.id.index())
    }

    /// Numbers and values of the others, in the order of numbers.
    pub fn sparse(self) -> &'a [(u32, f32)] {
        self.forest.sparse_of(self.id.index())
    }

    pub fn flags(self) -> Flags {
        self.record.flags
    }

    pub fn rule(self) -> Option<u32> {
        (self.record.rule != NONE).then_some(self.record.rule)
    }

    /// For each symbol the index of its head plus one, 0 where it lies outside; empty if the
    /// edge has no dependency structure.
    pub fn heads(self) -> &'a [u16] {
        &self.forest.heads[self.record.heads as usize..self.next.heads as usize]
    }
}

pub(super) fn packed(symbol: Symbol) -> u32 {
    match symbol {
        Symbol::Word(word) => word,
        Symbol::Slot(slot) => slot | SLOT,
    }
}

pub(super) fn unpacked(symbol: u32) -> Symbol {
    if symbol & SLOT == 0 { Symbol::Word(symbol) } else { Symbol::Slot(symbol & !SLOT) }
}
