//! Well-formed dependency structures, their categories, and the operations on both.
//!
//! Shen, Xu and Weischedel (2010), §4 and §5.6: four operations join neighbouring structures;
//! categories say which joins are defined, and follow what happens to the structures.

mod category;
mod partial;
#[cfg(test)]
mod theorems;

pub use category::Category;
pub use partial::{Link, Partial};

/// The side of a head on which its children stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    Left,
    Right,
}

/// The four ways to combine two neighbouring structures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operation {
    LeftAdjoin,
    RightAdjoin,
    LeftConcatenate,
    RightConcatenate,
}

impl Operation {
    pub const ALL: [(&'static str, Operation); 4] = [
        ("left-adjoin", Operation::LeftAdjoin),
        ("right-adjoin", Operation::RightAdjoin),
        ("left-concatenate", Operation::LeftConcatenate),
        ("right-concatenate", Operation::RightConcatenate),
    ];

    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, known)| *known == self).map_or("", |&(name, _)| name)
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|&(_, operation)| operation)
    }
}
