//! Taggers and dependency parsers: trained from treebanks, saved, and asked for trees, for the
//! best few of them, or for the score of a single arc.

pub mod dmv;
pub mod graph;
mod hash;
mod kind;
mod labels;
mod multiclass;
mod parser;
pub mod pcfg;
mod run;
mod significance;
pub mod tag;
pub mod transition;
mod tree_parser;
mod treebank;
#[cfg(test)]
mod wrong_values;

pub use kind::ParserKind;
pub use labels::Labeller;
pub use parser::{Parser, Ranked, Training};
pub use run::{bracket_lines, parse_lines};
pub use significance::randomisation;
pub use tree_parser::{MOST_WORDS, Parsed, TreeParser, Unknown};
pub use treebank::{Example, LeftOut, Source, Treebank};
