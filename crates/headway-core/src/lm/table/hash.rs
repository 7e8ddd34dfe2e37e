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

/// The golden ratio in 64 bits: its multiples spread evenly however numbers are spaced.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// How keys of one n-gram length are mixed. A key is a context's place and a word side by side;
/// with fewer than 64 bits it is kept in the upper ones, where multiplying by an odd number
/// reorders all keys and leaves the lower bits 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hash {
    /// The golden ratio, shifted to where contexts and words stand in a key.
    for_context: u64,
    for_word: u64,
    buckets: u64,
    tag_shift: u32,
    word_bits: u32,
    /// Bits below a key.
    below: u32,
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
        let key_bits = bits(contexts).max(1) + word_bits;
        let fewest = 1_u64.checked_shl(key_bits.saturating_sub(MAX_TAG_BITS))?;
        let buckets = buckets.max(fewest);
        let fits = key_bits < 64 && buckets <= u64::from(u32::MAX >> 3);
        let (below, tag_bits) = (64 - key_bits, key_bits.saturating_sub(bits(buckets) - 1).max(1));
        fits.then(|| Hash {
            for_context: GOLDEN << (below + word_bits),
            for_word: GOLDEN << below,
            buckets,
            tag_shift: 64 - tag_bits,
            word_bits,
            below,
        })
    }

    pub fn buckets(&self) -> u64 {
        self.buckets
    }

    #[inline]
    pub fn mix(&self, context: u32, word: u32) -> u64 {
        let context = u64::from(context).wrapping_mul(self.for_context);
        context.wrapping_add(u64::from(word).wrapping_mul(self.for_word))
    }

    /// Probes sort as mixed keys do.
    #[inline]
    pub fn probe(&self, mixed: u64) -> Probe {
        let product = u128::from(mixed) * u128::from(self.buckets);
        Probe { home: (product >> 64) as u32, tag: (product as u64 >> self.tag_shift) as u32 }
    }

    /// The context and word of which this is the probe. Keys of one home are so far apart in
    /// what the tag is the start of that it belongs to one of them at most.
    pub fn restore(&self, probe: Probe) -> (u32, u32) {
        let rest = u128::from(probe.tag) << self.tag_shift;
        let product = ((u128::from(probe.home) << 64) + rest) >> self.below;
        let mixed = (product.div_ceil(u128::from(self.buckets)) as u64) << self.below;
        let key = mixed.wrapping_mul(inverse(GOLDEN)) >> self.below;
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
