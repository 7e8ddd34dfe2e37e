//! A small random number generator: the same numbers on every machine, for every version.

/// SplitMix64 (Steele, Lea & Flood 2014). A stream for each (seed, item) pair makes results
/// independent of how items are spread over threads.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The stream of `item` under `seed`.
    pub fn new(seed: u64, item: u64) -> Self {
        Random(mix(seed ^ 0x6A09_E667_F3BC_C909).wrapping_add(mix(item)))
    }

    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// Uniform in [0, 1).
    pub fn next_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform in 0..bound, for a bound above 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next_u64()) * bound as u128) >> 64) as usize
    }
}

fn mix(mut value: u64) -> u64 {
    value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_spread_evenly_and_repeat() {
        let mut random = Random::new(1, 2);
        let mut counts = [0_u32; 10];
        for _ in 0..10_000 {
            counts[random.below(10)] += 1;
        }
        assert!(counts.iter().all(|&count| (850..1150).contains(&count)), "{counts:?}");
        let mean: f64 = (0..10_000).map(|_| random.next_f64()).sum::<f64>() / 10_000.0;
        assert!((mean - 0.5).abs() < 0.02, "{mean}");
        assert_eq!(Random::new(1, 2).next_u64(), Random::new(1, 2).next_u64());
        assert_ne!(Random::new(1, 2).next_u64(), Random::new(1, 3).next_u64());
        assert_ne!(Random::new(1, 2).next_u64(), Random::new(2, 1).next_u64());
    }
}
