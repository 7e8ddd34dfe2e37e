//! Gold trees as oracles ask about them, and how a tree is made fit for a system.

use crate::tree::{Heads, Topology};

/// The heads, labels and children of a gold tree, by nodes of a state.
#[derive(Debug, Clone)]
pub struct Gold {
    heads: Vec<u32>,
    labels: Vec<u16>,
    children: Vec<Vec<u32>>,
}

impl Gold {
    /// Of heads with 0 for the root, which is the node `root`.
    pub fn new(heads: &[u32], labels: Vec<u16>, root: u32) -> Self {
        let mut gold = Gold {
            heads: vec![root; heads.len() + 2],
            labels,
            children: vec![Vec::new(); heads.len() + 2],
        };
        for (&head, word) in heads.iter().zip(1..) {
            let head = if head == 0 { root } else { head };
            gold.heads[word as usize] = head;
            gold.children[head as usize].push(word);
        }
        gold
    }

    pub fn words(&self) -> usize {
        self.heads.len() - 2
    }

    pub fn head(&self, node: u32) -> u32 {
        self.heads[node as usize]
    }

    pub fn label(&self, word: u32) -> u16 {
        self.labels[word as usize - 1]
    }

    pub fn children(&self, node: u32) -> &[u32] {
        &self.children[node as usize]
    }
}

/// With several words under the root, all but the first hang from the first instead.
pub fn join_roots(heads: &mut [u32]) {
    let Some(first) = heads.iter().position(|&head| head == 0) else { return };
    for head in heads.iter_mut().skip(first + 1).filter(|head| **head == 0) {
        *head = first as u32 + 1;
    }
}

/// Lifts words to their head's head, shortest arcs first, until no arcs cross
/// (Nivre & Nilsson 2005). The heads have no cycle.
pub fn projectivise(heads: &mut [u32]) {
    while let Some(word) = shortest_crossed(heads) {
        let head = heads[word as usize - 1];
        heads[word as usize - 1] = heads[head as usize - 1];
    }
}

/// The word of the shortest arc over a word that does not hang, at any depth, from its head.
fn shortest_crossed(heads: &[u32]) -> Option<u32> {
    let known = Heads::new(heads.to_vec()).ok()?;
    if Topology::new(&known).is_projective() {
        return None;
    }
    let under = |mut word: u32, head: u32| {
        while word != head && word != 0 {
            word = known.of(word);
        }
        word == head
    };
    let crossed = known.arcs().filter(|&(word, head)| {
        head != 0 && (word.min(head) + 1..word.max(head)).any(|inside| !under(inside, head))
    });
    crossed.min_by_key(|&(word, head)| (word.abs_diff(head), word)).map(|(word, _)| word)
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::random::Random;

    /// A random tree of any shape: words hang from words already in it.
    pub fn random_tree(words: usize, random: &mut Random, single: bool) -> Vec<u32> {
        let mut order: Vec<u32> = (1..=words as u32).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last + 1));
        }
        let mut heads = vec![0; words];
        for (at, &word) in order.iter().enumerate().skip(1) {
            let root = !single && random.below(4) == 0;
            heads[word as usize - 1] = if root { 0 } else { order[random.below(at)] };
        }
        heads
    }

    pub fn random_projective(words: usize, random: &mut Random, single: bool) -> Vec<u32> {
        let mut heads = random_tree(words, random, single);
        projectivise(&mut heads);
        heads
    }

    #[test]
    fn lifted_trees_are_projective_and_keep_what_was() {
        for seed in 0..500 {
            let mut random = Random::new(seed, 1);
            let words = seed as usize % 12;
            let before = random_tree(words, &mut random, seed % 2 == 0);
            let mut after = before.clone();
            projectivise(&mut after);
            let shape = Topology::new(&Heads::new(after.clone()).unwrap());
            assert!(shape.is_projective() && !shape.has_cycle());
            let roots = |heads: &[u32]| heads.iter().filter(|&&head| head == 0).count();
            assert!(roots(&after) >= roots(&before));
            let was = Topology::new(&Heads::new(before.clone()).unwrap()).is_projective();
            assert!(!was || before == after);
        }
    }

    #[test]
    fn later_roots_hang_from_the_first() {
        let mut heads = vec![2, 0, 0, 3, 0];
        join_roots(&mut heads);
        assert_eq!(heads, [2, 0, 2, 3, 2]);
        join_roots(&mut []);
    }
}
