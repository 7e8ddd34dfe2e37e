//! Which parents edges may have: the best arcs of all, with a least and a most number for each
//! child (Gimpel & Smith 2011, "parent ranking"). The root is always one and does not count.

use super::arcs::{ArcTable, LEFT, RIGHT, followers};
use super::graph::Lattice;
use super::paths::Paths;
use super::settings::LatticeSettings;
use crate::decode::clock::Clock;

/// A possible parent.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    score: f32,
    child: u32,
    parent: u32,
}

impl Candidate {
    /// The best first; of equal ones that with the lower numbers.
    fn order(&self, other: &Candidate) -> std::cmp::Ordering {
        let score = other.score.total_cmp(&self.score);
        score.then((self.child, self.parent).cmp(&(other.child, other.parent)))
    }
}

/// Bytes that ranking takes: of two edges at most one comes before the other.
pub fn size(edges: usize) -> usize {
    edges * edges * (1 + size_of::<Candidate>())
}

/// Keeps the arcs that the settings leave; false if time was up before.
pub fn rank(
    lattice: &Lattice,
    paths: &Paths,
    arcs: &mut ArcTable,
    settings: &LatticeSettings,
    clock: Clock<'_>,
) -> bool {
    let edges = lattice.edges.len();
    if settings.parents_mean == 0 {
        return true;
    }
    let Some(candidates) = candidates(lattice, paths, arcs, clock) else { return false };
    let mut kept = vec![0; edges * edges];
    let mut keep = |it: &Candidate| match it.parent < it.child {
        true => kept[it.parent as usize * edges + it.child as usize] |= RIGHT,
        false => kept[it.child as usize * edges + it.parent as usize] |= LEFT,
    };
    let (least, most) = (settings.parents_least, settings.parents_most);
    let (mut wanted, mut others) = (settings.parents_mean * edges, Vec::new());
    for mut parents in candidates {
        if clock.is_up() {
            return false;
        }
        parents.sort_unstable_by(Candidate::order);
        parents.truncate(most);
        let sure = least.min(parents.len());
        parents[..sure].iter().for_each(&mut keep);
        wanted = wanted.saturating_sub(sure);
        others.extend_from_slice(&parents[sure..]);
    }
    if wanted < others.len() {
        others.select_nth_unstable_by(wanted, Candidate::order);
        others.truncate(wanted);
    }
    others.iter().for_each(keep);
    arcs.keep(kept);
    true
}

/// For each edge its possible parents; none if time was up before.
fn candidates(
    lattice: &Lattice,
    paths: &Paths,
    arcs: &ArcTable,
    clock: Clock<'_>,
) -> Option<Vec<Vec<Candidate>>> {
    let mut found = vec![Vec::new(); lattice.edges.len()];
    for one in 0..lattice.edges.len() {
        if clock.is_up() {
            return None;
        }
        for other in followers(lattice, paths, one) {
            let (right, left) = arcs.pair(one, other);
            let candidate = |score, child: usize, parent: usize| {
                let (child, parent) = (child as u32, parent as u32);
                Candidate { score, child, parent }
            };
            found[other].push(candidate(right, other, one));
            found[one].push(candidate(left, one, other));
        }
    }
    Some(found)
}
