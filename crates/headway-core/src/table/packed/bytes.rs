//! Bytes that live in a mapped file or in memory.

use std::ops::{Deref, Range};
use std::sync::Arc;

use crate::Result;
use crate::container::Container;

/// A shared piece of a mapped file, or of a table in the making.
#[derive(Debug, Clone)]
pub struct Bytes {
    owner: Owner,
    range: Range<usize>,
}

#[derive(Debug, Clone)]
enum Owner {
    File(Arc<Container>),
    Memory(Arc<[u8]>),
}

impl Bytes {
    pub fn section(container: &Arc<Container>, name: &str) -> Result<Self> {
        let range = container.locate(name)?;
        Ok(Bytes { owner: Owner::File(Arc::clone(container)), range })
    }

    /// A part of these bytes; None if it reaches over the end.
    pub fn part(&self, start: u64, length: u64) -> Option<Self> {
        let start = self.range.start.checked_add(usize::try_from(start).ok()?)?;
        let end = start.checked_add(usize::try_from(length).ok()?)?;
        (end <= self.range.end).then(|| Bytes { owner: self.owner.clone(), range: start..end })
    }
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        let range = 0..bytes.len();
        Bytes { owner: Owner::Memory(bytes.into()), range }
    }
}

impl Deref for Bytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match &self.owner {
            Owner::File(container) => container.bytes(self.range.clone()),
            Owner::Memory(bytes) => bytes.get(self.range.clone()).unwrap_or_default(),
        }
    }
}
