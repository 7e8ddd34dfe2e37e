//! Text: where lines come from and go to, and what they are made of.

mod abbreviations;
mod alignment;
mod class;
mod clean;
mod detokenise;
mod filter;
mod input;
mod language;
mod output;
pub mod pairs;
mod partial;
mod pipeline;
mod stdin;
mod tokenise;
mod tokens;
mod truecase;

pub(crate) use alignment::parse_position;
pub use alignment::{Alignment, AlignmentReader};
pub use class::count_words;
pub use clean::{CleanReport, Limits, Reason, clean};
pub use detokenise::detokenise;
pub use filter::{detokenise_lines, recase_lines, tokenise_lines, truecase_lines};
pub use input::{Lines, MAX_LINE, open, size};
pub use language::{Language, primary_subtag};
pub use output::Output;
pub(crate) use output::{is_special, real_path};
pub use partial::sweep;
pub(crate) use partial::temporary;
pub use pipeline::{Item, Sink, pipeline};
pub use stdin::give_up;
pub use tokenise::Tokeniser;
pub use tokens::{Span, Tokens, gaps, read_gaps, write_gaps};
pub use truecase::{Truecaser, TruecaserCounts, recase};
