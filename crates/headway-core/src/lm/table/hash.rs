//! Exact keys in little space: a context's place and a word, turned by a reversible mix into
//! a home and a short tag that together stand for that pair and no other.
//!
//! This is quotienting (Knuth, volume 3, exercise 6.4-13): since the home is known from where
//! an entry lies, only the rest of the mixed key is stored.

use super::bits::bits;

/// Bits of a stored key that say how far from home an entry lies.
pub const SHIFT_BITS: u32 = 6;
/// Entries lie at most this far from home.
pub const MAX_SHIFT: usize = (1 << SHIFT_BITS) - 1;
/// One tag is left free, for empty places.
const MAX_TAG_BITS: u32 = 32 - SHIFT_BITS - 1;
/// Keeps 64-bit products of mixed keys free of overflow in `restore`.
pub const MAX_KEY_BITS: u32 = 64;

const FIRST: u64 = 0x9E37_79B9_7F4A_7C15;
const SECOND: u64 = 0xD6E8_FEB8_6659_FD93;

/// How keys of one n-gram length are mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hash {
    word_bits: u32,
    key_bits: u32,
    buckets: u64,
    tag_shift: u32,
}

/// Where to look for a key, and the tag it has there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Probe {
    pub home: u32,
    pub tag: u32,
}

impl Hash {
    /// For `contexts` places of contexts and words up to number `words`, over at least
    /// `buckets` homes. None if a key does not fit, which no sound model reaches.
    pub fn new(contexts: u64, words: u64, buckets: u64) -> Option<Self> {
        let word_bits = bits(words).max(1);
        let key_bits = (bits(contexts) + word_bits).max(2);
        let fewest = 1_u64.checked_shl(key_bits.saturating_sub(MAX_TAG_BITS))?;
        let buckets = buckets.max(fewest);
        let fits = key_bits <= MAX_KEY_BITS - 1 && buckets <= u64::from(u32::MAX) - 64;
        let tag_shift = bits(buckets) - 1;
        fits.then_some(Hash { word_bits, key_bits, buckets, tag_shift })
    }

    pub fn buckets(&self) -> u64 {
        self.buckets
    }

    fn mask(&self) -> u64 {
        (1 << self.key_bits) - 1
    }

    #[inline]
    pub fn mix(&self, context: u32, word: u32) -> u64 {
        let key = (u64::from(context) << self.word_bits) | u64::from(word);
        let mixed = key.wrapping_mul(FIRST) & self.mask();
        let mixed = mixed ^ (mixed >> self.half());
        mixed.wrapping_mul(SECOND) & self.mask()
    }

    /// A shift by at least half the bits is its own reverse.
    #[inline]
    fn half(&self) -> u32 {
        self.key_bits.div_ceil(2)
    }

    /// Probes sort as mixed keys do.
    #[inline]
    pub fn probe(&self, mixed: u64) -> Probe {
        let product = u128::from(mixed) * u128::from(self.buckets);
        let rest = product as u64 & self.mask();
        Probe { home: (product >> self.key_bits) as u32, tag: (rest >> self.tag_shift) as u32 }
    }

    /// The context and word of which this is the probe. Keys of one home are at least
    /// `buckets` apart in `rest`, so that a tag belongs to one of them at most.
    pub fn restore(&self, probe: Probe) -> (u32, u32) {
        let rest = u128::from(probe.tag) << self.tag_shift;
        let product = (u128::from(probe.home) << self.key_bits) + rest;
        let mixed = product.div_ceil(u128::from(self.buckets)) as u64;
        let mixed = mixed.wrapping_mul(inverse(SECOND)) & self.mask();
        let mixed = mixed ^ (mixed >> self.half());
        let key = mixed.wrapping_mul(inverse(FIRST)) & self.mask();
        ((key >> self.word_bits) as u32, (key & ((1 << self.word_bits) - 1)) as u32)
    }
}

/// The reverse of multiplying by an odd number (Newton's iteration, modulo 2^64).
fn inverse(odd: u64) -> u64 {
    let mut found = odd;
    for _ in 0..5 {
        found = found.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(found)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn probes_stand_for_one_key(
            contexts in 0_u64..(1 << 32), words in 0_u64..(1 << 24), buckets in 1_u64..(1 << 31),
            context in any::<u32>(), word in any::<u32>(),
        ) {
            let hash = Hash::new(contexts, words, buckets).unwrap();
            let context = (u64::from(context) % (contexts + 1)) as u32;
            let word = (u64::from(word) % (words + 1)) as u32;
            let probe = hash.probe(hash.mix(context, word));
            prop_assert!(u64::from(probe.home) < hash.buckets());
            prop_assert!(probe.tag < (1 << (32 - SHIFT_BITS)) - 1);
            prop_assert_eq!(hash.restore(probe), (context, word));
        }
    }

    #[test]
    fn probes_sort_as_mixed_keys() {
        let hash = Hash::new(40, 25, 100).unwrap();
        let mut keys: Vec<u64> =
            (0..40).flat_map(|context| (0..25).map(move |word| hash.mix(context, word))).collect();
        keys.sort_unstable();
        let probes: Vec<(u32, u32)> =
            keys.iter().map(|&key| hash.probe(key)).map(|probe| (probe.home, probe.tag)).collect();
        assert!(probes.windows(2).all(|pair| pair[0] < pair[1]));
    }
}
