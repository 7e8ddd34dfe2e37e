//! Search with hierarchical rules (Chiang 2007): charts over source spans, cube pruning.
//!
//! Rules with at most two slots make items of spans up to a limit; from left to right these are
//! put side by side by glue. `matching` finds the rules of a span, `states` joins language model
//! states by number, `cube` fills a span, `search` goes through a sentence, twice: `focus` says
//! how long to look at each span.
//!
//! With target trees (Shen, Xu & Weischedel 2010), `trees` joins structures and scores them,
//! `plan` and `program` say how a rule joins those in its slots, `pieces` numbers them.

mod arena;
mod cube;
mod decoder;
mod derive;
mod focus;
mod forest;
mod grow;
mod matching;
mod pieces;
mod plan;
mod program;
mod rule;
mod search;
mod states;
mod trees;

pub use decoder::Decoder;
pub use rule::RuleSet;
pub use trees::{TreeModel, names};
