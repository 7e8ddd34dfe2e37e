//! Cube pruning: of all ways to make a span, the most promising first.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;

use smallvec::SmallVec;

use super::arena::{Cell, GLUE, Item, JOIN, NONE, Row, START};
use super::feature::{Applied, Joined, Meeting};
use super::rule::RUN;
use super::search::Searching;
use super::states::EMPTY;
use crate::Result;
use crate::decode::limits::unsound;

/// Rules of one source side over the same spans: its cells are rule × item × item.
#[derive(Debug, Clone, Copy)]
pub struct Cube {
    /// A rule set of the sentence, or `GLUE`, `START` or `JOIN`, which join two cells.
    pub set: u32,
    pub cells: [Cell; 2],
}

/// A cell of a cube. The order is by key; ties go to the cube found first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    rank: u64,
    place: Reverse<u64>,
}

type Items = SmallVec<[Item; 5]>;

/// More rows of a cell than this are never looked at: ranks have 16 bits.
const MOST: u32 = 1 << 16;

impl Candidate {
    fn new(key: f32, cube: u32, ranks: [u32; 3]) -> Self {
        let bits = key.to_bits();
        let sortable = if bits >> 31 == 1 { !bits } else { bits | 1 << 31 };
        let rank = u64::from(sortable) << 32 | u64::from(!cube);
        let [rule, first, second] = ranks.map(u64::from);
        Candidate { rank, place: Reverse(rule << 32 | first << 16 | second) }
    }

    fn cube(self) -> u32 {
        !(self.rank as u32)
    }

    fn ranks(self) -> [u32; 3] {
        let place = self.place.0;
        [(place >> 32) as u32, (place >> 16) as u32 & 0xFFFF, place as u32 & 0xFFFF]
    }
}

