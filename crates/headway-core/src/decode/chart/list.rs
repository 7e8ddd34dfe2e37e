//! The best derivations of a sentence. Those of its pieces are independent of each other, since each
//! piece follows the best end of the one before: the best of the whole are found from the best of
//! what was said so far and the best of the next piece.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

use super::derive::{Derived, Said};
use super::forest::Growing;
use super::search::Searching;
use crate::Result;
use crate::decode::Model;
use crate::decode::clock::ListClock;
use crate::decode::nbest::{EFFORT, derivations};
use crate::decode::translation::{Request, Translation};
use crate::forest::{Derivation, Forest};

/// The best beginnings, the very best first.
pub struct List {
    request: Request,
    entries: Vec<Listed>,
    was_cut: bool,
}

#[derive(Clone)]
struct Listed {
    said: Said,
    score: f64,
    /// As search summed them.
    features: Vec<f64>,
}

impl List {
    /// Begins with `nothing` said.
    pub fn new(request: Request, nothing: Said) -> Self {
        let nothing = Listed { said: nothing, score: 0.0, features: Vec::new() };
        List { request, entries: vec![nothing], was_cut: false }
    }

    /// Takes in a piece that ends with `finals`; fewer entries are made once time is up.
    pub fn add(&mut self, searching: &Searching<'_>, finals: &[u32]) -> Result<()> {
        let mut growing = Growing::new(searching.model, searching.words, searching.entry.offset)?;
        let items = growing.add(searching, finals)?;
        let forest = growing.finish(searching.model)?;
        let time = ListClock::new(searching.clock);
        let go_on = |found: usize| time.goes_on(found);
        let found = derivations(&forest, self.request, EFFORT, go_on)?;
        let scores = |all: &mut dyn Iterator<Item = f64>| all.collect::<Vec<f64>>();
        let before = scores(&mut self.entries.iter().map(|entry| entry.score));
        let after = scores(&mut found.iter().map(|one| one.score));
        let pairs = best_pairs(&before, &after, self.request.n_best);
        let going = pairs.iter().enumerate().take_while(|&(number, _)| go_on(number));
        let pairs: Vec<(usize, usize)> = going.map(|(_, &pair)| pair).collect();
        let mut said = Uses::new(std::mem::take(&mut self.entries), &pairs);
        for (before, after) in pairs {
            let entry = said.take(before);
            let one = &found[after];
            self.entries.push(extended(entry, searching, &forest, &items, one));
        }
        self.was_cut |= time.was_cut();
        Ok(())
    }

    /// All entries as translations.
    pub fn finish(self, model: &Model) -> Vec<Translation> {
        let List { request, entries, was_cut } = self;
        let mut seen = HashSet::new();
        let translation = |entry: Listed| {
            let Listed { said, score, features } = entry;
            let mut translation = said.complete(model);
            (translation.score, translation.features) = (score, features);
            translation.hurried |= was_cut;
            translation
        };
        let all = entries.into_iter().map(translation);
        // Different pieces may say the same words together.
        all.filter(|one| !request.distinct || seen.insert(one.words.clone())).collect()
    }
}

/// An entry with a derivation of the next piece behind it.
fn extended(
    mut entry: Listed,
    searching: &Searching<'_>,
    forest: &Forest,
    items: &[u32],
    derivation: &Derivation,
) -> Listed {
    let edges = derivation.edges.iter();
    let chosen: Vec<u32> = edges.filter_map(|edge| items.get(edge.index()).copied()).collect();
    searching.say(&Derived::of_items(searching, &chosen), &mut entry.said);
    entry.features.resize(searching.model.names().len(), 0.0);
    for (place, value) in forest.feature_totals(&derivation.edges) {
        entry.features[place as usize] += value;
    }
    entry.score += derivation.score;
    entry
}

/// Entries that several new ones begin with: each is copied but for its last use.
struct Uses {
    entries: Vec<Option<Listed>>,
    left: Vec<usize>,
}

impl Uses {
    /// What begins none of the pairs is dropped at once.
    fn new(entries: Vec<Listed>, pairs: &[(usize, usize)]) -> Self {
        let mut left = vec![0; entries.len()];
        pairs.iter().for_each(|&(entry, _)| left[entry] += 1);
        let used = |(entry, &uses): (Listed, &usize)| (uses > 0).then_some(entry);
        Uses { entries: entries.into_iter().zip(&left).map(used).collect(), left }
    }

    fn take(&mut self, entry: usize) -> Listed {
        self.left[entry] -= 1;
        let last = self.left[entry] == 0;
        let taken = if last { self.entries[entry].take() } else { self.entries[entry].clone() };
        taken.unwrap_or_else(|| unreachable!("each use was counted"))
    }
}

/// The `most` pairs with the highest sums of two lists that fall; of equal ones the first.
fn best_pairs(before: &[f64], after: &[f64], most: usize) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let candidate = |one: usize, two: usize| {
        let sum = before.get(one)? + after.get(two)?;
        Some((Sum(sum), Reverse((one, two))))
    };
    let mut open: BinaryHeap<_> = candidate(0, 0).into_iter().collect();
    while let Some((_, Reverse((one, two)))) = open.pop() {
        found.push((one, two));
        if found.len() == most {
            break;
        }
        open.extend(candidate(one, two + 1));
        if two == 0 {
            open.extend(candidate(one + 1, 0));
        }
    }
    found
}

/// A sum in its total order.
#[derive(PartialEq)]
struct Sum(f64);

impl Eq for Sum {}

impl Ord for Sum {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Sum {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn the_best_pairs_are_those_of_all_pairs() {
        let mut random = Random::new(4, 2);
        for _ in 0..200 {
            let mut list = |most: usize| {
                let many = 1 + random.below(most);
                let mut list: Vec<f64> = (0..many).map(|_| -(random.below(9) as f64)).collect();
                list.sort_by(|a, b| b.total_cmp(a));
                list
            };
            let (before, after, most) = (list(6), list(6), 7);
            let mut all: Vec<(usize, usize)> =
                (0..before.len()).flat_map(|i| (0..after.len()).map(move |j| (i, j))).collect();
            let sum = |&(i, j): &(usize, usize)| before[i] + after[j];
            all.sort_by(|a, b| sum(b).total_cmp(&sum(a)));
            let found = best_pairs(&before, &after, most);
            let sums = |pairs: &[(usize, usize)]| pairs.iter().map(sum).collect::<Vec<f64>>();
            assert_eq!(sums(&found), sums(&all[..most.min(all.len())]));
            let distinct: HashSet<_> = found.iter().collect();
            assert_eq!(distinct.len(), found.len());
        }
    }
}
