//! Phrase translation probabilities from counts.

use super::options::Smoothing;

/// Counts of counts are kept up to this.
const MOST: usize = 10;

/// What is discounted where there are too few distinct counts to tell.
const FALLBACK: [f64; 3] = [0.5, 1.0, 1.5];

/// Rules counted once, twice, and more often.
pub type Classes = [u32; 3];

/// A count, rounded up, as the class it is in.
pub fn class(count: u64, unit: u64) -> usize {
    (count.div_ceil(unit).clamp(1, 3) - 1) as usize
}

/// How many rules there are, and how many were seen once, twice, and so on.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct CountsOfCounts {
    rules: u64,
    /// `counts[c]` rules were seen c times (rounded up).
    counts: [u64; MOST + 1],
}

impl CountsOfCounts {
    pub fn add(&mut self, count: u64, unit: u64) {
        self.rules += 1;
        if let Some(counts) = self.counts.get_mut(count.div_ceil(unit) as usize) {
            *counts += 1;
        }
    }

    pub fn join(&mut self, other: &Self) {
        self.rules += other.rules;
        for (ours, theirs) in self.counts.iter_mut().zip(other.counts) {
            *ours += theirs;
        }
    }
}

/// What is known of one side of a rule.
#[derive(Debug, Clone, Copy)]
pub struct Side {
    /// The count of all rules with it.
    pub total: f64,
    /// How many rules have it.
    pub classes: Classes,
}

impl Side {
    fn rules(&self) -> f64 {
        self.classes.iter().map(|&rules| f64::from(rules)).sum()
    }
}

/// Makes p(one side | other side).
#[derive(Debug, Clone)]
pub enum Estimator {
    Relative,
    /// What a count is multiplied with.
    GoodTuring([f64; MOST]),
    KneserNey {
        discounts: [f64; 3],
        rules: f64,
    },
}

impl Estimator {
    pub fn new(smoothing: Smoothing, seen: &CountsOfCounts) -> Self {
        match smoothing {
            Smoothing::None => Estimator::Relative,
            Smoothing::GoodTuring => Estimator::GoodTuring(good_turing(seen)),
            Smoothing::KneserNey => {
                Estimator::KneserNey { discounts: kneser_ney(seen), rules: seen.rules as f64 }
            }
        }
    }

    /// p(side | given) of a rule with this count.
    pub fn probability(&self, count: f64, class: usize, given: &Side, side: &Side) -> f64 {
        match self {
            Estimator::Relative => count / given.total,
            Estimator::GoodTuring(factors) => {
                let factor = factors.get(count.ceil() as usize).copied().unwrap_or(1.0);
                count * factor / given.total
            }
            // Foster, Kuhn & Johnson (2006): what is taken from the rules with the given side is
            // shared out by how many rules the other sides are in.
            Estimator::KneserNey { discounts, rules } => {
                let taken: f64 =
                    given.classes.iter().zip(discounts).map(|(&n, d)| f64::from(n) * d).sum();
                (count - discounts[class] + taken * side.rules() / rules) / given.total
            }
        }
    }
}

/// As Moses' scorer: (c + 1) n(c + 1) / (c n(c)) up to c = 8, not above 1 and never falling.
fn good_turing(seen: &CountsOfCounts) -> [f64; MOST] {
    let mut factors = [1.0; MOST];
    let mut least: f64 = 0.01;
    let counts = seen.counts.map(|rules| rules as f64 + 0.1);
    for (count, factor) in factors.iter_mut().enumerate().take(MOST - 1).skip(1) {
        let c = count as f64;
        let estimate = (c + 1.0) / c * counts[count + 1] / counts[count];
        least = least.max(estimate.min(1.0));
        *factor = least;
    }
    factors
}

/// The three discounts of modified Kneser–Ney (Chen & Goodman 1998), less than the count.
fn kneser_ney(seen: &CountsOfCounts) -> [f64; 3] {
    let n: Vec<f64> = seen.counts.iter().map(|&count| count as f64).collect();
    if n[1..=4].contains(&0.0) {
        return FALLBACK;
    }
    let y = n[1] / (n[1] + 2.0 * n[2]);
    let discount = |count: usize| {
        let c = count as f64;
        (c - (c + 1.0) * y * n[count + 1] / n[count]).clamp(0.0, c - 0.1)
    };
    [discount(1), discount(2), discount(3)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(counts: &[u64]) -> CountsOfCounts {
        let mut seen = CountsOfCounts::default();
        counts.iter().for_each(|&count| seen.add(count, 1));
        seen
    }

    #[test]
    fn fractions_are_rounded_up() {
        let mut seen = CountsOfCounts::default();
        for count in [1, 4, 5, 8, 400] {
            seen.add(count, 4);
        }
        assert_eq!((seen.rules, seen.counts[1], seen.counts[2]), (5, 2, 2));
        assert_eq!([1, 4, 5, 9, 400].map(|count| class(count, 4)), [0, 0, 1, 2, 2]);
    }

    #[test]
    fn good_turing_takes_from_the_rare() {
        let factors = good_turing(&seen(&[1, 1, 1, 1, 1, 1, 2, 2, 3]));
        let first = 2.0 * 2.1 / 6.1;
        let second = 1.5 * 1.1 / 2.1;
        assert!((factors[1] - first).abs() < 1e-12 && (factors[2] - second).abs() < 1e-12);
        assert!(factors.windows(2).skip(1).all(|pair| pair[0] <= pair[1]));
    }

    #[test]
    fn kneser_ney_shares_out_what_it_takes() {
        // Counts of f under one e, and in how many rules each f is: all f together make 1.
        let estimator = Estimator::KneserNey { discounts: [0.6, 1.1, 1.4], rules: 10.0 };
        let given = Side { total: 8.0, classes: [1, 1, 1] };
        let counted = [(1.0, 0, [2, 0, 0]), (2.0, 1, [1, 1, 0]), (5.0, 2, [0, 1, 2])];
        let mut sum = 0.0;
        for (count, class, classes) in counted {
            let side = Side { total: 9.0, classes };
            sum += estimator.probability(count, class, &given, &side);
        }
        // The other f's are in the remaining 3 of 10 rules.
        let unseen = (0.6 + 1.1 + 1.4) * 3.0 / 10.0 / 8.0;
        assert!((sum + unseen - 1.0).abs() < 1e-12);
    }
}
