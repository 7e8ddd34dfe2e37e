//! Which phrases source trees allow, and in which order (Hunter & Resnik 2010, §3.3 and §4).
//!
//! A subtree is *open* if some of its words are covered and some are not. If subtrees are to come
//! out contiguous, the next phrase lies in every open one. Licensed phrases never hold a part of
//! one subtree and a part of another, so the open subtrees of a coverage are nested, the
//! innermost is enough to know, and its free words can always be covered one by one.

use std::ops::Range;

use smallvec::SmallVec;

use crate::decode::coverage::Coverage;
use crate::decode::order::{OrderSettings, PhraseSpans};
use crate::decode::trees::{UsableTree, UsableTrees, bit, members};
use crate::tree::{Licences, Subtrees, Topology};

/// Stands for the head of words that a tree does not allow as a phrase.
pub const UNLICENSED: u32 = u32::MAX;
/// Stands for the head of words that do not count.
pub const NO_HEAD: u32 = 0;

/// The trees of one piece of a sentence.
pub struct Guide {
    trees: Vec<Tree>,
    /// How many words that count stand before each word of the piece; one more at the end.
    ranks: Vec<u32>,
    /// The places of the words that count.
    places: Vec<u32>,
    pub contiguous: bool,
}

struct Tree {
    subtrees: Subtrees,
    licences: Licences,
    /// For each subtree the smallest span of the piece that holds it.
    extents: Vec<(u32, u32)>,
}

/// What a coverage leaves to do.
pub struct Standing {
    /// For each tree the head of the innermost open subtree; 0 if none is open.
    tops: SmallVec<[u32; 1]>,
    /// The span in which the next phrase is.
    pub window: (u32, u32),
    /// Arcs with both ends covered, in the first tree that the coverage agrees with.
    pub dependencies: u32,
}

impl Guide {
    /// For the words of a piece.
    pub fn new(trees: &UsableTrees, piece: &Range<usize>, how: &OrderSettings) -> Self {
        let ranks = &trees.ranks[piece.start..=piece.end];
        let (first, last) = (ranks[0], ranks[piece.len()]);
        let places = &trees.places[first as usize..last as usize];
        let places: Vec<u32> = places.iter().map(|&at| at - piece.start as u32).collect();
        let tree = |tree: &UsableTree| Tree::new(tree, first + 1..last + 1, &places);
        Guide {
            trees: trees.trees.iter().map(tree).collect(),
            ranks: ranks.iter().map(|&rank| rank - first).collect(),
            places,
            contiguous: how.contiguous,
        }
    }

    /// The same, unless trees restrict nothing.
    pub fn wanted(trees: &UsableTrees, piece: &Range<usize>, how: &OrderSettings) -> Option<Self> {
        let wanted = !trees.trees.is_empty() && how.spans == PhraseSpans::Licensed;
        wanted.then(|| Guide::new(trees, piece, how))
    }

    pub fn trees(&self) -> usize {
        self.trees.len()
    }

    /// The head of the words from `start` to before `end` in a tree, if it licenses them.
    pub fn head(&self, tree: usize, start: u32, end: u32) -> u32 {
        let (first, last) = (self.ranks[start as usize] + 1, self.ranks[end as usize]);
        match first > last {
            true => NO_HEAD, // dashes between words break no subtree
            false => self.trees[tree].licences.head(first, last).unwrap_or(UNLICENSED),
        }
    }

    /// Whether some tree licenses the words from `start` to before `end`.
    pub fn is_licensed(&self, start: u32, end: u32) -> bool {
        (0..self.trees.len()).any(|tree| self.head(tree, start, end) != UNLICENSED)
    }

    pub fn standing(&self, set: &Coverage) -> Standing {
        let (mut tops, mut window) = (SmallVec::new(), (u32::MAX, 0));
        for (number, tree) in self.trees.iter().enumerate() {
            let agrees = self.contiguous && set.trees() & bit(number) != 0;
            let top = if agrees { tree.innermost(&self.places, set) } else { 0 };
            tops.push(top);
            if agrees && top != 0 && self.places.len() + 1 == self.ranks.len() {
                let (start, end) = tree.extents[top as usize - 1];
                window = (window.0.min(start), window.1.max(end));
            } else {
                window = (0, self.ranks.len() as u32 - 1);
            }
        }
        Standing { tops, window, dependencies: self.covered(set) }
    }

    /// The number of dependencies that a coverage holds.
    pub fn covered(&self, set: &Coverage) -> u32 {
        let first = members(set.trees()).next().filter(|_| self.contiguous);
        first.map_or(0, |tree| self.trees[tree].arcs(&self.places, set))
    }

