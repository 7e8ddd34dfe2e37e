//! The rule table: phrase pairs, Hiero rules and string-to-dependency rules as one record.

mod alike;
mod filter;
mod frequency;
pub mod moses;
mod open;
mod packed;
mod rule;
mod sort;
mod store;

pub use filter::Matches;
pub use open::{RuleTable, ScoredRule, Sources};
pub use packed::Words;
pub use rule::{
    Counts, FLOOR, Feature, GENERIC_LABEL, Header, REORDERING_PREFIX, Rule, RuleSink, Scale,
    Structure, StructureKind, Symbol, TRANSLATION_FEATURES,
};
pub use store::{Facts, NodeId, TableWriter};
