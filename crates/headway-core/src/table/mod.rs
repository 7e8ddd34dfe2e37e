//! The rule table: phrase pairs, Hiero rules and string-to-dependency rules as one record.

mod rule;

pub use rule::{Header, Rule, RuleSink, Structure, StructureKind, Symbol};
