//! Text: where lines come from and go to.

mod input;
mod output;

pub use input::{Lines, MAX_LINE, open};
pub use output::Output;
pub(crate) use output::temporary;
