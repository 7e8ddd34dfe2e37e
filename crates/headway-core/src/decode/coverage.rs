//! Sets of translated source words, of any length.
//!
//! Most of what is translated is a prefix: a set is the first word that is free and, from the
//! word after it on, one bit each. With a distortion limit 64 bits are nearly always enough,
//! whatever the sentence's length.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Coverage {
    first: u32,
    /// The source trees that the order so far agrees with, as bits.
    trees: u32,
    /// Bit k stands for word first + 1 + k; the last number is not 0.
    rest: SmallVec<[u64; 1]>,
}

impl Coverage {
    /// No words, and these trees.
    pub fn of_trees(trees: u32) -> Self {
        Coverage { trees, ..Coverage::default() }
    }

    /// The source trees that the order so far agrees with, as bits.
    #[inline]
    pub fn trees(&self) -> u32 {
        self.trees
    }

    /// The first free word.
    #[inline]
    pub fn first_free(&self) -> u32 {
        self.first
    }

    #[inline]
    pub fn contains(&self, word: u32) -> bool {
        if word <= self.first {
            return word < self.first;
        }
        let bit = (word - self.first - 1) as usize;
        self.rest.get(bit / 64).is_some_and(|bits| bits >> (bit % 64) & 1 == 1)
    }

    /// The word after the last that is covered.
    pub fn end(&self) -> u32 {
        match self.rest.last() {
            Some(last) => self.first + 1 + self.rest.len() as u32 * 64 - last.leading_zeros(),
            None => self.first,
        }
    }

    /// The set with the words from `start` to before `end`, which are free, and these trees.
    pub fn with(&self, start: u32, end: u32, trees: u32) -> Self {
        let mut rest = self.rest.clone();
        if start > self.first {
            set_bits(&mut rest, (start - self.first - 1) as usize, (end - self.first - 1) as usize);
            return Coverage { first: self.first, trees, rest };
        }
        // The words up to `end` are covered now, and those that follow it without a gap.
        let mut first = end;
        while self.contains(first) {
            first += 1;
        }
        drop_bits(&mut rest, (first - self.first) as usize);
        Coverage { first, trees, rest }
    }

    /// One bit for each of `length` words, of which the first lies at `offset` bits.
    pub fn set_in(&self, bits: &mut [u64], offset: usize) {
        let words = (0..self.end()).filter(|&word| self.contains(word));
        for word in words.map(|word| word as usize + offset) {
            if let Some(bits) = bits.get_mut(word / 64) {
                *bits |= 1 << (word % 64);
            }
        }
    }
}

fn set_bits(bits: &mut SmallVec<[u64; 1]>, start: usize, end: usize) {
    if bits.len() * 64 < end {
        bits.resize(end.div_ceil(64), 0);
    }
    for bit in start..end {
        bits[bit / 64] |= 1 << (bit % 64);
    }
}

/// Takes away the lowest bits.
fn drop_bits(bits: &mut SmallVec<[u64; 1]>, many: usize) {
    let (whole, part) = (many / 64, many % 64);
    let numbers = bits.len();
    for index in 0..numbers {
        let at = |place: usize| if place < numbers { bits[place] } else { 0 };
        let (low, high) = (at(index + whole), at(index + whole + 1));
        bits[index] = if part == 0 { low } else { low >> part | high << (64 - part) };
    }
    while bits.last() == Some(&0) {
        bits.pop();
    }
}

/// The sets of one search, by number.
#[derive(Debug, Default)]
pub struct Coverages {
    sets: Vec<Coverage>,
    ids: HashTable<u32>,
}

impl Coverages {
    pub fn id(&mut self, set: Coverage) -> u32 {
        let hash = FxBuildHasher.hash_one(&set);
        let Coverages { sets, ids } = self;
        if let Some(&id) = ids.find(hash, |&id| sets[id as usize] == set) {
            return id;
        }
        let id = sets.len() as u32;
        sets.push(set);
        ids.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(&sets[id as usize]));
        id
    }

    #[inline]
    pub fn get(&self, id: u32) -> &Coverage {
        &self.sets[id as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sets_hold_what_was_put_in(
            cuts in prop::collection::btree_set(1_u32..400, 0..40), order in any::<u64>(),
        ) {
            let mut ends: Vec<u32> = cuts.into_iter().collect();
            ends.push(400);
            let mut start = 0;
            let mut spans: Vec<(u32, u32)> = Vec::new();
            for end in ends {
                spans.push((start, end));
                start = end;
            }
            let mut random = crate::random::Random::new(order, 0);
            let (mut set, mut words) = (Coverage::default(), vec![false; 401]);
            let mut ids = Coverages::default();
            while !spans.is_empty() {
                let (start, end) = spans.swap_remove(random.below(spans.len()));
                set = set.with(start, end, 1);
                words[start as usize..end as usize].fill(true);
                let found: Vec<bool> = (0..401).map(|word| set.contains(word)).collect();
                prop_assert_eq!(&found, &words);
                let first = words.iter().position(|covered| !covered).unwrap();
                prop_assert_eq!(set.first_free() as usize, first);
                let end = words.iter().rposition(|&covered| covered).unwrap() + 1;
                prop_assert_eq!(set.end() as usize, end);
                let mut bits = [0; 7];
                set.set_in(&mut bits, 0);
                prop_assert!((0..400).all(|word| (bits[word / 64] >> (word % 64) & 1 == 1) == words[word]));
                let id = ids.id(set.clone());
                prop_assert_eq!(ids.id(set.clone()), id);
                prop_assert_eq!(ids.get(id), &set);
            }
            prop_assert_eq!(set, Coverage::default().with(0, 400, 1));
        }
    }
}
