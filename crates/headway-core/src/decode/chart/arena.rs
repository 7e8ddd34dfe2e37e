//! Items of a chart, and the cells they are in.

use super::rule::RuleSet;

pub const NONE: u32 = u32::MAX;
/// In place of a rule set: a part put behind the parts before it.
pub const GLUE: u32 = u32::MAX - 1;
/// The same for the state before all words.
pub const BEGIN: u32 = u32::MAX - 2;
/// The same for the first part, where that is no joining: if neighbours are joined anywhere.
pub const START: u32 = u32::MAX - 3;
/// The same for two neighbours within a span, if a feature joins them there.
pub const JOIN: u32 = u32::MAX - 4;

/// A partial translation of a span; the best of those that are equal for what comes after.
#[derive(Debug, Clone, Copy)]
pub struct Item {
    pub score: f32,
    /// The score with part of its slack: what it is expected to be worth.
    pub key: f32,
    pub state: u32,
    /// A rule set of the sentence, `GLUE`, `BEGIN`, `START` or `JOIN`.
    pub set: u32,
    /// The rank of its rule there; where two items are joined, the way in which they are.
    pub rule: u32,
    /// Items that fill its slots, or the two that are joined.
    pub tails: [u32; 2],
    /// The next of those that recombined into this one, worse ones.
    pub next: u32,
    pub start: u32,
    pub end: u32,
}

/// An item as cubes see it.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    pub key: f32,
    pub score: f32,
    pub state: u32,
    pub item: u32,
}

/// The items of a span: rows, the best first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Cell {
    pub first: u32,
    pub count: u32,
}

/// All items of a sentence.
#[derive(Default)]
pub struct Arena {
    pub items: Vec<Item>,
    pub rows: Vec<Row>,
    /// By what states count as: when it was last seen, and where in `members`.
    seen: Vec<(u32, u32)>,
    stamp: u32,
    members: Vec<u32>,
    /// The first item of the cell in hand.
    first: u32,
    /// For each item of the cell in hand, where it is once others are gone; `NONE` if it goes.
    moved: Vec<u32>,
}

impl Arena {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.items.clear();
        self.rows.clear();
    }

    /// Starts a cell.
    pub fn open(&mut self) {
        self.stamp += 1;
        self.members.clear();
        self.first = self.items.len() as u32;
    }

    /// Takes an item into the cell; of those of one class the best stands for all. The others
    /// are kept in its list if `keep` says so.
    #[inline]
    pub fn insert(&mut self, mut new: Item, class: u32, keep: bool) {
        let state = class as usize;
        if state >= self.seen.len() {
            self.seen.resize((state + 1).next_power_of_two(), (0, 0));
        }
        let (stamp, place) = self.seen[state];
        let id = self.items.len() as u32;
        if stamp != self.stamp {
            self.seen[state] = (self.stamp, self.members.len() as u32);
            self.members.push(id);
            self.items.push(new);
            return;
        }
        let old = self.members[place as usize];
        let better = new.score > self.items[old as usize].score;
        if !keep {
            if better {
                self.items[old as usize] = new;
            }
            return;
        }
        if better {
            new.next = old;
            self.members[place as usize] = id;
        } else {
            new.next = self.items[old as usize].next;
            self.items[old as usize].next = id;
        }
        self.items.push(new);
    }

    /// Ends the cell with its best `most` items, and of these the ones within `threshold` of
    /// the best.
    pub fn close(&mut self, most: usize, threshold: f32) -> Cell {
        let first = self.rows.len();
        self.rows.extend(self.members.iter().map(|&item| {
            let Item { key, score, state, .. } = self.items[item as usize];
            Row { key, score, state, item }
        }));
        let rows = &mut self.rows[first..];
        rows.sort_unstable_by(|a, b| b.key.total_cmp(&a.key).then(a.item.cmp(&b.item)));
        let best = rows.first().map_or(0.0, |row| row.key);
        let within = rows.partition_point(|row| row.key >= best - threshold);
        let count = within.min(most);
        self.rows.truncate(first + count);
        if count < self.members.len() {
            self.drop_others(first);
        }
        Cell { first: first as u32, count: count as u32 }
    }

    /// Drops the items of the cell that are in no row from `first` on, nor in the list of one; the
    /// others keep their order.
    fn drop_others(&mut self, first: usize) {
        let Arena { items, rows, first: start, moved, .. } = self;
        let start = *start as usize;
        moved.clear();
        moved.resize(items.len() - start, NONE);
        for row in &rows[first..] {
            let mut at = row.item;
            while at != NONE {
                moved[at as usize - start] = 0;
                at = items[at as usize].next;
            }
        }
        let mut end = start;
        for (place, moved) in moved.iter_mut().enumerate().filter(|(_, moved)| **moved != NONE) {
            *moved = end as u32;
            items[end] = items[start + place];
            end += 1;
        }
        items.truncate(end);
        let place = |item: u32| if item == NONE { NONE } else { moved[item as usize - start] };
        items[start..].iter_mut().for_each(|item| item.next = place(item.next));
        rows[first..].iter_mut().for_each(|row| row.item = place(row.item));
    }

    pub fn cell(&self, cell: Cell) -> &[Row] {
        &self.rows[cell.first as usize..][..cell.count as usize]
    }
}