    /// The trees of a set that allow a phrase, given the head of its words in each.
    #[inline]
    pub fn allowing(&self, set: u32, standing: &Standing, heads: &[u32]) -> u32 {
        let allows = |tree: usize| match heads[tree] {
            UNLICENSED => false,
            NO_HEAD => true,
            head => self.trees[tree].subtrees.holds(standing.tops[tree], head),
        };
        members(set).filter(|&tree| allows(tree)).map(bit).sum()
    }

    /// The number of dependencies covered behind a phrase that `trees` allow.
    pub fn dependencies(
        &self,
        set: &Coverage,
        standing: &Standing,
        trees: u32,
        (start, end): (u32, u32),
        heads: &[u32],
    ) -> u32 {
        let first = members(trees).next().filter(|_| self.contiguous);
        let Some(number) = first else { return 0 };
        let (tree, head) = (&self.trees[number], heads[number]);
        let covered = |word: u32| set.contains(self.places[word as usize - 1]);
        // The set may have agreed with a better tree, which this phrase rules out.
        let before = match members(set.trees()).next() {
            Some(best) if best != number => tree.arcs(&self.places, set),
            _ => standing.dependencies,
        };
        if head == NO_HEAD {
            return before;
        }
        let (first, last) = (self.ranks[start as usize] + 1, self.ranks[end as usize]);
        let above = tree.subtrees.head(head);
        let to_head = u32::from(above != 0 && covered(above));
        let below = tree.subtrees.children(head).iter().filter(|&&child| covered(child)).count();
        before + (last - first) + to_head + below as u32
    }

    /// The set of trees behind one more phrase, for derivations that are stated: they may use what
    /// no tree allows, and then all trees stay.
    pub fn step(&self, set: &Coverage, trees: u32, start: u32, end: u32) -> u32 {
        let heads: SmallVec<[u32; 1]> =
            (0..self.trees.len()).map(|tree| self.head(tree, start, end)).collect();
        match self.allowing(trees, &self.standing(set), &heads) {
            0 => trees,
            allowing => allowing,
        }
    }
}

impl Tree {
    fn new(tree: &UsableTree, words: Range<u32>, places: &[u32]) -> Self {
        let heads = tree.part(words);
        let topology = Topology::new(&heads);
        let extent = |top: u32| {
            let (first, last) = topology.subtree_span(top).into_inner();
            (places[first as usize - 1], places[last as usize - 1] + 1)
        };
        let extents = (1..=heads.len() as u32).map(extent).collect();
        let licences = Licences::new(&heads).expect("a part of a tree has no cycle");
        let subtrees = Subtrees::new(heads).expect("a part of a tree has no cycle");
        Tree { subtrees, licences, extents }
    }

    /// The head of the innermost open subtree; 0 if none is.
    fn innermost(&self, places: &[u32], set: &Coverage) -> u32 {
        let mut sums = Vec::with_capacity(places.len() + 1);
        let mut sum = 0;
        sums.push(sum);
        for &word in self.subtrees.words(0) {
            sum += u32::from(set.contains(places[word as usize - 1]));
            sums.push(sum);
        }
        let is_open = |top: u32| {
            let (first, end) = self.subtrees.range(top);
            let covered = sums[end as usize] - sums[first as usize];
            covered > 0 && covered < end - first
        };
        let open_child =
            |top: u32| self.subtrees.children(top).iter().copied().find(|&child| is_open(child));
        let mut top = 0;
        while let Some(open) = open_child(top) {
            top = open;
        }
        top
    }

