//! Cube pruning: of all edges into a stack, the best cells first.

use std::collections::BinaryHeap;

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

/// Numbers from here on are those of cells that were evaluated.
const EVALUATED: u32 = 1 << 31;

/// Looks at the clock this seldom.
const TICK: usize = 1024;

impl Searching<'_, '_> {
    pub fn fill_by_cubes(&mut self, edges: &mut Edges, covered: u32, stack: &mut Stack) {
        self.check_time();
        let into = std::mem::take(&mut edges.by_covered[covered as usize]);
        let corner = |(number, edge): (usize, &Edge)| {
            Cell::new(self.hope(edges, edge, 0, 0), number as u32, 0, 0)
        };
        let mut heap: BinaryHeap<Cell> = into.iter().enumerate().map(corner).collect();
        let mut pops = 0;
        let mut evaluated: Vec<Hypothesis> = Vec::new();
        while let Some(cell) = heap.pop() {
            let number = cell.edge();
            if number >= EVALUATED {
                let new = evaluated[(number - EVALUATED) as usize];
                self.take(stack, new);
                pops += 1;
                if pops >= self.pop_limit() || stack.members.len() >= self.stack_limit() {
                    break;
                }
                if pops % TICK == 0 {
                    self.check_time();
                }
                continue;
            }
            let (row, column) = (cell.row(), cell.column());
            let edge = into[number as usize];
            let new = self.extend(edges, &edge, row, column);
            let span = &self.input.spans[edges.moves[edge.step as usize].span as usize];
            if (column as usize + 1) < span.count() {
                let key = self.hope(edges, &edge, row, column + 1);
                heap.push(Cell::new(key, number, row, column + 1));
            }
            if column == 0 && row + 1 < edge.count && row + 1 < 1 << 16 {
                heap.push(Cell::new(self.hope(edges, &edge, row + 1, 0), number, row + 1, 0));
            }
            heap.push(Cell::new(new.total, EVALUATED + evaluated.len() as u32, 0, 0));
            evaluated.push(new);
        }
    }

    fn take(&mut self, stack: &mut Stack, new: Hypothesis) {
        let identity = Equality { model: self.model, input: self.input, extras: self.extras };
        stack.insert(&mut self.arena, &identity, new, self.keep);
    }

    /// The same with what language models are hoped to add.
    #[inline]
    fn hope(&self, edges: &Edges, edge: &Edge, row: u32, column: u32) -> f32 {
        let span = &self.input.spans[edges.moves[edge.step as usize].span as usize];
        let ranked = self.input.ranked(span, edge.orientation as usize)[column as usize];
        edges.rows[(edge.rows + row) as usize].key + edge.base + ranked.key + ranked.hope
    }

    /// The total of a cell, before language models see the join.
    #[inline]
    pub fn key(&self, edges: &Edges, edge: &Edge, row: u32, column: u32) -> f32 {
        let span = &self.input.spans[edges.moves[edge.step as usize].span as usize];
        let ranked = self.input.ranked(span, edge.orientation as usize)[column as usize];
        edges.rows[(edge.rows + row) as usize].key + edge.base + ranked.key
    }

    /// The hypothesis of a cell.
    #[inline]
    pub fn extend(&mut self, edges: &mut Edges, edge: &Edge, row: u32, column: u32) -> Hypothesis {
        let step = edges.moves[edge.step as usize];
        let span = &self.input.spans[step.span as usize];
        let choice = self.input.ranked(span, edge.orientation as usize)[column as usize].choice;
        let from = edges.rows[(edge.rows + row) as usize].hypothesis;
        let (lm_change, lm) =
            self.lm.extend(self.arena[from as usize].lm, choice, self.input.phrase(choice));
        let mut total = self.key(edges, edge, row, column) + lm_change;
        let (end, complete) = (span.end as i32, self.input.length);
        let coverage = self.coverage_behind(edges, edge.step);
        let mut extra = 0;
        if !self.extras.is_empty() {
            let (score, behind) = self.extend_extras(from, choice, coverage);
            (total, extra) = (total + score, behind);
        }
        if self.coverages.get(coverage).first_free() == complete {
            total += self.finish_score(lm, extra);
        }
        Hypothesis {
            total,
            previous: from,
            choice,
            lm,
            coverage,
            extra,
            next: NONE,
            start: step.start_key,
            end,
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
