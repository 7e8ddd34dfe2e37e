//! Splitting every variant in two, and merging pairs again that are of little use.

use rayon::prelude::*;

use super::expect::{Model, expected_states};
use super::grammar::Grammar;
use super::sample::Sample;
use crate::random::Random;
use crate::{Monitor, Result};

impl Model {
    /// Splits each variant x into 2x and 2x + 1, which differ by some noise.
    pub fn split(&mut self, noise: f64, random: &mut Random) {
        let old = &self.grammar;
        let sizes = old.sizes.iter().map(|size| size * 2).collect();
        let mut new = Grammar::new(old.rules.clone(), sizes);
        let mut noisy = || 1.0 + noise * (2.0 * random.next_f64() - 1.0);
        let mut counts = new.tables.clone();
        for (at, rule) in old.rules.binary.iter().enumerate() {
            let (rows, columns) = (old.size(rule.left), old.size(rule.right));
            let to = &mut counts.binary[new.binary_at[at]..new.binary_at[at + 1]];
            for (place, value) in to.iter_mut().enumerate() {
                let (z, rest) = (place % (2 * columns), place / (2 * columns));
                let (y, x) = (rest % (2 * rows), rest / (2 * rows));
                let from = (x / 2 * rows + y / 2) * columns + z / 2;
                *value = old.binary(at)[from] / 4.0 * noisy();
            }
        }
        for (at, rule) in old.rules.unary.iter().enumerate() {
            let columns = old.size(rule.child);
            let to = &mut counts.unary[new.unary_at[at]..new.unary_at[at + 1]];
            for (place, value) in to.iter_mut().enumerate() {
                let (y, x) = (place % (2 * columns), place / (2 * columns));
                *value = old.unary(at)[x / 2 * columns + y / 2] / 2.0 * noisy();
            }
        }
        for (place, value) in counts.root.iter_mut().enumerate() {
            *value = old.tables.root[place / 2] / 2.0 * noisy();
        }
        new.maximise(counts);
        self.grammar = new;
        self.lexicon.split(noise, random);
    }

    /// Merges pairs of variants, as `becomes` says for each symbol; `states` is how often each
    /// variant occurs.
    pub fn merge(&mut self, becomes: &[Vec<usize>], states: &[f64]) {
        let old = &self.grammar;
        let sizes = becomes.iter().map(|becomes| 1 + becomes[becomes.len() - 1]).collect();
        let mut new = Grammar::new(old.rules.clone(), sizes);
        let shares = shares(old, becomes, states);
        let mut tables = new.tables.clone();
        for table in [&mut tables.binary, &mut tables.unary, &mut tables.root] {
            table.fill(0.0);
        }
        for (at, rule) in old.rules.binary.iter().enumerate() {
            let (rows, columns) = (old.size(rule.left), old.size(rule.right));
            let [parent, left, right] =
                [rule.parent, rule.left, rule.right].map(|symbol| &becomes[symbol as usize]);
            let (new_rows, new_columns) = (new.size(rule.left), new.size(rule.right));
            for (place, value) in old.binary(at).iter().enumerate() {
                let (z, rest) = (place % columns, place / columns);
                let (y, x) = (rest % rows, rest / rows);
                let to = (parent[x] * new_rows + left[y]) * new_columns + right[z];
                let share = shares[old.state(rule.parent) + x];
                tables.binary[new.binary_at[at] + to] += share * value;
            }
        }
        for (at, rule) in old.rules.unary.iter().enumerate() {
            let columns = old.size(rule.child);
            let (parent, child) = (&becomes[rule.parent as usize], &becomes[rule.child as usize]);
            for (place, value) in old.unary(at).iter().enumerate() {
                let (y, x) = (place % columns, place / columns);
                let to = parent[x] * new.size(rule.child) + child[y];
                tables.unary[new.unary_at[at] + to] += shares[old.state(rule.parent) + x] * value;
            }
        }
        for (symbol, becomes) in becomes.iter().enumerate() {
            for (x, &to) in becomes.iter().enumerate() {
                tables.root[new.states[symbol] + to] += old.tables.root[old.states[symbol] + x];
            }
        }
        new.tables = tables;
        self.grammar = new;
        self.lexicon.merge(becomes);
    }

