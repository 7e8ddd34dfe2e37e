//! Temporary files: what does not fit into memory, and files that do not have their names yet.
//!
//! Nothing is left behind: a `Scratch` never has a name, and a file that `temporary` makes is
//! removed unless it gets its name.

mod file;
mod partial;
mod replace;

pub use file::Scratch;
pub use partial::sweep;
pub(crate) use partial::temporary;
pub(crate) use replace::{directory_of, is_special, real_path};
