//! The tree of a chart: the one whose rules are the most probable ones together, or the best
//! derivation.

use super::binary::{BinaryTree, Step};
use super::fine::FineChart;
use super::sample::dot;

/// Which tree is the best one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Objective {
    /// The greatest product of the probabilities that its rules are in the tree, whatever their
    /// variants (Petrov & Klein 2007, section 3: MAX-RULE-PRODUCT).
    MaxRule,
    /// The same of their probabilities given that the parent is (VARIATIONAL).
    Variational,
    /// The best derivation, variants and all.
    Viterbi,
}

impl Objective {
    pub const ALL: [(&'static str, Objective); 3] = [
        ("max-rule", Objective::MaxRule),
        ("variational", Objective::Variational),
        ("viterbi", Objective::Viterbi),
    ];
}

const NONE: u32 = u32::MAX;

/// How the best tree under a symbol of a cell goes on.
#[derive(Debug, Clone, Copy)]
struct Way {
    score: f64,
    /// Of a pair: the rule and where its children meet; of a unary step: the rule.
    rule: u32,
    middle: u32,
    /// The places of the children.
    left: u32,
    right: u32,
}

const NO_WAY: Way =
    Way { score: f64::NEG_INFINITY, rule: NONE, middle: NONE, left: NONE, right: NONE };

/// The best trees by their most probable rules. By the places of symbols in cells.
struct RuleChart<'a> {
    chart: &'a FineChart<'a>,
    objective: Objective,
    lower: Vec<Way>,
    upper: Vec<Way>,
}

/// The tree of the most probable rules with the logarithm of their product, from a chart with
/// outside numbers; none if there is none.
pub fn best_rules(chart: &FineChart<'_>, objective: Objective) -> Option<(f64, BinaryTree)> {
    let ways = vec![NO_WAY; chart.kept.symbols()];
    let mut rules = RuleChart { chart, objective, lower: ways.clone(), upper: ways };
    let mut slots = vec![NONE; chart.level.grammar.symbols()];
    for (start, end) in chart.cells().upwards() {
        let places = chart.kept.places(start, end);
        for place in places.clone() {
            slots[chart.kept.entry(place).symbol as usize] = place as u32;
        }
        rules.fill_lower(start, end, &slots);
        rules.fill_upper(start, end, &slots);
        for place in places {
            slots[chart.kept.entry(place).symbol as usize] = NONE;
        }
    }
    let words = chart.cells().words;
    let mut best = (f64::NEG_INFINITY, 0);
    for place in chart.kept.places(0, words) {
        let entry = chart.kept.entry(place);
        let states = chart.level.grammar.state(entry.symbol);
        let root = &chart.level.grammar.tables.root[states..];
        let score = rules.upper[place].score
            + (dot(root, rules.values(&chart.upper, place)) / chart.total).ln();
        if score > best.0 {
            best = (score, place);
        }
    }
    if best.0 == f64::NEG_INFINITY {
        return None;
    }
    let mut tree = BinaryTree::default();
    rules.build(best.1, (0, words), &mut tree);
    Some((best.0, tree))
}

