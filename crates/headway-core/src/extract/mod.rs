//! From aligned sentence pairs to translation rules with their scores.
//!
//! One pass over the pairs turns every rule into a key (`code`) that sorts as rules do; sorted runs
//! of keys (`runs`) are merged in parts (`merge`), and all keys of one source side become rules with
//! counts (`reduce`). Counts of target sides need a second sort, of numbers only (`totals`); then
//! features are complete (`output`).

mod bits;
pub(crate) mod buffer;
mod choice;
pub(crate) mod code;
mod extractor;
mod features;
pub(crate) mod input;
mod lexicon;
pub(crate) mod merge;
mod options;
mod orientation;
mod output;
pub(crate) mod pair;
pub(crate) mod phrases;
mod reduce;
mod rules;
pub(crate) mod runs;
mod shape;
mod significance;
mod smoothing;
pub(crate) mod sorter;
mod totals;
mod worker;

pub use extractor::{Report, extract};
pub use input::Corpus;
pub use options::{
    Edges, Kind, Neighbours, Options, Phrasal, PhraseLimits, Reordering, RuleLimits, Significance,
    Smoothing, Structures, TreeOptions,
};
