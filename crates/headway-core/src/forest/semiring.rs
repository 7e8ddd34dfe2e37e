//! Inside and outside values over any semiring: one loop each, for best scores, sums, counts
//! and reachability.

use smallvec::SmallVec;

use super::graph::{EdgeId, Forest};

pub trait Semiring {
    type Value: Copy;
    fn zero() -> Self::Value;
    fn one() -> Self::Value;
    fn plus(a: Self::Value, b: Self::Value) -> Self::Value;
    fn times(a: Self::Value, b: Self::Value) -> Self::Value;
}

/// The best score: maximum and sum.
pub struct Best;

/// Logarithms of sums of products.
pub struct Log;

/// Whether there is a derivation at all.
pub struct Exists;

impl Semiring for Best {
    type Value = f64;
    fn zero() -> f64 {
        f64::NEG_INFINITY
    }
    fn one() -> f64 {
        0.0
    }
    fn plus(a: f64, b: f64) -> f64 {
        a.max(b)
    }
    fn times(a: f64, b: f64) -> f64 {
        a + b
    }
}

impl Semiring for Log {
    type Value = f64;
    fn zero() -> f64 {
        f64::NEG_INFINITY
    }
    fn one() -> f64 {
        0.0
    }
    fn plus(a: f64, b: f64) -> f64 {
        let (low, high) = if a < b { (a, b) } else { (b, a) };
        if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
    }
    fn times(a: f64, b: f64) -> f64 {
        a + b
    }
}

impl Semiring for Exists {
    type Value = bool;
    fn zero() -> bool {
        false
    }
    fn one() -> bool {
        true
    }
    fn plus(a: bool, b: bool) -> bool {
        a || b
    }
    fn times(a: bool, b: bool) -> bool {
        a && b
    }
}

impl Forest {
    /// For each node the sum over its derivations.
    pub fn inside_over<S: Semiring>(&self, value: impl Fn(EdgeId) -> S::Value) -> Vec<S::Value> {
        let mut inside = vec![S::zero(); self.node_count()];
        for node in 0..inside.len() {
            let mut sum = S::zero();
            for edge in self.incoming(node) {
                sum = S::plus(sum, self.edge_inside::<S>(edge, &value, &inside));
            }
            inside[node] = sum;
        }
        inside
    }

    /// The same for one edge, its tails' sums known.
    pub(super) fn edge_inside<S: Semiring>(
        &self,
        edge: usize,
        value: &impl Fn(EdgeId) -> S::Value,
        inside: &[S::Value],
    ) -> S::Value {
        let tails = self.tails_of(edge).iter();
        tails.fold(value(EdgeId(edge as u32)), |product, tail| {
            S::times(product, inside[tail.index()])
        })
    }

    /// For each node the sum over all that can stand around it up to the goal. A tail that
    /// stands in an edge twice counts once for each position.
    pub fn outside_over<S: Semiring>(
        &self,
        value: impl Fn(EdgeId) -> S::Value,
        inside: &[S::Value],
    ) -> Vec<S::Value> {
        let mut outside = vec![S::zero(); self.node_count()];
        outside[self.goal.index()] = S::one();
        let mut after: SmallVec<[S::Value; 4]> = SmallVec::new();
        for node in (0..outside.len()).rev() {
            for edge in self.incoming(node) {
                let tails = self.tails_of(edge);
                // Products of the tails after each position, the last first.
                after.clear();
                after.push(S::one());
                for (done, tail) in tails.iter().rev().enumerate() {
                    after.push(S::times(after[done], inside[tail.index()]));
                }
                let mut before = S::times(outside[node], value(EdgeId(edge as u32)));
                for (position, tail) in tails.iter().enumerate() {
                    let others = S::times(before, after[tails.len() - 1 - position]);
                    outside[tail.index()] = S::plus(outside[tail.index()], others);
                    before = S::times(before, inside[tail.index()]);
                }
            }
        }
        outside
    }

    /// The natural logarithm of the number of derivations; −∞ if there are none.
    pub fn log_derivations(&self) -> f64 {
        self.inside_over::<Log>(|_| 0.0)[self.goal.index()]
    }

    /// True if nothing can be derived.
    pub fn is_barren(&self) -> bool {
        !self.inside_over::<Exists>(|_| true)[self.goal.index()]
    }
}
