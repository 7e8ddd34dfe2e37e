//! Trees: dependency trees and what is asked of them, and the files they come in.
//!
//! Words are numbered from 1, as in CoNLL-U and in the papers; head 0 means that a word is a
//! root. A span `first..=last` has both its ends in it.

mod census;
mod children;
pub mod conllu;
mod dependency;
mod heads;
mod licensed;
pub mod penn;
mod projective;
mod range_min;
mod repair;
mod spans;
pub mod structure;
mod subtrees;
mod topology;

pub use census::{Census, Found};
pub use dependency::DependencyTree;
pub use heads::Heads;
pub use licensed::Licences;
pub use penn::ConstituentTree;
pub use projective::projectivise;
#[cfg(test)]
pub use projective::tests::random_tree;
pub use repair::{Repaired, repair};
pub use spans::{Spans, Structure};
pub use subtrees::Subtrees;
pub use topology::Topology;
