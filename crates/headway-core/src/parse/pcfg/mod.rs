//! A parser of Penn brackets: a context-free grammar whose symbols are split into variants that
//! EM finds (Petrov et al. 2006), parsed from coarse to fine (Petrov & Klein 2007).

mod bank;
mod binarise;
mod binary;
mod chains;
mod coarse;
mod decode;
mod expect;
mod fine;
mod grammar;
mod kept;
mod learn;
mod level;
mod lexicon;
mod parser;
mod rows;
mod sample;
mod search;
mod shape;
mod split;
mod store;
mod symbols;
#[cfg(test)]
mod tests;
mod train;

pub use bank::BracketBank;
pub use binarise::Memory;
pub use decode::Objective;
pub use learn::Refinement;
pub use lexicon::WordSettings;
pub use parser::PcfgParser;
pub use train::{PcfgTraining, SearchSettings};
