//! Coarser forms of a grammar, and what is needed to parse with them.

use super::grammar::{Binary, Grammar, Rules, Unary};

/// A grammar to parse with: itself, or a projection of a finer one.
#[derive(Debug, Clone)]
pub struct Level {
    pub grammar: Grammar,
    /// For each pair of symbols, the first of their binary rules; by left, then by right.
    pairs: Vec<u32>,
    /// For each symbol, the first of the unary rules above it.
    above: Vec<u32>,
    /// What each state of the finest grammar is here: a state.
    pub becomes: Vec<u32>,
    /// The share that each state of the finest grammar has in that.
    shares: Vec<f64>,
    /// The symbols of the next coarser level, and which of them each symbol here is.
    pub coarser_symbol: Vec<u16>,
    /// The same for states.
    pub coarser_state: Vec<u32>,
    /// For each symbol of the coarser level, those here.
    pub finer: Vec<Vec<u16>>,
}

/// How a fine grammar is seen from further away: which symbol, and which of its variants, each
/// state becomes.
pub struct View<'a> {
    pub sizes: Vec<usize>,
    pub symbol: &'a [u16],
    /// By symbol and variant of the fine grammar.
    pub variant: &'a [Vec<u16>],
}

impl Level {
    /// A projection: rules have the probabilities that they have on average, where each state
    /// occurs as often as `states` says (Petrov & Klein 2007, section 2.2).
    pub fn project(fine: &Grammar, states: &[f64], view: &View<'_>) -> Self {
        let grammar = Grammar::new(rules_seen(&fine.rules, view), view.sizes.clone());
        let mut becomes = vec![0; fine.all_states()];
        for symbol in 0..fine.symbols() {
            for (at, &variant) in view.variant[symbol].iter().enumerate() {
                let state = grammar.state(view.symbol[symbol]) + variant as usize;
                becomes[fine.states[symbol] + at] = state as u32;
            }
        }
        let shares = shares(states, &becomes, grammar.all_states());
        let mut level = Level {
            pairs: Vec::new(),
            above: Vec::new(),
            becomes,
            shares,
            coarser_symbol: Vec::new(),
            coarser_state: Vec::new(),
            finer: Vec::new(),
            grammar,
        };
        level.index();
        level.add_probabilities(fine, view);
        level
    }

    fn index(&mut self) {
        let symbols = self.grammar.symbols();
        let key = |rule: &Binary| rule.left as usize * symbols + rule.right as usize;
        let Rules { binary, unary } = &self.grammar.rules;
        self.pairs = starts(symbols * symbols, binary.iter().map(key));
        self.above = starts(symbols, unary.iter().map(|rule| rule.child as usize));
    }

    fn add_probabilities(&mut self, fine: &Grammar, view: &View<'_>) {
        let coarse = &mut self.grammar;
        let mut tables = std::mem::take(&mut coarse.tables);
        for table in [&mut tables.binary, &mut tables.unary, &mut tables.root] {
            table.fill(0.0);
        }
        for (at, rule) in fine.rules.binary.iter().enumerate() {
            let seen = seen_binary(rule, view);
            let Ok(to) = coarse.rules.binary.binary_search(&seen) else { continue };
            let [parent, left, right] =
                [rule.parent, rule.left, rule.right].map(|symbol| &view.variant[symbol as usize]);
            let (rows, columns) = (coarse.size(seen.left), coarse.size(seen.right));
            let table = &mut tables.binary[coarse.binary_at[to]..coarse.binary_at[to + 1]];
            let mut values = fine.binary(at).iter();
            for (x, &px) in parent.iter().enumerate() {
                let share = self.shares[fine.state(rule.parent) + x];
                for &ly in left {
                    let row = (px as usize * rows + ly as usize) * columns;
                    for (&rz, value) in right.iter().zip(&mut values) {
                        table[row + rz as usize] += share * value;
                    }
                }
            }
        }
        for (at, rule) in fine.rules.unary.iter().enumerate() {
            let seen = seen_unary(rule, view);
            let Ok(to) = coarse.rules.unary.binary_search(&seen) else { continue };
            let (parent, child) =
                (&view.variant[rule.parent as usize], &view.variant[rule.child as usize]);
            let columns = coarse.size(seen.child);
            let table = &mut tables.unary[coarse.unary_at[to]..coarse.unary_at[to + 1]];
            let mut values = fine.unary(at).iter();
            for (x, &px) in parent.iter().enumerate() {
                let share = self.shares[fine.state(rule.parent) + x];
                for (&cy, value) in child.iter().zip(&mut values) {
                    table[px as usize * columns + cy as usize] += share * value;
                }
            }
        }
        for (state, &to) in self.becomes.iter().enumerate() {
            tables.root[to as usize] += fine.tables.root[state];
        }
        coarse.tables = tables;
    }

