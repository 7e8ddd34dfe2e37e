//! Inside and outside probabilities under a grammar of split symbols, of what is kept of a
//! coarser chart.

use super::grammar::Grammar;
use super::kept::{Cells, Kept};
use super::level::Level;
use super::sample::{add_scaled, dot};

/// How several ways to the same part of a tree are put together.
pub trait Sum {
    fn add(one: f64, other: f64) -> f64;
}

/// The sum of their probabilities.
pub struct Total;

/// The best of them.
pub struct Best;

impl Sum for Total {
    #[inline]
    fn add(one: f64, other: f64) -> f64 {
        one + other
    }
}

impl Sum for Best {
    #[inline]
    fn add(one: f64, other: f64) -> f64 {
        one.max(other)
    }
}

/// Stands for no place.
const NONE: u32 = u32::MAX;

pub struct FineChart<'a> {
    pub level: &'a Level,
    pub kept: Kept,
    /// By the places of variants: before unary rules, and after them.
    pub lower: Vec<f64>,
    pub upper: Vec<f64>,
    /// Outside numbers of the same.
    pub out_lower: Vec<f64>,
    pub out_upper: Vec<f64>,
    /// The sum of all trees, or the best of them.
    pub total: f64,
}

impl<'a> FineChart<'a> {
    /// The inside part of the chart of a sentence: for each word its tags with their scores.
    pub fn new<S: Sum>(level: &'a Level, kept: Kept, words: &[Vec<(u16, Vec<f64>)>]) -> Self {
        let places = kept.variants.len();
        let mut chart = FineChart {
            level,
            kept,
            lower: vec![0.0; places],
            upper: vec![0.0; places],
            out_lower: Vec::new(),
            out_upper: Vec::new(),
            total: 0.0,
        };
        let mut slots = vec![NONE; level.grammar.symbols()];
        for (start, end) in chart.cells().upwards() {
            chart.mark(start, end, &mut slots);
            if end == start + 1 {
                for (tag, scores) in &words[start] {
                    let at = slots[*tag as usize];
                    if at != NONE {
                        chart.lower[at as usize..][..scores.len()].copy_from_slice(scores);
                    }
                }
            } else {
                chart.fill_pairs::<S>(start, end, &slots);
            }
            chart.drop_others(start, end);
            chart.fill_above::<S>(start, end, &slots);
            chart.unmark(start, end, &mut slots);
        }
        chart.total = chart.whole::<S>();
        chart
    }

    pub fn cells(&self) -> Cells {
        self.kept.cells
    }

    /// Notes the places of a cell's symbols.
    fn mark(&self, start: usize, end: usize, slots: &mut [u32]) {
        for entry in self.kept.entries(start, end) {
            slots[entry.symbol as usize] = entry.at;
        }
    }

    fn unmark(&self, start: usize, end: usize, slots: &mut [u32]) {
        for entry in self.kept.entries(start, end) {
            slots[entry.symbol as usize] = NONE;
        }
    }

    /// Adds up the root's variants.
    fn whole<S: Sum>(&self) -> f64 {
        let Grammar { tables, .. } = &self.level.grammar;
        let mut total = 0.0;
        for entry in self.kept.entries(0, self.cells().words) {
            let states = self.level.grammar.state(entry.symbol);
            for x in 0..self.level.grammar.size(entry.symbol) {
                let way = tables.root[states + x] * self.upper[entry.at as usize + x];
                total = S::add(total, way);
            }
        }
        total
    }

