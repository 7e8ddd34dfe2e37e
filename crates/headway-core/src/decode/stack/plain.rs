//! Plain stack search: every cell of every edge.

use super::arena::Stack;
use super::edges::{Edge, Edges};
use super::search::{Equality, Searching};

impl Searching<'_, '_> {
    pub fn fill_by_all(&mut self, edges: &mut Edges, covered: u32, stack: &mut Stack) {
        let mut into = std::mem::take(&mut edges.by_covered[covered as usize]);
        // Good ones first: what cannot enter is then known early.
        into.sort_by(|a, b| self.key(edges, b, 0, 0).total_cmp(&self.key(edges, a, 0, 0)));
        for edge in &into {
            self.check_time();
            self.fill_by_edge(edges, edge, stack, covered == self.input.length);
        }
    }

    /// What a cell could score if language models found its first words certain.
    fn most(&self, edges: &Edges, edge: &Edge, row: u32, column: u32) -> f32 {
        if !self.extras.is_empty() {
            return f32::INFINITY;
        }
        let choice = self.input.ranked(edge.columns + column).choice;
        self.key(edges, edge, row, column) + self.input.choices[choice as usize].slack.max(0.0)
    }

    fn fill_by_edge(&mut self, edges: &mut Edges, edge: &Edge, stack: &mut Stack, complete: bool) {
        let rows = if self.hurried { 1 } else { edge.count };
        for row in 0..rows {
            for column in 0..edge.choices {
                if self.most(edges, edge, row, column) < stack.worst {
                    continue;
                }
                let mut new = self.extend(edges, edge, row, column, complete);
                self.add_extras(&mut new, complete);
                if new.total < stack.worst {
                    continue;
                }
                let identity =
                    Equality { model: self.model, input: self.input, extras: self.extras };
                stack.insert(&mut self.arena, &identity, new, self.keep);
                stack.prune_early(&self.arena, self.stack_limit(), &identity);
            }
        }
    }
}
