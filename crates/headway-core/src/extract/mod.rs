//! From aligned sentence pairs to translation rules with their scores.

mod bits;
mod buffer;
mod code;
mod merge;
mod options;
mod orientation;
mod pair;
mod phrases;
mod rules;
mod runs;
mod scratch;
mod shape;

pub use options::{
    Edges, Kind, Neighbours, Options, Phrasal, PhraseLimits, Reordering, RuleLimits, Significance,
    Smoothing, TreeOptions,
};
