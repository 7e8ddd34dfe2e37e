//! Numbers, words and codes in few bits, read in place from a mapped file. Nothing here trusts
//! its bytes: whatever they are, an answer is right, wrong or `None`, never a panic.

mod bits;
mod bytes;
mod elias_fano;
mod fields;
mod huffman;
mod ints;
mod words;

pub use bits::{BitReader, BitWriter, width_of};
pub use bytes::Bytes;
pub use elias_fano::{EliasFano, EliasFanoBuilder};
pub use fields::{FieldReader, FieldWriter};
pub use huffman::{Built, Code, CodeBuilder, Encoder, SMALL};
pub use ints::{Ints, IntsWriter};
pub use words::{Words, write_words};
