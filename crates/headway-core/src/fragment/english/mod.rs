//! The English side: forms of words, then their order and their tree.

mod pronoun;
mod verb;

pub use verb::EnglishVerb;
