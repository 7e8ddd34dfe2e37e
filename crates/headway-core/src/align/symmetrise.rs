//! One alignment out of two directional ones (Och & Ney 2003; Koehn, Och & Marcu 2003).
//!
//! Every heuristic starts from the intersection and never leaves the union.

use super::Alignment;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symmetrisation {
    Intersection,
    Union,
    GrowDiag,
    GrowDiagFinal,
    GrowDiagFinalAnd,
}

const NEIGHBOURS: [(i64, i64); 8] =
    [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1)];

impl Symmetrisation {
    pub const ALL: [(&'static str, Symmetrisation); 5] = [
        ("intersection", Symmetrisation::Intersection),
        ("union", Symmetrisation::Union),
        ("grow-diag", Symmetrisation::GrowDiag),
        ("grow-diag-final", Symmetrisation::GrowDiagFinal),
        ("grow-diag-final-and", Symmetrisation::GrowDiagFinalAnd),
    ];

    /// Joins two alignments of the same pair, both given as source–target links.
    pub fn join(self, forward: &Alignment, backward: &Alignment) -> Alignment {
        let mut growing = Growing::new(forward, backward);
        match self {
            Symmetrisation::Intersection => {}
            Symmetrisation::Union => growing.chosen.fill(true),
            Symmetrisation::GrowDiag => growing.grow_diag(),
            Symmetrisation::GrowDiagFinal => {
                growing.grow_diag();
                growing.add_final(forward, Growing::has_free_side);
                growing.add_final(backward, Growing::has_free_side);
            }
            Symmetrisation::GrowDiagFinalAnd => {
                growing.grow_diag();
                growing.add_final(forward, Growing::is_free);
                growing.add_final(backward, Growing::is_free);
            }
        }
        growing.finish()
    }
}

/// The links of the union in order, and which of them are chosen so far.
struct Growing {
    union: Vec<(u32, u32)>,
    chosen: Vec<bool>,
    source_aligned: Vec<bool>,
    target_aligned: Vec<bool>,
}

impl Growing {
    fn new(forward: &Alignment, backward: &Alignment) -> Self {
        let union = [forward.links(), backward.links()].concat();
        let union = Alignment::new(union).links().to_vec();
        let sources = union.iter().map(|link| link.0 as usize + 1).max().unwrap_or(0);
        let targets = union.iter().map(|link| link.1 as usize + 1).max().unwrap_or(0);
        let mut growing = Growing {
            chosen: vec![false; union.len()],
            union,
            source_aligned: vec![false; sources],
            target_aligned: vec![false; targets],
        };
        for index in 0..growing.union.len() {
            let (source, target) = growing.union[index];
            if forward.contains(source, target) && backward.contains(source, target) {
                growing.choose(index);
            }
        }
        growing
    }

    fn choose(&mut self, index: usize) {
        let (source, target) = self.union[index];
        self.chosen[index] = true;
        self.source_aligned[source as usize] = true;
        self.target_aligned[target as usize] = true;
    }

    fn has_free_side(&self, (source, target): (u32, u32)) -> bool {
        !self.source_aligned[source as usize] || !self.target_aligned[target as usize]
    }

    fn is_free(&self, (source, target): (u32, u32)) -> bool {
        !self.source_aligned[source as usize] && !self.target_aligned[target as usize]
    }

    fn grow_diag(&mut self) {
        let mut added = true;
        while added {
            added = false;
            for index in 0..self.union.len() {
                // A link chosen earlier in this very pass already counts, as in the original.
                if self.chosen[index] {
                    added |= self.grow_around(index);
                }
            }
        }
    }

    fn grow_around(&mut self, index: usize) -> bool {
        let (source, target) = self.union[index];
        let mut added = false;
        for (down, right) in NEIGHBOURS {
            let Ok(source) = u32::try_from(i64::from(source) + down) else { continue };
            let Ok(target) = u32::try_from(i64::from(target) + right) else { continue };
            let Ok(neighbour) = self.union.binary_search(&(source, target)) else { continue };
            if !self.chosen[neighbour] && self.has_free_side((source, target)) {
                self.choose(neighbour);
                added = true;
            }
        }
        added
    }

    fn add_final(&mut self, from: &Alignment, may: impl Fn(&Self, (u32, u32)) -> bool) {
        for &link in from.links() {
            if may(self, link)
                && let Ok(index) = self.union.binary_search(&link)
            {
                self.choose(index);
            }
        }
    }

    fn finish(self) -> Alignment {
        let links = self.union.into_iter().zip(self.chosen);
        Alignment::new(links.filter(|&(_, chosen)| chosen).map(|(link, _)| link).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_heuristic_lies_between_intersection_and_union(
            forward in prop::collection::vec((0_u32..6, 0_u32..6), 0..12),
            backward in prop::collection::vec((0_u32..6, 0_u32..6), 0..12),
        ) {
            let (forward, backward) = (Alignment::new(forward), Alignment::new(backward));
            let least = Symmetrisation::Intersection.join(&forward, &backward);
            let most = Symmetrisation::Union.join(&forward, &backward);
            for (_, kind) in Symmetrisation::ALL {
                let joined = kind.join(&forward, &backward);
                for &(source, target) in least.links() {
                    prop_assert!(joined.contains(source, target));
                }
                for &(source, target) in joined.links() {
                    prop_assert!(most.contains(source, target));
                }
                prop_assert_eq!(kind.join(&forward, &forward), forward.clone());
            }
        }
    }
}
