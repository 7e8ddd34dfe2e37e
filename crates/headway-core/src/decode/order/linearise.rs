//! Dependency order at work on one sentence.

use smallvec::SmallVec;

use super::DependencyOrder;
use super::arcs::{Arcs, Covering, Item};
use super::placed::Placed;
use crate::decode::feature::{Feature, Scorer, Step};
use crate::decode::interned::Sequences;
use crate::decode::source::Source;
use crate::decode::trees::{UsableTrees, bit};

/// States are sequences of items, tree by tree.
pub struct Linearising<'a> {
    feature: &'a DependencyOrder,
    trees: UsableTrees,
    arcs: Vec<Arcs<'a>>,
    states: Sequences<Item>,
    /// For each state what is still expected.
    outlooks: Vec<f32>,
    /// The state that is being made.
    next: Vec<Item>,
}

impl<'a> Linearising<'a> {
    pub fn new(feature: &'a DependencyOrder, source: &Source) -> Self {
        let apart = feature.model.punctuation_apart();
        let trees = match feature.uses().trees {
            true => UsableTrees::new(source, feature.how.trees, apart),
            false => UsableTrees::default(),
        };
        let arcs: Vec<Arcs<'a>> = trees.trees.iter().map(|it| Arcs::new(feature, it)).collect();
        let (states, outlooks, next) = (Sequences::default(), Vec::new(), Vec::new());
        let mut found = Linearising { feature, trees, arcs, states, outlooks, next };
        let start = |(number, arcs): (usize, &Arcs<'_>)| Item::Tree {
            number: number as u32,
            behind: arcs.share.ln().to_bits(),
            untouched: arcs.untouched(),
        };
        let start: Vec<Item> = found.arcs.iter().enumerate().map(start).collect();
        found.state(&start);
        found
    }

    /// The number of a state.
    fn state(&mut self, items: &[Item]) -> u32 {
        let (id, new) = self.states.id(items);
        if new {
            let outlook = outlook(&self.arcs, items);
            self.outlooks.push(outlook);
        }
        id
    }

    /// The items of a state.
    #[cfg(test)]
    pub fn items(&self, state: u32) -> &[Item] {
        self.states.get(state)
    }
}

impl Scorer for Linearising<'_> {
    fn extend(&mut self, state: u32, step: &Step<'_>, values: &mut [f32]) -> u32 {
        values.fill(0.0);
        if self.arcs.is_empty() {
            return state;
        }
        let (start, end) = (step.span.start as u32, step.span.end as u32);
        let placed = Placed::new(self.feature, step.phrase, end - start);
        let (first, last) = self.trees.counted(start, end);
        let (places, covered) = (&self.trees.places, step.covered);
        let at = |word: u32| places[word as usize - 1];
        let inside: SmallVec<[usize; 8]> =
            (first..=last).map(|word| (at(word) - start) as usize).collect();
        let by = Covering {
            first,
            last,
            places: &inside,
            placed: &placed,
            covered: &|word| covered(at(word) as i32),
        };
        let mut next = std::mem::take(&mut self.next);
        next.clear();
        let items = self.states.get(state);
        let sums = self.extend_trees(items, step.trees, by, &mut next);
        for item in &mut next {
            if let Item::Tree { behind, .. } = item {
                *behind = (f32::from_bits(*behind) - sums.best).to_bits();
            }
        }
        values[0] = sums.best;
        values[1] = sums.unlicensed / sums.share;
        values[2] = sums.leaving / sums.share;
        let state = self.state(&next);
        self.next = next;
        state
    }

    fn outlook(&self, state: u32, values: &mut [f32]) {
        values.fill(0.0);
        values[0] = self.outlooks[state as usize];
    }
}

/// What the trees that agree with a step make of it.
struct Sums {
    /// The best sum of scores, relative to the best before.
    best: f32,
    share: f32,
    /// The shares of those that do not license the phrase, or that have a subtree which it leaves.
    unlicensed: f32,
    leaving: f32,
}

impl Linearising<'_> {
    /// Makes the items behind a step; `behind` of each tree is its sum as yet.
    fn extend_trees(
        &self,
        items: &[Item],
        agreeing: u32,
        by: Covering<'_>,
        next: &mut Vec<Item>,
    ) -> Sums {
        let mut sums = Sums { best: f32::NEG_INFINITY, share: 0.0, unlicensed: 0.0, leaving: 0.0 };
        for (number, behind, untouched, rest) in by_tree(items) {
            if agreeing & bit(number as usize) == 0 {
                continue;
            }
            let (arcs, place) = (&self.arcs[number as usize], next.len());
            next.push(Item::Tree { number, behind: 0, untouched: 0 });
            let change = arcs.extend(rest, by, next);
            let sum = behind + change.score;
            let untouched = untouched - change.touched;
            next[place] = Item::Tree { number, behind: sum.to_bits(), untouched };
            sums.best = sums.best.max(sum);
            sums.share += arcs.share;
            sums.unlicensed += if change.unlicensed { arcs.share } else { 0.0 };
            sums.leaving += if change.leaves { arcs.share } else { 0.0 };
        }
        sums
    }
}

/// For each tree of a state its number, score, untouched dependencies, and other items.
fn by_tree(items: &[Item]) -> impl Iterator<Item = (u32, f32, i32, &[Item])> {
    let trees = items.chunk_by(|_, next| !matches!(next, Item::Tree { .. }));
    trees.filter_map(|items| match items[0] {
        Item::Tree { number, behind, untouched } => {
            Some((number, f32::from_bits(behind), untouched, &items[1..]))
        }
        _ => None,
    })
}

fn outlook(arcs: &[Arcs<'_>], items: &[Item]) -> f32 {
    let sum = |(number, behind, untouched, rest): (u32, f32, i32, &[Item])| {
        behind + arcs[number as usize].outlook(rest, untouched)
    };
    by_tree(items).map(sum).reduce(f32::max).unwrap_or(0.0)
}
