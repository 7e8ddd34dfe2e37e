//! The children of every word, in one array.

use super::Heads;

/// Children in order of position, head by head; head 0 has the roots.
pub(super) struct Children {
    /// The children of h are `all[starts[h]..starts[h + 1]]`.
    starts: Vec<u32>,
    all: Vec<u32>,
    /// Where each word stands among its siblings, from 0.
    ranks: Vec<u32>,
}

impl Children {
    /// A counting sort by head, which keeps siblings in order.
    pub(super) fn new(heads: &Heads) -> Self {
        let mut starts = vec![0; heads.len() + 2];
        let mut ranks = Vec::with_capacity(heads.len());
        for &head in heads.iter() {
            let count = &mut starts[head as usize + 1];
            ranks.push(*count);
            *count += 1;
        }
        for head in 1..starts.len() {
            starts[head] += starts[head - 1];
        }
        let mut all = vec![0; heads.len()];
        for ((word, head), rank) in heads.arcs().zip(&ranks) {
            all[(starts[head as usize] + rank) as usize] = word;
        }
        Children { starts, all, ranks }
    }

    /// The children of `head` (0: the roots), from left to right.
    pub(super) fn of(&self, head: u32) -> &[u32] {
        let head = head as usize;
        &self.all[self.starts[head] as usize..self.starts[head + 1] as usize]
    }

    pub(super) fn rank(&self, word: u32) -> usize {
        self.ranks[word as usize - 1] as usize
    }

    /// How many children the words `first..=last` have together.
    pub(super) fn count(&self, first: u32, last: u32) -> usize {
        (self.starts[last as usize + 1] - self.starts[first as usize]) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_stay_in_order() {
        let children = Children::new(&Heads::new(vec![3, 3, 0, 5, 3, 0]).unwrap());
        assert_eq!(children.of(3), [1, 2, 5]);
        assert_eq!(children.of(0), [3, 6]);
        assert_eq!(children.of(1), [0; 0]);
        assert_eq!((children.rank(5), children.rank(6)), (2, 1));
        assert_eq!((children.count(3, 5), children.count(1, 2)), (4, 0));
    }
}
