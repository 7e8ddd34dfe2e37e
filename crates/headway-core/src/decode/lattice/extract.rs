//! The best items of a chart and the ways in which they are made, from the whole tree downwards.
//!
//! An item's merit is the score of the best tree that it is part of. The best tree is always taken,
//! however large it is; further items follow in the order of their merits, so what is left out is
//! part of worse trees only.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::chart::Chart;
use super::item::{Item, Problem};

/// A way in which an item is made; `at` is as `Chart::ways` has it.
#[derive(Debug, Clone, Copy)]
pub struct Way {
    pub item: u32,
    pub at: u32,
    merit: f64,
}

/// Items with a derivation each at least, and the ways in which they are made of each other.
pub struct Extract {
    pub items: Vec<Item>,
    pub ways: Vec<Way>,
    numbers: HashMap<Item, u32, FxBuildHasher>,
}

/// How much is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// So many items at most besides those of the best tree.
    pub items: usize,
    /// Nothing that is worse than the best tree by more than this.
    pub window: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Open(f64, Reverse<Item>);

impl Eq for Open {}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0).then(self.1.cmp(&other.1))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Items that wait for each one that may be taken, before the worst go.
const WAITING: usize = 4;

struct Extracting<'a> {
    problem: Problem<'a>,
    chart: &'a Chart,
    wanted: Wanted,
    open: BinaryHeap<Open>,
    /// The best merit that each item that waits was seen with.
    merits: HashMap<Item, f64, FxBuildHasher>,
    /// What is below this is left out.
    floor: f64,
    found: Extract,
}

impl Extract {
    pub fn new(problem: Problem<'_>, chart: &Chart, wanted: Wanted) -> Self {
        let found = Extract { items: Vec::new(), ways: Vec::new(), numbers: HashMap::default() };
        let (open, merits) = (BinaryHeap::new(), HashMap::default());
        let floor = f64::NEG_INFINITY;
        Extracting { problem, chart, wanted, open, merits, floor, found }.run()
    }

    /// The number of an item.
    pub fn number(&self, item: Item) -> Option<u32> {
        self.numbers.get(&item).copied()
    }

    /// What an item is made of in a way; parts with nothing in them are left out.
    pub fn parts(&self, problem: &Problem<'_>, way: &Way) -> [Option<Item>; 2] {
        parts(problem, self.items[way.item as usize], way.at)
    }
}

fn parts(problem: &Problem<'_>, item: Item, at: u32) -> [Option<Item>; 2] {
    let both = match item {
        Item::Right { head, to } => {
            [Item::Joint { one: head, other: at }, Item::Right { head: at, to }]
        }
        Item::Left { from, head } => {
            [Item::Left { from, head: at }, Item::Joint { one: at, other: head }]
        }
        Item::Joint { one, other } => {
            [Item::Right { head: one, to: at }, Item::Left { from: at, head: other }]
        }
        Item::Goal => {
            let to = problem.lattice.end() as u32;
            [Item::Left { from: 0, head: at }, Item::Right { head: at, to }]
        }
    };
    both.map(|part| (!problem.is_empty(part)).then_some(part))
}

impl Extracting<'_> {
    fn run(mut self) -> Extract {
        let mut best = f32::NEG_INFINITY;
        self.chart.ways(&self.problem, Item::Goal, |_, score| best = best.max(score));
        self.floor = f64::from(best) - self.wanted.window;
        let mut ways = Vec::new();
        self.take_best(f64::from(best), &mut ways);
        let most = self.wanted.items.saturating_add(self.found.items.len());
        while let Some(Open(merit, Reverse(item))) = self.open.pop() {
            if merit < self.floor || self.found.items.len() >= most {
                self.floor = self.floor.max(merit);
                break;
            }
            if !self.found.numbers.contains_key(&item) {
                self.take(item, merit, &mut ways);
            }
        }
        self.finish()
    }

    /// Takes a best tree.
    fn take_best(&mut self, merit: f64, ways: &mut Vec<(u32, f64)>) {
        let mut open = vec![Item::Goal];
        while let Some(item) = open.pop() {
            self.take(item, merit, ways);
            let first =
                ways.iter().copied().reduce(|best, way| if way.1 > best.1 { way } else { best });
            let parts = first.map(|(at, _)| parts(&self.problem, item, at));
            open.extend(parts.into_iter().flatten().flatten());
        }
    }

    /// Takes an item, and notes what it is made of; `ways` are all of them with their scores.
    fn take(&mut self, item: Item, merit: f64, ways: &mut Vec<(u32, f64)>) {
        let number = self.found.items.len() as u32;
        self.found.numbers.insert(item, number);
        self.found.items.push(item);
        ways.clear();
        let mut best = f64::NEG_INFINITY;
        self.chart.ways(&self.problem, item, |at, score| {
            let score = f64::from(score);
            if score > f64::NEG_INFINITY {
                best = best.max(score);
                ways.push((at as u32, score));
            }
        });
        for &(at, score) in ways.iter() {
            let merit = merit - (best - score);
            if merit >= self.floor {
                self.found.ways.push(Way { item: number, at, merit });
                for part in parts(&self.problem, item, at).into_iter().flatten() {
                    self.offer(part, merit);
                }
            }
        }
    }

    fn offer(&mut self, item: Item, merit: f64) {
        let known = self.merits.entry(item).or_insert(f64::NEG_INFINITY);
        if merit <= *known || self.found.numbers.contains_key(&item) {
            return;
        }
        *known = merit;
        self.open.push(Open(merit, Reverse(item)));
        if self.open.len() > self.wanted.items.saturating_mul(WAITING).max(64) {
            self.forget_the_worst();
        }
    }

    /// Half of what waits goes.
    fn forget_the_worst(&mut self) {
        let mut open = std::mem::take(&mut self.open).into_vec();
        let half = open.len() / 2;
        open.select_nth_unstable_by(half, |one, other| other.cmp(one));
        self.floor = self.floor.max(open[half].0);
        open.truncate(half);
        self.open = open.into();
    }

    /// Leaves out ways of what was not taken.
    fn finish(self) -> Extract {
        let Extracting { problem, mut found, floor, .. } = self;
        let mut ways = std::mem::take(&mut found.ways);
        ways.retain(|way| {
            let parts = found.parts(&problem, way);
            way.merit >= floor && parts.into_iter().flatten().all(|it| found.number(it).is_some())
        });
        found.ways = ways;
        found
    }
}
