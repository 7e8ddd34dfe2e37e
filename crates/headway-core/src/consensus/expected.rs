//! Expected n-gram counts by inside–outside.

use super::bounds::{Bounds, Chances, bounds, joined, merge};
use super::grams::{GramMap, Units, ending, key};
use super::lean::{Lean, LeanEdge, Part};

/// How often each n-gram stands in a translation, on average over all derivations.
#[derive(Debug, Clone, Default)]
pub struct Expected {
    order: usize,
    counts: GramMap,
    /// The expected number of n-grams of each length, from 1.
    totals: Vec<f64>,
}

impl Expected {
    /// Of all n-grams of 1 to `order` units. Parts of a state less probable than `negligible` are
    /// left out; with 0 counts are exact.
    pub fn of(lean: &Lean, order: usize, negligible: f64) -> Self {
        let order = order.max(2);
        let mut found = Expected { order, counts: GramMap::default(), totals: vec![0.0; order] };
        let shares = lean.shares();
        let uses = lean.uses(&shares);
        let bounds = bounds(lean, &shares, order, negligible);
        for (node, edges) in lean.nodes.iter().enumerate() {
            for (edge, share) in edges.iter().zip(&shares[node]) {
                let chance = uses[node] * share;
                if chance > negligible {
                    found.add_edge(edge, chance, &bounds, negligible);
                }
            }
        }
        found
    }

    /// The n-grams that this edge puts together: those with a unit of its own, or of two tails.
    fn add_edge(&mut self, edge: &LeanEdge, chance: f64, bounds: &[Bounds], negligible: f64) {
        let most = self.order - 1;
        let mut contexts: Chances = vec![(Units::new(), chance)];
        for &part in &edge.parts {
            contexts = match part {
                Part::Unit(unit) => {
                    for (context, chance) in &contexts {
                        self.add(context, unit, 0, *chance);
                    }
                    contexts
                        .iter()
                        .map(|(it, chance)| (joined(it, &[unit], most), *chance))
                        .collect()
                }
                Part::Slot(slot) => {
                    let below = &bounds[edge.tails[slot as usize] as usize];
                    self.add_slot(&contexts, below, chance)
                }
            };
            if contexts.len() > 1 {
                merge(&mut contexts, negligible * chance);
            }
        }
    }

    /// N-grams that reach from a context into what a tail yields; the contexts behind it.
    fn add_slot(&mut self, contexts: &Chances, below: &Bounds, whole: f64) -> Chances {
        let most = self.order - 1;
        let mut next = Chances::new();
        for (context, chance) in contexts {
            for (units, other) in below.short.iter().chain(&below.first) {
                let mut before = context.clone();
                for (inside, &unit) in units.iter().enumerate() {
                    self.add(&before, unit, inside + 1, chance * other);
                    before = joined(&before, &[unit], most);
                }
            }
            for (units, other) in &below.short {
                next.push((joined(context, units, most), chance * other));
            }
        }
        next.extend(below.last.iter().map(|(units, chance)| (units.clone(), chance * whole)));
        next
    }

    fn add(&mut self, context: &[u32], unit: u32, inside: usize, chance: f64) {
        let mut length = inside;
        ending(context, unit, self.order, inside, |gram| {
            *self.counts.entry(gram).or_insert(0.0) += chance;
            self.totals[length] += chance;
            length += 1;
        });
    }

    /// The longest n-grams that are counted.
    pub fn order(&self) -> usize {
        self.order
    }

    /// The expected count of an n-gram.
    pub fn count(&self, gram: &[u32]) -> f64 {
        self.by_key(key(gram))
    }

    pub(super) fn by_key(&self, gram: u64) -> f64 {
        self.counts.get(&gram).copied().unwrap_or(0.0)
    }

    /// How many n-grams of a length there are, on average.
    pub fn total(&self, length: usize) -> f64 {
        self.totals[length - 1]
    }

    /// How many different n-grams there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The mean of several.
    pub fn mean(all: &[&Expected]) -> Expected {
        let mut mean = Expected::default();
        let share = 1.0 / all.len().max(1) as f64;
        for one in all {
            mean.order = mean.order.max(one.order);
            mean.totals.resize(mean.order, 0.0);
            mean.totals.iter_mut().zip(&one.totals).for_each(|(sum, it)| *sum += share * it);
            // Each n-gram has its own sum, so the order of this map is of no account.
            one.counts.iter().for_each(|(&gram, &count)| {
                *mean.counts.entry(gram).or_insert(0.0) += share * count;
            });
        }
        mean
    }
}
