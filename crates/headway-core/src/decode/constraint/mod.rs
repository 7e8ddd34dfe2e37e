//! What a caller asks of a translation: words that stand for others, words that stay together,
//! places that no word crosses. `restrictions` is what that leaves to search.

mod check;
mod order;
mod restrictions;

use std::ops::Range;

pub use check::check;
pub use order::Shape;
pub use restrictions::Restrictions;

/// What a translation has to obey.
#[derive(Debug, Clone, PartialEq)]
pub enum Constraint {
    Forced(Forced),
    /// The words of a span are translated one after the other, without any other between them.
    Zone(Range<u32>),
    /// Words before this place are translated before those behind it: all of them, or those of
    /// the smallest zone that the place is inside of.
    Wall(u32),
}

/// The source words of a span become these words.
#[derive(Debug, Clone, PartialEq)]
pub struct Forced {
    pub span: Range<u32>,
    pub target: Vec<String>,
    pub force: Force,
    /// The logarithm of its probability, where it competes.
    pub score: f64,
}

/// What a forced translation leaves to the rule table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Force {
    /// Nothing.
    Exclusive,
    /// All: both compete.
    Inclusive,
    /// Rules that translate the whole span, and whose target side has these words.
    Within,
}

impl Constraint {
    /// The words that it is about; of a wall those before it.
    pub fn span(&self) -> Range<u32> {
        match self {
            Constraint::Forced(Forced { span, .. }) | Constraint::Zone(span) => span.clone(),
            Constraint::Wall(at) => 0..*at,
        }
    }
}

/// Whether two spans share a word.
pub fn overlap(one: &Range<u32>, other: &Range<u32>) -> bool {
    one.start < other.end && other.start < one.end
}

/// Whether two spans share a word and neither holds the other.
pub fn cross(one: &Range<u32>, other: &Range<u32>) -> bool {
    overlap(one, other) && !holds(one, other) && !holds(other, one)
}

/// Whether the first holds the second.
pub fn holds(outer: &Range<u32>, inner: &Range<u32>) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}