impl Searching<'_> {
    /// Fills the cell in hand with the best of some cubes.
    pub fn fill(&mut self, cubes: &[Cube], span: (u32, u32), limit: usize) -> Result<Cell> {
        self.arena.open();
        let corner = |(number, cube): (usize, &Cube)| {
            Candidate::new(self.key(cube, [0; 3]), number as u32, [0; 3])
        };
        let mut corners: Vec<Candidate> = cubes.iter().enumerate().map(corner).collect();
        if corners.len() > limit {
            // Corners come first of their cubes: no more of them than this are ever taken.
            corners.select_nth_unstable_by(limit - 1, |a, b| b.cmp(a));
            corners.truncate(limit);
        }
        let mut heap = BinaryHeap::from(corners);
        let mut best = f32::NEG_INFINITY;
        for _ in 0..limit {
            let Some(&candidate) = heap.peek() else { break };
            let cube = cubes[candidate.cube() as usize];
            let ranks = candidate.ranks();
            if self.scorers.is_empty() {
                let item = self.evaluate(&cube, ranks, span);
                self.take(item, &mut best);
            } else if matches!(cube.set, GLUE | START | JOIN) {
                for item in self.evaluate_joins(&cube, ranks, span) {
                    self.take(item, &mut best);
                }
            } else {
                let item = self.evaluate_scored(&cube, ranks, span);
                self.take(item, &mut best);
            }
            self.advance(&mut heap, &cube, candidate.cube(), ranks);
        }
        if self.unsound {
            return Err(unsound());
        }
        Ok(self.arena.close(self.search.stack, self.search.threshold))
    }

    /// Takes an item into the cell in hand unless it is too far from the best.
    #[inline]
    fn take(&mut self, item: Item, best: &mut f32) {
        // Not finite: nothing can be said of what is better, and cells might stay empty.
        self.unsound |= !(item.key.is_finite() && item.score.is_finite());
        *best = best.max(item.key);
        if item.key >= *best - self.search.threshold {
            self.arena.insert(item, self.scorers.class(item.state), self.keep);
        }
    }

    /// Replaces the first of the heap by its successors. Each cell of a cube follows exactly
    /// one other: that with one less at the last rank above 0.
    #[inline]
    fn advance(&self, heap: &mut BinaryHeap<Candidate>, cube: &Cube, number: u32, at: [u32; 3]) {
        let sizes = self.sizes(cube);
        let from = at.iter().rposition(|&rank| rank > 0).unwrap_or(0);
        let next = |position: usize| {
            let mut ranks = at;
            ranks[position] += 1;
            (ranks[position] < sizes[position])
                .then(|| Candidate::new(self.key(cube, ranks), number, ranks))
        };
        let mut followers = (from..3).filter_map(next);
        let Some(mut top) = heap.peek_mut() else { return };
        match followers.next() {
            Some(first) => {
                *top = first;
                drop(top);
                heap.extend(followers);
            }
            None => {
                PeekMut::pop(top);
            }
        }
    }

    /// How many rules and rows there are; 1 where there is no slot.
    #[inline]
    fn sizes(&self, cube: &Cube) -> [u32; 3] {
        let rules = match cube.set {
            GLUE | START | JOIN => 1,
            set => self.sets[set as usize].count,
        };
        [rules, cube.cells[0].count.clamp(1, MOST), cube.cells[1].count.clamp(1, MOST)]
    }

    #[inline]
    fn row(&self, cell: Cell, rank: u32) -> Option<&Row> {
        (rank < cell.count).then(|| &self.arena.rows[(cell.first + rank) as usize])
    }

    /// What a cell of a cube is expected to be worth.
    #[inline]
    fn key(&self, cube: &Cube, [rule, first, second]: [u32; 3]) -> f32 {
        let own = match cube.set {
            GLUE | JOIN => self.glue,
            START => 0.0,
            set if rule == 0 => self.sets[set as usize].best,
            set => self.sets[set as usize].options.rule(rule).key,
        };
        let row = |cell, rank| self.row(cell, rank).map_or(0.0, |row| row.key);
        own + row(cube.cells[0], first) + row(cube.cells[1], second)
    }

    /// The item of a cell of a cube.
    #[inline]
    fn evaluate(&mut self, cube: &Cube, ranks: [u32; 3], span: (u32, u32)) -> Item {
        let rows = self.rows(cube, ranks);
        let (set, rule) = (cube.set, ranks[0]);
        let (own, state) = match set {
            GLUE => {
                let (change, state) = self.states.join(rows[0].state, rows[1].state);
                (self.glue + change, state)
            }
            set => self.apply(set, rule, rows.map(|row| row.state)),
        };
        let score = own + rows[0].score + rows[1].score;
        let key = score + self.search.hope * self.states.slack(state);
        let tails = rows.map(|row| row.item);
        let (start, end) = span;
        Item { score, key, state, set, rule, tails, next: NONE, start, end }
    }

    #[inline]
    fn rows(&self, cube: &Cube, [_, first, second]: [u32; 3]) -> [Row; 2] {
        const NO_ROW: Row = Row { key: 0.0, score: 0.0, state: EMPTY, item: NONE };
        let row = |cell, rank| self.row(cell, rank).copied().unwrap_or(NO_ROW);
        [row(cube.cells[0], first), row(cube.cells[1], second)]
    }

    /// The item of a rule, with features that have a state.
    fn evaluate_scored(&mut self, cube: &Cube, ranks: [u32; 3], span: (u32, u32)) -> Item {
        let rows = self.rows(cube, ranks);
        let (set, rank) = (cube.set, ranks[0]);
        let states = rows.map(|row| row.state);
        let (own, lm) = self.apply(set, rank, states.map(|state| self.lm_state(state)));
        let offset = self.entry.offset;
        let applied = Applied { set, rule: rank, span: (offset + span.0, offset + span.1) };
        let found = self.scorers.apply(applied, states);
        self.item(cube, &rows, own, lm, Joined { way: rank, ..found }, span)
    }

    /// The items of two neighbours, with features that have a state: several where they can be
    /// joined in several ways.
    fn evaluate_joins(&mut self, cube: &Cube, ranks: [u32; 3], span: (u32, u32)) -> Items {
        let rows = self.rows(cube, ranks);
        let [left, right] = rows.map(|row| row.state);
        let glue = if cube.set == START { 0.0 } else { self.glue };
        let (change, lm) = self.states.join(self.lm_state(left), self.lm_state(right));
        let middle = self.arena.items[rows[0].item as usize].end;
        let at = self.meeting(span.0, middle, span.1);
        let ways = self.scorers.join(left, right, at);
        ways.into_iter().map(|way| self.item(cube, &rows, glue + change, lm, way, span)).collect()
    }

    #[inline]
    fn item(
        &mut self,
        cube: &Cube,
        rows: &[Row; 2],
        own: f32,
        lm: u32,
        found: Joined,
        (start, end): (u32, u32),
    ) -> Item {
        let base = own + rows[0].score + rows[1].score;
        let score = base + found.change;
        let slack = self.search.hope * self.states.slack(lm);
        Item {
            score,
            key: score + slack + found.outlook,
            state: self.scorers.number(lm, found.states),
            set: cube.set,
            rule: found.way,
            tails: rows.map(|row| row.item),
            next: NONE,
            start,
            end,
        }
    }

    /// Where two neighbours meet, counted from the first word of the sentence. What stands
    /// before the first word of a piece covers all words before it.
    pub fn meeting(&self, start: u32, middle: u32, end: u32) -> Meeting {
        let offset = self.entry.offset;
        let start = if middle == 0 { 0 } else { offset + start };
        Meeting { start, middle: offset + middle, end: offset + end }
    }

    /// What a rule adds to the items in its slots, and the state of the whole.
    #[inline]
    fn apply(&mut self, set: u32, rank: u32, slots: [u32; 2]) -> (f32, u32) {
        let local = &self.sets[set as usize];
        let rule = local.options.rule(rank);
        let many = self.model.lms().len();
        let (mut score, mut state, mut run) = (rule.score, EMPTY, rule.runs);
        for &part in local.options.parts(rank) {
            let next = if part == RUN {
                let id = &mut self.runs[(local.first_run + run) as usize];
                if *id == NONE {
                    *id = self.states.id(&local.options.run(run, many));
                }
                run += 1;
                *id
            } else {
                slots[usize::from(part)]
            };
            let (change, whole) = self.states.join(state, next);
            (score, state) = (score + change, whole);
        }
        (score, state)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn candidates_are_ordered_by_key_then_place() {
        let keys = [f32::NEG_INFINITY, -3.5, -1e-9, 0.0, 1e-9, 2.0];
        let found: Vec<Candidate> =
            keys.iter().map(|&key| Candidate::new(key, 7, [1, 3, 9])).collect();
        assert!(found.is_sorted());
        assert_eq!((found[1].cube(), found[1].ranks()), (7, [1, 3, 9]));
        assert!(Candidate::new(1.0, 2, [0; 3]) > Candidate::new(1.0, 3, [0; 3]));
        assert!(Candidate::new(1.0, 2, [0; 3]) > Candidate::new(1.0, 2, [0, 0, 1]));
    }
}
