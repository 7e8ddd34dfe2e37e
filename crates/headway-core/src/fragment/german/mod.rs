//! The German side: forms of words, then their order and their tree.

mod adjective;
mod article;
mod noun;
mod pronoun;
mod verb;

pub use verb::{FiniteTense, GermanVerb, Parts};

use crate::fragment::features::{Case, Gender, Number};

/// The cell of a paradigm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    pub gender: Gender,
    pub number: Number,
    pub case: Case,
}
