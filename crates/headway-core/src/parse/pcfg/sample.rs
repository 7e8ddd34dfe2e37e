//! The treebank as learning sees it: binary trees whose steps are rules of a grammar.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::binary::{BinaryTree, Step};
use super::grammar::{Binary, Grammar, Rules, Unary};
use super::lexicon::Item;
use crate::{Monitor, Result};

/// What a node is rewritten by, with its children as positions.
#[derive(Debug, Clone, Copy)]
pub enum Rewrite {
    Word { item: u32 },
    Unary { rule: u32, child: u32 },
    Binary { rule: u32, left: u32, right: u32 },
}

#[derive(Debug, Clone, Copy)]
pub struct Node {
    pub symbol: u16,
    pub rewrite: Rewrite,
}

/// A tree, children before their parents, and how much it counts.
#[derive(Debug, Clone)]
pub struct Tree {
    pub nodes: Vec<Node>,
    pub weight: f64,
}

/// Where in the treebank: the number of a tree, and of a node in it.
type Place = (u32, u32);

/// The treebank, and where each rule occurs in it.
#[derive(Debug, Clone)]
pub struct Sample {
    pub trees: Vec<Tree>,
    pub items: Vec<Item>,
    pub binary_places: Vec<Vec<Place>>,
    pub unary_places: Vec<Vec<Place>>,
}

impl Sample {
    /// Trees with their weights, and the item of each of their words; also their rules.
    pub fn new(trees: &[(BinaryTree, f64)], items: &[Item]) -> (Self, Rules) {
        let rules = rules_of(trees);
        let binary: FxHashMap<Binary, u32> = rules.binary.iter().copied().zip(0..).collect();
        let unary: FxHashMap<Unary, u32> = rules.unary.iter().copied().zip(0..).collect();
        let mut known: FxHashMap<&Item, u32> = FxHashMap::default();
        let mut distinct = Vec::new();
        let numbers: Vec<u32> = items
            .iter()
            .map(|item| {
                *known.entry(item).or_insert_with(|| {
                    distinct.push(item.clone());
                    distinct.len() as u32 - 1
                })
            })
            .collect();
        let mut sample = Sample {
            trees: Vec::with_capacity(trees.len()),
            items: Vec::new(),
            binary_places: vec![Vec::new(); rules.binary.len()],
            unary_places: vec![Vec::new(); rules.unary.len()],
        };
        let mut words = 0;
        for (tree, weight) in trees {
            let mut nodes = Vec::with_capacity(tree.nodes.len());
            let first = words;
            for (at, node) in tree.nodes.iter().enumerate() {
                let place = (sample.trees.len() as u32, at as u32);
                let symbol = |child: u32| tree.nodes[child as usize].symbol;
                let rewrite = match node.step {
                    Step::Word(word) => {
                        words += 1;
                        Rewrite::Word { item: numbers[first + word as usize] }
                    }
                    Step::Unary(child) => {
                        let rule = unary[&Unary { child: symbol(child), parent: node.symbol }];
                        sample.unary_places[rule as usize].push(place);
                        Rewrite::Unary { rule, child }
                    }
                    Step::Binary(left, right) => {
                        let (one, other) = (symbol(left), symbol(right));
                        let rule = Binary { left: one, right: other, parent: node.symbol };
                        let rule = binary[&rule];
                        sample.binary_places[rule as usize].push(place);
                        Rewrite::Binary { rule, left, right }
                    }
                };
                nodes.push(Node { symbol: node.symbol, rewrite });
            }
            sample.trees.push(Tree { nodes, weight: *weight });
        }
        sample.items = distinct;
        (sample, rules)
    }

    /// Inside and outside numbers of all trees, on the threads of the current pool.
    pub fn charts(
        &self,
        grammar: &Grammar,
        scores: &[Vec<f64>],
        monitor: &Monitor,
    ) -> Result<Vec<Chart>> {
        let chart = |tree: &Tree| {
            monitor.advance(1)?;
            Ok(Chart::new(tree, grammar, scores))
        };
        self.trees.par_iter().with_min_len(8).map(chart).collect()
    }
}

fn rules_of(trees: &[(BinaryTree, f64)]) -> Rules {
    let mut rules = Rules::default();
    for (tree, _) in trees {
        let symbol = |child: u32| tree.nodes[child as usize].symbol;
        for node in &tree.nodes {
            let parent = node.symbol;
            match node.step {
                Step::Word(_) => {}
                Step::Unary(child) => rules.unary.push(Unary { child: symbol(child), parent }),
                Step::Binary(left, right) => {
                    let (left, right) = (symbol(left), symbol(right));
                    rules.binary.push(Binary { left, right, parent });
                }
            }
        }
    }
    rules.binary.sort_unstable();
    rules.binary.dedup();
    rules.unary.sort_unstable();
    rules.unary.dedup();
    rules
}

/// Inside and outside numbers of the nodes of one tree, whose shape is known and whose variants
/// are not (Petrov et al. 2006, section 2.1).
///
/// Each node's numbers are scaled: its greatest inside number is 1, and its inside times its
/// outside numbers sum to 1, so that they are the probabilities of its variants.
#[derive(Debug, Clone)]
pub struct Chart {
    /// Where the numbers of each node begin; one more for the end.
    at: Vec<u32>,
    inside: Vec<f64>,
    outside: Vec<f64>,
    /// What the inside numbers of each node were divided by.
    scales: Vec<f64>,
    /// The logarithm of the probability of the tree; -inf if it has none.
    pub log: f64,
}

