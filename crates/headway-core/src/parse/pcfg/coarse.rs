//! Inside and outside probabilities under the coarsest grammar, whose symbols are unsplit, of
//! all spans and symbols.
//!
//! For two children, inside numbers of all places where they may meet lie side by side, so that
//! a span is a few products of vectors.

use super::grammar::Grammar;
use super::kept::{Cells, Kept};
use super::level::Level;
use super::sample::{add_scaled, dot};

/// The rules of the coarsest grammar by their left children.
#[derive(Debug, Clone)]
pub struct CoarseRules {
    /// For each left child: right children, each with its rules as a range.
    by_left: Vec<Vec<(u16, u32, u32)>>,
}

impl CoarseRules {
    pub fn new(level: &Level) -> Self {
        let rules = &level.grammar.rules.binary;
        let mut by_left: Vec<Vec<(u16, u32, u32)>> = vec![Vec::new(); level.grammar.symbols()];
        for (at, rule) in rules.iter().enumerate() {
            let own = &mut by_left[rule.left as usize];
            match own.last_mut() {
                Some((right, _, end)) if *right == rule.right => *end += 1,
                _ => own.push((rule.right, at as u32, at as u32 + 1)),
            }
        }
        CoarseRules { by_left }
    }
}

/// Where something begins and ends; nothing where the first is behind the last.
#[derive(Debug, Clone, Copy)]
struct Extent {
    first: u32,
    last: u32,
}

const NOWHERE: Extent = Extent { first: u32::MAX, last: 0 };

/// Spans of each symbol: numbers by symbol, one end, and the other end.
struct Spans {
    positions: usize,
    numbers: Vec<f64>,
}

impl Spans {
    fn new(symbols: usize, positions: usize) -> Self {
        Spans { positions, numbers: vec![0.0; symbols * positions * positions] }
    }

    #[inline]
    fn at(&self, symbol: u16, end: usize, other: usize) -> usize {
        (symbol as usize * self.positions + end) * self.positions + other
    }
}

pub struct CoarseChart<'a> {
    level: &'a Level,
    rules: &'a CoarseRules,
    cells: Cells,
    /// By cell and symbol, before unary rules.
    lower: Vec<f64>,
    /// After them, by start and end, and by end and start.
    by_start: Spans,
    by_end: Spans,
    /// For each start and symbol, where it ends; for each end, where it starts.
    ends: Vec<Extent>,
    begins: Vec<Extent>,
    /// The sum of all trees.
    pub total: f64,
}

impl<'a> CoarseChart<'a> {
    /// The inside part of the chart of a sentence: for each word its tags with their scores.
    pub fn new(level: &'a Level, rules: &'a CoarseRules, words: &[Vec<(u16, Vec<f64>)>]) -> Self {
        let cells = Cells { words: words.len() };
        let (symbols, positions) = (level.grammar.symbols(), words.len() + 1);
        let mut chart = CoarseChart {
            level,
            rules,
            cells,
            lower: vec![0.0; cells.count() * symbols],
            by_start: Spans::new(symbols, positions),
            by_end: Spans::new(symbols, positions),
            ends: vec![NOWHERE; positions * symbols],
            begins: vec![NOWHERE; positions * symbols],
            total: 0.0,
        };
        let (mut lower, mut upper) = (vec![0.0; symbols], vec![0.0; symbols]);
        for (start, end) in cells.upwards() {
            lower.fill(0.0);
            if end == start + 1 {
                words[start].iter().for_each(|(tag, scores)| lower[*tag as usize] = scores[0]);
            } else {
                chart.sum_pairs(start, end, &mut lower);
            }
            chart.set(start, end, &lower, &mut upper);
        }
        // The last cell is that of the whole sentence.
        chart.total = dot(&upper, &level.grammar.tables.root);
        chart
    }

    fn own(&self, cell: usize) -> std::ops::Range<usize> {
        let symbols = self.level.grammar.symbols();
        cell * symbols..(cell + 1) * symbols
    }

    /// Where two children of a span may meet.
    #[inline]
    fn meeting(&self, start: usize, left: u16, end: usize, right: u16) -> (usize, usize) {
        let symbols = self.level.grammar.symbols();
        let ends = self.ends[start * symbols + left as usize];
        let begins = self.begins[end * symbols + right as usize];
        (ends.first.max(begins.first) as usize, ends.last.min(begins.last) as usize)
    }

    fn sum_pairs(&self, start: usize, end: usize, lower: &mut [f64]) {
        let symbols = self.level.grammar.symbols();
        let Grammar { rules, tables, .. } = &self.level.grammar;
        for (left, rights) in self.rules.by_left.iter().enumerate() {
            if self.ends[start * symbols + left].first == u32::MAX {
                continue;
            }
            for &(right, first, last) in rights {
                let (from, to) = self.meeting(start, left as u16, end, right);
                if from > to {
                    continue;
                }
                let lefts = self.by_start.at(left as u16, start, from);
                let rights = self.by_end.at(right, end, from);
                let width = to - from + 1;
                let sum = dot(
                    &self.by_start.numbers[lefts..lefts + width],
                    &self.by_end.numbers[rights..rights + width],
                );
                for rule in first as usize..last as usize {
                    lower[rules.binary[rule].parent as usize] += tables.binary[rule] * sum;
                }
            }
        }
    }

