//! n-grams as single integers that sort by context.
//!
//! A word takes `bits` bits. The n-gram w₁ … wₙ is packed, from high to low, as
//! wₙ₋₁ … w₁ wₙ: its context backwards, then its last word. Sorted that way, the n-grams of one
//! context stand together, and those of all contexts with a common ending stand together too.

use std::fmt::Debug;

use crate::WordId;

/// An unsigned integer wide enough for the n-grams at hand.
pub trait Key: Copy + Ord + Default + Debug + Send + Sync + 'static {
    /// A word with `shift` zero bits below it.
    fn at(word: u32, shift: u32) -> Self;

    fn or(self, other: Self) -> Self;

    /// Makes room for a word of `bits` bits at the low end and puts it there.
    fn push(self, word: u32, bits: u32) -> Self;

    /// Without its lowest `bits` bits; 0 if that is all of them.
    fn drop(self, bits: u32) -> Self;

    /// Its lowest `bits` bits, at most 32.
    fn low(self, bits: u32) -> u32;

    /// Without all but its lowest `bits` bits.
    fn keep(self, bits: u32) -> Self;

    /// Little-endian, the lowest `into.len()` bytes.
    fn encode(self, into: &mut [u8]);

    /// The number that `bytes` start with, taking all of them that the type has room for.
    fn decode(bytes: &[u8]) -> Self;
}

macro_rules! key {
    ($integer:ty) => {
        impl Key for $integer {
            #[inline]
            fn at(word: u32, shift: u32) -> Self {
                <$integer>::from(word).checked_shl(shift).unwrap_or(0)
            }

            #[inline]
            fn or(self, other: Self) -> Self {
                self | other
            }

            #[inline]
            fn push(self, word: u32, bits: u32) -> Self {
                self.checked_shl(bits).unwrap_or(0) | <$integer>::from(word)
            }

            #[inline]
            fn drop(self, bits: u32) -> Self {
                self.checked_shr(bits).unwrap_or(0)
            }

            #[inline]
            fn low(self, bits: u32) -> u32 {
                (self.keep(bits)) as u32
            }

            #[inline]
            fn keep(self, bits: u32) -> Self {
                if bits < <$integer>::BITS { self & ((1 << bits) - 1) } else { self }
            }

            #[inline]
            fn encode(self, into: &mut [u8]) {
                into.copy_from_slice(&self.to_le_bytes()[..into.len()]);
            }

            #[inline]
            fn decode(bytes: &[u8]) -> Self {
                match bytes.first_chunk() {
                    Some(all) => <$integer>::from_le_bytes(*all),
                    None => {
                        let mut padded = [0; size_of::<$integer>()];
                        padded[..bytes.len()].copy_from_slice(bytes);
                        <$integer>::from_le_bytes(padded)
                    }
                }
            }
        }
    };
}

key!(u64);
key!(u128);

/// 256 bits, for six words out of more than two million.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Wide {
    high: u128,
    low: u128,
}

impl Key for Wide {
    fn at(word: u32, shift: u32) -> Self {
        if shift >= 128 {
            return Wide { high: u128::at(word, shift - 128), low: 0 };
        }
        let carried = u128::from(word).checked_shr(128 - shift).unwrap_or(0);
        Wide { high: carried, low: u128::at(word, shift) }
    }

    fn or(self, other: Self) -> Self {
        Wide { high: self.high | other.high, low: self.low | other.low }
    }

    fn push(self, word: u32, bits: u32) -> Self {
        let carried = self.low.checked_shr(128 - bits).unwrap_or(0);
        Wide { high: self.high << bits | carried, low: self.low.push(word, bits) }
    }

    fn drop(self, bits: u32) -> Self {
        if bits >= 128 {
            return Wide { high: 0, low: self.high.drop(bits - 128) };
        }
        let carried = self.high.checked_shl(128 - bits).unwrap_or(0);
        Wide { high: self.high >> bits, low: self.low >> bits | carried }
    }

    fn low(self, bits: u32) -> u32 {
        self.low.low(bits)
    }

    fn keep(self, bits: u32) -> Self {
        if bits < 128 {
            Wide { high: 0, low: self.low.keep(bits) }
        } else {
            Wide { high: self.high.keep(bits - 128), low: self.low }
        }
    }

    fn encode(self, into: &mut [u8]) {
        let (low, high) = into.split_at_mut(into.len().min(16));
        self.low.encode(low);
        self.high.encode(high);
    }

    fn decode(bytes: &[u8]) -> Self {
        let (low, high) = bytes.split_at(bytes.len().min(16));
        Wide { high: u128::decode(&high[..high.len().min(16)]), low: u128::decode(low) }
    }
}

/// How the words of a vocabulary lie in keys.
#[derive(Debug, Clone, Copy)]
pub struct Packing {
    /// Bits per word.
    pub bits: u32,
}

