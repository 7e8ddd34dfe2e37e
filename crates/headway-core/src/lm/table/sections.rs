//! Where the arrays of a model lie: in a mapped file, or in memory for a model made from an
//! ARPA file on the spot.

use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytemuck::{AnyBitPattern, cast_slice, cast_slice_mut, try_cast_slice};

use crate::container::{Container, ContainerWriter};
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

/// Sections in memory.
pub struct MemorySections {
    path: PathBuf,
    sections: Vec<(String, Aligned)>,
}

/// Bytes at an address that is a multiple of 8.
#[derive(Default)]
struct Aligned {
    words: Vec<u64>,
    length: usize,
}

impl Aligned {
    fn bytes(&self) -> &[u8] {
        &cast_slice(&self.words)[..self.length]
    }

    fn extend(&mut self, bytes: &[u8]) {
        let (start, end) = (self.length, self.length + bytes.len());
        self.words.resize(end.div_ceil(8), 0);
        cast_slice_mut(&mut self.words)[start..end].copy_from_slice(bytes);
        self.length = end;
    }
}

impl MemorySections {
    /// `path` names the model in messages.
    pub fn new(path: &Path) -> Self {
        MemorySections { path: path.to_path_buf(), sections: Vec::new() }
    }
}

impl SectionSink for MemorySections {
    fn section(&mut self, name: &str) -> Result<()> {
        self.sections.push((name.to_string(), Aligned::default()));
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if let Some((_, section)) = self.sections.last_mut() {
            section.extend(bytes);
        }
        Ok(())
    }
}

/// The sections of a model at hand.
pub enum Sections {
    File(Container),
    Memory(MemorySections),
}

impl Sections {
    pub fn path(&self) -> &Path {
        match self {
            Sections::File(container) => container.path(),
            Sections::Memory(memory) => &memory.path,
        }
    }

    fn bytes(&self, name: &str) -> Result<&[u8]> {
        match self {
            Sections::File(container) => container.section(name),
            Sections::Memory(memory) => {
                let found = memory.sections.iter().find(|(found, _)| found == name);
                let bytes = found.map(|(_, section)| section.bytes());
                bytes.ok_or_else(|| self.damaged(&format!("no section \"{name}\"")))
            }
        }
    }

    /// The section as an array that keeps the model alive.
    pub fn array<T: AnyBitPattern>(self: &Arc<Self>, name: &str) -> Result<Array<T>> {
        let items: &[T] = try_cast_slice(self.bytes(name)?)
            .map_err(|_| self.damaged(&format!("section \"{name}\" has a wrong length")))?;
        // SAFETY: the items lie in a map or in vectors that `self` owns and that never change
        // or move while it lives, and the array holds `self` as long as it holds the items.
        let items: &'static [T] = unsafe { std::mem::transmute::<&[T], &'static [T]>(items) };
        Ok(Array { items, _owner: Arc::clone(self) })
    }

    pub fn damaged(&self, what: &str) -> Error {
        Error::model(self.path(), format!("{what}; the model is damaged, build it again"))
    }

    /// Bytes of all sections, whether read yet or not.
    pub fn size(&self) -> u64 {
        match self {
            Sections::File(container) => container.size(),
            Sections::Memory(memory) => {
                memory.sections.iter().map(|(_, section)| section.length as u64).sum()
            }
        }
    }

    /// Compares all checksums.
    pub fn verify(&self) -> Result<()> {
        match self {
            Sections::File(container) => container.verify(),
            Sections::Memory(_) => Ok(()),
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
        let mut memory = MemorySections::new(Path::new("m"));
        memory.section("a").unwrap();
        memory.write(&[1, 0, 0]).unwrap();
        memory.write(&[0, 2, 0, 0, 0]).unwrap();
        let sections = Arc::new(Sections::Memory(memory));
        let array: Array<u32> = sections.array("a").unwrap();
        assert!(sections.array::<[u32; 3]>("a").is_err());
        assert!(sections.array::<u32>("b").is_err());
        assert_eq!(sections.size(), 8);
        drop(sections);
        assert_eq!(*array, [1, 2]);
    }
}
