//! Plain stack search: every cell of every edge.

use super::arena::Stack;
use super::edges::{Edge, Edges};
use super::search::{Equality, Searching};

impl Searching<'_, '_> {
    pub fn fill_by_all(
        &mut self,
        edges: &mut Edges,
        mut into: Vec<Edge>,
        complete: bool,
        stack: &mut Stack,
    ) {
        self.check_time();
        if self.hurried {
            return self.fill_by_cubes(edges, into, complete, stack);
        }
        // Good ones first: what cannot enter is then known early.
        into.sort_by(|a, b| self.key(edges, b, 0, 0).total_cmp(&self.key(edges, a, 0, 0)));
        for edge in &into {
            self.check_time();
            if self.hurried && !stack.members.is_empty() {
                break;
            }
            self.fill_by_edge(edges, edge, stack, complete);
        }
    }

    /// What a cell could score if language models found its first words certain.
    fn most(&self, edges: &Edges, edge: &Edge, row: u32, column: u32) -> f32 {
        let choice = self.input.ranked(edge.columns + column).choice;
        let slack = self.input.choices[choice as usize].slack.max(0.0);
        self.key(edges, edge, row, column) + slack + self.hoped_of_extras()
    }

    /// What further features may add to a hypothesis: anything; but slow ones, which are to be
    /// asked seldom, are taken to add no more than they ever have in this sentence.
    fn hoped_of_extras(&self) -> f32 {
        match (self.extras.is_empty(), self.extras.slow) {
            (true, _) => 0.0,
            (false, true) => self.most_added,
            (false, false) => f32::INFINITY,
        }
    }

    fn fill_by_edge(&mut self, edges: &mut Edges, edge: &Edge, stack: &mut Stack, complete: bool) {
        for row in 0..edge.count {
            for column in 0..edge.choices {
                if self.most(edges, edge, row, column) < stack.worst {
                    continue;
                }
                let mut new = self.extend(edges, edge, row, column, complete);
                if new.total + self.hoped_of_extras() < stack.worst {
                    continue;
                }
                self.add_extras(&mut new, complete);
                if new.total < stack.worst {
                    continue;
                }
                self.unsound |= !new.total.is_finite();
                let identity =
                    Equality { model: self.model, input: self.input, extras: self.extras };
                stack.insert(&mut self.arena, &identity, new, self.keep);
                stack.prune_early(&self.arena, self.stack_limit(), &identity);
            }
        }
    }
}
