//! Trees as Python sees them.

mod census;
mod constituent;
mod dependency;
mod io;
mod partial;
mod repair;
mod sentence;

pub use census::treebank_census;
pub use constituent::ConstituentTree;
pub use dependency::{DependencyTree, Structure};
pub use io::{PennReader, PennWriter, SentenceReader, SentenceWriter, format_named};
pub use partial::PartialStructure;
pub use repair::repair_graphs;
pub use sentence::{Sentence, tags_named};
