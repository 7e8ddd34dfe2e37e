//! Parsers: one class for each kind, above the class of what they share.

mod base;
mod dmv;
mod graph;
mod pcfg;
mod training;
mod transition;

pub use base::BaseParser;
pub use dmv::DmvParser;
pub use graph::{GraphParser, best_heads, randomisation};
pub use pcfg::PcfgParser;
pub use training::{load_parser, train_parser};
pub use transition::TransitionParser;
