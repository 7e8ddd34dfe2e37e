//! Sorted tables of n-grams, each with a number, and their union.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use super::key::Key;
use super::tape::{Space, Tape, TapeWriter};
use crate::{Monitor, Result};

/// More tables than this are first united in groups: each open one takes a block of memory.
const FAN_IN: usize = 64;

/// Rows between two looks at the monitor.
const STEP: u32 = 1 << 16;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row<K> {
    pub key: K,
    pub value: u64,
}

/// How many bits keys and values take.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    key_bits: u32,
    key_bytes: usize,
    value_bytes: usize,
}

impl Layout {
    /// Keys of `key_bits` bits, values up to `largest`.
    pub fn new(key_bits: u32, largest: u64) -> Self {
        let value_bytes = (u64::BITS - largest.leading_zeros()).div_ceil(8).max(1) as usize;
        Layout { key_bits, key_bytes: key_bits.div_ceil(8) as usize, value_bytes }
    }

    fn width(self) -> usize {
        self.key_bytes + self.value_bytes
    }

    #[inline]
    fn encode<K: Key>(self, row: Row<K>, into: &mut [u8]) {
        let (key, value) = into.split_at_mut(self.key_bytes);
        row.key.encode(key);
        row.value.encode(value);
    }

    /// Reads the row at the start of `bytes`; what follows it is not looked at, but lets the
    /// integers be loaded whole.
    #[inline]
    fn decode<K: Key>(self, bytes: &[u8]) -> Row<K> {
        Row {
            key: K::decode(bytes).keep(self.key_bits),
            value: u64::decode(&bytes[self.key_bytes..]).keep(self.value_bytes as u32 * 8),
        }
    }
}

pub struct TableWriter<K> {
    layout: Layout,
    tape: TapeWriter,
    of: PhantomData<K>,
}

impl<K: Key> TableWriter<K> {
    pub fn new(space: &Arc<Space>, layout: Layout) -> Self {
        TableWriter { layout, tape: TapeWriter::new(space, layout.width()), of: PhantomData }
    }

    /// Rows must come in the order of their keys.
    #[inline]
    pub fn push(&mut self, row: Row<K>) -> Result<()> {
        let layout = self.layout;
        layout.encode(row, self.tape.row()?);
        Ok(())
    }

    pub fn finish(self) -> Table<K> {
        Table { layout: self.layout, tape: self.tape.finish(), of: PhantomData }
    }
}

/// Rows sorted by key.
#[derive(Debug)]
pub struct Table<K> {
    layout: Layout,
    tape: Tape,
    of: PhantomData<K>,
}

impl<K: Key> Table<K> {
    pub fn rows(&self) -> Result<Rows<'_, K>> {
        self.range(0..self.tape.rows())
    }

    fn range(&self, range: Range<u64>) -> Result<Rows<'_, K>> {
        let mut rows = Rows {
            table: self,
            head: None,
            next: range.start,
            end: range.end,
            bytes: Bytes::Buffer,
            buffer: Vec::new(),
            position: 0,
        };
        rows.advance()?;
        Ok(rows)
    }

    /// The number of rows with smaller keys.
    fn rank(&self, key: K) -> Result<u64> {
        let (mut low, mut high) = (0, self.tape.rows());
        let mut bytes = vec![0; self.layout.width()];
        while low < high {
            let middle = low + (high - low) / 2;
            self.tape.read_row(middle, &mut bytes)?;
            if self.layout.decode::<K>(&bytes).key < key {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        Ok(low)
    }
}

/// Where the rows at hand lie.
enum Bytes<'a> {
    Memory(&'a [u8]),
    Buffer,
}

/// A cursor over rows.
pub struct Rows<'a, K> {
    table: &'a Table<K>,
    head: Option<Row<K>>,
    next: u64,
    end: u64,
    bytes: Bytes<'a>,
    buffer: Vec<u8>,
    position: usize,
}

impl<K: Key> Rows<'_, K> {
    /// The row the cursor stands on.
    #[inline]
    pub fn head(&self) -> Option<Row<K>> {
        self.head
    }

    #[inline]
    pub fn advance(&mut self) -> Result<()> {
        if self.next >= self.end {
            self.head = None;
            return Ok(());
        }
        let available = match self.bytes {
            Bytes::Memory(bytes) => bytes.len(),
            Bytes::Buffer => self.buffer.len(),
        };
        if self.position >= available {
            self.load()?;
        }
        let bytes = match self.bytes {
            Bytes::Memory(bytes) => bytes,
            Bytes::Buffer => &self.buffer,
        };
        self.head = Some(self.table.layout.decode(&bytes[self.position..]));
        self.position += self.table.layout.width();
        self.next += 1;
        Ok(())
    }

    fn load(&mut self) -> Result<()> {
        self.position = 0;
        if let Some(bytes) = self.table.tape.in_memory(self.next) {
            self.bytes = Bytes::Memory(bytes);
        } else {
            self.table.tape.load(self.next, &mut self.buffer)?;
            self.bytes = Bytes::Buffer;
        }
        Ok(())
    }
}

/// Several tables as one: rows in the order of their keys, equal keys united and their values
/// added.
pub struct Union<'a, K> {
    cursors: Vec<Rows<'a, K>>,
    /// The key each cursor stands on, with the cursor's number: a heap, the smallest first.
    heads: Vec<(K, usize)>,
}

