//! Lexicalised reordering: which column of the table scores which orientation.

use crate::table::{Feature, REORDERING_PREFIX};
use crate::{Error, Result};

/// How a phrase stands to what was translated before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orientation {
    Monotone,
    Swap,
    Left,
    Right,
}

pub const ORIENTATIONS: usize = 4;

impl Orientation {
    /// Of `current` after `previous`, both from the first word to before the last; what stands
    /// before a sentence ends at 0.
    #[inline]
    pub fn between(previous: (i32, i32), current: (i32, i32)) -> Self {
        if current.0 == previous.1 {
            Orientation::Monotone
        } else if current.1 == previous.0 {
            Orientation::Swap
        } else if current.0 > previous.1 {
            Orientation::Right
        } else {
            Orientation::Left
        }
    }
}

/// Columns by orientation.
pub type Oriented = [usize; ORIENTATIONS];

/// The reordering columns of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reordering {
    /// Scores of a phrase by how it stands to the one before.
    pub backward: Option<Oriented>,
    /// Scores of a phrase by how the next one stands to it.
    pub forward: Option<Oriented>,
}

impl Reordering {
    pub fn of(features: &[Feature]) -> Result<Self> {
        Ok(Reordering {
            backward: columns(features, "backward")?,
            forward: columns(features, "forward")?,
        })
        .and_then(|found| all_used(&found, features).map(|()| found))
    }

    pub fn is_empty(&self) -> bool {
        self.backward.is_none() && self.forward.is_none()
    }
}

pub fn is_reordering(name: &str) -> bool {
    name.starts_with(REORDERING_PREFIX)
}

/// The column for each orientation: its own, or the one it is counted under.
fn columns(features: &[Feature], direction: &str) -> Result<Option<Oriented>> {
    let prefix = format!("{REORDERING_PREFIX}{direction}.");
    if !features.iter().any(|feature| feature.name.starts_with(&prefix)) {
        return Ok(None);
    }
    let find = |names: &[&str]| {
        let column = names.iter().find_map(|name| {
            features.iter().position(|feature| feature.name.strip_prefix(&prefix) == Some(name))
        });
        column.ok_or_else(|| {
            Error::setting(format!("the table has {prefix}… columns, but none for {}", names[0]))
        })
    };
    Ok(Some([
        find(&["monotone"])?,
        find(&["swap", "non-monotone"])?,
        find(&["left", "discontinuous-left", "discontinuous", "non-monotone"])?,
        find(&["right", "discontinuous-right", "discontinuous", "non-monotone"])?,
    ]))
}

fn all_used(found: &Reordering, features: &[Feature]) -> Result<()> {
    let used = |column: usize| {
        [found.backward, found.forward].iter().flatten().any(|columns| columns.contains(&column))
    };
    let mut names = features.iter().enumerate();
    match names.find(|(column, feature)| is_reordering(&feature.name) && !used(*column)) {
        Some((_, feature)) => Err(Error::setting(format!(
            "the table's feature {} is no orientation that is known; expected monotone, swap, \
             discontinuous, left, right or non-monotone, backward or forward",
            feature.name
        ))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(names: &[&str]) -> Vec<Feature> {
        names.iter().map(|name| Feature::probability(*name)).collect()
    }

    #[test]
    fn orientations_find_their_columns() {
        let msd = ["p", "reordering.backward.monotone", "reordering.backward.swap"];
        let msd = [&msd[..], &["reordering.backward.discontinuous"]].concat();
        let found = Reordering::of(&features(&msd)).unwrap();
        assert_eq!((found.backward, found.forward), (Some([1, 2, 3, 3]), None));
        let two = ["reordering.forward.monotone", "reordering.forward.non-monotone"];
        assert_eq!(Reordering::of(&features(&two)).unwrap().forward, Some([0, 1, 1, 1]));
        assert!(Reordering::of(&features(&["reordering.1"])).is_err());
        assert!(Reordering::of(&features(&two[..1])).is_err());
        assert!(Reordering::of(&features(&["p"])).unwrap().is_empty());
    }

    #[test]
    fn the_first_phrase_is_monotone_at_the_start_only() {
        assert_eq!(Orientation::between((-1, 0), (0, 2)), Orientation::Monotone);
        assert_eq!(Orientation::between((-1, 0), (1, 2)), Orientation::Right);
        assert_eq!(Orientation::between((3, 5), (1, 3)), Orientation::Swap);
        assert_eq!(Orientation::between((3, 5), (0, 2)), Orientation::Left);
    }
}