impl RuleChart<'_> {
    fn values<'b>(&self, of: &'b [f64], place: usize) -> &'b [f64] {
        let entry = self.chart.kept.entry(place);
        &of[entry.at as usize..][..self.chart.level.grammar.size(entry.symbol)]
    }

    /// What a rule's probability is divided by: 1, or the probability of its parent.
    fn whole(&self, place: usize, outside: &[f64], inside: &[f64]) -> f64 {
        match self.objective {
            Objective::Variational => dot(self.values(outside, place), self.values(inside, place)),
            _ => self.chart.total,
        }
    }

    fn fill_lower(&mut self, start: usize, end: usize, slots: &[u32]) {
        let chart = self.chart;
        let grammar = &chart.level.grammar;
        if end == start + 1 {
            for place in chart.kept.places(start, end) {
                let outside = self.values(&chart.out_lower, place);
                let share = dot(outside, self.values(&chart.lower, place));
                let whole = self.whole(place, &chart.out_lower, &chart.lower);
                if share > 0.0 {
                    self.lower[place] = Way { score: (share / whole).ln(), ..NO_WAY };
                }
            }
            return;
        }
        for middle in start + 1..end {
            for one in chart.kept.places(start, middle) {
                let left = chart.kept.entry(one);
                let lefts = self.values(&chart.upper, one);
                for other in chart.kept.places(middle, end) {
                    let right = chart.kept.entry(other);
                    let children = self.upper[one].score + self.upper[other].score;
                    for rule in chart.level.rules_of(left.symbol, right.symbol) {
                        let parent = slots[grammar.rules.binary[rule].parent as usize];
                        // A rule's share is at most 1, so that it cannot do better than this.
                        if parent == NONE || children <= self.lower[parent as usize].score {
                            continue;
                        }
                        let place = parent as usize;
                        let outside = self.values(&chart.out_lower, place);
                        let rights = self.values(&chart.upper, other);
                        let share = pair_share(outside, grammar.binary(rule), lefts, rights);
                        let whole = self.whole(place, &chart.out_lower, &chart.lower);
                        let score = children + (share / whole).ln();
                        if share > 0.0 && score > self.lower[place].score {
                            self.lower[place] = Way {
                                score,
                                rule: rule as u32,
                                middle: middle as u32,
                                left: one as u32,
                                right: other as u32,
                            };
                        }
                    }
                }
            }
        }
    }

    fn fill_upper(&mut self, start: usize, end: usize, slots: &[u32]) {
        let chart = self.chart;
        let grammar = &chart.level.grammar;
        for place in chart.kept.places(start, end) {
            let outside = self.values(&chart.out_upper, place);
            let whole = self.whole(place, &chart.out_upper, &chart.upper);
            let stays = dot(outside, self.values(&chart.lower, place)) / whole;
            let stays = if self.objective == Objective::Variational { stays.ln() } else { 0.0 };
            let score = self.lower[place].score + stays;
            if score > self.upper[place].score {
                self.upper[place] = Way { score, ..NO_WAY };
            }
        }
        for below in chart.kept.places(start, end) {
            let symbol = chart.kept.entry(below).symbol;
            if self.lower[below].score == f64::NEG_INFINITY {
                continue;
            }
            for rule in chart.level.rules_above(symbol) {
                let place = slots[grammar.rules.unary[rule].parent as usize];
                if place == NONE {
                    continue;
                }
                let place = place as usize;
                let lower = self.values(&chart.lower, below);
                let rows = grammar.unary(rule).chunks_exact(lower.len());
                let outside = self.values(&chart.out_upper, place);
                let share: f64 =
                    outside.iter().zip(rows).map(|(outside, row)| outside * dot(row, lower)).sum();
                let whole = self.whole(place, &chart.out_upper, &chart.upper);
                let score = self.lower[below].score + (share / whole).ln();
                if share > 0.0 && score > self.upper[place].score {
                    self.upper[place] =
                        Way { score, rule: rule as u32, left: below as u32, ..NO_WAY };
                }
            }
        }
    }

    /// Writes what is under a place, after unary steps; answers where.
    fn build(&self, place: usize, ends: (usize, usize), tree: &mut BinaryTree) -> u32 {
        let way = self.upper[place];
        if way.rule == NONE {
            return self.build_lower(place, ends, tree);
        }
        let below = self.build_lower(way.left as usize, ends, tree);
        tree.push(self.chart.kept.entry(place).symbol, Step::Unary(below))
    }

    fn build_lower(
        &self,
        place: usize,
        (start, end): (usize, usize),
        tree: &mut BinaryTree,
    ) -> u32 {
        let (symbol, way) = (self.chart.kept.entry(place).symbol, self.lower[place]);
        if way.rule == NONE {
            return tree.push(symbol, Step::Word(start as u32));
        }
        let middle = way.middle as usize;
        let left = self.build(way.left as usize, (start, middle), tree);
        let right = self.build(way.right as usize, (middle, end), tree);
        tree.push(symbol, Step::Binary(left, right))
    }
}