impl Packing {
    /// For word numbers below `words`.
    pub fn of(words: usize) -> Self {
        let largest = words.saturating_sub(1).max(1) as u64;
        Packing { bits: u64::BITS - largest.leading_zeros() }
    }

    /// Bits that `words` words take.
    pub fn span(self, words: usize) -> u32 {
        self.bits * words as u32
    }

    pub fn last_word<K: Key>(self, ngram: K) -> u32 {
        ngram.low(self.bits)
    }

    /// The context of an n-gram: its words but the last, the latest highest.
    pub fn context<K: Key>(self, ngram: K) -> K {
        ngram.drop(self.bits)
    }

    pub fn ngram<K: Key>(self, context: K, word: u32) -> K {
        context.push(word, self.bits)
    }

    /// The word `steps` before the last of a context of `length` words (0: the last itself).
    pub fn context_word<K: Key>(self, context: K, length: usize, steps: usize) -> u32 {
        context.drop(self.span(length - 1 - steps)).low(self.bits)
    }

    /// A context of `length` words seen as an n-gram of that length.
    pub fn context_as_ngram<K: Key>(self, context: K, length: usize) -> K {
        let before = self.span(length - 1);
        context.keep(before).push(context.drop(before).low(self.bits), self.bits)
    }

    /// The context of `length` words that follows `context` when `word` comes next.
    #[inline]
    pub fn follow<K: Key>(self, context: K, word: u32, length: usize) -> K {
        match length {
            0 => context,
            _ => context.drop(self.bits).or(K::at(word, self.span(length - 1))),
        }
    }

    /// Writes the words of an n-gram in the order of the text.
    pub fn unpack<K: Key>(self, ngram: K, words: &mut [WordId]) {
        let mut rest = self.context(ngram);
        let Some((last, context)) = words.split_last_mut() else { return };
        *last = WordId(self.last_word(ngram));
        for word in context {
            *word = WordId(rest.low(self.bits));
            rest = rest.drop(self.bits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// w₁ … wₙ packed step by step.
    fn packed<K: Key>(words: &[u32], packing: Packing) -> K {
        let (last, context) = words.split_last().unwrap();
        let context = context.iter().rev().fold(K::default(), |key, &w| key.push(w, packing.bits));
        packing.ngram(context, *last)
    }

    fn sort_key(words: &[u32]) -> Vec<u32> {
        let (last, context) = words.split_last().unwrap();
        context.iter().rev().chain([last]).copied().collect()
    }

    fn check<K: Key>(one: &[u32], two: &[u32], largest: u32) {
        let packing = Packing::of(largest as usize + 1);
        let (a, b) = (packed::<K>(one, packing), packed::<K>(two, packing));
        assert_eq!(a.cmp(&b), sort_key(one).cmp(&sort_key(two)));
        let mut words = vec![WordId(0); one.len()];
        packing.unpack(a, &mut words);
        assert_eq!(words.iter().map(|w| w.0).collect::<Vec<_>>(), one);
        let length = one.len() - 1;
        let context = packing.context(a);
        for steps in 0..length {
            assert_eq!(packing.context_word(context, length, steps), one[length - 1 - steps]);
        }
        if length > 0 {
            let as_ngram = packing.context_as_ngram(context, length);
            assert_eq!(as_ngram, packed::<K>(&one[..length], packing));
        }
        let followed =
            one[..length].iter().fold(K::default(), |key, &w| packing.follow(key, w, length));
        assert_eq!(followed, context);
        let mut bytes = vec![0; packing.span(one.len()).div_ceil(8) as usize];
        a.encode(&mut bytes);
        assert_eq!(K::decode(&bytes), a);
        bytes.extend([0xAB; 40]);
        assert_eq!(K::decode(&bytes).keep(packing.span(one.len())), a);
    }

    proptest! {
        #[test]
        fn keys_sort_by_context_backwards_and_unpack(
            (one, two) in (1_usize..=6).prop_flat_map(|length| (
                prop::collection::vec(0_u32..4, length),
                prop::collection::vec(0_u32..4, length),
            )),
            largest in prop::sample::select(vec![3_u32, 4, 1023, 1 << 20, u32::MAX >> 1, u32::MAX]),
        ) {
            let bits = Packing::of(largest as usize + 1).span(one.len());
            let stretch = |words: &[u32]| -> Vec<u32> {
                words.iter().map(|&word| if word == 3 { largest } else { word }).collect()
            };
            let (one, two) = (stretch(&one), stretch(&two));
            if bits <= 64 {
                check::<u64>(&one, &two, largest);
            }
            if bits <= 128 {
                check::<u128>(&one, &two, largest);
            }
            check::<Wide>(&one, &two, largest);
        }
    }
}
