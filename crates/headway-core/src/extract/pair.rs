//! One sentence pair, and the questions about its links that extraction asks.

use std::ops::Range;

use super::code;
use crate::tree::Heads;

/// Places in a sentence, from 0.
pub type Place = u16;

#[derive(Debug, Clone, Default)]
pub struct Pair {
    pub source: Vec<u32>,
    pub target: Vec<u32>,
    /// (source, target), sorted and distinct.
    pub links: Vec<(Place, Place)>,
    pub tree: Option<Tree>,
}

/// The target sentence's tree: heads, and for each word the label it gives to what it heads.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    pub heads: Heads,
    pub labels: Vec<u32>,
}

/// A span of each side; ends are not in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Phrase {
    pub source: (Place, Place),
    pub target: (Place, Place),
}

impl Phrase {
    pub fn source_length(&self) -> usize {
        usize::from(self.source.1 - self.source.0)
    }

    pub fn source_range(&self) -> Range<usize> {
        usize::from(self.source.0)..usize::from(self.source.1)
    }

    pub fn target_range(&self) -> Range<usize> {
        usize::from(self.target.0)..usize::from(self.target.1)
    }

    pub fn contains(&self, other: &Phrase) -> bool {
        self.source.0 <= other.source.0
            && other.source.1 <= self.source.1
            && self.target.0 <= other.target.0
            && other.target.1 <= self.target.1
    }
}

/// The words of a sentence as parts of keys.
#[derive(Debug, Default)]
pub struct Coded {
    bytes: Vec<u8>,
    starts: Vec<u32>,
}

impl Coded {
    fn set(&mut self, words: &[u32]) {
        self.bytes.clear();
        self.starts.clear();
        for &word in words {
            self.starts.push(self.bytes.len() as u32);
            code::push_word(&mut self.bytes, word);
        }
        self.starts.push(self.bytes.len() as u32);
    }

    pub fn words(&self, range: Range<usize>) -> &[u8] {
        &self.bytes[self.starts[range.start] as usize..self.starts[range.end] as usize]
    }
}

/// The first and the last counterpart of a word, where it has one.
pub type Reach = Option<(Place, Place)>;

/// A pair with its links looked at from both sides. Reused from pair to pair.
#[derive(Debug, Default)]
pub struct Aligned {
    pub source: Coded,
    pub target: Coded,
    pub source_reach: Vec<Reach>,
    pub target_reach: Vec<Reach>,
    /// Links of source word s are `first_link[s]..first_link[s + 1]`.
    first_link: Vec<u32>,
}

impl Aligned {
    pub fn set(&mut self, pair: &Pair) {
        self.source.set(&pair.source);
        self.target.set(&pair.target);
        self.source_reach.clear();
        self.source_reach.resize(pair.source.len(), None);
        self.target_reach.clear();
        self.target_reach.resize(pair.target.len(), None);
        self.first_link.clear();
        for (number, &(source, target)) in pair.links.iter().enumerate() {
            widen(&mut self.source_reach[usize::from(source)], target);
            widen(&mut self.target_reach[usize::from(target)], source);
            self.first_link
                .resize(self.first_link.len().max(usize::from(source) + 1), number as u32);
        }
        self.first_link.resize(pair.source.len() + 1, pair.links.len() as u32);
    }

    /// The links of these source words, as a range of the pair's links.
    pub fn links(&self, source: Range<usize>) -> Range<usize> {
        self.first_link[source.start] as usize..self.first_link[source.end] as usize
    }

    pub fn link_count(&self, source: Range<usize>) -> usize {
        self.links(source).len()
    }
}

fn widen(reach: &mut Reach, place: Place) {
    *reach = match *reach {
        None => Some((place, place)),
        Some((first, last)) => Some((first.min(place), last.max(place))),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_from_both_sides() {
        let pair = Pair {
            source: vec![5, 6, 7, 8],
            target: vec![1, 2, 3],
            links: vec![(0, 1), (2, 0), (2, 2)],
            tree: None,
        };
        let mut aligned = Aligned::default();
        aligned.set(&pair);
        assert_eq!(aligned.source_reach, [Some((1, 1)), None, Some((0, 2)), None]);
        assert_eq!(aligned.target_reach, [Some((2, 2)), Some((0, 0)), Some((2, 2))]);
        assert_eq!(aligned.links(0..1), 0..1);
        assert_eq!(aligned.links(1..3), 1..3);
        assert_eq!(aligned.links(3..4), 3..3);
        assert_eq!(aligned.link_count(0..4), 3);
    }
}
