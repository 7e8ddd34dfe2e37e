//! The best derivation under linear n-gram gains: Viterbi over a forest whose nodes are split by
//! n-gram states, as far as these are reached.

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::expected::Expected;
use super::gain::{Gain, LinearGains};
use super::grams::{Units, ending, tail};
use super::lean::{Lean, LeanEdge, Numbers, Part};
use crate::Result;
use crate::forest::{EdgeId, Forest};

/// Edges and states of a node that `safest_derivation` looks at.
const EDGES: usize = 300;
const STATES: usize = 8;
const NEGLIGIBLE: f64 = 1e-3;

type Ranks = SmallVec<[u32; 2]>;

/// The rank of a tail that yields no words, of which only scores count.
const SILENT: u32 = u32::MAX;

/// The best way to make a node with these units at its ends; `last` is empty where `first` is the
/// whole side.
#[derive(Debug, Clone)]
struct State {
    first: Units,
    last: Units,
    whole: bool,
    gain: f64,
    edge: u32,
    ranks: Ranks,
}

/// The gain of the best derivation and its edges, each before those of its tails. With at least
/// as many `states` as a node has it is exact; otherwise each node keeps its best ones.
pub fn safest(lean: &Lean, gains: &LinearGains<'_>, states: usize) -> Option<(f64, Vec<EdgeId>)> {
    let silent = silent(lean, gains.per_score);
    let mut nodes: Vec<Vec<State>> = Vec::with_capacity(lean.nodes.len());
    for edges in &lean.nodes {
        let mut found = Vec::new();
        for (place, edge) in edges.iter().enumerate() {
            for ranks in all_ranks(edge, &nodes) {
                found.push(grown(edge, place as u32, ranks, (&nodes, &silent), gains));
            }
        }
        nodes.push(best_of_each(found, states.max(1)));
    }
    let goal = nodes.last()?;
    let best = (0..goal.len()).reduce(|a, b| if goal[b].gain > goal[a].gain { b } else { a })?;
    let (mut edges, mut open) = (Vec::new(), vec![(nodes.len() - 1, best as u32)]);
    while let Some((node, rank)) = open.pop() {
        let state = nodes[node].get(rank as usize);
        let edge = state.map_or(silent[node].1, |state| state.edge as usize);
        edges.push(lean.origin(node, edge));
        let tails = lean.nodes[node][edge].tails.iter().enumerate().rev();
        let rank = |at: usize| state.map_or(SILENT, |state| state.ranks[at]);
        open.extend(tails.map(|(at, &tail)| (tail as usize, rank(at))));
    }
    Some((goal[best].gain, edges))
}

/// For each node the best that scores alone can make of it, and by which edge.
fn silent(lean: &Lean, per_score: f64) -> Vec<(f64, usize)> {
    let mut best: Vec<(f64, usize)> = Vec::with_capacity(lean.nodes.len());
    for edges in &lean.nodes {
        let gain = |edge: &LeanEdge| {
            let below: f64 = edge.tails.iter().map(|&tail| best[tail as usize].0).sum();
            edge.score * per_score + below
        };
        let gains = edges.iter().map(gain).enumerate().map(|(place, gain)| (gain, place));
        let chosen = gains.reduce(|a, b| if b.0 > a.0 { b } else { a });
        best.push(chosen.unwrap_or((f64::NEG_INFINITY, 0)));
    }
    best
}

/// Every choice of a state for each tail, lower ranks first.
fn all_ranks(edge: &LeanEdge, nodes: &[Vec<State>]) -> Vec<Ranks> {
    let mut all = vec![Ranks::new()];
    for (slot, &tail) in edge.tails.iter().enumerate() {
        let states = match edge.says(slot) {
            true => 0..nodes[tail as usize].len() as u32,
            false => SILENT..SILENT,
        };
        if states.is_empty() {
            all.iter_mut().for_each(|ranks| ranks.push(SILENT));
            continue;
        }
        all = all
            .into_iter()
            .flat_map(|ranks| {
                states.clone().map(move |rank| {
                    let mut ranks = ranks.clone();
                    ranks.push(rank);
                    ranks
                })
            })
            .collect();
    }
    all
}

/// What an edge makes of states of its tails.
fn grown(
    edge: &LeanEdge,
    place: u32,
    ranks: Ranks,
    (nodes, silent): (&[Vec<State>], &[(f64, usize)]),
    gains: &LinearGains<'_>,
) -> State {
    let most = gains.order() - 1;
    let below = |slot: usize| &nodes[edge.tails[slot] as usize][ranks[slot] as usize];
    let mut gain = edge.score * gains.per_score;
    for (&tail, &rank) in edge.tails.iter().zip(&ranks) {
        let own = nodes[tail as usize].get(rank as usize);
        gain += own.map_or(silent[tail as usize].0, |state| state.gain);
    }
    let (mut first, mut last, mut whole) = (Units::new(), Units::new(), true);
    for &part in &edge.parts {
        let own = match &part {
            Part::Unit(unit) => std::slice::from_ref(unit),
            Part::Slot(slot) => &below(*slot as usize).first[..],
        };
        let is_slot = matches!(part, Part::Slot(_));
        for (inside, &unit) in own.iter().enumerate() {
            let from = if is_slot { inside + 1 } else { 0 };
            let mut length = from;
            ending(&last, unit, most + 1, from, |gram| {
                length += 1;
                gain += gains.of(gram, length);
            });
            gain += if is_slot { 0.0 } else { gains.per_unit };
            push(&mut last, unit, most);
            if first.len() < most {
                first.push(unit);
            }
        }
        if let Part::Slot(slot) = part {
            let state = below(slot as usize);
            if !state.whole {
                last.clone_from(&state.last);
                whole = false;
            }
        }
        whole = whole && last.len() < most;
    }
    State { first, last, whole, gain, edge: place, ranks }
}

fn push(units: &mut Units, unit: u32, most: usize) {
    units.push(unit);
    let kept: Units = tail(units, most).iter().copied().collect();
    *units = kept;
}

/// The best of those with equal ends, best first, at most so many; of equal ones the first.
fn best_of_each(mut found: Vec<State>, states: usize) -> Vec<State> {
    let ends = |a: &State, b: &State| -> Ordering {
        a.whole.cmp(&b.whole).then_with(|| a.first.cmp(&b.first)).then_with(|| a.last.cmp(&b.last))
    };
    let better = |a: &State, b: &State| b.gain.total_cmp(&a.gain);
    found.sort_by(|a, b| ends(a, b).then_with(|| better(a, b)));
    found.dedup_by(|next, kept| ends(next, kept) == Ordering::Equal);
    found.sort_by(better);
    found.truncate(states);
    found
}

/// The derivation of a forest with the highest linear gain; none of a forest without any.
pub fn safest_derivation(forest: &Forest, scale: f64, gain: Gain) -> Result<Option<Vec<EdgeId>>> {
    let mut numbers = Numbers::default();
    let mut lean = Lean::of_forest(forest, scale, EDGES, &mut numbers)?;
    if gain == Gain::Chrf {
        lean = lean.spelt(&numbers);
    }
    let expected = Expected::of(&lean, gain.order(), NEGLIGIBLE);
    let gains = LinearGains::new(gain, &expected);
    Ok(safest(&lean, &gains, STATES).map(|(_, edges)| edges))
}
