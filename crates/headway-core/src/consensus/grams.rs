//! N-grams by hash: 64 bits of at most a few thousand n-grams of one sentence.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A few units (words or letters) next to each other.
pub type Units = SmallVec<[u32; 6]>;

/// Values by n-gram; only looked up, so that its order never matters.
pub type GramMap = FxHashMap<u64, f64>;

/// The hash of an n-gram; its length is part of it. Each step mixes all bits, as neighbouring
/// numbers would else collide across lengths.
pub fn key(gram: &[u32]) -> u64 {
    let start = (gram.len() as u64).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
    gram.iter().fold(start, |hash, &unit| {
        let own = (u64::from(unit) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (hash ^ (hash >> 31) ^ own).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ (mixed >> 29)
    })
}

/// How often each n-gram of one length stands in a sequence, in the order of first places.
pub fn counted(units: &[u32], length: usize) -> Vec<(u64, u32)> {
    let mut places: FxHashMap<u64, usize> = FxHashMap::default();
    let mut found: Vec<(u64, u32)> = Vec::new();
    for gram in units.windows(length) {
        let gram = key(gram);
        let next = found.len();
        match *places.entry(gram).or_insert(next) {
            known if known < next => found[known].1 += 1,
            _ => found.push((gram, 1)),
        }
    }
    found
}

/// Calls `say` with the hash of every n-gram of at most `order` units that ends at the last unit
/// of `context` and `unit`, the shortest first, if it begins before the last `inside` units.
pub fn ending(context: &[u32], unit: u32, order: usize, inside: usize, mut say: impl FnMut(u64)) {
    let mut whole: Units = context.iter().copied().collect();
    whole.push(unit);
    for length in inside + 1..=order.min(whole.len()) {
        say(key(&whole[whole.len() - length..]));
    }
}

/// The last units, at most so many.
pub fn tail(units: &[u32], most: usize) -> &[u32] {
    &units[units.len().saturating_sub(most)..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn n_grams_are_counted_and_found_by_their_ends() {
        let units = [1, 2, 1, 2, 1];
        let counts: Vec<u32> = counted(&units, 2).into_iter().map(|(_, count)| count).collect();
        assert_eq!(counts, [2, 2]);
        let mut found = Vec::new();
        ending(&[1, 2], 1, 4, 0, |gram| found.push(gram));
        assert_eq!(found, [key(&[1]), key(&[2, 1]), key(&[1, 2, 1])]);
        found.clear();
        ending(&[1, 2], 1, 4, 2, |gram| found.push(gram));
        assert_eq!(found, [key(&[1, 2, 1])]);
        assert_ne!(key(&[1, 2]), key(&[2, 1]));
    }

    #[test]
    fn short_n_grams_of_small_numbers_have_different_hashes() {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut many = 0;
        for a in 0..40 {
            many += 1;
            seen.insert(key(&[a]));
            for b in 0..40 {
                many += 1;
                seen.insert(key(&[a, b]));
                for c in 0..40 {
                    many += 1;
                    seen.insert(key(&[a, b, c]));
                }
            }
        }
        assert_eq!(seen.len(), many);
    }
}
