//! Features of the arcs of a phrase dependency tree, and a table of what arcs are worth.

use super::graph::Lattice;
use super::paths::Paths;
use super::units::Unit;
use crate::decode::clock::Clock;
use crate::decode::feature::Placed;
use crate::decode::source::Source;

/// An arc between phrases, by the numbers of their units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arc {
    /// None is the root.
    pub parent: Option<u32>,
    pub child: u32,
    /// Whether the child stands before its parent in the translation.
    pub left: bool,
}

/// A feature of lattice parsing: a sum over the arcs of the tree.
pub trait ArcFeature: Send + Sync {
    /// Starts a sentence with these phrases.
    fn begin<'a>(&'a self, source: &'a Source, units: &'a [Unit<'a>]) -> Box<dyn ArcScorer + 'a>;

    /// The place of a phrase's most important word, if the feature knows it.
    fn head_word(&self, _words: &[&str]) -> Option<usize> {
        None
    }
}

/// A feature at work on one sentence.
pub trait ArcScorer {
    /// Writes the values of an arc, one for each name.
    fn arc(&mut self, arc: Arc, values: &mut [f32]);
}

/// All features at work.
pub struct Scorers<'a> {
    scorers: Vec<(Box<dyn ArcScorer + 'a>, &'a Placed)>,
    values: Vec<f32>,
}

impl<'a> Scorers<'a> {
    pub fn new(features: &'a [Placed], source: &'a Source, units: &'a [Unit<'a>]) -> Self {
        let begin = |placed: &'a Placed| (placed.arcs().begin(source, units), placed);
        Scorers { scorers: features.iter().map(begin).collect(), values: Vec::new() }
    }

    /// Hands on each value of an arc with its column and its weight.
    fn each(&mut self, arc: Arc, mut say: impl FnMut(usize, f32, f32)) {
        let Scorers { scorers, values } = self;
        for (scorer, placed) in scorers {
            values.clear();
            values.resize(placed.columns.len(), 0.0);
            scorer.arc(arc, values);
            for (at, &value) in values.iter().enumerate() {
                say(placed.columns[at], value, placed.weights[at]);
            }
        }
    }

    /// What an arc is worth.
    pub fn worth(&mut self, arc: Arc) -> f32 {
        let mut sum = 0.0;
        self.each(arc, |_, value, weight| sum += value * weight);
        sum
    }

    /// Adds the values of an arc to those of a model.
    pub fn add(&mut self, arc: Arc, values: &mut [f64]) {
        self.each(arc, |column, value, _| values[column] += f64::from(value));
    }
}

/// What the arcs of a lattice are worth; −∞ where there is none.
pub struct ArcTable {
    units: usize,
    /// The unit of each edge.
    of: Vec<u32>,
    /// By parent and child, of children behind and before their parents.
    right: Vec<f32>,
    left: Vec<f32>,
    root: Vec<f32>,
    /// By two edges, the former before the latter: whether the latter may be the child
    /// (`RIGHT`), and the former (`LEFT`). All may if there is nothing.
    kept: Vec<u8>,
}

pub const RIGHT: u8 = 1;
pub const LEFT: u8 = 2;

impl ArcTable {
    /// Bytes of a table from which no arc was taken.
    pub fn size(units: usize) -> usize {
        2 * units * units * size_of::<f32>()
    }

    /// Scores every arc that stands on some path; none if time is up before the last one.
    pub fn new(
        lattice: &Lattice,
        paths: &Paths,
        units: usize,
        clock: Clock<'_>,
        mut worth: impl FnMut(Arc) -> f32,
    ) -> Option<Self> {
        let of: Vec<u32> = lattice.edges.iter().map(|edge| edge.unit).collect();
        let none = vec![f32::NEG_INFINITY; units * units];
        let root = (0..units as u32)
            .map(|child| worth(Arc { parent: None, child, left: false }))
            .collect();
        let kept = Vec::new();
        let mut table = ArcTable { units, of, right: none.clone(), left: none, root, kept };
        for one in 0..lattice.edges.len() {
            if clock.is_up() {
                return None;
            }
            for other in followers(lattice, paths, one) {
                let (before, after) = (table.of[one], table.of[other]);
                let (down, up) = (table.place(before, after), table.place(after, before));
                if table.right[down] == f32::NEG_INFINITY {
                    let arc = Arc { parent: Some(before), child: after, left: false };
                    table.right[down] = worth(arc);
                    let arc = Arc { parent: Some(after), child: before, left: true };
                    table.left[up] = worth(arc);
                }
            }
        }
        Some(table)
    }

    #[inline]
    fn place(&self, parent: u32, child: u32) -> usize {
        parent as usize * self.units + child as usize
    }

    /// Keeps these arcs only, by pairs of edges.
    pub fn keep(&mut self, kept: Vec<u8>) {
        self.kept = kept;
    }

    #[inline]
    fn may(&self, one: usize, other: usize, which: u8) -> bool {
        self.kept.is_empty() || self.kept[one * self.of.len() + other] & which != 0
    }

    /// Of two edges, one before the other on a path: the worth of the arc to the latter, and of
    /// that to the former.
    #[inline]
    pub fn pair(&self, one: usize, other: usize) -> (f32, f32) {
        let (before, after) = (self.of[one], self.of[other]);
        let right = self.right[self.place(before, after)];
        let left = self.left[self.place(after, before)];
        if self.kept.is_empty() {
            return (right, left);
        }
        let or_none = |worth, which| match self.may(one, other, which) {
            true => worth,
            false => f32::NEG_INFINITY,
        };
        (or_none(right, RIGHT), or_none(left, LEFT))
    }

    /// What it is worth to be the root.
    #[inline]
    pub fn root(&self, edge: usize) -> f32 {
        self.root[self.of[edge] as usize]
    }
}

/// The edges that stand behind one on some path.
pub fn followers<'a>(
    lattice: &'a Lattice,
    paths: &'a Paths,
    edge: usize,
) -> impl Iterator<Item = usize> + 'a {
    let to = lattice.to(edge);
    let nodes = (to..lattice.nodes()).filter(move |&node| paths.reaches(to, node));
    nodes.flat_map(|node| lattice.leaving(node))
}