    /// Merges a share of the pairs that the last split made, those whose loss hurts least;
    /// answers what became of each variant (Petrov et al. 2006, section 2.2).
    pub fn merge_least(
        &mut self,
        share: f64,
        sample: &Sample,
        monitor: &Monitor,
    ) -> Result<Vec<Vec<usize>>> {
        let charts = self.charts(sample, monitor)?;
        let states = expected_states(sample, &charts, &self.grammar);
        let grammar = &self.grammar;
        let mut places: Vec<Vec<(u32, u32)>> = vec![Vec::new(); grammar.symbols()];
        for (number, (tree, chart)) in sample.trees.iter().zip(&charts).enumerate() {
            for (at, node) in tree.nodes.iter().enumerate().filter(|_| chart.log.is_finite()) {
                places[node.symbol as usize].push((number as u32, at as u32));
            }
        }
        let losses: Vec<Vec<f64>> = (0..grammar.symbols())
            .into_par_iter()
            .map(|symbol| {
                let own = &states[grammar.states[symbol]..grammar.states[symbol + 1]];
                let mut losses = vec![0.0; own.len() / 2];
                for &(tree, node) in &places[symbol] {
                    let chart = &charts[tree as usize];
                    let (inside, outside) =
                        (chart.inside(node as usize), chart.outside(node as usize));
                    let weight = sample.trees[tree as usize].weight;
                    for (pair, loss) in losses.iter_mut().enumerate() {
                        let at = [2 * pair, 2 * pair + 1];
                        let merged = merged(at, own, inside, outside);
                        *loss -= weight * merged.max(f64::MIN_POSITIVE).ln();
                    }
                }
                losses
            })
            .collect();
        let becomes = choose(&losses, share);
        self.merge(&becomes, &states);
        Ok(becomes)
    }
}

/// The probability of a tree with two variants of one of its nodes merged, as a share of what it
/// was before.
fn merged(at: [usize; 2], states: &[f64], inside: &[f64], outside: &[f64]) -> f64 {
    let [one, other] = at;
    let both = states[one] + states[other];
    if both <= 0.0 {
        return 1.0;
    }
    let apart = inside[one] * outside[one] + inside[other] * outside[other];
    let inside = (states[one] * inside[one] + states[other] * inside[other]) / both;
    1.0 - apart + inside * (outside[one] + outside[other])
}

/// What each variant becomes if a share of the pairs with the least losses is merged.
fn choose(losses: &[Vec<f64>], share: f64) -> Vec<Vec<usize>> {
    let all = losses.iter().enumerate();
    let mut pairs: Vec<(f64, usize, usize)> = all
        .flat_map(|(symbol, losses)| {
            losses.iter().enumerate().map(move |(pair, &loss)| (loss, symbol, pair))
        })
        .collect();
    pairs.sort_by(|one, other| {
        one.0.total_cmp(&other.0).then((one.1, one.2).cmp(&(other.1, other.2)))
    });
    let mut merges: Vec<Vec<bool>> =
        losses.iter().map(|losses| vec![false; losses.len()]).collect();
    let count = (share * pairs.len() as f64).round() as usize;
    for &(_, symbol, pair) in pairs.iter().take(count) {
        merges[symbol][pair] = true;
    }
    let becomes = |merges: &Vec<bool>| {
        let mut next = 0;
        let pairs = merges.iter().flat_map(|&merge| {
            let first = next;
            next += if merge { 1 } else { 2 };
            [first, next - 1]
        });
        pairs.collect()
    };
    merges.iter().map(becomes).collect()
}

/// The share that each variant has in what it becomes.
fn shares(grammar: &Grammar, becomes: &[Vec<usize>], states: &[f64]) -> Vec<f64> {
    let mut shares = vec![1.0; grammar.all_states()];
    for (symbol, becomes) in becomes.iter().enumerate() {
        let own = &states[grammar.states[symbol]..grammar.states[symbol + 1]];
        for (x, to) in becomes.iter().enumerate() {
            let alike = || (0..own.len()).filter(|&other| becomes[other] == *to);
            let total: f64 = alike().map(|other| own[other]).sum();
            let even = 1.0 / alike().count() as f64;
            shares[grammar.states[symbol] + x] = if total > 0.0 { own[x] / total } else { even };
        }
    }
    shares
}