/// A rule set in a sentence.
pub struct LocalSet {
    pub options: std::sync::Arc<RuleSet>,
    /// The number of its first run in the sentence.
    pub first_run: u32,
    /// The key of its first rule, and how many there are.
    pub best: f32,
    pub count: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn item(score: f32, state: u32, rule: u32) -> Item {
        let tails = [NONE; 2];
        Item { score, key: score, state, set: 0, rule, tails, next: NONE, start: 0, end: 1 }
    }

    /// The scores and rules of a row's list, the first apart.
    fn list(arena: &Arena, row: &Row) -> Vec<(f32, u32)> {
        let (mut found, mut at) = (Vec::new(), row.item);
        while at != NONE {
            let item = &arena.items[at as usize];
            found.push((item.score, item.rule));
            at = item.next;
        }
        found[1..].sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        found
    }

    #[test]
    fn a_closed_cell_holds_its_best_items_and_no_others() {
        let mut random = Random::new(3, 1);
        let mut arena = Arena::default();
        for most in [1, 2, 3, 5, 100].repeat(40) {
            let before = arena.items.len();
            arena.open();
            let made: Vec<Item> = (0..30)
                .map(|rule| item(-(random.below(1000) as f32), random.below(12) as u32, rule))
                .collect();
            made.iter().for_each(|&item| arena.insert(item, item.state, true));
            let cell = arena.close(most, f32::INFINITY);
            let mut expected: Vec<Vec<(f32, u32)>> = (0..12)
                .map(|state| {
                    let own = made.iter().filter(|item| item.state == state);
                    let mut own: Vec<(f32, u32)> = own.map(|it| (it.score, it.rule)).collect();
                    own.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
                    own
                })
                .filter(|own| !own.is_empty())
                .collect();
            expected.sort_by(|a, b| b[0].0.total_cmp(&a[0].0));
            expected.truncate(most);
            let rows = arena.cell(cell).to_vec();
            let scores = |all: &[Vec<(f32, u32)>]| -> Vec<Vec<f32>> {
                all.iter().map(|own| own.iter().map(|it| it.0).collect()).collect()
            };
            let found: Vec<_> = rows.iter().map(|row| list(&arena, row)).collect();
            let ties = expected.windows(2).any(|two| two[0][0].0 == two[1][0].0);
            if !ties {
                assert_eq!(scores(&found), scores(&expected));
            }
            let kept: usize = found.iter().map(Vec::len).sum();
            assert_eq!(arena.items.len() - before, kept);
            assert!(arena.items[before..].is_sorted_by_key(|item| item.rule), "in order");
        }
    }
}
