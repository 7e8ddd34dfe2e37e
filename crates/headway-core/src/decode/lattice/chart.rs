//! The best score of every item, and how to find them all.
//!
//! The rows that are combined lie along memory, whichever end is shared, so that a step is a
//! few vector instructions. This finds every item, in O(E²V) steps that are cheap; an agenda
//! fills the same chart with the most promising ones only.

use super::graph::Lattice;
use super::item::{Item, Problem};
use super::max_plus::{best_sum, raise};
use crate::decode::clock::Clock;

/// Scores of items; −∞ where there is none.
#[derive(Debug, Default)]
pub struct Chart {
    nodes: usize,
    edges: usize,
    /// Complete halves by head, then node.
    right: Vec<f32>,
    left: Vec<f32>,
    /// The same by node, then head.
    right_by_node: Vec<f32>,
    left_by_node: Vec<f32>,
    /// What lies between two edges with the arc between them and the child itself: by parent,
    /// then child.
    right_arcs: Vec<f32>,
    left_arcs: Vec<f32>,
}

impl Chart {
    /// Bytes of a chart.
    pub fn size(nodes: usize, edges: usize) -> usize {
        (4 * nodes * edges + 2 * edges * edges) * size_of::<f32>()
    }

    /// An empty chart; takes over the memory that there is.
    pub fn clear(&mut self, lattice: &Lattice) {
        (self.nodes, self.edges) = (lattice.nodes(), lattice.edges.len());
        let (halves, arcs) = (self.nodes * self.edges, self.edges * self.edges);
        for table in
            [&mut self.right, &mut self.left, &mut self.right_by_node, &mut self.left_by_node]
        {
            reset(table, halves);
        }
        reset(&mut self.right_arcs, arcs);
        reset(&mut self.left_arcs, arcs);
    }

    #[inline]
    pub fn right(&self, head: usize, to: usize) -> f32 {
        self.right[head * self.nodes + to]
    }

    #[inline]
    pub fn left(&self, from: usize, head: usize) -> f32 {
        self.left[head * self.nodes + from]
    }

    /// What lies between an edge and its child behind it, with the child.
    #[inline]
    pub fn right_arc(&self, parent: usize, child: usize) -> f32 {
        self.right_arcs[parent * self.edges + child]
    }

    /// The same for a child before it.
    #[inline]
    pub fn left_arc(&self, parent: usize, child: usize) -> f32 {
        self.left_arcs[parent * self.edges + child]
    }

    pub fn set_right(&mut self, head: usize, to: usize, score: f32) {
        self.right[head * self.nodes + to] = score;
        self.right_by_node[to * self.edges + head] = score;
    }

    pub fn set_left(&mut self, from: usize, head: usize, score: f32) {
        self.left[head * self.nodes + from] = score;
        self.left_by_node[from * self.edges + head] = score;
    }

    /// Sets what is joined to this score, with the arcs in both directions; answers the two.
    pub fn set_joint(
        &mut self,
        problem: &Problem<'_>,
        one: usize,
        other: usize,
        score: f32,
    ) -> (f32, f32) {
        let (right, left) = problem.arcs.pair(one, other);
        let right = score + problem.lattice.score(other) + right;
        let left = score + problem.lattice.score(one) + left;
        self.right_arcs[one * self.edges + other] = right;
        self.left_arcs[other * self.edges + one] = left;
        (right, left)
    }

    /// Finds every item. False if time was up.
    pub fn fill(&mut self, problem: &Problem<'_>, clock: Clock<'_>) -> bool {
        for node in (0..self.nodes).rev() {
            if clock.is_up() {
                return false;
            }
            for edge in problem.lattice.leaving(node) {
                self.fill_right(problem, edge);
            }
            self.fill_left(problem, node);
        }
        true
    }

    /// The right halves of an edge; those of later edges are known, and left halves from later
    /// nodes. What is joined up to a node comes before halves that go beyond it.
    fn fill_right(&mut self, problem: &Problem<'_>, edge: usize) {
        let Problem { lattice, arcs, paths } = *problem;
        let to = lattice.to(edge);
        self.right[edge * self.nodes + to] = 0.0;
        for node in (to..self.nodes).filter(|&node| paths.reaches(to, node)) {
            for other in lattice.leaving(node) {
                let (right, left) = arcs.pair(edge, other);
                if right == f32::NEG_INFINITY && left == f32::NEG_INFINITY {
                    continue;
                }
                let score = best_sum(
                    &self.right[edge * self.nodes + to..=edge * self.nodes + node],
                    &self.left[other * self.nodes + to..=other * self.nodes + node],
                );
                let (right, _) = self.set_joint(problem, edge, other, score);
                if right > f32::NEG_INFINITY {
                    let (before, after) = self.right.split_at_mut(other * self.nodes);
                    let row = &mut before[edge * self.nodes..][..self.nodes];
                    let end = lattice.to(other);
                    raise(&mut row[end..], &after[end..self.nodes], right);
                }
            }
        }
        for node in to..self.nodes {
            self.right_by_node[node * self.edges + edge] = self.right[edge * self.nodes + node];
        }
    }

    /// The left halves from a node, of the first edges first.
    fn fill_left(&mut self, problem: &Problem<'_>, node: usize) {
        let Problem { lattice, paths, .. } = *problem;
        let first = lattice.first(node);
        for edge in lattice.leaving(node) {
            self.set_left(node, edge, 0.0);
        }
        for from in (node + 1..self.nodes).filter(|&from| paths.reaches(node, from)) {
            let last = lattice.first(from);
            for edge in lattice.leaving(from) {
                let score = best_sum(
                    &self.left_arcs[edge * self.edges + first..edge * self.edges + last],
                    &self.left_by_node[node * self.edges + first..node * self.edges + last],
                );
                self.set_left(node, edge, score);
            }
        }
    }

    /// A whole tree with this root.
    #[inline]
    pub fn goal(&self, problem: &Problem<'_>, root: usize) -> f32 {
        let end = problem.lattice.end();
        self.left(0, root) + problem.as_root(root) + self.right(root, end)
    }

    /// Names every way in which an item is made: its number, and its score. The number is the
    /// child's edge, the node where halves meet, or the root.
    #[inline]
    pub fn ways(&self, problem: &Problem<'_>, item: Item, mut say: impl FnMut(usize, f32)) {
        let lattice = problem.lattice;
        let (from, to) = problem.ends(item);
        match item {
            Item::Right { head, .. } => {
                let arcs = &self.right_arcs[head as usize * self.edges..];
                let halves = &self.right_by_node[to * self.edges..];
                let children = lattice.first(from)..lattice.first(to);
                children.for_each(|child| say(child, arcs[child] + halves[child]));
            }
            Item::Left { head, .. } => {
                let arcs = &self.left_arcs[head as usize * self.edges..];
                let halves = &self.left_by_node[from * self.edges..];
                let children = lattice.first(from)..lattice.first(to);
                children.for_each(|child| say(child, arcs[child] + halves[child]));
            }
            Item::Joint { one, other } => {
                let (one, other) = (one as usize, other as usize);
                (from..=to)
                    .for_each(|node| say(node, self.right(one, node) + self.left(node, other)));
            }
            Item::Goal => (0..self.edges).for_each(|root| say(root, self.goal(problem, root))),
        }
    }
}

fn reset(table: &mut Vec<f32>, size: usize) {
    table.clear();
    table.resize(size, f32::NEG_INFINITY);
}
