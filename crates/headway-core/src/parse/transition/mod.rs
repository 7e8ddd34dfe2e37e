//! Transition-based parsers: a tree is built in a row of small steps, each chosen by a linear
//! model that looks at what stands around (Nivre 2008).
//!
//! Arc-eager steps with a dynamic oracle (Goldberg & Nivre 2012) give projective trees;
//! arc-standard steps with swaps (Nivre 2009) give any tree.

mod beam;
mod features;
mod gold;
mod greedy;
mod moves;
mod oracle;
mod parser;
mod state;
mod swap_oracle;
mod system;
mod train;

pub use parser::{TransitionParser, TransitionSetup};
pub use system::System;
pub use train::TransitionTraining;
