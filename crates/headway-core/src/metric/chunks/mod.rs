//! METEOR's alignment: most matches, then most exact ones, then fewest chunks.
//!
//! How many matches there are follows from counting; which words they join is a search, as
//! fewest chunks are minimum common string partition, which is NP-hard (Goldstein et al. 2005).

mod classes;
mod greedy;
mod search;

use classes::Pair;
use greedy::greedy;
use search::{Outcome, search};

/// A word and its stem, as numbers. Equal words have equal stems.
pub type Word = (u32, u32);

/// Partial alignments kept at each word: first few, which are enough for nearly all sentences,
/// then as many as are needed to be sure, up to this number.
const NARROW: usize = 64;
const WIDE: usize = 2000;
/// What a search may cost, in places looked at.
const BUDGET: usize = 10_000_000;

/// Matches and chunks of the best alignment.
pub fn align(hypothesis: &[Word], reference: &[Word]) -> (u32, u32) {
    let pair = Pair::new(hypothesis, reference);
    let adjacent = most_adjacent(&pair);
    (pair.matches(), pair.matches() - adjacent)
}

/// The most matches that directly follow a match in both sentences: each saves a chunk.
fn most_adjacent(pair: &Pair) -> u32 {
    let affordable = BUDGET / pair.cost().max(1);
    if affordable < NARROW {
        return greedy(pair);
    }
    let Outcome { adjacent, exact } = search(pair, NARROW, None);
    if exact || adjacent == pair.bound(0) {
        return adjacent;
    }
    search(pair, affordable.min(WIDE), Some(adjacent)).adjacent
}

#[cfg(test)]
mod tests;
