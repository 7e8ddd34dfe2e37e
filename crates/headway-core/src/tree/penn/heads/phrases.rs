//! The phrases of a tree with their parts, which may be moved.

use crate::tree::penn::strip::category;
use crate::tree::penn::tree::{ConstituentTree, unescape};

/// A part of a phrase that has words.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part<'a> {
    /// With functions and indices: `NP-SBJ-1`.
    pub(super) label: &'a str,
    pub(super) category: &'a str,
    /// Its head word, from 1.
    pub(super) word: u32,
}

impl<'a> Part<'a> {
    pub(super) fn new(label: &'a str, word: u32) -> Self {
        Part { label, category: first_category(label), word }
    }

    pub(super) fn has_function(&self, name: &str) -> bool {
        has_function(self.label, name)
    }

    pub(super) fn is_punctuation(&self) -> bool {
        matches!(self.category, "," | ":" | "." | "``" | "''" | "-LRB-" | "-RRB-")
    }

    pub(super) fn is_conjunction(&self) -> bool {
        matches!(self.category, "CC" | "CONJP")
    }
}

/// Of `ADVP|PRT`, which annotators could not decide on, the first.
fn first_category(label: &str) -> &str {
    let category = category(label);
    match category.split_once('|') {
        Some((first, _)) if !first.is_empty() => first,
        _ => category,
    }
}

pub(super) fn has_function(label: &str, name: &str) -> bool {
    label.split('-').skip(1).any(|function| function == name)
}

pub(super) struct Phrases<'a> {
    tree: &'a ConstituentTree,
    children: Vec<Vec<usize>>,
    parents: Vec<usize>,
    /// The head word of each node, 0 as long as it is not known or if it has no words.
    heads: Vec<u32>,
    words: usize,
}

impl<'a> Phrases<'a> {
    pub(super) fn new(tree: &'a ConstituentTree) -> Self {
        let nodes = tree.nodes();
        let (mut heads, mut words) = (vec![0; nodes.len()], 0);
        let mut parents = vec![0; nodes.len()];
        let mut children = vec![Vec::new(); nodes.len()];
        for (node, leaf) in nodes.iter().map(|node| node.leaf).enumerate() {
            if leaf.is_some() && nodes[node].label != TRACE {
                words += 1;
                heads[node] = words as u32;
            }
            if leaf.is_none() {
                children[node] = tree.children(node).collect();
                children[node].iter().for_each(|&child| parents[child] = node);
            }
        }
        Phrases { tree, children, parents, heads, words }
    }

    /// How many words there are; traces are none.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    pub(super) fn nodes(&self) -> usize {
        self.children.len()
    }

    pub(super) fn label(&self, node: usize) -> &'a str {
        &self.tree.nodes()[node].label
    }

    pub(super) fn category(&self, node: usize) -> &'a str {
        first_category(self.label(node))
    }

    pub(super) fn children(&self, node: usize) -> &[usize] {
        &self.children[node]
    }

    pub(super) fn parent(&self, node: usize) -> usize {
        self.parents[node]
    }

    /// The text of a trace, `*T*-1`.
    pub(super) fn trace(&self, node: usize) -> Option<&'a str> {
        let leaf = self.tree.nodes()[node].leaf.filter(|_| self.label(node) == TRACE)?;
        Some(&self.tree.leaves()[leaf as usize])
    }

    /// Whether any word is inside, moved ones aside.
    pub(super) fn has_words(&self, node: usize) -> bool {
        let end = self.tree.nodes()[node].end as usize;
        self.tree.nodes()[node..end]
            .iter()
            .any(|inner| inner.leaf.is_some() && inner.label != TRACE)
    }

    /// Whether a node is in the other or is it.
    pub(super) fn is_within(&self, mut node: usize, other: usize) -> bool {
        while node != other && node != 0 {
            node = self.parents[node];
        }
        node == other
    }

    /// Takes a node from its parent and puts it where another one is.
    pub(super) fn replace(&mut self, place: usize, node: usize) {
        self.children[self.parents[node]].retain(|&child| child != node);
        let parent = self.parents[place];
        let position = self.children[parent].iter().position(|&child| child == place);
        self.children[parent][position.unwrap_or(0)] = node;
        self.parents[node] = parent;
    }

    /// Puts the parts of a node where it is.
    pub(super) fn dissolve(&mut self, node: usize) {
        let (parent, parts) = (self.parents[node], std::mem::take(&mut self.children[node]));
        parts.iter().for_each(|&part| self.parents[part] = parent);
        if let Some(place) = self.children[parent].iter().position(|&child| child == node) {
            self.children[parent].splice(place..=place, parts);
        }
    }

    /// All phrases, each after those inside it.
    pub(super) fn bottom_up(&self) -> Vec<usize> {
        let mut order = if self.nodes() == 0 { vec![] } else { vec![0] };
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            order.extend(
                self.children[node].iter().filter(|&&child| !self.children[child].is_empty()),
            );
            next += 1;
        }
        order.reverse();
        order
    }

    /// The parts of a phrase that have words, whose heads must be known.
    pub(super) fn parts(&self, node: usize) -> Vec<Part<'a>> {
        let parts = self.children[node].iter().filter(|&&child| self.heads[child] != 0);
        parts.map(|&child| Part::new(self.label(child), self.heads[child])).collect()
    }

    pub(super) fn set_word(&mut self, node: usize, word: u32) {
        self.heads[node] = word;
    }

    /// The words, escapes undone, and their tags.
    pub(super) fn forms_and_tags(&self) -> (Vec<String>, Vec<String>) {
        let words = self.tree.nodes().iter().filter(|node| node.label != TRACE);
        let words = words.filter_map(|node| Some((node.leaf?, &node.label)));
        words.map(|(leaf, tag)| (unescape(&self.tree.leaves()[leaf as usize]), tag.clone())).unzip()
    }
}

const TRACE: &str = "-NONE-";
