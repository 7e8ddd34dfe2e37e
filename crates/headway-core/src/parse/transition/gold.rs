//! Gold trees as oracles ask about them, and how a tree is made fit for a system.

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

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::random::Random;
    use crate::tree::{projectivise, random_tree};

    pub fn random_projective(words: usize, random: &mut Random, single: bool) -> Vec<u32> {
        let mut heads = random_tree(words, random, single);
        projectivise(&mut heads);
        heads
    }

    #[test]
    fn later_roots_hang_from_the_first() {
        let mut heads = vec![2, 0, 0, 3, 0];
        join_roots(&mut heads);
        assert_eq!(heads, [2, 0, 2, 3, 2]);
        join_roots(&mut []);
    }
}
