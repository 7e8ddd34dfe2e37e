//! The graph-based parser of Galley & Manning (2009) and McDonald et al. (2005): every arc has
//! a score of its own, weights are learnt by MIRA, and a search finds the best tree.

mod beside;
mod between;
mod blocks;
mod compact;
mod eisner;
mod explain;
mod far;
mod features;
mod input;
mod kbest;
mod local;
mod matrix;
mod mira;
mod model;
mod mst;
mod near;
mod probability;
mod recent;
mod rich;
mod scorer;
mod search;
mod second;
mod spanning_kbest;
mod train;
mod weights;
mod windows;

pub use between::Between;
pub use eisner::eisner;
pub use explain::Feature;
pub use far::{LastTags, Place, Words};
pub use features::{FeatureSet, Templates};
pub use input::{Input, Token};
pub use kbest::projective_kbest;
pub use local::local_heads;
pub use matrix::ArcScores;
pub use mira::{Constraint, hildreth};
pub use model::{GraphModel, Numbering};
pub use mst::spanning_tree;
pub use probability::probabilities;
pub use scorer::{ItemId, Scorer};
pub use search::Search;
pub use spanning_kbest::spanning_kbest;
pub use train::{GraphTraining, Update};