    fn set(&mut self, start: usize, end: usize, lower: &[f64], upper: &mut [f64]) {
        let own = self.own(self.cells.at(start, end));
        self.lower[own].copy_from_slice(lower);
        upper.copy_from_slice(lower);
        let Grammar { rules, tables, .. } = &self.level.grammar;
        for (rule, probability) in rules.unary.iter().zip(&tables.unary) {
            upper[rule.parent as usize] += probability * lower[rule.child as usize];
        }
        let symbols = upper.len();
        for (symbol, &value) in upper.iter().enumerate().filter(|(_, value)| **value > 0.0) {
            let at = self.by_start.at(symbol as u16, start, end);
            self.by_start.numbers[at] = value;
            let at = self.by_end.at(symbol as u16, end, start);
            self.by_end.numbers[at] = value;
            let ends = &mut self.ends[start * symbols + symbol];
            *ends = Extent { first: ends.first.min(end as u32), last: end as u32 };
            let begins = &mut self.begins[end * symbols + symbol];
            *begins = Extent { first: start as u32, last: begins.last.max(start as u32) };
        }
    }

    /// The symbols whose probability, before or after unary rules, is at least `threshold`.
    pub fn prune(&self, threshold: f64) -> Kept {
        let symbols = self.level.grammar.symbols();
        let (words, positions) = (self.cells.words, self.cells.words + 1);
        let mut kept = Kept::new(words);
        let (mut as_left, mut as_right) =
            (Spans::new(symbols, positions), Spans::new(symbols, positions));
        let Grammar { rules, tables, .. } = &self.level.grammar;
        let (mut upper, mut lower) = (vec![0.0; symbols], vec![0.0; symbols]);
        for (start, end) in self.cells.downwards() {
            for (symbol, upper) in upper.iter_mut().enumerate() {
                *upper = as_left.numbers[as_left.at(symbol as u16, start, end)]
                    + as_right.numbers[as_right.at(symbol as u16, end, start)];
            }
            if end - start == words {
                upper.copy_from_slice(&tables.root);
            }
            lower.copy_from_slice(&upper);
            for (rule, probability) in rules.unary.iter().zip(&tables.unary) {
                lower[rule.child as usize] += probability * upper[rule.parent as usize];
            }
            let own = self.own(self.cells.at(start, end));
            for symbol in 0..symbols {
                let below = self.lower[own.start + symbol] * lower[symbol] / self.total;
                let above = self.by_start.at(symbol as u16, start, end);
                let above = self.by_start.numbers[above] * upper[symbol] / self.total;
                let most = below.max(above);
                kept.add(
                    (start, end),
                    symbol as u16,
                    [most > 0.0 && most >= threshold].into_iter(),
                );
                // What is as improbable as this makes nothing below it probable.
                if below < threshold * NEGLIGIBLE {
                    lower[symbol] = 0.0;
                }
            }
            if end - start > 1 {
                self.pass_pairs(start, end, &lower, &mut as_left, &mut as_right);
            }
        }
        kept
    }

    fn pass_pairs(
        &self,
        start: usize,
        end: usize,
        lower: &[f64],
        as_left: &mut Spans,
        as_right: &mut Spans,
    ) {
        if lower.iter().all(|&value| value == 0.0) {
            return;
        }
        let symbols = lower.len();
        let Grammar { rules, tables, .. } = &self.level.grammar;
        for (left, rights) in self.rules.by_left.iter().enumerate() {
            if self.ends[start * symbols + left].first == u32::MAX {
                continue;
            }
            for &(right, first, last) in rights {
                let (from, to) = self.meeting(start, left as u16, end, right);
                if from > to {
                    continue;
                }
                let sum: f64 = (first as usize..last as usize)
                    .map(|rule| lower[rules.binary[rule].parent as usize] * tables.binary[rule])
                    .sum();
                if sum == 0.0 {
                    continue;
                }
                let width = to - from + 1;
                let lefts = self.by_start.at(left as u16, start, from);
                let rights = self.by_end.at(right, end, from);
                add_scaled(
                    &mut as_left.numbers[lefts..lefts + width],
                    sum,
                    &self.by_end.numbers[rights..rights + width],
                );
                add_scaled(
                    &mut as_right.numbers[rights..rights + width],
                    sum,
                    &self.by_start.numbers[lefts..lefts + width],
                );
            }
        }
    }
}

/// The share of the threshold below which a symbol is left out already while pruning.
const NEGLIGIBLE: f64 = 0.01;
