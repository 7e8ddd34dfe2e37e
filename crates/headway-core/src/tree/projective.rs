//! Trees without crossing arcs made of trees with some.

use super::{Heads, Topology};

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
    let mut arcs: Vec<(u32, u32)> = known.arcs().filter(|&(_, head)| head != 0).collect();
    arcs.sort_unstable_by_key(|&(word, head)| (word.abs_diff(head), word));
    let crossed = arcs.into_iter().find(|&(word, head)| {
        (word.min(head) + 1..word.max(head)).any(|inside| !under(inside, head))
    });
    crossed.map(|(word, _)| word)
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
            for (word, &head) in after.iter().enumerate() {
                let mut above = before[word];
                while above != head {
                    assert_ne!(above, 0, "words hang from those above them");
                    above = before[above as usize - 1];
                }
            }
        }
    }
}
