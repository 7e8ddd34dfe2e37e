//! Counts of target sides: rules sorted by target side, added up, and sorted back.
//!
//! Target sides are told apart by 128 bits of hash, so that records are short and of one
//! length; that two of a billion different sides get the same has a chance of 10⁻²¹.

use super::smoothing::{self, Classes};
use super::sorter::{Record, Sorted, Sorter};
use crate::scratch::Scratch;
use crate::{Monitor, Result};

/// Marks rules that are counted but not kept.
const LEFT_OUT: u64 = u64::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TargetCount {
    hash: [u64; 2],
    rule: u64,
    count: u64,
}

impl TargetCount {
    pub fn new(hash: u128, rule: Option<u64>, count: u64) -> Self {
        let hash = [(hash >> 64) as u64, hash as u64];
        TargetCount { hash, rule: rule.unwrap_or(LEFT_OUT), count }
    }

    /// The same with the rule's number counted from elsewhere.
    pub fn moved(mut self, by: u64) -> Self {
        if self.rule != LEFT_OUT {
            self.rule += by;
        }
        self
    }
}

impl Record for TargetCount {
    const WIDTH: usize = 32;

    fn write(&self, bytes: &mut Vec<u8>) {
        for number in [self.hash[0], self.hash[1], self.rule, self.count] {
            bytes.extend(number.to_le_bytes());
        }
    }

    fn read(bytes: &[u8]) -> Self {
        let [first, second, rule, count] = [0, 8, 16, 24].map(|at| number(&bytes[at..at + 8]));
        TargetCount { hash: [first, second], rule, count }
    }
}

/// What is known of the target side of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TargetTotal {
    rule: u64,
    pub total: u64,
    pub classes: Classes,
}

impl Record for TargetTotal {
    const WIDTH: usize = 28;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(self.rule.to_le_bytes());
        bytes.extend(self.total.to_le_bytes());
        bytes.extend(self.classes.iter().flat_map(|rules| rules.to_le_bytes()));
    }

    fn read(bytes: &[u8]) -> Self {
        let class = |at: usize| number(&bytes[at..at + 4]) as u32;
        TargetTotal {
            rule: number(&bytes[..8]),
            total: number(&bytes[8..16]),
            classes: [class(16), class(20), class(24)],
        }
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// What is known of the target side of every kept rule, in the order of the rules.
pub fn target_totals<'a>(
    counts: Sorter<'_, TargetCount>,
    scratch: &'a Scratch,
    memory: u64,
    unit: u64,
    monitor: &Monitor,
) -> Result<Sorted<'a, TargetTotal>> {
    let mut sorted = counts.finish()?;
    let mut totals = Sorter::new(scratch, memory);
    let mut same: Vec<TargetCount> = Vec::new();
    while let Some(record) = sorted.next()? {
        if same.first().is_some_and(|first| first.hash != record.hash) {
            monitor.check()?;
            add_up(&mut same, unit, &mut totals)?;
        }
        same.push(record);
    }
    add_up(&mut same, unit, &mut totals)?;
    totals.finish()
}

fn add_up(
    same: &mut Vec<TargetCount>,
    unit: u64,
    totals: &mut Sorter<'_, TargetTotal>,
) -> Result<()> {
    let total = same.iter().map(|record| record.count).sum();
    let mut classes = Classes::default();
    for record in same.iter() {
        classes[smoothing::class(record.count, unit)] += 1;
    }
    for record in same.drain(..).filter(|record| record.rule != LEFT_OUT) {
        totals.push(TargetTotal { rule: record.rule, total, classes })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_come_back_in_the_order_of_the_rules() {
        for memory in [0, 1 << 20] {
            let scratch = Scratch::new(&std::env::temp_dir());
            let mut counts = Sorter::new(&scratch, memory);
            for rule in 0..3000u64 {
                let kept = (rule % 7 != 3).then_some(rule);
                counts
                    .push(TargetCount::new(u128::from(rule % 3) << 64, kept, rule % 3 + 1))
                    .unwrap();
            }
            let monitor = Monitor::default();
            let mut totals = target_totals(counts, &scratch, memory, 1, &monitor).unwrap();
            for rule in (0..3000).filter(|rule| rule % 7 != 3) {
                let found = totals.next().unwrap().unwrap();
                let mut classes = [0; 3];
                classes[rule as usize % 3] = 1000;
                let total = 1000 * (rule % 3 + 1);
                assert_eq!(found, TargetTotal { rule, total, classes });
            }
            assert!(totals.next().unwrap().is_none());
        }
    }
}