impl Chart {
    fn new(tree: &Tree, grammar: &Grammar, scores: &[Vec<f64>]) -> Self {
        let mut at = vec![0];
        let mut end = 0;
        for node in &tree.nodes {
            end += grammar.size(node.symbol);
            at.push(end as u32);
        }
        let scales = vec![0.0; tree.nodes.len()];
        let mut chart =
            Chart { at, inside: vec![0.0; end], outside: vec![0.0; end], scales, log: 0.0 };
        for node in 0..tree.nodes.len() {
            chart.fill_inside(tree, node, grammar, scores);
        }
        let last = tree.nodes.len() - 1;
        let states = grammar.state(tree.nodes[last].symbol);
        let root = &grammar.tables.root[states..states + chart.inside(last).len()];
        chart.set_outside(last, root);
        let total: f64 = root.iter().zip(chart.inside(last)).map(|(one, other)| one * other).sum();
        chart.log = total.ln() + chart.scales.iter().map(|scale| scale.ln()).sum::<f64>();
        if chart.log.is_finite() {
            (0..=last).rev().for_each(|node| chart.pass_outside(tree, node, grammar));
        }
        chart
    }

    fn range(&self, node: usize) -> std::ops::Range<usize> {
        self.at[node] as usize..self.at[node + 1] as usize
    }

    pub fn inside(&self, node: usize) -> &[f64] {
        &self.inside[self.range(node)]
    }

    pub fn outside(&self, node: usize) -> &[f64] {
        &self.outside[self.range(node)]
    }

    pub fn scale(&self, node: usize) -> f64 {
        self.scales[node]
    }

    /// The probability of each variant of a node.
    pub fn shares(&self, node: usize) -> impl Iterator<Item = f64> + '_ {
        self.inside(node).iter().zip(self.outside(node)).map(|(inside, outside)| inside * outside)
    }

    fn fill_inside(&mut self, tree: &Tree, node: usize, grammar: &Grammar, scores: &[Vec<f64>]) {
        let range = self.range(node);
        let (before, rest) = self.inside.split_at_mut(range.start);
        let own = &mut rest[..range.len()];
        let at = &self.at;
        let numbers =
            |child: u32| &before[at[child as usize] as usize..at[child as usize + 1] as usize];
        match tree.nodes[node].rewrite {
            Rewrite::Word { item } => own.copy_from_slice(&scores[item as usize]),
            Rewrite::Unary { rule, child } => {
                let child = numbers(child);
                let rows = grammar.unary(rule as usize).chunks_exact(child.len());
                own.iter_mut().zip(rows).for_each(|(own, row)| *own = dot(row, child));
            }
            Rewrite::Binary { rule, left, right } => {
                let (left, right) = (numbers(left), numbers(right));
                let mut rows = grammar.binary(rule as usize).chunks_exact(right.len());
                for own in own.iter_mut() {
                    let pairs = left.iter().zip(&mut rows);
                    *own = pairs.map(|(left, row)| left * dot(row, right)).sum();
                }
            }
        }
        let scale = own.iter().copied().fold(0.0, f64::max);
        own.iter_mut().for_each(|own| *own /= scale);
        self.scales[node] = scale;
    }

    /// Sets outside numbers, scaled.
    fn set_outside(&mut self, node: usize, numbers: &[f64]) {
        let range = self.range(node);
        let inside = &self.inside[range.clone()];
        let total: f64 = inside.iter().zip(numbers).map(|(one, other)| one * other).sum();
        let own = self.outside[range].iter_mut().zip(numbers);
        own.for_each(|(own, number)| *own = number / total);
    }

    /// From a node's outside numbers to those of its children.
    fn pass_outside(&mut self, tree: &Tree, node: usize, grammar: &Grammar) {
        match tree.nodes[node].rewrite {
            Rewrite::Word { .. } => {}
            Rewrite::Unary { rule, child } => {
                let mut numbers = vec![0.0; self.range(child as usize).len()];
                let rows = grammar.unary(rule as usize).chunks_exact(numbers.len());
                for (own, row) in self.outside(node).iter().zip(rows) {
                    add_scaled(&mut numbers, *own, row);
                }
                self.set_outside(child as usize, &numbers);
            }
            Rewrite::Binary { rule, left, right } => {
                let (one, other) = (self.inside(left as usize), self.inside(right as usize));
                let mut lefts = vec![0.0; one.len()];
                let mut rights = vec![0.0; other.len()];
                let mut rows = grammar.binary(rule as usize).chunks_exact(other.len());
                for own in self.outside(node) {
                    for (y, row) in (0..one.len()).zip(&mut rows) {
                        lefts[y] += own * dot(row, other);
                        add_scaled(&mut rights, own * one[y], row);
                    }
                }
                self.set_outside(left as usize, &lefts);
                self.set_outside(right as usize, &rights);
            }
        }
    }
}

#[inline]
pub fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[inline]
pub fn add_scaled(sums: &mut [f64], scale: f64, values: &[f64]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += scale * value);
}
