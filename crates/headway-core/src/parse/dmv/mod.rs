//! Parsing without trees to learn from: the dependency model with valence of Klein & Manning
//! (2004), learnt by EM from the tags of sentences.
//!
//! A head makes dependents outwards on either side. Before each it decides whether to stop,
//! by its tag, the side, and whether it has a dependent there already; then it chooses the tag
//! of the dependent.

mod chart;
mod em;
mod expect;
mod grammar;
mod parser;
mod punctuation;
mod start;

pub use em::{Em, Learnt};
pub use grammar::Grammar;
pub use parser::{DmvParser, DmvTraining, Learning};
