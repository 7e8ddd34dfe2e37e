//! What the target sides below a node begin and end with: the n-gram states of consensus.
//!
//! Sides of fewer than n−1 units are known whole. Of longer ones beginnings and ends are kept
//! apart: no n-gram reaches from before such a side to behind it, so their joint distribution is
//! not needed, and there are far fewer states than in an intersection with n-grams.

use super::grams::{Units, tail};
use super::lean::{Lean, LeanEdge, Part};

/// Sequences of units with probabilities that add up to at most 1.
pub type Chances = Vec<(Units, f64)>;

/// Of one node, given that a derivation uses it.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    /// Whole sides of fewer than n−1 units.
    pub short: Chances,
    /// The first and the last n−1 units of longer ones.
    pub first: Chances,
    pub last: Chances,
}

/// Of all nodes; what is less probable than `negligible` is left out.
pub fn bounds(lean: &Lean, shares: &[Vec<f64>], order: usize, negligible: f64) -> Vec<Bounds> {
    let mut found: Vec<Bounds> = Vec::with_capacity(lean.nodes.len());
    for (edges, shares) in lean.nodes.iter().zip(shares) {
        let mut node = Bounds::default();
        for (edge, &share) in edges.iter().zip(shares).filter(|(_, share)| **share > negligible) {
            let forward = edge.parts.iter().copied();
            let (short, first) = grown(edge, forward, &found, order - 1, share, false);
            let backward = edge.parts.iter().rev().copied();
            let (_, last) = grown(edge, backward, &found, order - 1, share, true);
            node.short.extend(short);
            node.first.extend(first);
            node.last.extend(last);
        }
        for chances in [&mut node.short, &mut node.first, &mut node.last] {
            merge(chances, negligible);
        }
        found.push(node);
    }
    found
}

/// Sequences that are whole, and those that have grown to `most` units. Backward ones are turned
/// round at the end.
fn grown(
    edge: &LeanEdge,
    parts: impl Iterator<Item = Part>,
    bounds: &[Bounds],
    most: usize,
    share: f64,
    backward: bool,
) -> (Chances, Chances) {
    let mut open: Chances = vec![(Units::new(), share)];
    let mut full = Chances::new();
    for part in parts {
        let mut next = Chances::new();
        for (units, chance) in open {
            let mut add = |more: &[u32], chance: f64| {
                let mut units = units.clone();
                let own = more.iter().copied();
                match backward {
                    false => units.extend(own.take(most - units.len())),
                    true => units.extend(own.rev().take(most - units.len())),
                }
                match units.len() < most {
                    true => next.push((units, chance)),
                    false => full.push((units, chance)),
                }
            };
            match part {
                Part::Unit(unit) => add(&[unit], chance),
                Part::Slot(slot) => {
                    let below = &bounds[edge.tails[slot as usize] as usize];
                    let long = if backward { &below.last } else { &below.first };
                    for (more, other) in below.short.iter().chain(long) {
                        add(more, chance * other);
                    }
                }
            }
        }
        open = next;
        if open.is_empty() {
            break;
        }
    }
    if backward {
        full.iter_mut().for_each(|(units, _)| units.reverse());
    }
    (open, full)
}

/// Joins equal sequences, in the order of sequences.
pub fn merge(chances: &mut Chances, negligible: f64) {
    if chances.len() > 1 {
        chances.sort_by(|a, b| a.0.cmp(&b.0));
        chances.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
    }
    chances.retain(|(_, chance)| *chance > negligible);
}

/// The ends of a context and what follows it, at most so many units.
pub fn joined(context: &[u32], more: &[u32], most: usize) -> Units {
    let whole: Units = context.iter().chain(more).copied().collect();
    tail(&whole, most).iter().copied().collect()
}
