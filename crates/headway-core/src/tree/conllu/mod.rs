//! CoNLL-U, kept byte for byte: what is read and not changed is written as it stood.

mod block;
mod row;
mod sentence;

pub use row::{COLUMNS, Column, Row, RowId};
pub use sentence::{Sentence, Word};
