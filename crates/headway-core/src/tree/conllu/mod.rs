//! CoNLL-U, kept byte for byte: what is read and not changed is written as it stood. The
//! older tables of words (CoNLL-X; word, tag, head) are read into the same sentences.

mod block;
mod convert;
mod edit;
mod format;
mod metadata;
mod reader;
mod row;
mod sentence;
mod surface;
mod writer;

pub use convert::Tags;
pub use format::Format;
pub use reader::Reader;
pub use row::{COLUMNS, Column, Row, RowId};
pub use sentence::{Sentence, Word};
pub use writer::Writer;
