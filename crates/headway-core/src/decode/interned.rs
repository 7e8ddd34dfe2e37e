//! States by number, and joins of states that are remembered.
//!
//! The same states meet in many hypotheses and items that differ elsewhere. So each gets a
//! number when it is first seen, search compares numbers, and most joins cost one look into a
//! table.

use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::{HashMap, HashTable};
use rustc_hash::FxBuildHasher;

/// Groups of `width` states each, numbered in the order in which they were first seen.
pub struct Interned<T> {
    width: usize,
    states: Vec<T>,
    ids: HashTable<u32>,
}

impl<T: Clone + Eq + Hash> Interned<T> {
    pub fn new(width: usize) -> Self {
        Interned { width, states: Vec::new(), ids: HashTable::new() }
    }

    /// The number of a group, and whether it is new. All groups of no state have number 0.
    #[inline]
    pub fn id(&mut self, group: &[T]) -> (u32, bool) {
        let Interned { width, states, ids } = self;
        let width = *width;
        if width == 0 {
            return (0, false);
        }
        let key = hash(group);
        let at = |id: u32| id as usize * width;
        if let Some(&id) = ids.find(key, |&id| &states[at(id)..][..width] == group) {
            return (id, false);
        }
        let id = (states.len() / width) as u32;
        states.extend_from_slice(group);
        ids.insert_unique(key, id, |&id| hash(&states[at(id)..][..width]));
        (id, true)
    }

    #[inline]
    pub fn get(&self, id: u32) -> &[T] {
        &self.states[id as usize * self.width..][..self.width]
    }
}

/// The same for groups of any length.
pub struct Sequences<T> {
    items: Vec<T>,
    /// Where each begins; one more at the end.
    starts: Vec<u32>,
    ids: HashTable<u32>,
}

impl<T> Default for Sequences<T> {
    fn default() -> Self {
        Sequences { items: Vec::new(), starts: vec![0], ids: HashTable::new() }
    }
}

impl<T: Clone + Eq + Hash> Sequences<T> {
    /// The number of a sequence, and whether it is new.
    pub fn id(&mut self, sequence: &[T]) -> (u32, bool) {
        let Sequences { items, starts, ids } = self;
        let key = hash(sequence);
        if let Some(&id) = ids.find(key, |&id| part(items, starts, id) == sequence) {
            return (id, false);
        }
        let id = starts.len() as u32 - 1;
        items.extend_from_slice(sequence);
        starts.push(items.len() as u32);
        ids.insert_unique(key, id, |&id| hash(part(items, starts, id)));
        (id, true)
    }

    #[inline]
    pub fn get(&self, id: u32) -> &[T] {
        part(&self.items, &self.starts, id)
    }
}

#[inline]
fn part<'a, T>(items: &'a [T], starts: &[u32], id: u32) -> &'a [T] {
    &items[starts[id as usize] as usize..starts[id as usize + 1] as usize]
}

#[inline]
fn hash<T: Hash>(group: &[T]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    group.iter().for_each(|state| state.hash(&mut hasher));
    hasher.finish()
}

/// Numbers of pairs of numbers, in the order in which they were first seen.
#[derive(Default)]
pub struct Pairs {
    pairs: Vec<(u32, u32)>,
    ids: HashMap<(u32, u32), u32, FxBuildHasher>,
}

impl Pairs {
    /// The number of a pair, and whether it is new.
    #[inline]
    pub fn id(&mut self, one: u32, other: u32) -> (u32, bool) {
        let next = self.pairs.len() as u32;
        let id = *self.ids.entry((one, other)).or_insert(next);
        if id == next {
            self.pairs.push((one, other));
        }
        (id, id == next)
    }

    #[inline]
    pub fn get(&self, id: u32) -> (u32, u32) {
        self.pairs[id as usize]
    }
}

/// Joins of two numbers in one or more ways: for each the weighted change and the whole.
#[derive(Clone, Copy)]
struct Join<const WAYS: usize> {
    key: u64,
    made: [(f32, u32); WAYS],
}

