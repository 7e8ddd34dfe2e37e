//! Numbers as small ordered integers.
//!
//! Scores read from text have few decimal digits; as such they take 20-odd bits where the
//! `f32` they become takes 32, and a guess that is slightly off differs by a small integer.

/// How a column's numbers become keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// Zero, or six significant decimal digits.
    Decimal,
    /// The bits of the `f32`.
    Binary,
}

const DIGITS: u32 = 900_000; // mantissas 100,000 to 999,999
const LOWEST: i32 = -46;
const HIGHEST: i32 = 38;

impl Notation {
    pub fn number(self) -> u64 {
        match self {
            Notation::Decimal => 0,
            Notation::Binary => 1,
        }
    }

    pub fn from_number(number: u64) -> Option<Self> {
        [Notation::Decimal, Notation::Binary].into_iter().find(|one| one.number() == number)
    }

    /// The key that stands for exactly this value, if there is one.
    pub fn key(self, value: f32) -> Option<u32> {
        match self {
            Notation::Binary => Some(value.to_bits()),
            Notation::Decimal if value.to_bits() == 0 => Some(0),
            Notation::Decimal => {
                let key = self.nearest(f64::from(value))?;
                (self.value(key).to_bits() == value.to_bits()).then_some(key)
            }
        }
    }

    /// The key nearest to a positive number. Writer and reader must agree to the bit, so only
    /// operations that are rounded alike everywhere are used.
    pub fn nearest(self, number: f64) -> Option<u32> {
        if !(number > 1e-45 && number < 3e38) {
            return None;
        }
        if self == Notation::Binary {
            return Some((number as f32).to_bits());
        }
        let exponent = exponent_of(number);
        let mantissa = (number / power(exponent) * 1e5).round();
        let (mantissa, exponent) =
            if mantissa >= 1e6 { (1e5, exponent + 1) } else { (mantissa.max(1e5), exponent) };
        Some(1 + (exponent - LOWEST) as u32 * DIGITS + (mantissa as u32 - 100_000))
    }

    pub fn value(self, key: u32) -> f32 {
        match self {
            Notation::Binary => f32::from_bits(key),
            Notation::Decimal if key == 0 => 0.0,
            Notation::Decimal => {
                let (exponent, mantissa) = ((key - 1) / DIGITS, (key - 1) % DIGITS + 100_000);
                let exponent = exponent as i32 + LOWEST;
                let mantissa = f64::from(mantissa);
                // Dividing by a power that is exact gives the number nearest to the decimal.
                let value = if exponent < 5 {
                    mantissa / power(5 - exponent)
                } else {
                    mantissa * power(exponent - 5)
                };
                value as f32
            }
        }
    }
}

/// The exponent of ten: near the one of two times log₁₀ 2, then exactly.
fn exponent_of(number: f64) -> i32 {
    let binary = ((number.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let mut exponent = (binary * 1233) >> 12;
    while number < power(exponent) {
        exponent -= 1;
    }
    while number >= power(exponent + 1) {
        exponent += 1;
    }
    exponent
}

fn power(exponent: i32) -> f64 {
    POWERS.get((exponent - LOWEST) as usize).copied().unwrap_or(f64::INFINITY)
}

#[rustfmt::skip]
const POWERS: [f64; (HIGHEST - LOWEST + 14) as usize] = [
    1e-46, 1e-45, 1e-44, 1e-43, 1e-42, 1e-41, 1e-40, 1e-39, 1e-38, 1e-37, 1e-36, 1e-35, 1e-34,
    1e-33, 1e-32, 1e-31, 1e-30, 1e-29, 1e-28, 1e-27, 1e-26, 1e-25, 1e-24, 1e-23, 1e-22, 1e-21,
    1e-20, 1e-19, 1e-18, 1e-17, 1e-16, 1e-15, 1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8,
    1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9,
    1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22, 1e23, 1e24,
    1e25, 1e26, 1e27, 1e28, 1e29, 1e30, 1e31, 1e32, 1e33, 1e34, 1e35, 1e36, 1e37, 1e38, 1e39,
    1e40, 1e41, 1e42, 1e43, 1e44, 1e45, 1e46, 1e47, 1e48, 1e49, 1e50, 1e51,
];

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn six_digits_are_kept(mantissa in 1_u32..1_000_000, exponent in -40_i32..30) {
            let value: f32 = format!("{mantissa}e{exponent}").parse().unwrap();
            let key = Notation::Decimal.key(value);
            prop_assert_eq!(key.map(|key| Notation::Decimal.value(key)), Some(value));
        }

        #[test]
        fn keys_are_exact_or_none(bits: u32) {
            let value = f32::from_bits(bits);
            for notation in [Notation::Decimal, Notation::Binary] {
                if let Some(key) = notation.key(value) {
                    prop_assert_eq!(notation.value(key).to_bits(), bits);
                }
            }
            let _ = Notation::Decimal.value(bits);
            let _ = Notation::Decimal.nearest(f64::from(value));
        }

        #[test]
        fn near_numbers_have_near_keys(value in 1e-30_f64..1.0) {
            let [a, b] = [value, value * 1.000_002].map(|v| Notation::Decimal.nearest(v).unwrap());
            prop_assert!(a <= b && b - a <= 3);
        }
    }
}
