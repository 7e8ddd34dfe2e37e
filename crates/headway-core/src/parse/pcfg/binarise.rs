//! Brackets into binary trees and back.
//!
//! A phrase A of children B C D becomes A → B A', A' → C D, where the rest A' remembers no more
//! of its siblings than `horizontal` says (Klein & Manning 2003). Of a chain of unary phrases
//! only the ends are kept.

use crate::Result;
use crate::tree::ConstituentTree;
use crate::tree::penn::Assembler;
use crate::vocab::WordId;

use super::binary::{BinaryTree, Step};
use super::chains::Chains;
use super::symbols::{Kind, Symbol, Symbols};

/// How much a symbol remembers of the tree around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Memory {
    /// Whether phrases know the label of the phrase above.
    pub parent: bool,
    /// Whether the rest of a phrase knows the child before.
    pub sibling: bool,
}

/// The label of phrases that treebanks put around each sentence, and that count for nothing.
pub const TOP: &str = "TOP";

/// Whether a label says no more than that a sentence is here.
pub fn is_wrapper(label: &str) -> bool {
    ["", TOP, "ROOT", "S1"].contains(&label)
}

/// Turns trees into binary ones, and keeps what is needed to turn them back.
pub struct Binariser<'a> {
    pub memory: Memory,
    pub symbols: &'a mut Symbols,
    pub chains: &'a mut Chains,
}

/// A child of a phrase: its label, and its place in the binary tree.
#[derive(Clone, Copy)]
struct Child {
    label: u32,
    node: u32,
}

impl Binariser<'_> {
    /// The binary tree of a stripped tree that has words.
    pub fn binarise(&mut self, tree: &ConstituentTree) -> Result<BinaryTree> {
        let mut found = BinaryTree::default();
        let above = self.labels_above(tree);
        let mut done: Vec<Option<Child>> = vec![None; tree.nodes().len()];
        for at in (first_bracket(tree)..tree.nodes().len()).rev() {
            let children: Vec<usize> = tree.children(at).collect();
            let child = match (tree.nodes()[at].leaf, &children[..]) {
                (Some(word), _) => {
                    let label = self.symbols.labels.add(&tree.nodes()[at].label).0;
                    let symbol = Symbol { kind: Kind::Tag, label, parent: None, sibling: None };
                    let node = found.push(self.symbols.add(symbol)?, Step::Word(word));
                    Some(Child { label, node })
                }
                // The top of the chain sees to this one.
                (None, [_]) if is_inside_chain(tree, at, &above) => None,
                (None, [_]) => Some(self.chain(tree, at, above[at].1, &done, &mut found)?),
                (None, _) => {
                    let children: Vec<Child> =
                        children.iter().filter_map(|&child| done[child]).collect();
                    Some(self.phrase(tree, at, above[at].1, &children, &mut found)?)
                }
            };
            done[at] = child;
        }
        Ok(found)
    }

    /// For each bracket the one above, and the label that a phrase remembers of it: that of the
    /// next phrase above which does not have it as its only child.
    fn labels_above(&mut self, tree: &ConstituentTree) -> Vec<(Option<usize>, Option<u32>)> {
        let mut above = vec![(None, None); tree.nodes().len()];
        for at in first_bracket(tree)..tree.nodes().len() {
            let label = self.symbols.labels.add(name(&tree.nodes()[at].label)).0;
            let alone = tree.children(at).nth(1).is_none();
            for child in tree.children(at) {
                let remembered = if alone { above[at].1 } else { Some(label) };
                above[child] = (Some(at), remembered);
            }
        }
        above
    }

    fn phrase_symbol(&self, kind: Kind, label: u32, parent: Option<u32>) -> Symbol {
        let parent = parent.filter(|_| self.memory.parent);
        Symbol { kind, label, parent, sibling: None }
    }

    fn phrase(
        &mut self,
        tree: &ConstituentTree,
        at: usize,
        parent: Option<u32>,
        children: &[Child],
        found: &mut BinaryTree,
    ) -> Result<Child> {
        let label = self.symbols.labels.add(name(&tree.nodes()[at].label)).0;
        let phrase = self.phrase_symbol(Kind::Phrase, label, parent);
        let rest = Symbol { kind: Kind::Rest, ..phrase };
        let mut right = children[children.len() - 1].node;
        for (place, child) in children[..children.len() - 1].iter().enumerate().rev() {
            let symbol = match place.checked_sub(1) {
                None => phrase,
                Some(before) if self.memory.sibling => {
                    Symbol { sibling: Some(children[before].label), ..rest }
                }
                Some(_) => rest,
            };
            right = found.push(self.symbols.add(symbol)?, Step::Binary(child.node, right));
        }
        Ok(Child { label, node: right })
    }

    /// The unary step for a phrase at the top of a chain; none if both ends are the same.
    fn chain(
        &mut self,
        tree: &ConstituentTree,
        top: usize,
        parent: Option<u32>,
        done: &[Option<Child>],
        found: &mut BinaryTree,
    ) -> Result<Child> {
        let mut labels = Vec::new();
        let mut bottom = top;
        let below = loop {
            labels.push(self.symbols.labels.add(name(&tree.nodes()[bottom].label)).0);
            bottom += 1;
            if let Some(below) = done[bottom] {
                break below;
            }
        };
        labels.dedup();
        let label = labels[0];
        let is_tag = tree.nodes()[bottom].leaf.is_some();
        if !is_tag && labels.last() == Some(&below.label) {
            labels.pop();
        }
        if labels.is_empty() || !is_tag && below.label == label {
            return Ok(below);
        }
        let between = labels[1..].to_vec();
        self.chains.count(label, (is_tag, below.label), between);
        let symbol = self.symbols.add(self.phrase_symbol(Kind::Phrase, label, parent))?;
        Ok(Child { label, node: found.push(symbol, Step::Unary(below.node)) })
    }
}

