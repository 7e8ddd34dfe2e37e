//! Moses' text formats: phrase tables, reordering tables, hierarchical rule tables.

mod join;
mod key;
mod line;
mod read;
mod symbols;
mod write;

pub use join::ReorderingColumns;
pub use read::{MosesTables, Report};
pub use write::MosesWriter;

/// Between the fields of a line.
const BAR: &str = " ||| ";

/// Which of Moses' two table formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// `source words ||| target words ||| …`
    Phrase,
    /// `ein [X][X] [X] ||| a [X][X] [X] ||| …`: slots, and the left-hand side `[X]` at the end.
    Hierarchical,
}
