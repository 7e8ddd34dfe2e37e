//! The reordering table that belongs to a phrase table, read beside it.

use std::path::Path;

use super::key::{Token, push_side, sides, source_only};
use super::line::reordering;
use crate::table::REORDERING_PREFIX;
use crate::table::sort::{Sorted, Sorter};
use crate::text::Lines;
use crate::{Monitor, Result};

/// A reordering table, sorted like the rules.
pub struct Reordering {
    pub scores: usize,
    sorted: Sorted,
    head: Option<Head>,
    unused: u64,
    /// Whether lines have a source side alone, as those of models conditioned on it have.
    by_source: bool,
    /// Names of the columns, if it was said what they are.
    names: Option<Vec<String>>,
}

/// What a reordering table is said to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReorderingColumns {
    /// One for each column.
    pub names: Vec<String>,
    /// Whether lines have a source side alone.
    pub by_source: bool,
}

/// The line that comes next.
struct Head {
    key: Vec<u8>,
    values: Vec<f32>,
    used: bool,
}

impl Reordering {
    /// Without `columns`, the first line says how many there are.
    pub fn read(
        path: &Path,
        columns: Option<&ReorderingColumns>,
        mut sorter: Sorter,
        monitor: &Monitor,
    ) -> Result<Self> {
        let mut lines = Lines::open(path)?;
        let mut record = Vec::new();
        let mut first = columns.map(|columns| Columns {
            scores: columns.names.len(),
            by_source: columns.by_source,
            source: "the model has",
        });
        while let Some(line) = lines.next()? {
            let read = push_line(line, &mut first, &mut record);
            read.map_err(|message| lines.error(message))?;
            sorter.push(&record)?;
            monitor.advance(1)?;
        }
        let Columns { scores, by_source, .. } = first.unwrap_or_default();
        let sorted = sorter.finish()?;
        let names = columns.map(|columns| columns.names.clone());
        let mut reordering = Reordering { scores, sorted, head: None, unused: 0, by_source, names };
        reordering.advance()?;
        Ok(reordering)
    }

    fn advance(&mut self) -> Result<()> {
        self.unused += u64::from(self.head.as_ref().is_some_and(|head| !head.used));
        self.head = self.sorted.next()?.map(|record| {
            let key = sides(record).to_vec();
            let values = record[key.len()..].as_chunks::<4>().0;
            let values = values.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
            Head { key, values, used: false }
        });
        Ok(())
    }

    /// Appends the scores of the rule with these sides, 1 each if it has none.
    pub fn join(&mut self, record: &[u8], features: &mut Vec<f32>) -> Result<bool> {
        let source = if self.by_source { source_only(record) } else { Vec::new() };
        let key = if self.by_source { &source[..] } else { sides(record) };
        while self.head.as_ref().is_some_and(|head| &head.key[..] < key) {
            self.advance()?;
        }
        let head = self.head.as_mut().filter(|head| head.key == key);
        match &head {
            Some(head) => features.extend_from_slice(&head.values),
            None => features.resize(features.len() + self.scores, 1.0),
        }
        let found = head.is_some();
        head.into_iter().for_each(|head| head.used = true);
        Ok(found)
    }

    /// Lines that no rule had, once all rules have been joined.
    pub fn unused(mut self) -> Result<u64> {
        while self.head.is_some() {
            self.advance()?;
        }
        Ok(self.unused)
    }

    /// Names as said, or by the number of columns, as Moses' models have them: backward, then
    /// forward.
    pub fn names(&self) -> Vec<String> {
        if let Some(names) = &self.names {
            return names.clone();
        }
        let many = self.scores;
        let events: &[&str] = match many {
            2 | 4 => &["monotone", "non-monotone"],
            3 | 6 => &["monotone", "swap", "discontinuous"],
            8 => &["monotone", "swap", "left", "right"],
            _ => &[],
        };
        if events.is_empty() {
            return (1..=many).map(|index| format!("{REORDERING_PREFIX}{index}")).collect();
        }
        let name = |direction, event| format!("{REORDERING_PREFIX}{direction}.{event}");
        ["backward", "forward"]
            .iter()
            .flat_map(|direction| events.iter().map(move |event| name(direction, event)))
            .take(many)
            .collect()
    }
}

/// What all lines must have.
#[derive(Debug, Clone, Copy, Default)]
struct Columns {
    scores: usize,
    by_source: bool,
    /// Who says so.
    source: &'static str,
}

fn push_line(
    line: &str,
    first: &mut Option<Columns>,
    record: &mut Vec<u8>,
) -> std::result::Result<(), String> {
    let (source, target, values) = reordering(line)?;
    let (scores, by_source) = (values.len(), target.is_none());
    let expected = *first.get_or_insert(Columns { scores, by_source, source: "in the first line" });
    let Columns { source: who, .. } = expected;
    if scores != expected.scores {
        return Err(format!("expected {} scores as {who}, found {scores}", expected.scores));
    }
    if by_source != expected.by_source {
        let [expected, found] = [expected.by_source, by_source].map(|alone| match alone {
            true => "a source side alone",
            false => "a source and a target side",
        });
        return Err(format!("expected {expected} as {who}, found {found}"));
    }
    record.clear();
    for side in [source, target.unwrap_or_default()] {
        let side: Vec<Token<'_>> = side.into_iter().map(Token::Word).collect();
        push_side(&side, record);
    }
    record.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    Ok(())
}
