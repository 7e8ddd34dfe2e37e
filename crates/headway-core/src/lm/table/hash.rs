//! Exact keys in little space: a context's place and a word, turned by a reversible mix into
//! a home and a short tag that together stand for that pair and no other.
//!
//! This is quotienting (Knuth, volume 3, exercise 6.4-13): since the home is known from where
//! an entry lies, only the rest of the mixed key is stored.

use super::bits::bits;

/// Bits of a stored key that say how many buckets from home an entry lies.
pub const SHIFT_BITS: u32 = 4;
/// Entries lie at most this many buckets from home.
pub const MAX_SHIFT: u32 = (1 << SHIFT_BITS) - 1;
/// One key is left free, for empty places.
const MAX_TAG_BITS: u32 = 32 - SHIFT_BITS - 1;

const FIRST: u64 = 0x9E37_79B9_7F4A_7C15;
const SECOND: u64 = 0xD6E8_FEB8_6659_FD93;

/// How keys of one n-gram length are mixed. Keys of fewer than 64 bits are kept in the upper
/// bits of a word, where multiplying leaves the lower ones 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hash {
    word_bits: u32,
    /// Bits of a word below a key.
    below: u32,
    /// At least half the bits of a key, so that shifting and adding by it undoes itself.
    half: u32,
    buckets: u64,
    tag_bits: u32,
}

/// Where to look for a key, and the tag it has there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Probe {
    pub home: u32,
    pub tag: u32,
}

impl Hash {
    /// For places of contexts up to `contexts` and words up to `words`, over at least
    /// `buckets` homes. None if a key does not fit, which no sound model reaches.
    pub fn new(contexts: u64, words: u64, buckets: u64) -> Option<Self> {
        let word_bits = bits(words).max(1);
        let key_bits = bits(contexts) + word_bits;
        let fewest = 1_u64.checked_shl(key_bits.saturating_sub(MAX_TAG_BITS))?;
        let buckets = buckets.max(fewest);
        let fits = key_bits < 64 && buckets <= u64::from(u32::MAX >> 3);
        let half = key_bits.div_ceil(2).max(1);
        let tag_bits = key_bits.saturating_sub(bits(buckets) - 1).max(1);
        fits.then(|| Hash { word_bits, below: 64 - key_bits, half, buckets, tag_bits })
    }

    pub fn buckets(&self) -> u64 {
        self.buckets
    }

    #[inline]
    pub fn mix(&self, context: u32, word: u32) -> u64 {
        let key = (u64::from(context) << self.word_bits) | u64::from(word);
        let mixed = (key << self.below).wrapping_mul(FIRST);
        self.fold(mixed).wrapping_mul(SECOND)
    }

    /// Adds the upper half to the lower one; doing it twice does nothing.
    #[inline]
    fn fold(&self, mixed: u64) -> u64 {
        mixed ^ ((mixed >> self.half) & (u64::MAX << self.below))
    }

    /// Probes sort as mixed keys do.
    #[inline]
    pub fn probe(&self, mixed: u64) -> Probe {
        let product = u128::from(mixed) * u128::from(self.buckets);
        let (home, rest) = ((product >> 64) as u32, product as u64);
        Probe { home, tag: (rest >> (64 - self.tag_bits)) as u32 }
    }

    /// The context and word of which this is the probe. Keys of one home are so far apart in
    /// `rest` that a tag belongs to one of them at most.
    pub fn restore(&self, probe: Probe) -> (u32, u32) {
        let rest = u128::from(probe.tag) << (64 - self.tag_bits);
        let product = ((u128::from(probe.home) << 64) + rest) >> self.below;
        let mixed = (product.div_ceil(u128::from(self.buckets)) as u64) << self.below;
        let mixed = self.fold(mixed.wrapping_mul(inverse(SECOND)));
        let key = mixed.wrapping_mul(inverse(FIRST)) >> self.below;
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
            contexts in 0_u64..(1 << 32), words in 0_u64..(1 << 23), buckets in 1_u64..(1 << 29),
            context in any::<u32>(), word in any::<u32>(),
        ) {
            let hash = Hash::new(contexts, words, buckets).unwrap();
            let context = (u64::from(context) % (contexts + 1)) as u32;
            let word = (u64::from(word) % (words + 1)) as u32;
            let probe = hash.probe(hash.mix(context, word));
            prop_assert!(u64::from(probe.home) < hash.buckets());
            prop_assert!(probe.tag < 1 << MAX_TAG_BITS);
            prop_assert_eq!(hash.restore(probe), (context, word));
        }

        #[test]
        fn small_keys_are_told_apart(contexts in 0_u64..40, words in 0_u64..20, buckets in 1_u64..2000) {
            let hash = Hash::new(contexts, words, buckets).unwrap();
            let mut keys: Vec<u64> = (0..=contexts as u32)
                .flat_map(|context| (0..=words as u32).map(move |word| hash.mix(context, word)))
                .collect();
            keys.sort_unstable();
            let probes: Vec<(u32, u32)> =
                keys.iter().map(|&key| hash.probe(key)).map(|probe| (probe.home, probe.tag)).collect();
            prop_assert!(probes.windows(2).all(|pair| pair[0] < pair[1]));
        }
    }
}
