//! One derivation of a forest: its words, links, segments and feature values.

use super::graph::{EdgeId, Forest, NodeId, SLOT, Span};
use crate::{Error, Result};

/// A repeated tail doubles what is below it, so a small forest can hold derivations that no
/// memory could: beyond this many edges they are refused.
const LONGEST: usize = 1 << 22;

/// A tree of edges, each before those of its tails, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct Derivation {
    pub score: f64,
    pub edges: Vec<EdgeId>,
}

/// What one edge of a derivation says in its own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    pub edge: EdgeId,
    pub source: Vec<Span>,
    /// Places in the target sentence, as few ranges as possible.
    pub target: Vec<Span>,
}

impl Forest {
    /// The derivation of a node that takes the chosen edge everywhere.
    pub(super) fn expand(
        &self,
        node: NodeId,
        choice: impl Fn(NodeId) -> Option<EdgeId>,
    ) -> Result<Vec<EdgeId>> {
        let (mut edges, mut open) = (Vec::new(), vec![node]);
        while let Some(node) = open.pop() {
            let Some(edge) = choice(node) else { continue };
            check_length(edges.len())?;
            edges.push(edge);
            open.extend(self.tails_of(edge.index()).iter().rev());
        }
        Ok(edges)
    }

    /// The target words of a derivation, as numbers.
    pub fn target(&self, derivation: &[EdgeId]) -> Result<Vec<u32>> {
        let mut words = Vec::new();
        self.walk(derivation, |_, _, word| words.push(word))?;
        Ok(words)
    }

    /// The target words of a derivation, joined by spaces.
    pub fn text(&self, derivation: &[EdgeId]) -> Result<String> {
        let mut text = String::new();
        self.walk(derivation, |_, _, word| {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(self.word(word));
        })?;
        Ok(text)
    }

    /// The word links of a derivation (source place, target place), sorted, each once.
    pub fn alignment(&self, derivation: &[EdgeId]) -> Result<Vec<(u32, u32)>> {
        let (mut links, mut place) = (Vec::new(), 0);
        self.walk(derivation, |edge, symbol, _| {
            let own = self.edge(derivation[edge]).links().iter();
            let here = own.filter(|link| link.1 == symbol);
            links.extend(here.map(|link| (link.0, place)));
            place += 1;
        })?;
        links.sort_unstable();
        links.dedup();
        Ok(links)
    }

    /// For each edge of a derivation with words of its own on either side, which source words it
    /// translates and where its words stand, in the order of the target sentence.
    pub fn segments(&self, derivation: &[EdgeId]) -> Result<Vec<Segment>> {
        let mut targets: Vec<Vec<Span>> = vec![Vec::new(); derivation.len()];
        let mut place = 0;
        let order = self.walk(derivation, |edge, _, _| {
            match targets[edge].last_mut() {
                Some(range) if range.end == place => range.end += 1,
                _ => targets[edge].push(Span { start: place, end: place + 1 }),
            }
            place += 1;
        })?;
        let segment = |edge: usize| {
            let target = std::mem::take(&mut targets[edge]);
            let source = self.edge(derivation[edge]).spans().to_vec();
            Segment { edge: derivation[edge], source, target }
        };
        let segments = order.into_iter().map(segment);
        Ok(segments.filter(|said| !(said.source.is_empty() && said.target.is_empty())).collect())
    }

    /// The sum of each feature that is not 0, in the order of features.
    pub fn feature_totals(&self, derivation: &[EdgeId]) -> Vec<(u32, f64)> {
        let mut dense = vec![0.0; self.features.dense()];
        let mut sparse: Vec<(u32, f64)> = Vec::new();
        for edge in derivation {
            for (sum, &value) in dense.iter_mut().zip(self.dense_of(edge.index())) {
                *sum += f64::from(value);
            }
            let own = self.sparse_of(edge.index()).iter();
            sparse.extend(own.map(|&(place, value)| (place, f64::from(value))));
        }
        sparse.sort_by_key(|&(place, _)| place);
        let dense = dense.into_iter().enumerate().map(|(place, sum)| (place as u32, sum));
        let mut totals: Vec<(u32, f64)> = dense.collect();
        for (place, value) in sparse {
            match totals.last_mut() {
                Some(last) if last.0 == place => last.1 += value,
                _ => totals.push((place, value)),
            }
        }
        totals.retain(|&(_, sum)| sum != 0.0);
        totals
    }

    /// Says each target word in its order: place of its edge in the derivation, index of its
    /// symbol, the word. Answers the edges in the order in which the last own word, or where
    /// there is none the last symbol, is reached.
    fn walk(
        &self,
        derivation: &[EdgeId],
        mut say: impl FnMut(usize, u32, u32),
    ) -> Result<Vec<usize>> {
        let tree = self.tree(derivation)?;
        let (mut open, mut order) = (vec![(0, 0)], Vec::with_capacity(derivation.len()));
        while let Some((edge, done)) = open.pop() {
            let symbols = self.symbols_of(derivation[edge].index());
            let Some(&symbol) = symbols.get(done) else {
                order.push(edge);
                continue;
            };
            open.push((edge, done + 1));
            if symbol & SLOT == 0 {
                say(edge, done as u32, symbol);
            } else {
                open.push((tree.child(edge, (symbol & !SLOT) as usize), 0));
            }
        }
        Ok(order)
    }

    /// Which edge of a derivation stands at which tail of which, once it is known to be one.
    fn tree(&self, derivation: &[EdgeId]) -> Result<Tree> {
        let mut starts = vec![0; derivation.len()];
        let (mut children, mut open) = (Vec::with_capacity(derivation.len()), Vec::new());
        for (place, &edge) in derivation.iter().enumerate().rev() {
            if edge.index() >= self.edge_count() {
                return Err(no_derivation());
            }
            starts[place] = children.len();
            for tail in self.tails_of(edge.index()) {
                let child: usize = open.pop().ok_or_else(no_derivation)?;
                if self.edges[derivation[child].index()].head != *tail {
                    return Err(no_derivation());
                }
                children.push(child);
            }
            open.push(place);
        }
        if open == [0] { Ok(Tree { starts, children }) } else { Err(no_derivation()) }
    }
}

struct Tree {
    starts: Vec<usize>,
    children: Vec<usize>,
}

impl Tree {
    fn child(&self, edge: usize, tail: usize) -> usize {
        self.children[self.starts[edge] + tail]
    }
}

fn no_derivation() -> Error {
    Error::setting("forest: these edges are no derivation of it: each before those of its tails")
}

pub(super) fn check_length(edges: usize) -> Result<()> {
    if edges < LONGEST {
        return Ok(());
    }
    Err(Error::Setting(format!("forest: a derivation of more than {LONGEST} edges")))
}
