//! The source trees that search can use: those without cycles, the best of them.

use std::ops::Range;

use super::source::{Source, WeightedTree};
use crate::deporder::is_punctuation;
use crate::tree::{Heads, Licences, Subtrees};

/// Sets of trees are the bits of a number.
pub const MOST_TREES: usize = 32;

/// One of the trees, by its number.
pub fn bit(tree: usize) -> u32 {
    1 << tree
}

/// The trees of a set, by their numbers.
pub fn members(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let tree = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (tree < MOST_TREES).then_some(tree)
    })
}

/// The trees of a sentence, over the words that count: all of them, or all but punctuation.
/// These are numbered from 1, as in all trees.
#[derive(Default)]
pub struct UsableTrees {
    pub trees: Vec<UsableTree>,
    /// How many words that count stand before each word; one more at the end.
    pub ranks: Vec<u32>,
    /// The places of the words that count in the sentence, from 0.
    pub places: Vec<u32>,
}

pub struct UsableTree {
    pub heads: Heads,
    pub labels: Vec<String>,
    /// Whether each word hung under punctuation that was taken out.
    pub under_mark: Vec<bool>,
    /// Its part of the weights of all of them.
    pub share: f64,
}

impl UsableTrees {
    /// At most `most` trees without a cycle, those with the highest weights first. With `apart`,
    /// punctuation is taken out, and what hangs under it hangs under its head.
    pub fn new(source: &Source, most: usize, apart: bool) -> Self {
        let counts = |word: &String| !apart || !is_punctuation(word);
        let (mut ranks, mut places) = (vec![0], Vec::new());
        for (place, word) in source.words().iter().enumerate() {
            if counts(word) {
                places.push(place as u32);
            }
            ranks.push(places.len() as u32);
        }
        let mut weighted: Vec<&WeightedTree> = source.trees().iter().collect();
        weighted.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        let acyclic = weighted.into_iter().filter(|it| is_acyclic(it.tree.heads()));
        let chosen: Vec<&WeightedTree> = acyclic.take(most.min(MOST_TREES)).collect();
        let sum: f64 = chosen.iter().map(|it| it.weight).sum();
        let under_mark = |head: u32| head != 0 && ranks[head as usize] == ranks[head as usize - 1];
        let usable = |it: &WeightedTree| UsableTree {
            heads: counted_heads(it.tree.heads(), &ranks, &places),
            labels: places.iter().map(|&at| it.tree.labels()[at as usize].clone()).collect(),
            under_mark: places.iter().map(|&at| under_mark(it.tree.heads().of(at + 1))).collect(),
            share: it.weight / sum,
        };
        let trees = chosen.into_iter().map(usable).collect();
        UsableTrees { trees, ranks, places }
    }

    /// The set of all of them.
    pub fn all(&self) -> u32 {
        (0..self.trees.len()).map(bit).sum()
    }

    /// The words of a span that count, as a span of a tree: from its first word to its last,
    /// which is smaller where none count.
    #[inline]
    pub fn counted(&self, start: u32, end: u32) -> (u32, u32) {
        (self.ranks[start as usize] + 1, self.ranks[end as usize])
    }
}

impl UsableTree {
    pub fn subtrees(&self) -> Subtrees {
        Subtrees::new(self.heads.clone()).expect("trees with cycles are not used")
    }

    pub fn licences(&self) -> Licences {
        Licences::new(&self.heads).expect("trees with cycles are not used")
    }

    /// The tree of some neighbouring words, from 1; what hangs under another word is a root.
    pub fn part(&self, words: Range<u32>) -> Heads {
        let inside = |head: &u32| words.contains(head);
        let head = |word: u32| Some(self.heads.of(word)).filter(inside);
        let heads = words.clone().map(|word| head(word).map_or(0, |head| head - words.start + 1));
        Heads::new(heads.collect()).expect("heads inside")
    }
}

fn is_acyclic(heads: &Heads) -> bool {
    Subtrees::new(heads.clone()).is_some()
}

/// The heads of the words that count: the nearest words above them that count.
fn counted_heads(heads: &Heads, ranks: &[u32], places: &[u32]) -> Heads {
    let counts = |word: u32| ranks[word as usize] > ranks[word as usize - 1];
    let head = |&place: &u32| {
        let mut head = heads.of(place + 1);
        while head != 0 && !counts(head) {
            head = heads.of(head);
        }
        ranks[head as usize]
    };
    Heads::new(places.iter().map(head).collect()).expect("heads among the words that count")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tree::DependencyTree;

    fn tree(words: &[String], heads: &[u32]) -> DependencyTree {
        let empty = vec![String::new(); words.len()];
        DependencyTree::new(words.to_vec(), heads.to_vec(), empty.clone(), empty).unwrap()
    }

    fn source(words: &str, trees: &[(&[u32], f64)]) -> Source {
        let words: Vec<String> = words.split(' ').map(str::to_string).collect();
        let weighted =
            |&(heads, weight): &(&[u32], f64)| WeightedTree { tree: tree(&words, heads), weight };
        let trees = trees.iter().map(weighted).collect();
        Source::new(words.clone()).with_trees(trees).unwrap()
    }

    #[test]
    fn the_best_trees_without_cycles_are_used() {
        let trees: [(&[u32], f64); 4] =
            [(&[0, 1, 2], 1.0), (&[2, 1, 0], 9.0), (&[0, 0, 0], 3.0), (&[3, 3, 0], 0.5)];
        let source = source("a b c", &trees);
        let found = UsableTrees::new(&source, 2, false);
        let shares: Vec<f64> = found.trees.iter().map(|tree| tree.share).collect();
        assert_eq!(shares, [0.75, 0.25]);
        assert_eq!(found.trees[1].heads[..], [0, 1, 2]);
        assert_eq!((found.all(), members(5).collect::<Vec<_>>()), (3, vec![0, 2]));
        assert_eq!(UsableTrees::new(&source, 32, false).trees.len(), 3);
    }

    #[test]
    fn punctuation_is_taken_out_of_trees() {
        // What hangs under the comma hangs under its head.
        let source = source("a , b . c", &[(&[5, 5, 2, 5, 0], 1.0)]);
        let found = UsableTrees::new(&source, 1, true);
        assert_eq!(found.trees[0].heads[..], [3, 3, 0]);
        assert_eq!(found.trees[0].under_mark, [false, true, false]);
        assert_eq!(
            (&found.ranks[..], &found.places[..]),
            (&[0, 1, 1, 2, 2, 3][..], &[0, 2, 4][..])
        );
        assert_eq!((found.counted(0, 3), found.counted(3, 4)), ((1, 2), (3, 2)));
    }

    #[test]
    fn arcs_that_leave_a_part_make_roots() {
        let source = source("a b c d e", &[(&[2, 5, 2, 3, 0], 1.0)]);
        let found = UsableTrees::new(&source, 1, false);
        assert_eq!(found.trees[0].part(2..5)[..], [0, 1, 2]);
        assert_eq!(found.trees[0].part(1..3)[..], [2, 0]);
    }
}
