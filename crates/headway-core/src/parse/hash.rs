//! Features as numbers: a template and what fills it, mixed into 64 bits.

use xxhash_rust::xxh3::xxh3_64;

const ODD: u64 = 0x9E37_79B9_7F4A_7C15;

/// The number of a piece of text.
pub fn of_text(text: &str) -> u64 {
    xxh3_64(text.as_bytes())
}

/// The key of a feature: its template with the values that fill it, in their order.
#[inline]
pub fn key<const N: usize>(template: u64, values: [u64; N]) -> u64 {
    let mut hash = (template + 1).wrapping_mul(ODD);
    for value in values {
        hash = (hash.rotate_left(23) ^ value).wrapping_mul(ODD);
    }
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn templates_and_the_order_of_values_are_told_apart() {
        let mut keys = HashSet::new();
        for template in 0..30 {
            for first in 0..50 {
                for second in 0..50 {
                    assert!(keys.insert(key(template, [first, second]) >> 20));
                }
            }
        }
    }
}
