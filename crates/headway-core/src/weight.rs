//! Which weights features may have, wherever they come from.

use crate::{Error, Result};

/// The largest absolute value of a weight, so that sums of weighted values stay finite.
pub const MOST_WEIGHT: f64 = 1e6;

/// Refuses a weight that is not a number or out of range.
pub fn check_weight(name: &str, weight: f64) -> Result<()> {
    if weight.abs() <= MOST_WEIGHT {
        return Ok(());
    }
    let range = "expected a number from -1,000,000 to 1,000,000";
    Err(Error::setting(format!("weight {name}: {range}, found {weight}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_numbers_within_range() {
        for weight in [0.0, -1e6, 1e6] {
            assert!(check_weight("lm", weight).is_ok());
        }
        for weight in [1e39, -1e38, 1_000_001.0, f64::NAN, f64::INFINITY] {
            let message = check_weight("p(e|f)", weight).unwrap_err().to_string();
            assert!(message.starts_with("weight p(e|f): expected a number from -1,000,000 to"));
            assert!(message.ends_with(&format!("found {weight}")), "{message}");
        }
    }
}
