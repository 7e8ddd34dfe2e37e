//! Where the arrays of a model lie: in a mapped file, or in memory for a model made from an
//! ARPA file on the spot.

use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytemuck::{AnyBitPattern, try_cast_slice};
use memmap2::Mmap;

use crate::container::{Container, ContainerWriter, anonymous};
use crate::{Error, Result};

/// Takes the sections of a model one after the other.
pub trait SectionSink {
    fn section(&mut self, name: &str) -> Result<()>;
    fn write(&mut self, bytes: &[u8]) -> Result<()>;
}

impl SectionSink for ContainerWriter {
    fn section(&mut self, name: &str) -> Result<()> {
        ContainerWriter::section(self, name)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        ContainerWriter::write(self, bytes)
    }
}

/// Sections being written to memory.
pub struct MemoryWriter {
    path: PathBuf,
    sections: Vec<(String, Vec<u8>)>,
}

impl MemoryWriter {
    /// `path` names the model in messages.
    pub fn new(path: &Path) -> Self {
        MemoryWriter { path: path.to_path_buf(), sections: Vec::new() }
    }

    /// All sections in one piece of memory, each at a multiple of 64.
    pub fn finish(self) -> Result<Sections> {
        let size = self.sections.iter().map(|(_, bytes)| bytes.len().next_multiple_of(LINE)).sum();
        let mut memory = anonymous(size).map_err(|error| Error::reading(&self.path, &error))?;
        let (mut start, mut ranges) = (0, Vec::new());
        for (name, bytes) in self.sections {
            let range = start..start + bytes.len();
            memory[range.clone()].copy_from_slice(&bytes);
            start = range.end.next_multiple_of(LINE);
            ranges.push((name, range));
        }
        let memory = memory.make_read_only().map_err(|error| Error::reading(&self.path, &error))?;
        Ok(Sections::Memory { path: self.path, memory, ranges })
    }
}

const LINE: usize = 64;

impl SectionSink for MemoryWriter {
    fn section(&mut self, name: &str) -> Result<()> {
        self.sections.push((name.to_string(), Vec::new()));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if let Some((_, section)) = self.sections.last_mut() {
            section.extend_from_slice(bytes);
        }
        Ok(())
    }
}

/// The sections of a model at hand.
pub enum Sections {
    File(Container),
    Memory { path: PathBuf, memory: Mmap, ranges: Vec<(String, Range<usize>)> },
}

impl Sections {
    pub fn path(&self) -> &Path {
        match self {
            Sections::File(container) => container.path(),
            Sections::Memory { path, .. } => path,
        }
    }

    fn bytes(&self, name: &str) -> Result<&[u8]> {
        match self {
            Sections::File(container) => container.section(name),
            Sections::Memory { memory, ranges, .. } => {
                let found = ranges.iter().find(|(found, _)| found == name);
                let bytes = found.and_then(|(_, range)| memory.get(range.clone()));
                bytes.ok_or_else(|| self.damaged(&format!("no section \"{name}\"")))
            }
        }
    }

    /// The section as an array that keeps the model alive.
    pub fn array<T: AnyBitPattern>(self: &Arc<Self>, name: &str) -> Result<Array<T>> {
        let items: &[T] = try_cast_slice(self.bytes(name)?)
            .map_err(|_| self.damaged(&format!("section \"{name}\" has a wrong length")))?;
        // SAFETY: the items lie in a map that `self` owns and that never changes or moves
        // while it lives, and the array holds `self` as long as it holds the items.
        let items: &'static [T] = unsafe { std::mem::transmute::<&[T], &'static [T]>(items) };
        Ok(Array { items, _owner: Arc::clone(self) })
    }

    pub fn damaged(&self, what: &str) -> Error {
        Error::model(self.path(), format!("{what}; the model is damaged, build it again"))
    }

    /// Bytes of the file or of memory, whether read yet or not.
    pub fn size(&self) -> u64 {
        match self {
            Sections::File(container) => container.size(),
            Sections::Memory { memory, .. } => memory.len() as u64,
        }
    }

    /// Compares all checksums.
    pub fn verify(&self) -> Result<()> {
        match self {
            Sections::File(container) => container.verify(),
            Sections::Memory { .. } => Ok(()),
        }
    }
}

/// A read-only array within a model.
pub struct Array<T: 'static> {
    items: &'static [T],
    _owner: Arc<Sections>,
}

impl<T> Deref for Array<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        self.items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_outlive_what_made_them() {
        let mut memory = MemoryWriter::new(Path::new("m"));
        memory.section("a").unwrap();
        memory.write(&[1, 0, 0]).unwrap();
        memory.write(&[0, 2, 0, 0, 0]).unwrap();
        let sections = Arc::new(memory.finish().unwrap());
        let array: Array<u32> = sections.array("a").unwrap();
        assert!(sections.array::<[u32; 3]>("a").is_err());
        assert!(sections.array::<u32>("b").is_err());
        assert_eq!(sections.size(), 64);
        drop(sections);
        assert_eq!(*array, [1, 2]);
    }
}