    /// Says what symbols and states here are at the next coarser level.
    pub fn set_coarser(&mut self, coarser: &Level, symbol: Vec<u16>) {
        let mut states = vec![0; self.grammar.all_states()];
        for (&own, &other) in self.becomes.iter().zip(&coarser.becomes) {
            states[own as usize] = other;
        }
        self.finer = vec![Vec::new(); coarser.grammar.symbols()];
        for (own, &other) in symbol.iter().enumerate() {
            self.finer[other as usize].push(own as u16);
        }
        (self.coarser_symbol, self.coarser_state) = (symbol, states);
    }

    /// The binary rules whose children are these.
    #[inline]
    pub fn rules_of(&self, left: u16, right: u16) -> std::ops::Range<usize> {
        let at = left as usize * self.grammar.symbols() + right as usize;
        self.pairs[at] as usize..self.pairs[at + 1] as usize
    }

    /// The unary rules above a symbol.
    #[inline]
    pub fn rules_above(&self, child: u16) -> std::ops::Range<usize> {
        self.above[child as usize] as usize..self.above[child as usize + 1] as usize
    }

    /// The scores of a word's tags here, from those under the finest grammar.
    pub fn see(
        &self,
        fine: &Grammar,
        symbol: &[u16],
        scores: &[(u16, Vec<f64>)],
    ) -> Vec<(u16, Vec<f64>)> {
        let mut found: Vec<(u16, Vec<f64>)> = Vec::with_capacity(scores.len());
        for (tag, values) in scores {
            let own = symbol[*tag as usize];
            let mut sums = vec![0.0; self.grammar.size(own)];
            for (at, value) in values.iter().enumerate() {
                let state = fine.state(*tag) + at;
                let to = self.becomes[state] as usize - self.grammar.state(own);
                sums[to] += self.shares[state] * value;
            }
            found.push((own, sums));
        }
        found
    }
}

fn seen_binary(rule: &Binary, view: &View<'_>) -> Binary {
    let [left, right, parent] =
        [rule.left, rule.right, rule.parent].map(|symbol| view.symbol[symbol as usize]);
    Binary { left, right, parent }
}

fn seen_unary(rule: &Unary, view: &View<'_>) -> Unary {
    let [child, parent] = [rule.child, rule.parent].map(|symbol| view.symbol[symbol as usize]);
    Unary { child, parent }
}

fn rules_seen(rules: &Rules, view: &View<'_>) -> Rules {
    let mut seen = Rules {
        binary: rules.binary.iter().map(|rule| seen_binary(rule, view)).collect(),
        unary: rules.unary.iter().map(|rule| seen_unary(rule, view)).collect(),
    };
    seen.binary.sort_unstable();
    seen.binary.dedup();
    seen.unary.sort_unstable();
    seen.unary.dedup();
    seen
}

/// The share of each state in what it becomes; even where none of these occurs.
fn shares(states: &[f64], becomes: &[u32], coarse: usize) -> Vec<f64> {
    let (mut totals, mut counts) = (vec![0.0; coarse], vec![0.0; coarse]);
    for (&to, state) in becomes.iter().zip(states) {
        totals[to as usize] += state;
        counts[to as usize] += 1.0;
    }
    let share = |(&to, state): (&u32, &f64)| match totals[to as usize] {
        total if total > 0.0 => state / total,
        _ => 1.0 / counts[to as usize],
    };
    becomes.iter().zip(states).map(share).collect()
}

/// Where the items of each key begin, of items in order of their keys; one more for the end.
fn starts(keys: usize, items: impl Iterator<Item = usize>) -> Vec<u32> {
    let mut starts = vec![0; keys + 1];
    items.for_each(|key| starts[key + 1] += 1);
    for key in 0..keys {
        starts[key + 1] += starts[key];
    }
    starts
}
