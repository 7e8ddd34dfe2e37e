//! Which words hang under which, in O(1).

use super::Heads;
use super::children::Children;

/// The subtrees of an analysis without cycles, which may have several roots.
///
/// Words are numbered a second time, each before what hangs under it. Then a subtree is a range
/// of these numbers, whether or not its words are neighbours in the sentence.
pub struct Subtrees {
    heads: Heads,
    children: Children,
    /// The words in the order of their second numbers.
    order: Vec<u32>,
    /// For each word its second number, and the first one behind its subtree.
    ranges: Vec<(u32, u32)>,
}

impl Subtrees {
    /// None if there is a cycle.
    pub fn new(heads: Heads) -> Option<Self> {
        let children = Children::new(&heads);
        let (mut order, mut ranges) = (Vec::with_capacity(heads.len()), vec![(0, 0); heads.len()]);
        let mut open: Vec<u32> = children.of(0).iter().rev().copied().collect();
        while let Some(word) = open.pop() {
            ranges[word as usize - 1].0 = order.len() as u32;
            order.push(word);
            open.extend(children.of(word).iter().rev());
        }
        // A subtree ends where that of its last child does, which comes later in the order.
        for (number, &word) in order.iter().enumerate().rev() {
            let last = children.of(word).iter().map(|&child| ranges[child as usize - 1].1).max();
            ranges[word as usize - 1].1 = last.unwrap_or(number as u32 + 1);
        }
        // What is on a cycle or below one hangs under no root.
        (order.len() == heads.len()).then_some(Subtrees { heads, children, order, ranges })
    }

    pub fn len(&self) -> usize {
        self.order.len()
    }

    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The head of `word`; 0 for a root.
    #[inline]
    pub fn head(&self, word: u32) -> u32 {
        self.heads.of(word)
    }

    /// The children of `word` from left to right; of 0, the roots.
    #[inline]
    pub fn children(&self, word: u32) -> &[u32] {
        self.children.of(word)
    }

    /// How many words are in the subtree of `top`.
    pub fn size(&self, top: u32) -> u32 {
        let (first, end) = self.range(top);
        end - first
    }

    /// Whether `word` is `top` or hangs under it; everything hangs under 0.
    #[inline]
    pub fn holds(&self, top: u32, word: u32) -> bool {
        let (first, end) = self.range(top);
        (first..end).contains(&self.ranges[word as usize - 1].0)
    }

    /// `top` and all that hangs under it, heads before their children.
    pub fn words(&self, top: u32) -> &[u32] {
        let (first, end) = self.range(top);
        &self.order[first as usize..end as usize]
    }

    /// The second numbers of these words.
    #[inline]
    pub fn range(&self, top: u32) -> (u32, u32) {
        match top {
            0 => (0, self.order.len() as u32),
            _ => self.ranges[top as usize - 1],
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tree::Topology;

    proptest! {
        #[test]
        fn they_are_those_of_the_topology(heads in prop::collection::vec(0_u32..9, 0..9)) {
            let many = heads.len() as u32;
            let heads = heads.into_iter().map(|head| head.min(many)).collect();
            let heads = Heads::new(heads).unwrap();
            let topology = Topology::new(&heads);
            let Some(found) = Subtrees::new(heads) else {
                prop_assert!(topology.has_cycle());
                return Ok(());
            };
            prop_assert!(!topology.has_cycle());
            for top in 1..=many {
                let expected = topology.subtree(top);
                let mut words = found.words(top).to_vec();
                words.sort_unstable();
                prop_assert_eq!(&words, &expected);
                prop_assert_eq!(found.size(top) as usize, expected.len());
                for word in 1..=many {
                    prop_assert_eq!(found.holds(top, word), expected.contains(&word));
                    prop_assert!(found.holds(0, word));
                }
            }
        }
    }
}
