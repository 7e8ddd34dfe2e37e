//! Search with hierarchical rules (Chiang 2007): charts over source spans, cube pruning.
//!
//! Rules with at most two slots make items of spans up to a limit; from left to right these are
//! put side by side by glue. `matching` finds the rules of a span, `states` joins language model
//! states by number, `cube` fills a span, `search` goes through a sentence, twice: `focus` says
//! how long to look at each span. `sentence` goes through the pieces of a long sentence, each of
//! which is read out and forgotten before the next; `entry` is all that the next one knows of it.
//!
//! With target trees (Shen, Xu & Weischedel 2010), `trees` joins structures and scores them,
//! `plan` and `program` say how a rule joins those in its slots, `pieces` numbers them.

mod arena;
mod cube;
mod decoder;
mod derive;
mod entry;
mod focus;
mod forest;
mod grow;
mod list;
mod matching;
mod pieces;
mod plan;
mod program;
mod rule;
mod search;
mod sentence;
mod states;
mod trees;

pub use decoder::Decoder;
pub use rule::RuleSet;
pub use trees::{TreeModel, names};
