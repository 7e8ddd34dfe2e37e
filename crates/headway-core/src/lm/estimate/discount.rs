//! Discounts from counts of counts: equation (26) of Chen & Goodman (1998).

/// Taken where the text gives none, as KenLM does: for counts 1, 2, and 3 or more.
const FALLBACK: [f64; 3] = [0.5, 1.0, 1.5];

/// How many n-grams of one order have which count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CountsOfCounts {
    /// n-grams with the count 0, 1, 2, 3, 4.
    few: [u64; 5],
    pub total: u64,
    /// Those that pruning leaves.
    pub kept: u64,
}

impl CountsOfCounts {
    pub fn add(&mut self, count: u64, pruned: bool) {
        if let Some(number) = self.few.get_mut(count as usize) {
            *number += 1;
        }
        self.total += 1;
        self.kept += u64::from(!pruned);
    }

    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.few.iter_mut().zip(other.few) {
            *mine += theirs;
        }
        self.total += other.total;
        self.kept += other.kept;
    }
}

/// What is taken from each count of one order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Discounts {
    /// From counts 1, 2, and 3 or more.
    pub amounts: [f64; 3],
    /// True where the text has too few distinct counts to say.
    pub fallback: bool,
}

impl Discounts {
    pub fn of(counts: &CountsOfCounts) -> Self {
        match closed_form(&counts.few) {
            Some(amounts) => Discounts { amounts, fallback: false },
            None => Discounts { amounts: FALLBACK, fallback: counts.total > 0 },
        }
    }

    #[inline]
    pub fn get(&self, count: u64) -> f64 {
        match count {
            0 => 0.0,
            _ => self.amounts[(count.min(3) - 1) as usize],
        }
    }
}

/// None where a count of counts that is divided by is missing, or a discount is not above 0 or
/// above its count.
fn closed_form(few: &[u64; 5]) -> Option<[f64; 3]> {
    let n = few.map(|number| number as f64);
    if few[1..4].contains(&0) {
        return None;
    }
    let y = n[1] / (n[1] + 2.0 * n[2]);
    let amounts = [1, 2, 3].map(|j| j as f64 - (j + 1) as f64 * y * n[j + 1] / n[j]);
    let usable = |(&amount, count): (&f64, f64)| amount > 0.0 && amount <= count;
    amounts.iter().zip([1.0, 2.0, 3.0]).all(usable).then_some(amounts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(few: [u64; 5]) -> CountsOfCounts {
        CountsOfCounts { few, total: 100, kept: 100 }
    }

    #[test]
    fn discounts_follow_the_closed_form() {
        let found = Discounts::of(&counts([7, 40, 10, 6, 3]));
        let y = 40.0 / 60.0;
        let expected = [1.0 - 2.0 * y / 4.0, 2.0 - 3.0 * y * 0.6, 3.0 - 4.0 * y * 0.5];
        assert!(!found.fallback);
        for (found, expected) in found.amounts.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12);
        }
        assert_eq!(found.get(0), 0.0);
        assert_eq!(found.get(9), found.amounts[2]);
    }

    #[test]
    fn missing_or_impossible_discounts_fall_back() {
        for few in [[0; 5], [0, 1, 0, 1, 1], [0, 10, 1, 9, 0], [0, 10, 5, 1, 9], [0, 4, 4, 8, 0]] {
            let found = Discounts::of(&counts(few));
            assert_eq!(found, Discounts { amounts: FALLBACK, fallback: true }, "{few:?}");
        }
        assert!(!Discounts::of(&counts([0, 9, 4, 2, 0])).fallback);
        assert!(!Discounts::of(&CountsOfCounts::default()).fallback);
    }
}
