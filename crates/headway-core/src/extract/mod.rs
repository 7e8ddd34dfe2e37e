//! From aligned sentence pairs to translation rules with their scores.

mod bits;
mod code;
mod options;
mod orientation;
mod pair;
mod phrases;

pub use options::{
    Edges, Kind, Neighbours, Options, Phrasal, PhraseLimits, Reordering, RuleLimits, Significance,
    Smoothing, TreeOptions,
};
