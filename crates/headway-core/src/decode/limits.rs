//! Bounds that keep every sum of search finite.
//!
//! Scores are sums of weights times values in `f32`, which ends at 3.4e38. A weight of at most 1e6,
//! values of at most 1e9 and a line of 10 million words make 1e22 for each feature.

use crate::Error;

/// The largest absolute value of a feature of one rule.
pub const MOST_VALUE: f32 = 1e9;

/// Whether a value of a feature is a number within range.
#[inline]
pub fn is_sound(value: f32) -> bool {
    value.abs() <= MOST_VALUE
}

/// A score that is not finite: only values of a damaged model lead to one.
pub fn unsound() -> Error {
    let message = "a score is not a finite number: a model file holds a wrong value";
    Error::Failure(format!("{message}; run again with --verify, or copy the model again"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weight::MOST_WEIGHT;

    #[test]
    fn weights_at_the_limit_never_overflow() {
        let longest = 10_000_000.0_f32;
        assert!((MOST_WEIGHT as f32 * MOST_VALUE * longest * 1000.0).is_finite());
    }

    #[test]
    fn values_must_be_numbers() {
        assert!(is_sound(-100.0) && is_sound(0.0));
        assert!(![f32::NAN, f32::INFINITY, -3e38].into_iter().any(is_sound));
    }
}
