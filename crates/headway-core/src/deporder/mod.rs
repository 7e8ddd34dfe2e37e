//! The dependency order model (Hunter & Resnik 2010, §3): where dependents stand in the target.
//!
//! P_d(offset | label, governor, dependent) is the probability that the subtree of a dependent
//! begins or ends so many words after (or before) its governor, counted in target-side trees. The
//! search knows only the labels of the source tree, so scores are mixtures over what these labels
//! become: Σ_t P(t | source label) · P_d(offset | t, …), where P(t | source label) is counted in
//! aligned pairs with trees on both sides (§3.4.2).

mod file;
mod given;
mod lexical;
mod links;
mod model;
mod offsets;
mod options;
mod pairs;
mod smoothing;
mod tables;
mod tally;
#[cfg(test)]
mod tests;
mod train;

pub use given::Table;
pub use links::Linked;
pub use model::OrderModel;
pub use offsets::{Dependency, dependencies};
pub use options::{Options, is_punctuation};
pub use pairs::Pairs;
pub use train::{Summary, train};
