//! Children by parent and direction, with how often they were seen and their lexical weight.

use bytemuck::{Pod, Zeroable};

use super::column::{Column, Stored};
use super::lexical::{Lexical, side};
use super::options::Options;
use super::search::lower_bound;
use crate::container::ContainerWriter;
use crate::extract::sorter::{Record, Sorted};
use crate::{Error, Monitor, Result};

/// A phrase dependency seen with a lexical one, so many times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seen {
    /// Parent and direction, as `row` has them.
    pub row: u32,
    pub child: u32,
    /// Governor and direction.
    pub side: u32,
    pub dependent: u32,
    pub count: u32,
}

impl Record for Seen {
    const WIDTH: usize = 20;

    fn write(&self, bytes: &mut Vec<u8>) {
        for value in [self.row, self.child, self.side, self.dependent, self.count] {
            bytes.extend(value.to_le_bytes());
        }
    }

    fn read(bytes: &[u8]) -> Self {
        let at = |place: usize| {
            let mut value = [0; 4];
            value.copy_from_slice(&bytes[4 * place..4 * place + 4]);
            u32::from_le_bytes(value)
        };
        Seen { row: at(0), child: at(1), side: at(2), dependent: at(3), count: at(4) }
    }

    fn join(&mut self, other: &Self) -> bool {
        let key = |seen: &Seen| (seen.row, seen.child, seen.side, seen.dependent);
        let same = key(self) == key(other);
        if same {
            self.count = self.count.saturating_add(other.count);
        }
        same
    }
}

/// The row of a parent and a direction; the root comes after all phrases.
pub fn row(phrases: usize, parent: Option<u32>, left: bool) -> u32 {
    side(parent.unwrap_or(phrases as u32), left && parent.is_some())
}

#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Entry {
    pub child: u32,
    pub count: u32,
    /// ln of the lexical weight.
    pub lexical: f32,
}

/// Rows at hand: all in arrays, mapped from a file.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a> {
    /// Where each row starts, and where the last one ends.
    pub starts: &'a [u32],
    /// ln of the counts of each row.
    pub totals: &'a [f32],
    pub entries: &'a [Entry],
}

impl<'a> Rows<'a> {
    /// The children of a row, by number.
    pub fn row(self, row: u32) -> &'a [Entry] {
        let row = row as usize;
        let (start, end) = (self.starts.get(row), self.starts.get(row + 1));
        let range = start.zip(end).map(|(&start, &end)| start as usize..end as usize);
        range.and_then(|range| self.entries.get(range)).unwrap_or_default()
    }

    /// ln p(child | row), and that of its lexical weight.
    pub fn scores(self, row: u32, child: u32, phrases: usize) -> Option<(f32, f32)> {
        let entries = self.row(row);
        let place = lower_bound(entries.len(), phrases as u64, child, |place| entries[place].child);
        let entry = entries.get(place).filter(|entry| entry.child == child)?;
        Some((self.probability(row, entry), entry.lexical))
    }

    /// ln p(child | row).
    pub fn probability(self, row: u32, entry: &Entry) -> f32 {
        log(f64::from(entry.count)) - self.totals.get(row as usize).copied().unwrap_or_default()
    }
}

fn log(value: f64) -> f32 {
    value.ln() as f32
}

/// All rows of a corpus, complete but in no file yet.
pub struct Counted {
    starts: Stored<u32>,
    totals: Stored<f32>,
    entries: Stored<Entry>,
}

impl Counted {
    pub fn new(
        mut seen: Sorted<'_, Seen>,
        rows: u32,
        lexical: &Lexical,
        options: &Options,
        monitor: &Monitor,
    ) -> Result<Self> {
        let (mut starts, mut totals) =
            (Column::new(options.scratch()), Column::new(options.scratch()));
        let mut entries = Column::new(options.scratch());
        let mut next = joined(&mut seen)?;
        for row in 0..rows {
            monitor.check()?;
            starts.push(place(entries.len())?)?;
            let mut total = 0;
            while let Some(child) = next.filter(|one| one.row == row).map(|one| one.child) {
                let mut choice = Choice::new(lexical);
                while let Some(one) = next.filter(|one| (one.row, one.child) == (row, child)) {
                    choice.add(&one);
                    next = joined(&mut seen)?;
                }
                total += choice.total;
                entries.push(choice.entry(child)?)?;
            }
            totals.push(log(total as f64))?;
        }
        starts.push(place(entries.len())?)?;
        let (starts, totals, entries) = (starts.finish()?, totals.finish()?, entries.finish()?);
        Ok(Counted { starts, totals, entries })
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn write(&self, writer: &mut ContainerWriter, level: &str) -> Result<()> {
        self.starts.write(writer, &format!("{level}-rows"))?;
        self.totals.write(writer, &format!("{level}-totals"))?;
        self.entries.write(writer, &format!("{level}-children"))
    }
}

fn too_many() -> Error {
    Error::setting("too many phrase dependencies for one table; use less text")
}

fn place(place: usize) -> Result<u32> {
    u32::try_from(place).map_err(|_| too_many())
}

/// The next record with all that are alike.
fn joined(seen: &mut Sorted<'_, Seen>) -> Result<Option<Seen>> {
    let Some(mut one) = seen.next()? else { return Ok(None) };
    while let Some(other) = seen.peek() {
        if !one.join(&other) {
            break;
        }
        seen.next()?;
    }
    Ok(Some(one))
}

/// The lexical dependency that stands for a phrase dependency: the most frequent one, of those as
/// frequent the most probable.
struct Choice<'l> {
    lexical: &'l Lexical,
    total: u64,
    most: u32,
    probability: f64,
}

impl<'l> Choice<'l> {
    fn new(lexical: &'l Lexical) -> Self {
        Choice { lexical, total: 0, most: 0, probability: 0.0 }
    }

    fn add(&mut self, seen: &Seen) {
        self.total += u64::from(seen.count);
        if seen.count >= self.most {
            let probability = self.lexical.probability(seen.side, seen.dependent);
            if seen.count > self.most || probability > self.probability {
                (self.most, self.probability) = (seen.count, probability);
            }
        }
    }

    fn entry(&self, child: u32) -> Result<Entry> {
        let count = u32::try_from(self.total).map_err(|_| too_many())?;
        Ok(Entry { child, count, lexical: log(self.probability) })
    }
}
