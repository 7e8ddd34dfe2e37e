//! Long arrays that are written once and then read: on disk, without a name, mapped.

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

    pub fn finish(self) -> Result<Mapped<T>> {
        // An empty file cannot be mapped.
        let map = if self.len == 0 {
            None
        } else {
            self.scratch.append(&self.held)?;
            Some(self.scratch.map()?)
        };
        Ok(Mapped { map, values: PhantomData })
    }
}

pub struct Mapped<T> {
    map: Option<Mmap>,
    values: PhantomData<T>,
}

impl<T: NoUninit + AnyBitPattern> Mapped<T> {
    pub fn values(&self) -> &[T] {
        self.map.as_ref().map_or(&[], |map| bytemuck::cast_slice(map))
    }

    pub fn write(&self, writer: &mut ContainerWriter, name: &str) -> Result<()> {
        writer.section(name)?;
        writer.write(bytemuck::cast_slice(self.values()))
    }
}
