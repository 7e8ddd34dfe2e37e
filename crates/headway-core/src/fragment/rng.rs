//! A small random stream whose values are part of the corpus: no library update may change them.

/// SplitMix64 (Steele, Lea & Flood, 2014).
#[derive(Debug, Clone)]
pub struct Rng {
    state: u64,
}

impl Rng {
    /// The stream of candidate `index` under `seed`: streams of different pairs are unrelated.
    pub fn new(seed: u64, index: u64) -> Self {
        let mut rng = Rng { state: seed };
        let mixed = rng.next();
        Rng { state: mixed ^ index.wrapping_mul(0xd605_bbb5_8c8a_bbfd) }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound.max(1) as u128) >> 64) as usize
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high + 1 - low)
    }

    /// Whether something of this probability happens.
    pub fn chance(&mut self, probability: f64) -> bool {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64 <= probability && probability > 0.0
    }

    /// One of `items`, each as likely as another; `None` of none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).copied()
    }

    /// One of `items`, as likely as its weight.
    pub fn weighted<T: Copy>(&mut self, items: &[(f64, T)]) -> Option<T> {
        let total: f64 = items.iter().map(|item| item.0).sum();
        let mut left = (self.next() >> 11) as f64 / (1u64 << 53) as f64 * total;
        for &(weight, item) in items {
            left -= weight;
            if left < 0.0 {
                return Some(item);
            }
        }
        items.last().map(|item| item.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stream_is_fixed_by_seed_and_index() {
        let draw = |seed, index| {
            let mut rng = Rng::new(seed, index);
            [rng.below(1000), rng.below(1000), rng.below(1000)]
        };
        assert_eq!(draw(1, 7), draw(1, 7));
        assert_ne!(draw(1, 7), draw(1, 8));
        assert_ne!(draw(1, 7), draw(2, 7));
    }

    #[test]
    fn weights_are_kept_to() {
        let mut rng = Rng::new(3, 3);
        let items = [(1.0, 0), (3.0, 1), (0.0, 2)];
        let mut seen = [0; 3];
        for _ in 0..4000 {
            seen[rng.weighted(&items).unwrap()] += 1;
        }
        assert!((900..1100).contains(&seen[0]), "{seen:?}");
        assert_eq!(seen[2], 0);
    }
}