    /// How many arcs have both ends covered.
    fn arcs(&self, places: &[u32], set: &Coverage) -> u32 {
        let covered = |word: u32| set.contains(places[word as usize - 1]);
        let words = 1..=places.len() as u32;
        let both = words.filter(|&word| {
            let head = self.subtrees.head(word);
            head != 0 && covered(word) && covered(head)
        });
        both.count() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::source::{Source, WeightedTree};
    use crate::random::Random;
    use crate::tree::{DependencyTree, Heads, random_tree};

    const HOW: OrderSettings = OrderSettings {
        spans: PhraseSpans::Licensed,
        licensed_words: 4,
        contiguous: true,
        linear_distortion: true,
        scoring: crate::decode::OrderScoring::Plain,
        soft_constraints: false,
        trees: 3,
    };

    fn usable(trees: &[Vec<u32>]) -> UsableTrees {
        let words = vec!["a".to_string(); trees[0].len()];
        let empty = vec![String::new(); words.len()];
        let weighted = |heads: &Vec<u32>| WeightedTree {
            tree: DependencyTree::new(words.clone(), heads.clone(), empty.clone(), empty.clone())
                .unwrap(),
            weight: 1.0,
        };
        let source = Source::new(words.clone());
        let source = source.with_trees(trees.iter().map(weighted).collect()).unwrap();
        UsableTrees::new(&source, 3, false)
    }

    fn guide(trees: &[Vec<u32>]) -> Guide {
        Guide::new(&usable(trees), &(0..trees[0].len()), &HOW)
    }

    fn heads(guide: &Guide, start: u32, end: u32) -> Vec<u32> {
        (0..guide.trees()).map(|tree| guide.head(tree, start, end)).collect()
    }

    #[test]
    fn the_coverages_of_the_paper() {
        // MAN THE WOMAN TALL THE SAW: h0, h1 and h2 of Figure 6, and h of §4.2.
        let guide = guide(&[vec![6, 1, 6, 3, 3, 0]]);
        let dependencies = |spans: &[(u32, u32)]| {
            let mut set = Coverage::of_trees(1);
            let mut counted = vec![guide.standing(&set).dependencies];
            for &(start, end) in spans {
                let (standing, heads) = (guide.standing(&set), heads(&guide, start, end));
                assert_eq!(guide.allowing(1, &standing, &heads), 1);
                counted.push(guide.dependencies(&set, &standing, 1, (start, end), &heads));
                set = set.with(start, end, 1);
                assert_eq!(guide.standing(&set).dependencies, counted[counted.len() - 1]);
            }
            counted
        };
        assert_eq!(dependencies(&[(0, 2), (2, 6)]), [0, 1, 5]);
        assert_eq!(dependencies(&[(2, 4), (4, 5), (0, 2)]), [0, 1, 2, 3]);
        // [WOMAN TALL] [SAW] would leave THE behind (§3.3).
        let set = Coverage::of_trees(1).with(2, 4, 1);
        let standing = guide.standing(&set);
        assert_eq!(guide.allowing(1, &standing, &heads(&guide, 5, 6)), 0);
        assert_eq!(standing.window, (2, 5));
    }

    /// Whether a subtree has words on both sides of a coverage.
    fn is_open(tree: &Topology, top: u32, set: &Coverage) -> bool {
        let words = tree.subtree(top);
        let covered = words.iter().filter(|&&word| set.contains(word - 1)).count();
        covered > 0 && covered < words.len()
    }

    #[test]
    fn phrases_lie_in_all_open_subtrees_and_there_is_always_one() {
        for seed in 0..300 {
            let random = &mut Random::new(seed, 4);
            let (words, many) = (1 + random.below(9), 1 + random.below(3));
            let trees: Vec<Vec<u32>> =
                (0..many).map(|_| random_tree(words, random, seed % 2 == 0)).collect();
            let guide = guide(&trees);
            let topologies: Vec<Topology> =
                trees.iter().map(|it| Topology::new(&Heads::new(it.clone()).unwrap())).collect();
            let mut set = Coverage::of_trees((1 << many) - 1);
            while (set.first_free() as usize) < words {
                let standing = guide.standing(&set);
                let mut moves = Vec::new();
                for (start, end) in spans(&set, words as u32) {
                    let heads = heads(&guide, start, end);
                    let found = guide.allowing(set.trees(), &standing, &heads);
                    let allows = |&tree: &usize| {
                        let tops = 1..=words as u32;
                        let mut open = tops.filter(|&top| is_open(&topologies[tree], top, &set));
                        let inside = |top: u32| {
                            let subtree = topologies[tree].subtree(top);
                            (start..end).all(|word| subtree.contains(&(word + 1)))
                        };
                        heads[tree] != UNLICENSED && open.all(inside)
                    };
                    let expected: u32 = members(set.trees()).filter(allows).map(bit).sum();
                    assert_eq!(found, expected, "{trees:?} {set:?} {start}..{end}");
                    if found != 0 {
                        assert!(standing.window.0 <= start && end <= standing.window.1);
                        let counted =
                            guide.dependencies(&set, &standing, found, (start, end), &heads);
                        let next = set.with(start, end, found);
                        assert_eq!(counted, guide.standing(&next).dependencies);
                        moves.push(next);
                    }
                }
                set = moves.swap_remove(random.below(moves.len()));
            }
        }
    }

    /// Spans of free words.
    fn spans(set: &Coverage, words: u32) -> Vec<(u32, u32)> {
        let all = (0..words).flat_map(|start| (start + 1..=words).map(move |end| (start, end)));
        all.filter(|&(start, end)| !(start..end).any(|word| set.contains(word))).collect()
    }

    #[test]
    fn arcs_across_a_border_do_not_bind() {
        // A chain that is cut behind its second word: both parts are trees of their own.
        let trees = usable(&[vec![0, 1, 2, 3]]);
        let last = Guide::new(&trees, &(2..4), &HOW);
        assert!(last.is_licensed(0, 2));
        let standing = last.standing(&Coverage::of_trees(1));
        assert_eq!((standing.window, standing.dependencies), ((0, 2), 0));
    }
}
