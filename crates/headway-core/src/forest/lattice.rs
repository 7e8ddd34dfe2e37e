//! A forest with at most one tail per edge as a word lattice.

use std::fmt::Write;

use super::graph::{EdgeId, Forest, NONE, SLOT};
use super::weighted::Weighted;
use crate::{Error, Result};

/// States from 0 (the start), in topological order, and arcs with a word each.
#[derive(Debug, Clone, PartialEq)]
pub struct Lattice {
    pub states: u32,
    pub end: u32,
    pub arcs: Vec<Arc>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Arc {
    pub from: u32,
    pub to: u32,
    /// `None` where an edge says nothing.
    pub word: Option<u32>,
    /// The edge's score on its first arc, 0 on the others.
    pub score: f64,
    pub edge: EdgeId,
}

impl Weighted<'_> {
    /// The lattice of all derivations. Every path from the start to the end is one, and has its
    /// score. Arcs are in the order of the states they leave.
    pub fn lattice(&self) -> Result<Lattice> {
        let forest = self.forest.trimmed_with_edges()?;
        let (forest, kept) = (&forest.0, &forest.1);
        // An edge of several words needs states between; they come just before its head.
        let (mut states, mut places) = (1, vec![NONE; forest.node_count()]);
        let mut arcs = Vec::new();
        for node in 0..forest.node_count() {
            let first = arcs.len();
            for edge in forest.incoming(node) {
                let words = chain(forest, edge)?;
                let tail = forest.tails_of(edge).first();
                let mut from = tail.map_or(0, |tail| places[tail.index()]);
                let (id, mut score) = (kept[edge], self.scores[kept[edge].index()]);
                for &word in words.iter().take(words.len().saturating_sub(1)) {
                    arcs.push(Arc { from, to: states, word: Some(word), score, edge: id });
                    (from, score, states) = (states, 0.0, states + 1);
                }
                let word = words.last().copied();
                arcs.push(Arc { from, to: NONE, word, score, edge: id });
            }
            places[node] = states;
            states += 1;
            let open = arcs[first..].iter_mut().filter(|arc| arc.to == NONE);
            open.for_each(|arc| arc.to = places[node]);
        }
        arcs.sort_by_key(|arc| arc.from);
        Ok(Lattice { states, end: places[forest.goal.index()], arcs })
    }
}

impl Forest {
    /// Without what stands in no derivation, and which edge each was before.
    fn trimmed_with_edges(&self) -> Result<(Forest, Vec<EdgeId>)> {
        use super::semiring::Exists;
        let inside = self.inside_over::<Exists>(|_| true);
        let outside = self.outside_over::<Exists>(|_| true, &inside);
        let used = |edge: &usize| {
            outside[self.edges[*edge].head.index()]
                && self.tails_of(*edge).iter().all(|tail| inside[tail.index()])
        };
        let kept = (0..self.edge_count()).filter(used).map(|edge| EdgeId(edge as u32)).collect();
        Ok((self.trimmed()?, kept))
    }
}

/// The words that an edge adds after its tail.
fn chain(forest: &Forest, edge: usize) -> Result<&[u32]> {
    let (tails, symbols) = (forest.tails_of(edge).len(), forest.symbols_of(edge));
    let words = match (tails, symbols.split_first()) {
        (0, _) => Some(symbols),
        (1, Some((&SLOT, words))) => Some(words),
        _ => None,
    };
    words.ok_or_else(|| {
        let message = "does not add words after those of one tail, so this is no lattice";
        Error::Setting(format!("forest: an edge with {tails} tails {message}"))
    })
}

impl Lattice {
    /// Python lattice format, as Moses and cdec read: for each state but the end its arcs, as
    /// word, score and how many states on. What says nothing is `*EPS*`.
    pub fn to_plf(&self, forest: &Forest) -> String {
        let mut text = String::from("(");
        let mut arcs = self.arcs.iter().peekable();
        for state in 0..self.end {
            text.push('(');
            while let Some(arc) = arcs.next_if(|arc| arc.from == state) {
                let word = arc.word.map_or("*EPS*", |word| forest.word(word));
                let word = word.replace('\\', "\\\\").replace('\'', "\\'");
                // Writing to a string does not fail.
                let _ = write!(text, "('{word}',{},{}),", arc.score, arc.to - arc.from);
            }
            text.push_str("),");
        }
        text.push(')');
        text
    }
}
