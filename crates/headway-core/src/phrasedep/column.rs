//! Long arrays that are written once and then read: on disk, without a name.

use std::marker::PhantomData;

use bytemuck::{AnyBitPattern, NoUninit};
use memmap2::Mmap;

use crate::Result;
use crate::container::ContainerWriter;
use crate::scratch::Scratch;

/// Bytes held before they are written.
const HELD: usize = 1 << 20;

pub struct Column<T> {
    scratch: Scratch,
    held: Vec<u8>,
    len: usize,
    values: PhantomData<T>,
}

impl<T: NoUninit + AnyBitPattern> Column<T> {
    pub fn new(scratch: Scratch) -> Self {
        Column { scratch, held: Vec::new(), len: 0, values: PhantomData }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn push(&mut self, value: T) -> Result<()> {
        self.extend(&[value])
    }

    pub fn extend(&mut self, values: &[T]) -> Result<()> {
        self.held.extend_from_slice(bytemuck::cast_slice(values));
        self.len += values.len();
        if self.held.len() >= HELD {
            self.scratch.append(&self.held)?;
            self.held.clear();
        }
        Ok(())
    }

    pub fn finish(self) -> Result<Stored<T>> {
        self.scratch.append(&self.held)?;
        Ok(Stored { scratch: self.scratch, len: self.len, values: PhantomData })
    }
}

/// A complete array on disk.
pub struct Stored<T> {
    scratch: Scratch,
    len: usize,
    values: PhantomData<T>,
}

impl<T: NoUninit + AnyBitPattern> Stored<T> {
    pub fn len(&self) -> usize {
        self.len
    }

    /// For reading at any place; what was read counts as memory of the process.
    pub fn map(&self) -> Result<Mapped<T>> {
        // An empty file cannot be mapped.
        let map = if self.len == 0 { None } else { Some(self.scratch.map()?) };
        Ok(Mapped { map, values: PhantomData })
    }

    /// Copies the array into a section, little by little.
    pub fn write(&self, writer: &mut ContainerWriter, name: &str) -> Result<()> {
        writer.section(name)?;
        let mut bytes = vec![0; HELD];
        let (mut start, end) = (0, self.scratch.len());
        while start < end {
            bytes.truncate((end - start).min(HELD as u64) as usize);
            self.scratch.read(start, &mut bytes)?;
            writer.write(&bytes)?;
            start += bytes.len() as u64;
        }
        Ok(())
    }
}

pub struct Mapped<T> {
    map: Option<Mmap>,
    values: PhantomData<T>,
}

impl<T: AnyBitPattern> Mapped<T> {
    pub fn values(&self) -> &[T] {
        self.map.as_ref().map_or(&[], |map| bytemuck::cast_slice(map))
    }
}
