//! Phrases over phrases over words.

use std::path::Path;

use super::builder::Builder;
use crate::{Error, Result};

/// One bracket.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Empty for the outer bracket that Penn files put around each sentence.
    pub label: String,
    /// The word of a tag's bracket, as `leaves` numbers it; None for a phrase.
    pub leaf: Option<u32>,
    /// One past its last descendant.
    pub(super) end: u32,
    /// Words before this bracket, and words up to its end.
    pub(super) words: (u32, u32),
}

/// A bracket opens or closes, as the brackets are read from left to right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    Open(usize),
    Close(usize),
}

impl Event {
    /// Whether it is one of the outermost bracket.
    pub(super) fn is_outer(self) -> bool {
        matches!(self, Event::Open(0) | Event::Close(0))
    }
}

/// A constituent tree: brackets in the order in which they open, and words.
///
/// Kept flat, so that no depth of brackets can exhaust the stack. `(())`, which parsers write
/// where they found no tree, is a tree without leaves.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConstituentTree {
    pub(super) nodes: Vec<Node>,
    pub(super) leaves: Vec<String>,
}

impl ConstituentTree {
    /// Reads one tree.
    pub fn parse(text: &str) -> Result<Self> {
        let place = Path::new("<text>");
        let mut builder = Builder::default();
        let mut trees = Vec::new();
        for (mut line, number) in text.lines().zip(1..) {
            while !line.is_empty() {
                let added = builder.push(line, number);
                let (tree, rest) =
                    added.map_err(|message| Error::format(place, number, message))?;
                trees.extend(tree);
                line = rest;
            }
        }
        builder.finish().map_err(|(line, message)| Error::format(place, line, message))?;
        match trees.len() {
            1 => Ok(trees.remove(0)),
            found => Err(Error::format(place, 1, format!("expected one tree, found {found}"))),
        }
    }

    /// All brackets, each before those inside it; the first is the whole tree.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The brackets directly inside one, as positions among `nodes`.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.nodes[node].end as usize;
        let mut next = node + 1;
        std::iter::from_fn(move || {
            let child = next;
            next = self.nodes.get(child)?.end as usize;
            (child < end).then_some(child)
        })
    }

    /// A bracket and all inside it, as a tree of its own.
    pub fn subtree(&self, node: usize) -> ConstituentTree {
        let Node { end, words: (first, last), .. } = self.nodes[node];
        let moved = |inner: &Node| Node {
            label: inner.label.clone(),
            leaf: inner.leaf.map(|leaf| leaf - first),
            end: inner.end - node as u32,
            words: (inner.words.0 - first, inner.words.1 - first),
        };
        ConstituentTree {
            nodes: self.nodes[node..end as usize].iter().map(moved).collect(),
            leaves: self.leaves[first as usize..last as usize].to_vec(),
        }
    }

    /// Every bracket's opening and closing, in the order of the text.
    pub(super) fn events(&self) -> impl Iterator<Item = Event> + '_ {
        let mut open: Vec<usize> = Vec::new();
        let mut next = 0;
        std::iter::from_fn(move || match open.last() {
            Some(&node) if self.nodes[node].end as usize == next => open.pop().map(Event::Close),
            _ if next == self.nodes.len() => None,
            _ => {
                open.push(next);
                next += 1;
                Some(Event::Open(next - 1))
            }
        })
    }

    /// The words as they stand, `-LRB-` for a bracket.
    pub fn leaves(&self) -> &[String] {
        &self.leaves
    }

    /// The words with Penn's escapes undone: `(` for `-LRB-`, `/` for `\/`.
    pub fn words(&self) -> Vec<String> {
        self.leaves.iter().map(|leaf| unescape(leaf)).collect()
    }

    /// The tag of each word.
    pub fn tags(&self) -> impl Iterator<Item = &str> {
        self.nodes.iter().filter(|node| node.leaf.is_some()).map(|node| node.label.as_str())
    }

    /// Each phrase with the first and the last of its words (from 1); tags are no phrases.
    pub fn spans(&self) -> impl Iterator<Item = (&str, u32, u32)> {
        let phrases = self.nodes.iter().filter(|node| node.leaf.is_none());
        let phrases = phrases.filter(|node| node.words.0 < node.words.1);
        phrases.map(|node| (node.label.as_str(), node.words.0 + 1, node.words.1))
    }
}

pub(super) const ESCAPES: [(&str, &str); 6] = [
    ("-LRB-", "("),
    ("-RRB-", ")"),
    ("-LSB-", "["),
    ("-RSB-", "]"),
    ("-LCB-", "{"),
    ("-RCB-", "}"),
];

pub(super) fn unescape(leaf: &str) -> String {
    match ESCAPES.iter().find(|(escape, _)| *escape == leaf) {
        Some((_, plain)) => plain.to_string(),
        None => leaf.replace("\\/", "/").replace("\\*", "*"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "( (S (NP-SBJ (NN Time)) (VP (VBZ flies) (PRN (-LRB- -LRB-) (NN 1\\/2)))))";

    #[test]
    fn leaves_tags_and_spans() {
        let tree = ConstituentTree::parse(TEXT).unwrap();
        assert_eq!(tree.leaves(), ["Time", "flies", "-LRB-", "1\\/2"]);
        assert_eq!(tree.words(), ["Time", "flies", "(", "1/2"]);
        assert_eq!(tree.tags().collect::<Vec<_>>(), ["NN", "VBZ", "-LRB-", "NN"]);
        assert_eq!(
            tree.spans().collect::<Vec<_>>(),
            [("", 1, 4), ("S", 1, 4), ("NP-SBJ", 1, 1), ("VP", 2, 4), ("PRN", 3, 4)]
        );
    }

    #[test]
    fn children_are_the_brackets_directly_inside() {
        let tree = ConstituentTree::parse(TEXT).unwrap();
        let labels = |node| -> Vec<&str> {
            tree.children(node).map(|child| tree.nodes()[child].label.as_str()).collect()
        };
        assert_eq!(labels(0), ["S"]);
        assert_eq!(labels(1), ["NP-SBJ", "VP"]);
        assert_eq!(labels(3), [""; 0]);
        let phrase = "(VP (VBZ flies) (PRN (-LRB- -LRB-) (NN 1\\/2)))";
        assert_eq!(tree.subtree(4), ConstituentTree::parse(phrase).unwrap());
    }

    #[test]
    fn one_tree_is_one_tree() {
        assert!(ConstituentTree::parse("").is_err());
        assert!(ConstituentTree::parse("(A a) (B b)").is_err());
        assert_eq!(ConstituentTree::parse("(())").unwrap().leaves().len(), 0);
        assert_eq!(ConstituentTree::parse("()").unwrap().leaves().len(), 0);
    }
}
