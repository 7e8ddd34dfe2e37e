//! The algorithms of headway, without Python in them.
//!
//! Rooms stand in the order of the data's way (docs/architecture.md); a room uses only
//! the rooms before it. Nothing here prints, exits, or opens a file it was not given.

pub mod align;
pub mod checksum;
pub mod classes;
pub mod container;
pub mod decode;
pub mod deplm;
pub mod error;
pub mod exchange;
pub mod extract;
pub mod forest;
pub mod fragment;
mod large;
pub mod lm;
pub mod metric;
pub mod monitor;
pub mod parse;
pub mod random;
pub mod table;
pub mod text;
pub mod tree;
pub mod tune;
pub mod vocab;

pub use error::{Error, Result};
pub use monitor::Monitor;
pub use vocab::{Vocabulary, WordId};