fn pair_share(outside: &[f64], rule: &[f64], left: &[f64], right: &[f64]) -> f64 {
    let mut rows = rule.chunks_exact(right.len());
    let mut share = 0.0;
    for outside in outside {
        for left in left {
            let Some(row) = rows.next() else { return share };
            if outside * left > 0.0 {
                share += outside * left * dot(row, right);
            }
        }
    }
    share
}

/// The best derivation of a chart of the best ways, with the logarithm of its probability; none
/// if there is none.
pub fn best_derivation(chart: &FineChart<'_>) -> Option<(f64, BinaryTree)> {
    let words = chart.cells().words;
    let grammar = &chart.level.grammar;
    let mut best = (0.0, 0, 0);
    for place in chart.kept.places(0, words) {
        let entry = chart.kept.entry(place);
        for x in 0..grammar.size(entry.symbol) {
            let root = grammar.tables.root[grammar.state(entry.symbol) + x];
            let value = root * chart.upper[entry.at as usize + x];
            if value > best.0 {
                best = (value, place, x);
            }
        }
    }
    if best.0 <= 0.0 {
        return None;
    }
    let mut tree = BinaryTree::default();
    trace(chart, (0, words), best.1, best.2, &mut tree);
    Some((best.0.ln(), tree))
}

/// Finds again how a variant came by its number, after unary steps.
fn trace(
    chart: &FineChart<'_>,
    ends: (usize, usize),
    place: usize,
    x: usize,
    tree: &mut BinaryTree,
) -> u32 {
    let grammar = &chart.level.grammar;
    let entry = chart.kept.entry(place);
    let mut best = (chart.lower[entry.at as usize + x], place, x);
    for below in chart.kept.places(ends.0, ends.1) {
        let child = chart.kept.entry(below);
        let size = grammar.size(child.symbol);
        for rule in chart.level.rules_above(child.symbol) {
            if grammar.rules.unary[rule].parent != entry.symbol {
                continue;
            }
            for y in 0..size {
                let value = grammar.unary(rule)[x * size + y] * chart.lower[child.at as usize + y];
                if value > best.0 {
                    best = (value, below, y);
                }
            }
        }
    }
    let below = trace_lower(chart, ends, best.1, best.2, tree);
    if best.1 == place { below } else { tree.push(entry.symbol, Step::Unary(below)) }
}

fn trace_lower(
    chart: &FineChart<'_>,
    (start, end): (usize, usize),
    place: usize,
    x: usize,
    tree: &mut BinaryTree,
) -> u32 {
    let grammar = &chart.level.grammar;
    let symbol = chart.kept.entry(place).symbol;
    if end == start + 1 {
        return tree.push(symbol, Step::Word(start as u32));
    }
    let mut best = (-1.0, start + 1, (0, 0), (0, 0));
    for middle in start + 1..end {
        for one in chart.kept.places(start, middle) {
            for other in chart.kept.places(middle, end) {
                let (left, right) = (chart.kept.entry(one), chart.kept.entry(other));
                let rules = chart.level.rules_of(left.symbol, right.symbol);
                for rule in rules.filter(|&rule| grammar.rules.binary[rule].parent == symbol) {
                    let (rows, columns) = (grammar.size(left.symbol), grammar.size(right.symbol));
                    for (at, probability) in grammar.binary(rule)[x * rows * columns..]
                        [..rows * columns]
                        .iter()
                        .enumerate()
                    {
                        let (y, z) = (at / columns, at % columns);
                        let value = chart.upper[left.at as usize + y]
                            * probability
                            * chart.upper[right.at as usize + z];
                        if value > best.0 {
                            best = (value, middle, (one, y), (other, z));
                        }
                    }
                }
            }
        }
    }
    let (_, middle, left, right) = best;
    let left = trace(chart, (start, middle), left.0, left.1, tree);
    let right = trace(chart, (middle, end), right.0, right.1, tree);
    tree.push(symbol, Step::Binary(left, right))
}
