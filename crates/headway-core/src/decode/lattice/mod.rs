//! Lattice parsing (Gimpel & Smith 2011): the phrase lattice of a coarse search, and the best path
//! through it together with a projective dependency tree over its phrases.
//!
//! `clean` makes a lattice of a pruned forest, `units` and `arcs` score what may depend on what,
//! `chart` finds the best tree of every part, all of them or (`agenda`) the most promising first,
//! and `extract` turns what was found into a forest. `string_to_tree`, `tree_to_tree` and
//! `target_tree` are the features.

mod agenda;
mod arcs;
mod chart;
mod clean;
mod decoder;
mod derive;
mod extract;
mod forest;
mod graph;
mod item;
mod max_plus;
mod outside;
mod parents;
mod paths;
mod sentence;
mod settings;
mod string_to_tree;
mod target_tree;
#[cfg(test)]
mod tests;
mod tree_to_tree;
mod units;

pub use arcs::{Arc, ArcFeature, ArcScorer};
pub use decoder::{COARSE, CoarseWeights, Decoder};
pub use settings::{LatticeSettings, Parsing};
pub use units::Unit;

use super::registry::Registered;

pub const TARGET_TREE: Registered = target_tree::REGISTERED;
pub const STRING_TO_TREE: Registered = string_to_tree::REGISTERED;
pub const TREE_TO_TREE: Registered = tree_to_tree::REGISTERED;
