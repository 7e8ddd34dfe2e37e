//! How often each variant of each rule is expected in the treebank, and what becomes of the
//! grammar then.

use rayon::prelude::*;

use super::grammar::{Grammar, Tables};
use super::lexicon::Lexicon;
use super::sample::{Chart, Rewrite, Sample, add_scaled};
use crate::{Monitor, Result};

/// A grammar with its words.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    pub grammar: Grammar,
    pub lexicon: Lexicon,
}

impl Model {
    /// What is needed to see the treebank with the eyes of this model.
    pub fn charts(&self, sample: &Sample, monitor: &Monitor) -> Result<Vec<Chart>> {
        let of_rows = self.lexicon.row_totals();
        let scores = |item| self.lexicon.item_scores(item, &self.grammar, &of_rows);
        let scores: Vec<Vec<f64>> = sample.items.par_iter().map(scores).collect();
        sample.charts(&self.grammar, &scores, monitor)
    }

    /// One step of EM; answers the logarithm of the likelihood before it, but for a constant.
    pub fn step(&mut self, sample: &Sample, monitor: &Monitor) -> Result<f64> {
        let charts = self.charts(sample, monitor)?;
        let counts = expected(sample, &charts, &self.grammar);
        self.grammar.maximise(counts);
        self.lexicon.clear();
        for (tree, chart) in sample.trees.iter().zip(&charts) {
            for (at, node) in tree.nodes.iter().enumerate() {
                if let Rewrite::Word { item } = node.rewrite
                    && chart.log.is_finite()
                {
                    let shares: Vec<f64> =
                        chart.shares(at).map(|share| share * tree.weight).collect();
                    let first = self.grammar.state(node.symbol);
                    let item = &sample.items[item as usize];
                    self.lexicon.count(item, first..first + shares.len(), &shares);
                }
            }
        }
        Ok(likelihood(sample, &charts))
    }
}

fn likelihood(sample: &Sample, charts: &[Chart]) -> f64 {
    sample.trees.iter().zip(charts).map(|(tree, chart)| tree.weight * chart.log).sum()
}

/// How often each variant occurs, in the order of the grammar's states.
pub fn expected_states(sample: &Sample, charts: &[Chart], grammar: &Grammar) -> Vec<f64> {
    let mut states = vec![0.0; grammar.all_states()];
    for (tree, chart) in sample.trees.iter().zip(charts) {
        if chart.log.is_finite() {
            for (at, node) in tree.nodes.iter().enumerate() {
                let own = states[grammar.state(node.symbol)..].iter_mut();
                own.zip(chart.shares(at)).for_each(|(sum, share)| *sum += tree.weight * share);
            }
        }
    }
    states
}

/// Expected counts. Each rule's are summed on one thread in the order of the treebank, so they
/// are the same on any number of threads.
fn expected(sample: &Sample, charts: &[Chart], grammar: &Grammar) -> Tables {
    let mut binary = vec![0.0; grammar.tables.binary.len()];
    slices(&mut binary, &grammar.binary_at).into_par_iter().enumerate().for_each(|(rule, sums)| {
        let size = grammar.size(grammar.rules.binary[rule].right);
        for &(tree, node) in &sample.binary_places[rule] {
            let chart = &charts[tree as usize];
            let tree = &sample.trees[tree as usize];
            let Rewrite::Binary { left, right, .. } = tree.nodes[node as usize].rewrite else {
                continue;
            };
            if !chart.log.is_finite() {
                continue;
            }
            let (left, right) = (chart.inside(left as usize), chart.inside(right as usize));
            let weight = tree.weight / chart.scale(node as usize);
            let mut rows = sums.chunks_exact_mut(size);
            for outside in chart.outside(node as usize) {
                for (left, row) in left.iter().zip(&mut rows) {
                    add_scaled(row, weight * outside * left, right);
                }
            }
        }
        let probabilities = grammar.binary(rule);
        sums.iter_mut().zip(probabilities).for_each(|(sum, probability)| *sum *= probability);
    });
    let mut unary = vec![0.0; grammar.tables.unary.len()];
    slices(&mut unary, &grammar.unary_at).into_par_iter().enumerate().for_each(|(rule, sums)| {
        let size = grammar.size(grammar.rules.unary[rule].child);
        for &(tree, node) in &sample.unary_places[rule] {
            let chart = &charts[tree as usize];
            let tree = &sample.trees[tree as usize];
            let Rewrite::Unary { child, .. } = tree.nodes[node as usize].rewrite else { continue };
            if !chart.log.is_finite() {
                continue;
            }
            let weight = tree.weight / chart.scale(node as usize);
            let rows = sums.chunks_exact_mut(size);
            for (outside, row) in chart.outside(node as usize).iter().zip(rows) {
                add_scaled(row, weight * outside, chart.inside(child as usize));
            }
        }
        let probabilities = grammar.unary(rule);
        sums.iter_mut().zip(probabilities).for_each(|(sum, probability)| *sum *= probability);
    });
    Tables { binary, unary, root: expected_roots(sample, charts, grammar) }
}

fn expected_roots(sample: &Sample, charts: &[Chart], grammar: &Grammar) -> Vec<f64> {
    let mut root = vec![0.0; grammar.all_states()];
    for (tree, chart) in sample.trees.iter().zip(charts) {
        if chart.log.is_finite() {
            let last = tree.nodes.len() - 1;
            let own = root[grammar.state(tree.nodes[last].symbol)..].iter_mut();
            own.zip(chart.shares(last)).for_each(|(sum, share)| *sum += tree.weight * share);
        }
    }
    root
}

/// A table in the parts that belong to each rule.
fn slices<'a>(table: &'a mut [f64], starts: &[usize]) -> Vec<&'a mut [f64]> {
    let mut rest = table;
    let mut parts = Vec::with_capacity(starts.len());
    for ends in starts.windows(2) {
        let (part, more) = std::mem::take(&mut rest).split_at_mut(ends[1] - ends[0]);
        parts.push(part);
        rest = more;
    }
    parts
}
