//! Text: where lines come from and go to, and what they are made of.

mod abbreviations;
mod class;
mod input;
mod language;
mod output;
mod tokenise;
mod tokens;

pub use class::count_words;
pub use input::{Lines, MAX_LINE, open};
pub use language::{Language, primary_subtag};
pub use output::Output;
pub(crate) use output::temporary;
pub use tokenise::Tokeniser;
pub use tokens::{Span, Tokens, gaps, read_gaps, write_gaps};
