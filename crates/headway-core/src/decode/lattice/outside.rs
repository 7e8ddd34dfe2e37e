//! What may still come around an item: how agendas are ordered.

use super::item::{Item, Problem};
use super::max_plus::raise;

/// For each node the best way there and from there, and for each edge what it is worth as the
/// head of an item, whose own parent is not known yet.
pub struct Outside {
    before: Vec<f32>,
    after: Vec<f32>,
    head: Vec<f32>,
}

impl Outside {
    /// The best paths by the scores of edges (Gimpel & Smith 2011).
    pub fn of_paths(problem: &Problem<'_>) -> Self {
        let edges = 0..problem.lattice.edges.len();
        Outside::new(problem, edges.map(|edge| problem.lattice.score(edge)).collect())
    }

    /// The same where every edge has the best parent that it can have on any path: never less
    /// than what comes. It is consistent: no item promises more than what it is made of did, so
    /// each is best when it is taken, and so is the first whole tree.
    pub fn bounds(problem: &Problem<'_>) -> Self {
        Outside::new(problem, best_parents(problem))
    }

    fn new(problem: &Problem<'_>, head: Vec<f32>) -> Self {
        let (lattice, none) = (problem.lattice, f32::NEG_INFINITY);
        let (mut before, mut after) = (vec![none; lattice.nodes()], vec![none; lattice.nodes()]);
        (before[0], after[lattice.end()]) = (0.0, 0.0);
        for (edge, &worth) in head.iter().enumerate() {
            let way = before[lattice.from(edge)];
            raise(&mut before[lattice.to(edge)..][..1], &[way], worth);
        }
        for (edge, &worth) in head.iter().enumerate().rev() {
            let way = after[lattice.to(edge)];
            raise(&mut after[lattice.from(edge)..][..1], &[way], worth);
        }
        Outside { before, after, head }
    }

    /// What may come around a half; `head` is its edge.
    #[inline]
    pub fn of_half(&self, problem: &Problem<'_>, item: Item, head: usize) -> f32 {
        let (from, to) = problem.ends(item);
        let (from, to) = match item {
            Item::Right { .. } => (problem.lattice.from(head), to),
            _ => (from, problem.lattice.to(head)),
        };
        self.before[from] + self.head[head] + self.after[to]
    }

    /// What may come around two edges with an arc between them, of which `head` is the parent.
    #[inline]
    pub fn of_arc(&self, problem: &Problem<'_>, one: usize, other: usize, head: usize) -> f32 {
        let (from, to) = (problem.lattice.from(one), problem.lattice.to(other));
        self.before[from] + self.head[head] + self.after[to]
    }
}

/// What each edge is worth with its best parent.
fn best_parents(problem: &Problem<'_>) -> Vec<f32> {
    let Problem { lattice, arcs, paths } = *problem;
    let edges = lattice.edges.len();
    let mut best: Vec<f32> = (0..edges).map(|edge| arcs.root(edge)).collect();
    for one in 0..edges {
        for other in super::arcs::followers(lattice, paths, one) {
            let (right, left) = arcs.pair(one, other);
            best[other] = best[other].max(right);
            best[one] = best[one].max(left);
        }
    }
    best.iter().enumerate().map(|(edge, parent)| lattice.score(edge) + parent).collect()
}
