//! The algorithms of headway, without Python in them.
//!
//! A module uses only modules below it (docs/architecture.md has the order; `make lint` checks
//! it). Nothing here prints, exits, or opens a file it was not given.

pub mod align;
pub mod checksum;
pub mod classes;
pub mod consensus;
pub mod container;
pub mod decode;
pub mod deplm;
pub mod deporder;
pub mod error;
pub mod exchange;
pub mod extract;
pub mod forest;
mod large;
pub mod lm;
pub mod metric;
pub mod monitor;
pub mod osm;
pub mod parse;
pub mod phrasedep;
pub mod random;
pub mod scratch;
pub mod table;
pub mod text;
pub mod tree;
pub mod tune;
pub mod vocab;
pub mod weight;

pub use error::{Error, Result};
pub use monitor::Monitor;
pub use vocab::{Vocabulary, WordId};