    fn fill_pairs<S: Sum>(&mut self, start: usize, end: usize, slots: &[u32]) {
        let FineChart { level, kept, lower, upper, .. } = self;
        let grammar = &level.grammar;
        let numbers = |upper: &Vec<f64>, symbol: u16, at: u32| -> std::ops::Range<usize> {
            debug_assert!(at as usize + grammar.size(symbol) <= upper.len());
            at as usize..at as usize + grammar.size(symbol)
        };
        if kept.entries(start, end).is_empty() {
            return;
        }
        for middle in start + 1..end {
            let rights = kept.entries(middle, end);
            for one in kept.entries(start, middle) {
                let left = &upper[numbers(upper, one.symbol, one.at)];
                for other in rights {
                    let rules = level.rules_of(one.symbol, other.symbol);
                    if rules.is_empty() {
                        continue;
                    }
                    let right = &upper[numbers(upper, other.symbol, other.at)];
                    for rule in rules {
                        let parent = grammar.rules.binary[rule].parent;
                        let at = slots[parent as usize];
                        if at != NONE {
                            let sums = &mut lower[at as usize..][..grammar.size(parent)];
                            add_pair::<S>(sums, grammar.binary(rule), left, right);
                        }
                    }
                }
            }
        }
    }

    /// Forgets the variants of a cell that are not kept.
    fn drop_others(&mut self, start: usize, end: usize) {
        for entry in self.kept.entries(start, end) {
            let at = entry.at as usize;
            for place in at..at + self.level.grammar.size(entry.symbol) {
                if !self.kept.variants[place] {
                    self.lower[place] = 0.0;
                }
            }
        }
    }

    fn fill_above<S: Sum>(&mut self, start: usize, end: usize, slots: &[u32]) {
        let FineChart { level, kept, lower, upper, .. } = self;
        let grammar = &level.grammar;
        for entry in kept.entries(start, end) {
            let own = entry.at as usize..entry.at as usize + grammar.size(entry.symbol);
            for place in own.clone() {
                upper[place] = S::add(upper[place], lower[place]);
            }
            let below = &lower[own];
            for rule in level.rules_above(entry.symbol) {
                let parent = grammar.rules.unary[rule].parent;
                let at = slots[parent as usize];
                if at == NONE {
                    continue;
                }
                let rows = grammar.unary(rule).chunks_exact(below.len());
                for (x, row) in rows.enumerate() {
                    let place = at as usize + x;
                    if kept.variants[place] {
                        let ways = row.iter().zip(below).map(|(rule, below)| rule * below);
                        upper[place] = ways.fold(upper[place], S::add);
                    }
                }
            }
        }
    }

    /// Fills in outside numbers; inside ones must be sums.
    pub fn fill_outside(&mut self) {
        self.out_lower = vec![0.0; self.lower.len()];
        self.out_upper = vec![0.0; self.lower.len()];
        let words = self.cells().words;
        for entry in self.kept.entries(0, words) {
            let states = self.level.grammar.state(entry.symbol);
            let size = self.level.grammar.size(entry.symbol);
            self.out_upper[entry.at as usize..][..size]
                .copy_from_slice(&self.level.grammar.tables.root[states..states + size]);
        }
        let mut slots = vec![NONE; self.level.grammar.symbols()];
        for (start, end) in self.cells().downwards() {
            self.mark(start, end, &mut slots);
            self.pass_below(start, end, &slots);
            self.pass_pairs(start, end, &slots);
            self.unmark(start, end, &mut slots);
        }
    }

    fn pass_below(&mut self, start: usize, end: usize, slots: &[u32]) {
        let FineChart { level, kept, out_lower, out_upper, .. } = self;
        let grammar = &level.grammar;
        for entry in kept.entries(start, end) {
            let own = entry.at as usize..entry.at as usize + grammar.size(entry.symbol);
            for place in own.clone().filter(|&place| !kept.variants[place]) {
                out_upper[place] = 0.0;
            }
        }
        for entry in kept.entries(start, end) {
            let own = entry.at as usize..entry.at as usize + grammar.size(entry.symbol);
            let below = &mut out_lower[own.clone()];
            below.copy_from_slice(&out_upper[own]);
            for rule in level.rules_above(entry.symbol) {
                let at = slots[grammar.rules.unary[rule].parent as usize];
                if at == NONE {
                    continue;
                }
                let rows = grammar.unary(rule).chunks_exact(below.len());
                for (x, row) in rows.enumerate() {
                    add_scaled(below, out_upper[at as usize + x], row);
                }
            }
            for (place, below) in (entry.at as usize..).zip(below) {
                if !kept.variants[place] {
                    *below = 0.0;
                }
            }
        }
    }

