//! Word alignment: which word of one sentence stands for which word of the other.

mod aligner;
mod bitext;
mod direction;
mod fertility;
mod gold;
mod hmm;
mod ibm1;
mod jumps;
mod lexicon;
mod punctuation;
mod sampler;
mod symmetrise;

pub use crate::text::Alignment;
pub use aligner::{Aligner, Directions, symmetrise};
pub use bitext::{Bitext, Side};
pub use direction::{Direction, ModelKind, Training};
pub use gold::{AlignmentScores, Gold};
pub use punctuation::Kind as WordKind;
pub use sampler::AlignerSampler;
pub use symmetrise::Symmetrisation;
