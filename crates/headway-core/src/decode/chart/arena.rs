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
        Cell { first: first as u32, count: count as u32 }
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
