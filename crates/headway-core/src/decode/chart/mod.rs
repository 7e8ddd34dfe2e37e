//! Search with hierarchical rules (Chiang 2007): charts over source spans, cube pruning.
//!
//! Rules with at most two slots make items of spans up to a limit; from left to right these are
//! put side by side by glue. `matching` finds the rules of a span, `states` joins language model
//! states by number, `cube` fills a span, `search` goes through a sentence, twice: `focus` says
//! how long to look at each span. `sentence` goes through the pieces of a long sentence, each of
//! which is read out and forgotten before the next; `entry` is all that the next one knows of it.
//!
//! Features with a state implement `feature`; target trees are the first of them.

mod arena;
mod cube;
mod decoder;
mod derive;
mod drafts;
mod entry;
mod feature;
mod focus;
mod forest;
mod list;
mod matching;
mod restricted;
mod rule;
mod search;
mod sentence;
mod states;
mod trees;

pub use decoder::Decoder;
pub use feature::{
    Applied, ChartFeature, ChartScorer, Meeting, Outcome, Outcomes, OwnWorth, RuleParts, own_kind,
};
pub use trees::REGISTERED as TREES;
