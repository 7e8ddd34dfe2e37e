//! All trees of a few words, and all variants of their symbols.

use rustc_hash::FxHashMap;

use super::super::binary::{BinaryTree, Step};
use super::super::grammar::{Binary, Grammar, Unary};
use super::super::search::WordScores;

/// A grammar that finds its rules by their symbols.
pub struct Oracle<'a> {
    grammar: &'a Grammar,
    binary: FxHashMap<Binary, usize>,
    unary: FxHashMap<Unary, usize>,
    words: &'a WordScores,
}

impl<'a> Oracle<'a> {
    pub fn new(grammar: &'a Grammar, words: &'a WordScores) -> Self {
        let binary = grammar.rules.binary.iter().copied().zip(0..).collect();
        let unary = grammar.rules.unary.iter().copied().zip(0..).collect();
        Oracle { grammar, binary, unary, words }
    }

    /// All trees over all words.
    pub fn trees(&self) -> Vec<BinaryTree> {
        self.upper(0, self.words.len())
    }

    fn upper(&self, start: usize, end: usize) -> Vec<BinaryTree> {
        let lower = self.lower(start, end);
        let mut trees = lower.clone();
        for rule in &self.grammar.rules.unary {
            for tree in lower.iter().filter(|tree| root(tree) == rule.child) {
                let mut tree = tree.clone();
                let below = tree.nodes.len() as u32 - 1;
                tree.push(rule.parent, Step::Unary(below));
                trees.push(tree);
            }
        }
        trees
    }

    fn lower(&self, start: usize, end: usize) -> Vec<BinaryTree> {
        let mut trees = Vec::new();
        if end == start + 1 {
            for (tag, _) in &self.words[start] {
                let mut tree = BinaryTree::default();
                tree.push(*tag, Step::Word(start as u32));
                trees.push(tree);
            }
            return trees;
        }
        for middle in start + 1..end {
            let (lefts, rights) = (self.upper(start, middle), self.upper(middle, end));
            for rule in &self.grammar.rules.binary {
                for left in lefts.iter().filter(|tree| root(tree) == rule.left) {
                    for right in rights.iter().filter(|tree| root(tree) == rule.right) {
                        trees.push(joined(rule.parent, left, right));
                    }
                }
            }
        }
        trees
    }

    /// The probability of a tree with each choice of the variants of its nodes.
    pub fn derivations(&self, tree: &BinaryTree) -> Vec<(Vec<usize>, f64)> {
        let mut choices: Vec<Vec<usize>> = vec![Vec::new()];
        for node in &tree.nodes {
            let size = self.grammar.size(node.symbol);
            let longer = choices
                .iter()
                .flat_map(|choice| (0..size).map(|x| choice.iter().copied().chain([x]).collect()));
            choices = longer.collect();
        }
        choices
            .into_iter()
            .map(|choice| {
                let probability = self.probability(tree, &choice);
                (choice, probability)
            })
            .collect()
    }

    fn probability(&self, tree: &BinaryTree, choice: &[usize]) -> f64 {
        let grammar = self.grammar;
        let last = tree.nodes.len() - 1;
        let root = grammar.state(tree.nodes[last].symbol) + choice[last];
        let mut product = grammar.tables.root[root];
        for (node, &x) in tree.nodes.iter().zip(choice) {
            let at = |child: u32| (tree.nodes[child as usize].symbol, choice[child as usize]);
            product *= match node.step {
                Step::Word(word) => {
                    let scores = self.words[word as usize].iter();
                    scores.clone().find(|(tag, _)| *tag == node.symbol).unwrap().1[x]
                }
                Step::Unary(child) => {
                    let (child, y) = at(child);
                    let rule = self.unary[&Unary { child, parent: node.symbol }];
                    grammar.unary(rule)[x * grammar.size(child) + y]
                }
                Step::Binary(left, right) => {
                    let ((left, y), (right, z)) = (at(left), at(right));
                    let rule = self.binary[&Binary { left, right, parent: node.symbol }];
                    let (rows, columns) = (grammar.size(left), grammar.size(right));
                    grammar.binary(rule)[(x * rows + y) * columns + z]
                }
            };
        }
        product
    }
}

/// A rule in its place: its symbols, and the words that they cover.
pub type Anchored = (u16, Vec<u16>, Vec<usize>);

/// The rules of a tree in their places.
pub fn anchored(tree: &BinaryTree) -> Vec<Anchored> {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    let mut rules = Vec::new();
    for node in &tree.nodes {
        let symbol = |child: u32| tree.nodes[child as usize].symbol;
        let (span, children, places) = match node.step {
            Step::Word(word) => {
                let word = word as usize;
                ((word, word + 1), Vec::new(), vec![word])
            }
            Step::Unary(child) => {
                let span = spans[child as usize];
                (span, vec![symbol(child)], vec![span.0, span.1])
            }
            Step::Binary(left, right) => {
                let (one, other) = (spans[left as usize], spans[right as usize]);
                let places = vec![one.0, one.1, other.1];
                ((one.0, other.1), vec![symbol(left), symbol(right)], places)
            }
        };
        spans.push(span);
        rules.push((node.symbol, children, places));
    }
    rules
}

pub fn root(tree: &BinaryTree) -> u16 {
    tree.nodes[tree.nodes.len() - 1].symbol
}

fn joined(parent: u16, left: &BinaryTree, right: &BinaryTree) -> BinaryTree {
    let mut tree = left.clone();
    let moved = tree.nodes.len() as u32;
    for node in &right.nodes {
        let step = match node.step {
            Step::Word(word) => Step::Word(word),
            Step::Unary(child) => Step::Unary(child + moved),
            Step::Binary(one, other) => Step::Binary(one + moved, other + moved),
        };
        tree.push(node.symbol, step);
    }
    let last = tree.nodes.len() as u32 - 1;
    tree.push(parent, Step::Binary(moved - 1, last));
    tree
}
