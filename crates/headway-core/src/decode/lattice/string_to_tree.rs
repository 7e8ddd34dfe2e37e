//! String-to-tree configurations (Gimpel & Smith 2011, §4.2): on which side of its parent a phrase
//! hangs, and whether the two keep the order of the source.

use super::arcs::{Arc, ArcFeature, ArcScorer};
use super::units::Unit;
use crate::decode::feature::Feature;
use crate::decode::registry::Registered;
use crate::decode::source::Source;

/// The features' family.
const FAMILY: &str = "string-to-tree";

/// Counts of the attachments of a tree.
pub const REGISTERED: Registered = Registered {
    model: "rules",
    searches: &["lattice"],
    families: &[FAMILY],
    settings: &["string_to_tree"],
    joining: None,
    trees: true,
    exact: true,
    make: |_, search| {
        Ok(search.lattice.string_to_tree.then(|| Box::new(StringToTree) as Box<dyn Feature>))
    },
};

pub struct StringToTree;

impl Feature for StringToTree {
    fn names(&self) -> Vec<String> {
        let names = ["left-same", "left-swapped", "right-same", "right-swapped"];
        names.map(|name| format!("{FAMILY}.{name}")).to_vec()
    }

    fn arcs(&self) -> Option<&dyn ArcFeature> {
        Some(self)
    }
}

impl ArcFeature for StringToTree {
    fn begin<'a>(&'a self, _: &'a Source, units: &'a [Unit<'a>]) -> Box<dyn ArcScorer + 'a> {
        Box::new(Sides { units })
    }
}

struct Sides<'a> {
    units: &'a [Unit<'a>],
}

impl ArcScorer for Sides<'_> {
    fn arc(&mut self, arc: Arc, values: &mut [f32]) {
        if let Some(parent) = arc.parent {
            let swapped = is_swapped(self.units, arc, parent);
            values[2 * usize::from(!arc.left) + usize::from(swapped)] = 1.0;
        }
    }
}

/// Whether a child and its parent stand in the source the other way round.
pub fn is_swapped(units: &[Unit<'_>], arc: Arc, parent: u32) -> bool {
    let start = |unit: u32| units[unit as usize].source.start;
    (start(arc.child) < start(parent)) != arc.left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::feature::SourceSpan;

    #[test]
    fn sides_and_orders_are_counted() {
        let unit = |start| Unit { source: SourceSpan { start, end: start + 1 }, words: vec!["x"] };
        let units = [unit(0), unit(1)];
        let mut sides = Sides { units: &units };
        let mut values = |parent, child, left| {
            let mut values = [0.0; 4];
            sides.arc(Arc { parent, child, left }, &mut values);
            values
        };
        assert_eq!(values(Some(1), 0, true), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(values(Some(0), 1, true), [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(values(Some(0), 1, false), [0.0, 0.0, 1.0, 0.0]);
        assert_eq!(values(Some(1), 0, false), [0.0, 0.0, 0.0, 1.0]);
        assert_eq!(values(None, 0, false), [0.0; 4]);
    }
}
