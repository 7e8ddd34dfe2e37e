//! Finding numbers in sorted arrays where they are spread evenly.

/// The first of `len` places whose key is not below `target`. Keys are sorted, and lie between 0
/// and `most` as random numbers do; a guess from the value is near, whatever the length.
pub fn lower_bound(len: usize, most: u64, target: u32, key: impl Fn(usize) -> u32) -> usize {
    let guess = (u64::from(target) as u128 * len as u128 / u128::from(most.max(1))) as usize;
    let guess = guess.min(len);
    // Random numbers are half the square root of their number off, on average.
    let mut step = (len as f64).sqrt() as usize / 2 + 2;
    let (mut low, mut high) = (guess, guess);
    while low > 0 && key(low - 1) >= target {
        high = low - 1;
        low = low.saturating_sub(step);
        step *= 2;
    }
    while high < len && key(high) < target {
        low = high + 1;
        high = (high + step).min(len);
        step *= 2;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if key(middle) < target { low = middle + 1 } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn places_are_those_of_a_binary_search(
            mut keys in prop::collection::vec(0u32..3000, 0..400),
            target in 0u32..3100,
            most in 1u64..5000,
        ) {
            keys.sort_unstable();
            let expected = keys.partition_point(|&key| key < target);
            prop_assert_eq!(lower_bound(keys.len(), most, target, |at| keys[at]), expected);
        }
    }
}
