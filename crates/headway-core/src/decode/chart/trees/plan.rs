//! In which order the structure of a rule's target side is joined.

use crate::table::{Structure, StructureKind};
use crate::tree::structure::Operation;

/// A step over a pile of structures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Puts the target symbol at this place on the pile.
    Symbol(u8),
    /// Joins the upper two; see `ordered`.
    Join(Operation),
}

/// Left and right of two structures on a pile: the upper one is the left one where it adjoins
/// to the right.
pub fn ordered<T>(operation: Operation, below: T, above: T) -> (T, T) {
    if operation == Operation::LeftAdjoin { (above, below) } else { (below, above) }
}

/// Each head with its children, the nearest first, left ones before right ones; then what hangs
/// from outside, from left to right. None where heads run in circles, cross, or do not fit.
pub fn plan(structure: &Structure, symbols: usize) -> Option<Vec<Plan>> {
    if structure.heads.len() != symbols || symbols > usize::from(u8::MAX) {
        return None;
    }
    let mut planner = Planner { heads: &structure.heads, steps: Vec::with_capacity(2 * symbols) };
    let roots = planner.children(0);
    let operation = match structure.kind {
        StructureKind::Fixed(_) if roots.len() > 1 => return None,
        StructureKind::FloatingRight => Operation::RightConcatenate,
        _ => Operation::LeftConcatenate,
    };
    let mut end = 0;
    for (number, &root) in roots.iter().enumerate() {
        let span = planner.subtree(root)?;
        if span.0 != end {
            return None;
        }
        end = span.1;
        if number > 0 {
            planner.steps.push(Plan::Join(operation));
        }
    }
    // Symbols of a circle hang from no root.
    (end == symbols && symbols > 0).then_some(planner.steps)
}

struct Planner<'a> {
    heads: &'a [u8],
    steps: Vec<Plan>,
}

impl Planner<'_> {
    /// The places of symbols with this head, plus one; 0 is outside.
    fn children(&self, head: usize) -> Vec<usize> {
        let heads = self.heads.iter().enumerate();
        heads.filter(|(_, own)| usize::from(**own) == head).map(|(place, _)| place).collect()
    }

    /// A symbol with all below it; answers where that begins and ends.
    fn subtree(&mut self, place: usize) -> Option<(usize, usize)> {
        self.steps.push(Plan::Symbol(place as u8));
        let (mut start, mut end) = (place, place + 1);
        let children = self.children(place + 1);
        for &child in children.iter().rev().filter(|child| **child < place) {
            let span = self.subtree(child)?;
            if span.1 != start {
                return None;
            }
            start = span.0;
            self.steps.push(Plan::Join(Operation::LeftAdjoin));
        }
        for &child in children.iter().filter(|child| **child > place) {
            let span = self.subtree(child)?;
            if span.0 != end {
                return None;
            }
            end = span.1;
            self.steps.push(Plan::Join(Operation::RightAdjoin));
        }
        Some((start, end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WordId;
    use Operation::{LeftAdjoin, LeftConcatenate, RightAdjoin};
    use Plan::{Join, Symbol};

    fn structure(kind: StructureKind, heads: &[u8]) -> Structure {
        Structure { kind, heads: heads.to_vec(), label: WordId(0), slot_labels: Vec::new() }
    }

    #[test]
    fn heads_take_the_nearest_children_first() {
        // the boy will find it
        let fixed = structure(StructureKind::Fixed(3), &[2, 4, 4, 0, 4]);
        let left = [Symbol(3), Symbol(2), Join(LeftAdjoin), Symbol(1), Symbol(0)];
        let rest = [Join(LeftAdjoin), Join(LeftAdjoin), Symbol(4), Join(RightAdjoin)];
        assert_eq!(plan(&fixed, 5), Some([&left[..], &rest[..]].concat()));
        let floating = structure(StructureKind::FloatingLeft, &[2, 0, 0]);
        let expected = [Symbol(1), Symbol(0), Join(LeftAdjoin), Symbol(2), Join(LeftConcatenate)];
        assert_eq!(plan(&floating, 3), Some(expected.to_vec()));
    }

    #[test]
    fn what_is_no_structure_has_no_plan() {
        let fixed = |heads: &[u8]| plan(&structure(StructureKind::Fixed(0), heads), heads.len());
        assert_eq!(fixed(&[0, 3, 2]), None, "a circle");
        assert_eq!(fixed(&[1, 0]), None, "its own head");
        assert_eq!(fixed(&[0, 0]), None, "two heads");
        assert_eq!(fixed(&[3, 4, 0, 3]), None, "crossing");
        assert_eq!(fixed(&[0, 9]), None, "a head beyond the end");
        assert_eq!(fixed(&[]), None);
        assert_eq!(plan(&structure(StructureKind::Fixed(0), &[0]), 2), None);
    }
}