const NO_KEY: u64 = u64::MAX;

/// In place of a whole, before a join was made.
const UNMADE: u32 = u32::MAX;

/// Joins that were made lately: each pair has one place, where a later one may replace it.
pub struct Joins<const WAYS: usize = 1> {
    slots: Vec<Join<WAYS>>,
    shift: u32,
}

/// Where a join is remembered.
#[derive(Clone, Copy)]
pub struct JoinPlace {
    place: usize,
    key: u64,
    way: usize,
}

impl Joins {
    /// The joins of a sentence of this many words: so many that few are made twice, but no more
    /// than a processor's cache holds.
    pub fn bits(words: usize) -> u32 {
        12 + (words * 2).max(1).ilog2().min(6)
    }
}

impl<const WAYS: usize> Joins<WAYS> {
    /// Remembers the joins of about `2^bits` pairs.
    pub fn new(bits: u32) -> Self {
        let empty = Join { key: NO_KEY, made: [(0.0, UNMADE); WAYS] };
        Joins { slots: vec![empty; 1 << bits], shift: 64 - bits }
    }

    /// What a join in one way made, or where to keep it.
    #[inline]
    pub fn find(&self, left: u32, right: u32, way: usize) -> Result<(f32, u32), JoinPlace> {
        let key = u64::from(left) << 32 | u64::from(right);
        let place = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        let known = &self.slots[place];
        if known.key == key && known.made[way].1 != UNMADE {
            Ok(known.made[way])
        } else {
            Err(JoinPlace { place, key, way })
        }
    }

    #[inline]
    pub fn keep(&mut self, at: JoinPlace, made: (f32, u32)) -> (f32, u32) {
        let slot = &mut self.slots[at.place];
        if slot.key != at.key {
            *slot = Join { key: at.key, made: [(0.0, UNMADE); WAYS] };
        }
        slot.made[at.way] = made;
        made
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_groups_have_one_number() {
        let mut pairs = Interned::new(2);
        assert_eq!(pairs.id(&[1, 2]), (0, true));
        assert_eq!(pairs.id(&[2, 1]), (1, true));
        assert_eq!(pairs.id(&[1, 2]), (0, false));
        assert_eq!(pairs.get(1), [2, 1]);
        let mut numbers = Pairs::default();
        let found: Vec<_> = [(7, 1), (1, 7), (7, 1)].map(|(a, b)| numbers.id(a, b)).to_vec();
        assert_eq!((found, numbers.get(1)), (vec![(0, true), (1, true), (0, false)], (1, 7)));
        let mut none: Interned<u32> = Interned::new(0);
        assert_eq!((none.id(&[]), none.get(0)), ((0, false), &[][..]));
    }

    #[test]
    fn equal_sequences_have_one_number() {
        let mut found = Sequences::default();
        let parts: [&[u32]; 5] = [&[], &[1], &[1, 2], &[], &[1, 2]];
        let ids = parts.map(|part| found.id(part));
        assert_eq!(ids, [(0, true), (1, true), (2, true), (0, false), (2, false)]);
        assert_eq!((found.get(0), found.get(2)), (&[][..], &[1, 2][..]));
    }

    #[test]
    fn a_join_is_remembered_until_another_takes_its_place() {
        let mut joins: Joins<2> = Joins::new(1);
        let mut rng = (1..200u32).cycle();
        let mut both = 0;
        for number in 0..1000 {
            let (left, right) = (rng.next().unwrap(), rng.next().unwrap());
            for way in [0, 1, number % 2] {
                let made = ((left * 1000 + right) as f32, left ^ right ^ way as u32);
                match joins.find(left, right, way) {
                    Ok(known) => assert_eq!(known, made),
                    Err(place) => assert_eq!(joins.keep(place, made), made),
                }
                assert!(matches!(joins.find(left, right, way), Ok(known) if known == made));
            }
            both += usize::from([0, 1].iter().all(|&way| joins.find(left, right, way).is_ok()));
        }
        assert_eq!(both, 1000, "a second way does not replace the first");
    }
}
