//! Random choices among things.

use headway_core::random::Random;

/// The choices of one candidate pair.
#[derive(Debug, Clone)]
pub struct Rng(Random);

impl Rng {
    pub fn new(seed: u64, index: u64) -> Self {
        Rng(Random::new(seed, index))
    }

    /// A number below `bound`; 0 if there is none.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound.max(1))
    }

    /// A number from `low` to `high`, both included.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high + 1 - low)
    }

    /// Whether something of this probability happens.
    pub fn chance(&mut self, probability: f64) -> bool {
        self.0.next_f64() < probability
    }

    /// One of `items`, each as likely as another; `None` of none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).copied()
    }

    /// One of `items`, as likely as its weight.
    pub fn weighted<T: Copy>(&mut self, items: &[(f64, T)]) -> Option<T> {
        let total: f64 = items.iter().map(|item| item.0).sum();
        let mut left = self.0.next_f64() * total;
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

    #[test]
    fn bounds_are_kept_to() {
        let mut rng = Rng::new(1, 1);
        let drawn: Vec<usize> = (0..1000).map(|_| rng.between(2, 4)).collect();
        assert!((2..=4).all(|value| drawn.contains(&value)));
        assert!(drawn.iter().all(|value| (2..=4).contains(value)));
        assert_eq!(rng.pick::<u8>(&[]), None);
    }
}
