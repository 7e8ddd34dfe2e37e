//! Taggers.
//!
//! The full tagger looks at words on both sides and at the two tags before, and searches for
//! the best sequence. The streaming tagger looks at a word and the three before it, so that a
//! decoder can tag a translation word by word as it grows (Galley & Manning 2009, section 3).

mod features;
mod jackknife;
mod lexicon;
pub mod names;
mod sequence;
mod tagger;
mod train;

pub use jackknife::jackknife;
pub use tagger::{Tagger, TaggerKind, TaggerWord};
pub use train::TaggerTraining;