    fn pass_pairs(&mut self, start: usize, end: usize, slots: &[u32]) {
        let FineChart { level, kept, upper, out_lower, out_upper, .. } = self;
        let grammar = &level.grammar;
        if kept.entries(start, end).is_empty() {
            return;
        }
        for middle in start + 1..end {
            let rights = kept.entries(middle, end);
            for one in kept.entries(start, middle) {
                let lefts = one.at as usize..one.at as usize + grammar.size(one.symbol);
                for other in rights {
                    for rule in level.rules_of(one.symbol, other.symbol) {
                        let parent = grammar.rules.binary[rule].parent;
                        let at = slots[parent as usize];
                        if at == NONE {
                            continue;
                        }
                        let above = &out_lower[at as usize..][..grammar.size(parent)];
                        let other =
                            other.at as usize..other.at as usize + grammar.size(other.symbol);
                        pass_pair(above, grammar.binary(rule), upper, out_upper, &lefts, &other);
                    }
                }
            }
        }
    }

    /// The variants whose probability, before or after unary rules, is at least `threshold`, with
    /// room for all that they become at a finer level.
    pub fn prune(&self, finer: &Level, threshold: f64) -> Kept {
        let mut kept = Kept::new(self.cells().words);
        let mut likely: Vec<bool> = Vec::new();
        for (start, end) in self.cells().upwards() {
            for entry in self.kept.entries(start, end) {
                let places = entry.at as usize..;
                likely.clear();
                likely.extend(places.take(self.level.grammar.size(entry.symbol)).map(|place| {
                    let below = self.lower[place] * self.out_lower[place];
                    let most = below.max(self.upper[place] * self.out_upper[place]) / self.total;
                    most > 0.0 && most >= threshold
                }));
                add_finer(&mut kept, (start, end), self.level, finer, entry.symbol, &likely);
            }
        }
        kept
    }
}

/// What the kept symbols of the coarsest chart become at the next level.
pub fn refine(kept: &Kept, coarsest: &Level, finer: &Level) -> Kept {
    let mut found = Kept::new(kept.cells.words);
    for (start, end) in kept.cells.upwards() {
        for entry in kept.entries(start, end) {
            let likely = &kept.variants[entry.at as usize..][..1];
            add_finer(&mut found, (start, end), coarsest, finer, entry.symbol, likely);
        }
    }
    found
}

fn add_finer(
    kept: &mut Kept,
    cell: (usize, usize),
    level: &Level,
    finer: &Level,
    symbol: u16,
    likely: &[bool],
) {
    let first = level.grammar.state(symbol);
    for &own in &finer.finer[symbol as usize] {
        let states = finer.grammar.state(own)..finer.grammar.state(own) + finer.grammar.size(own);
        let coarser = finer.coarser_state[states].iter();
        kept.add(cell, own, coarser.map(|&state| likely[state as usize - first]));
    }
}

/// Adds what a rule makes of two children, whatever their variants.
#[inline]
fn add_pair<S: Sum>(sums: &mut [f64], rule: &[f64], left: &[f64], right: &[f64]) {
    let mut rows = rule.chunks_exact(right.len());
    for sum in sums {
        for left in left {
            let Some(row) = rows.next() else { return };
            if *left > 0.0 {
                let ways = row.iter().zip(right).map(|(rule, right)| left * rule * right);
                *sum = ways.fold(*sum, S::add);
            }
        }
    }
}

/// From the outside numbers of a parent to those of its children.
#[inline]
fn pass_pair(
    above: &[f64],
    rule: &[f64],
    upper: &[f64],
    out_upper: &mut [f64],
    left: &std::ops::Range<usize>,
    right: &std::ops::Range<usize>,
) {
    let rights = &upper[right.clone()];
    let mut rows = rule.chunks_exact(rights.len());
    for &above in above {
        for place in left.clone() {
            let Some(row) = rows.next() else { return };
            if above > 0.0 {
                out_upper[place] += above * dot(row, rights);
                add_scaled(&mut out_upper[right.clone()], above * upper[place], row);
            }
        }
    }
}
