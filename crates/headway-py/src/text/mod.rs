//! Text: tokens, casing, parallel corpora.

mod alignment;
mod filter;
mod lines;
mod pairs;
mod tokens;
mod truecase;

pub use alignment::{Alignment, AlignmentReader, write_alignments};
pub use filter::{detokenise_file, recase_file, tokenise_file, truecase_file};
pub use lines::{LineReader, LineWriter};
pub use pairs::{PairReader, PairWriter, clean_pairs, convert_pairs};
pub use tokens::{Tokeniser, Tokens};
pub use truecase::Truecaser;
