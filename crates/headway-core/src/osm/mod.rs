//! The operation sequence model (Durrani et al. 2011, 2013): an aligned sentence pair is a sequence
//! of operations, which an n-gram model scores.
//!
//! The target is made from left to right. An operation translates a cept (source words with the
//! target words that they are linked to), adds or drops a word without links, or moves on the
//! source side: it leaves a gap, jumps back to one, or jumps forward behind all that was
//! translated. `story` tells what is translated in which order, `moves` what happens in between,
//! and `spelling` writes operations as words, so that any n-gram model can be estimated of them.
//!
//! A phrase is told as a sentence is, from where the phrases before it stopped. That is the same
//! for its aligned words; a word without links at the beginning of a phrase is dropped there, in a
//! sentence right after the word before it.

mod convert;
mod model;
mod moves;
mod spelling;
mod story;

pub use convert::{Report, convert};
pub use model::{ClassOperations, OperationModel, class_of};
pub use moves::{Move, Place, gaps};
pub use spelling::{CONTINUE, IDENTICAL, Spelling};
pub use story::{Act, Cept, Story};
