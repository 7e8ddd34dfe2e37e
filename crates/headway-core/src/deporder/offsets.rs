//! The dependencies of a tree with their offsets.

use crate::tree::{Heads, Topology};

/// A word under another, and how far from it its subtree stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependency {
    pub governor: u32,
    pub dependent: u32,
    /// How many words the dependent's subtree has.
    pub size: u32,
    /// From the governor to the nearest word of the dependent's subtree before it, and if there
    /// is none, to the nearest one after it.
    pub offset: i32,
}

/// The dependencies of a tree by dependent; None if the heads run in a cycle. Roots depend on
/// no word. Words for which `passed` is true are not counted, neither as ends nor between.
pub fn dependencies(heads: &Heads, passed: impl Fn(u32) -> bool) -> Option<Vec<Dependency>> {
    let topology = Topology::new(heads);
    if topology.has_cycle() {
        return None;
    }
    let mut ranks = vec![0; heads.len() + 1];
    for word in 1..=heads.len() {
        ranks[word] = ranks[word - 1] + u32::from(!passed(word as u32));
    }
    let measure = Measure { topology: &topology, ranks };
    let counted = |word: u32| word != 0 && !passed(word);
    let arcs = heads.arcs().filter(|&(word, head)| counted(word) && counted(head));
    Some(arcs.map(|(dependent, governor)| measure.dependency(governor, dependent)).collect())
}

struct Measure<'a> {
    topology: &'a Topology,
    /// How many of the words up to each are counted.
    ranks: Vec<u32>,
}

impl Measure<'_> {
    fn dependency(&self, governor: u32, dependent: u32) -> Dependency {
        let span = self.topology.subtree_span(dependent);
        let (first, last) = (*span.start(), *span.end());
        // The dependent itself is counted, so in a contiguous subtree counted words follow the
        // first and precede the last.
        let whole = (last - first + 1) as usize == self.topology.subtree_size(dependent);
        let (first, last, size) = if whole {
            let (before, last) = (self.rank(first - 1), self.rank(last));
            (before + 1, last, last - before)
        } else {
            self.scattered(governor, dependent)
        };
        let place = self.rank(governor);
        let nearest = if last < place { last } else { first };
        let offset = nearest as i32 - place as i32;
        Dependency { governor, dependent, size, offset }
    }

    /// The same of a subtree with gaps: the ranks of its ends, where one that has words on both
    /// sides of the governor ends before it, and how many words it has.
    fn scattered(&self, governor: u32, dependent: u32) -> (u32, u32, u32) {
        let words = self.topology.subtree(dependent);
        let counted = |word: &u32| self.rank(*word) > self.rank(word - 1);
        let ranks: Vec<u32> =
            words.into_iter().filter(counted).map(|word| self.rank(word)).collect();
        let (first, last) = (ranks[0], ranks[ranks.len() - 1]);
        let before = ranks.partition_point(|&rank| rank < self.rank(governor));
        let last = if before > 0 { ranks[before - 1] } else { last };
        (first, last, ranks.len() as u32)
    }

    fn rank(&self, word: u32) -> u32 {
        self.ranks[word as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::tree::random_tree;

    /// The definition: remove the words that are passed over, number the others anew, and look at
    /// every word of the subtree.
    fn literally(d: &[u32], passed: &[bool]) -> Vec<Dependency> {
        let under = |word: u32, above: u32| {
            let mut at = word;
            while at != above && at != 0 {
                at = d[at as usize - 1];
            }
            at == above
        };
        let words = || (1..=d.len() as u32).filter(|&word| !passed[word as usize - 1]);
        let place = |word: u32| words().filter(|&other| other <= word).count() as i32;
        let mut found = Vec::new();
        for dependent in words() {
            let governor = d[dependent as usize - 1];
            if governor == 0 || passed[governor as usize - 1] {
                continue;
            }
            let subtree: Vec<i32> =
                words().filter(|&word| under(word, dependent)).map(place).collect();
            let before = subtree.iter().filter(|&&word| word < place(governor)).max();
            let after = subtree.iter().filter(|&&word| word > place(governor)).min();
            let nearest = before.or(after).unwrap();
            let (size, offset) = (subtree.len() as u32, nearest - place(governor));
            found.push(Dependency { governor, dependent, size, offset });
        }
        found
    }

    #[test]
    fn offsets_are_as_defined() {
        for seed in 0..1000 {
            let mut random = Random::new(seed, 31);
            let words = 1 + random.below(12);
            let d = random_tree(words, &mut random, seed % 2 == 0);
            let some = seed % 3 == 0;
            let passed: Vec<bool> = (0..words).map(|_| some && random.below(4) == 0).collect();
            let heads = Heads::new(d.clone()).unwrap();
            let found = dependencies(&heads, |word| passed[word as usize - 1]).unwrap();
            assert_eq!(found, literally(&d, &passed), "{d:?} {passed:?}");
            assert!(found.iter().all(|dependency| dependency.offset != 0));
        }
    }

    #[test]
    fn the_closest_word_of_a_subtree_counts() {
        // saw the tall lady the guy: (3a) of the paper
        let heads = Heads::new(vec![0, 4, 4, 1, 6, 1]).unwrap();
        let found = dependencies(&heads, |_| false).unwrap();
        let offsets: Vec<i32> = found.iter().map(|dependency| dependency.offset).collect();
        assert_eq!(offsets, [-2, -1, 1, -1, 4]);
    }

    #[test]
    fn a_cycle_has_no_offsets() {
        assert_eq!(dependencies(&Heads::new(vec![2, 1, 0]).unwrap(), |_| false), None);
        assert_eq!(dependencies(&Heads::default(), |_| false), Some(vec![]));
    }
}