/// The first bracket that is not a wrapper around a single one.
fn first_bracket(tree: &ConstituentTree) -> usize {
    let mut first = 0;
    while is_wrapper(&tree.nodes()[first].label)
        && tree.nodes()[first].leaf.is_none()
        && tree.children(first).nth(1).is_none()
    {
        first += 1;
    }
    first
}

fn name(label: &str) -> &str {
    if is_wrapper(label) { TOP } else { label }
}

fn is_inside_chain(
    tree: &ConstituentTree,
    at: usize,
    above: &[(Option<usize>, Option<u32>)],
) -> bool {
    above[at].0.is_some_and(|parent| tree.children(parent).nth(1).is_none())
}

/// The brackets of a binary tree, in an outer bracket without a label.
pub fn brackets(
    tree: &BinaryTree,
    symbols: &Symbols,
    chains: &Chains,
    forms: &[String],
) -> ConstituentTree {
    enum Task {
        Open(u32),
        Close,
    }
    let mut built = Assembler::default();
    built.open("");
    let mut tasks = vec![Task::Open((tree.nodes.len() - 1) as u32)];
    while let Some(task) = tasks.pop() {
        let Task::Open(at) = task else {
            built.close();
            continue;
        };
        let node = tree.nodes[at as usize];
        let label = symbols.label(node.symbol);
        let is_phrase = symbols.get(node.symbol).kind == Kind::Phrase && !is_wrapper(label);
        if is_phrase {
            built.open(label);
            tasks.push(Task::Close);
        }
        match node.step {
            Step::Word(word) => built.word(label, &forms[word as usize]),
            Step::Binary(left, right) => tasks.extend([Task::Open(right), Task::Open(left)]),
            Step::Unary(below) => {
                let end = symbols.get(tree.nodes[below as usize].symbol);
                let end = (end.kind == Kind::Tag, end.label);
                for &label in chains.between(symbols.get(node.symbol).label, end) {
                    built.open(symbols.labels.word(WordId(label)));
                    tasks.push(Task::Close);
                }
                tasks.push(Task::Open(below));
            }
        }
    }
    built.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::pcfg::bank::STRIP;
    use crate::random::Random;

    fn there_and_back(text: &str, memory: Memory) -> (String, Symbols) {
        let (mut symbols, mut chains) = (Symbols::default(), Chains::default());
        let tree = ConstituentTree::parse(text).unwrap().strip(STRIP);
        let mut binariser = Binariser { memory, symbols: &mut symbols, chains: &mut chains };
        let binary = binariser.binarise(&tree).unwrap();
        let back = brackets(&binary, &symbols, &chains, &tree.words());
        (back.to_string(), symbols)
    }

    #[test]
    fn brackets_come_back() {
        for text in [
            "( (S (NP (NN a)) (VP (VBD b) (NP (DT c) (JJ d) (NN e)) (PP (IN f))) (. .)))",
            "( (S (VP (VB go))))",
            "( (NN a))",
            "( (NP (NN a)) (. .))",
            "( (S (NP (QP (CD 1) (CD 2))) (-LRB- -LRB-)))",
            "( (SBAR (S (VP (VB a) (X (FRAG (INTJ (UH b))))))))",
        ] {
            for (parent, sibling) in [(false, false), (true, false), (false, true), (true, true)] {
                assert_eq!(there_and_back(text, Memory { parent, sibling }).0, text);
            }
        }
    }

    #[test]
    fn wrappers_traces_functions_and_repeated_labels_go() {
        let memory = Memory { parent: true, sibling: false };
        let text = "(TOP (S-1 (NP (NP (NP (NN a) (NN b)))) (VP (V c) (NP (-NONE- *)))))";
        let (found, symbols) = there_and_back(text, memory);
        assert_eq!(found, "( (S (NP (NN a) (NN b)) (VP (V c))))");
        let label = |text| symbols.labels.get(text).unwrap().0;
        let np = Symbol {
            kind: Kind::Phrase,
            label: label("NP"),
            parent: Some(label("S")),
            sibling: None,
        };
        assert!(symbols.find(&np).is_some());
    }

    #[test]
    fn deep_trees_do_not_exhaust_the_stack() {
        let memory = Memory { parent: false, sibling: false };
        let deep = format!("( {}(N a){})", "(S ".repeat(50_000), ")".repeat(50_000));
        assert_eq!(there_and_back(&deep, memory).0, "( (S (N a)))");
        let wide = format!("( {}(N a){})", "(S (N b) ".repeat(50_000), ")".repeat(50_000));
        assert_eq!(there_and_back(&wide, memory).0, wide);
    }

    /// A bracketing of words at random, without unary phrases.
    fn random_brackets(random: &mut Random, words: usize, text: &mut String) {
        if words == 1 {
            text.push_str(["(A a)", "(B b)", "(NP (C c))"][random.below(3)]);
            return;
        }
        text.push_str(["(X ", "(Y "][random.below(2)]);
        let mut left = words;
        while left > 0 {
            let most = if left == words { words - 1 } else { left };
            let part = 1 + random.below(most);
            random_brackets(random, part, text);
            text.push(' ');
            left -= part;
        }
        text.push(')');
    }

    #[test]
    fn random_brackets_come_back() {
        for seed in 0..200 {
            let mut random = Random::new(seed, 1);
            let mut text = "( ".to_string();
            let words = 1 + random.below(12);
            random_brackets(&mut random, words, &mut text);
            let text = ConstituentTree::parse(&format!("{text})")).unwrap().to_string();
            let memory = Memory { parent: seed % 2 == 0, sibling: seed % 4 < 2 };
            assert_eq!(there_and_back(&text, memory).0, text);
        }
    }
}
