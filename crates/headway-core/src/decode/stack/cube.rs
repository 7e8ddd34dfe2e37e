//! Cube pruning: of all edges into a stack, the best cells first.

use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use super::arena::{Hypothesis, NONE, Stack};
use super::edges::{Edge, Edges};
use super::search::{Equality, Searching};

/// A cell of an edge. The order is by key; ties go to the edge found first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    rank: u64,
    place: std::cmp::Reverse<u32>,
}

impl Cell {
    fn new(key: f32, edge: u32, row: u32, column: u32) -> Self {
        let bits = key.to_bits();
        let sortable = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
        let rank = u64::from(sortable) << 32 | u64::from(!edge);
        Cell { rank, place: std::cmp::Reverse(row << 16 | column) }
    }

    fn edge(self) -> u32 {
        !(self.rank as u32)
    }

    fn row(self) -> u32 {
        self.place.0 >> 16
    }

    fn column(self) -> u32 {
        self.place.0 & 0xFFFF
    }
}

/// Looks at the clock this seldom.
const TICK: usize = 1024;

impl Searching<'_, '_> {
    pub fn fill_by_cubes(
        &mut self,
        edges: &mut Edges,
        into: Vec<Edge>,
        complete: bool,
        stack: &mut Stack,
    ) {
        self.check_time();
        let corner = |(number, edge): (usize, &Edge)| {
            Cell::new(self.hope(edges, edge, 0, 0), number as u32, 0, 0)
        };
        let mut hopes: BinaryHeap<Cell> = into.iter().enumerate().map(corner).collect();
        let mut found = BinaryHeap::new();
        let mut evaluated: Vec<Hypothesis> = Vec::new();
        for pops in 1..=self.pop_limit() {
            // Cells that may be better than the best one known are evaluated first.
            while let Some(cell) = hopes.peek().copied() {
                if found.peek().is_some_and(|best: &Cell| best.rank >> 32 >= cell.rank >> 32) {
                    break;
                }
                let edge = into[cell.edge() as usize];
                let mut new = self.extend(edges, &edge, cell.row(), cell.column(), complete);
                if !self.extras.slow {
                    self.add_extras(&mut new, complete);
                }
                found.push(Cell::new(new.total, evaluated.len() as u32, 0, 0));
                evaluated.push(new);
                self.advance(edges, &edge, cell, &mut hopes);
            }
            let Some(best) = found.pop() else { break };
            let mut new = evaluated[best.edge() as usize];
            if self.extras.slow {
                self.add_extras(&mut new, complete);
            }
            self.take(stack, new);
            if pops % TICK == 0 {
                self.check_time();
            }
            if pops >= self.pop_limit() {
                break;
            }
        }
    }

    /// Replaces a cell, the first of the heap, by its neighbours.
    #[inline]
    fn advance(&self, edges: &Edges, edge: &Edge, cell: Cell, hopes: &mut BinaryHeap<Cell>) {
        let (number, row, column) = (cell.edge(), cell.row(), cell.column());
        let below = column == 0 && row + 1 < edge.count && row + 1 < 1 << 16;
        let below =
            below.then(|| Cell::new(self.hope(edges, edge, row + 1, 0), number, row + 1, 0));
        let beside = (column + 1 < edge.choices)
            .then(|| Cell::new(self.hope(edges, edge, row, column + 1), number, row, column + 1));
        let Some(mut top) = hopes.peek_mut() else { return };
        match beside {
            Some(beside) => {
                *top = beside;
                drop(top);
                hopes.extend(below);
            }
            None => match below {
                Some(below) => *top = below,
                None => {
                    PeekMut::pop(top);
                }
            },
        }
    }

    fn take(&mut self, stack: &mut Stack, new: Hypothesis) {
        self.unsound |= !new.total.is_finite();
        let identity = Equality { model: self.model, input: self.input, extras: self.extras };
        stack.insert(&mut self.arena, &identity, new, self.keep);
    }

    /// The total of a cell, before language models see the join.
    #[inline]
    pub fn key(&self, edges: &Edges, edge: &Edge, row: u32, column: u32) -> f32 {
        let ranked = self.input.ranked(edge.columns + column);
        edges.rows[(edge.rows + row) as usize].key + edge.base + ranked.key
    }

    /// The same with what language models are hoped to add.
    #[inline]
    pub fn hope(&self, edges: &Edges, edge: &Edge, row: u32, column: u32) -> f32 {
        self.key(edges, edge, row, column) + self.input.ranked(edge.columns + column).hope
    }

    /// The hypothesis of a cell without further features; `complete` says whether it covers all
    /// words.
    #[inline]
    pub fn extend(
        &mut self,
        edges: &mut Edges,
        edge: &Edge,
        row: u32,
        column: u32,
        complete: bool,
    ) -> Hypothesis {
        let row = edges.rows[(edge.rows + row) as usize];
        let ranked = self.input.ranked(edge.columns + column);
        let (lm_change, lm) = self.lm.extend(row.lm, ranked.choice, self.input);
        let mut total = row.key + edge.base + ranked.key + lm_change;
        let coverage = self.coverage_behind(edges, edge.step);
        let step = edges.moves[edge.step as usize];
        if complete {
            total += self.end_score(lm);
        }
        Hypothesis {
            total,
            previous: row.hypothesis,
            choice: ranked.choice,
            lm,
            coverage,
            extra: 0,
            next: NONE,
            start: step.start_key,
            end: step.end,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_ordered_by_key_then_place() {
        let keys = [f32::NEG_INFINITY, -3.5, -1e-9, 0.0, 1e-9, 2.0];
        let cells: Vec<Cell> = keys.iter().map(|&key| Cell::new(key, 7, 3, 9)).collect();
        assert!(cells.is_sorted());
        assert_eq!((cells[1].edge(), cells[1].row(), cells[1].column()), (7, 3, 9));
        assert!(Cell::new(1.0, 2, 0, 0) > Cell::new(1.0, 3, 0, 0));
        assert!(Cell::new(1.0, 2, 0, 0) > Cell::new(1.0, 2, 0, 1));
    }
}