impl<'a, K: Key> Union<'a, K> {
    pub fn new(tables: &'a [Table<K>]) -> Result<Self> {
        Ok(Self::of(tables.iter().map(Table::rows).collect::<Result<_>>()?))
    }

    /// Only rows with keys from `low` up to, not including, `high`; no bound where None.
    pub fn between(tables: &'a [Table<K>], low: Option<K>, high: Option<K>) -> Result<Self> {
        let part = |table: &'a Table<K>| {
            let start = low.map_or(Ok(0), |key| table.rank(key))?;
            let end = high.map_or(Ok(table.tape.rows()), |key| table.rank(key))?;
            table.range(start..end)
        };
        Ok(Self::of(tables.iter().map(part).collect::<Result<_>>()?))
    }

    fn of(cursors: Vec<Rows<'a, K>>) -> Self {
        let head = |(number, cursor): (usize, &Rows<'a, K>)| Some((cursor.head?.key, number));
        let mut heads: Vec<_> = cursors.iter().enumerate().filter_map(head).collect();
        heads.sort_unstable();
        Union { cursors, heads }
    }

    #[allow(clippy::should_implement_trait)] // reading may fail
    pub fn next(&mut self) -> Result<Option<Row<K>>> {
        let Some(&(key, _)) = self.heads.first() else { return Ok(None) };
        let mut value = 0;
        while let Some(&(head, number)) = self.heads.first() {
            if head != key {
                break;
            }
            value += self.take(number)?;
        }
        Ok(Some(Row { key, value }))
    }

    /// The value at the cursor that stands first, which then moves on.
    fn take(&mut self, number: usize) -> Result<u64> {
        let cursor = &mut self.cursors[number];
        let value = cursor.head.map_or(0, |row| row.value);
        cursor.advance()?;
        match cursor.head {
            Some(row) => self.heads[0].0 = row.key,
            None => drop(self.heads.swap_remove(0)),
        }
        self.sift();
        Ok(value)
    }

    /// Lets the first head sink until none below it is smaller.
    fn sift(&mut self) {
        let mut place = 0;
        loop {
            let Some(&left) = self.heads.get(2 * place + 1) else { return };
            let (mut child, mut least) = (2 * place + 1, left);
            if let Some(&right) = self.heads.get(child + 1).filter(|&&right| right < least) {
                (child, least) = (child + 1, right);
            }
            if self.heads[place] <= least {
                return;
            }
            self.heads.swap(place, child);
            place = child;
        }
    }
}

/// Unites tables in groups until few enough are left to be read side by side.
pub fn gather<K: Key>(
    mut tables: Vec<Table<K>>,
    space: &Arc<Space>,
    monitor: &Monitor,
) -> Result<Vec<Table<K>>> {
    while tables.len() > FAN_IN {
        let rest = tables.split_off(FAN_IN);
        let united = unite(&tables, space, monitor)?;
        tables = rest;
        tables.push(united);
    }
    Ok(tables)
}

fn unite<K: Key>(tables: &[Table<K>], space: &Arc<Space>, monitor: &Monitor) -> Result<Table<K>> {
    let layout = tables[0].layout;
    let mut writer = TableWriter::new(space, layout);
    let mut union = Union::new(tables)?;
    let mut step = 0;
    while let Some(row) = union.next()? {
        writer.push(row)?;
        step += 1;
        if step % STEP == 0 {
            monitor.check()?;
        }
    }
    Ok(writer.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn table(space: &Arc<Space>, rows: &[(u64, u64)]) -> Table<u128> {
        let mut rows = rows.to_vec();
        rows.sort_unstable();
        let mut writer = TableWriter::new(space, Layout::new(40, 1 << 20));
        for (key, value) in rows {
            writer.push(Row { key: u128::from(key), value }).unwrap();
        }
        writer.finish()
    }

    fn rows(mut union: Union<'_, u128>) -> Vec<(u64, u64)> {
        let mut found = Vec::new();
        while let Some(row) = union.next().unwrap() {
            found.push((row.key as u64, row.value));
        }
        found
    }

    fn row() -> impl Strategy<Value = (u64, u64)> {
        (prop_oneof![0_u64..50, 0_u64..1 << 40], 0_u64..1 << 16)
    }

    proptest! {
        #[test]
        fn a_union_adds_equal_keys(
            parts in prop::collection::vec(prop::collection::vec(row(), 0..300), 0..80),
            low in 0_u64..60,
            high in 0_u64..60,
            memory in prop::sample::select(vec![0_u64, 1 << 30]),
        ) {
            let directory = tempfile::tempdir().unwrap();
            let space = Space::new(directory.path(), memory);
            let mut expected = BTreeMap::new();
            for &(key, value) in parts.iter().flatten() {
                *expected.entry(key).or_insert(0) += value;
            }
            let tables: Vec<_> = parts.iter().map(|rows| table(&space, rows)).collect();
            let tables = gather(tables, &space, &Monitor::default()).unwrap();
            prop_assert!(tables.len() <= FAN_IN);
            let whole: Vec<_> = expected.iter().map(|(&k, &v)| (k, v)).collect();
            prop_assert_eq!(rows(Union::new(&tables).unwrap()), whole.clone());
            let (low, high) = (low.min(high), low.max(high));
            let part: Vec<_> =
                whole.into_iter().filter(|&(key, _)| low <= key && key < high).collect();
            let bounds = (Some(u128::from(low)), Some(u128::from(high)));
            prop_assert_eq!(rows(Union::between(&tables, bounds.0, bounds.1).unwrap()), part);
        }
    }
}
