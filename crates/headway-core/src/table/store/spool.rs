//! Rules on their way into a table: written once, read several times, a block at a time.

use rayon::prelude::*;

use super::record::{push_rule, read_rule, source_key};
use crate::scratch::Scratch;
use crate::table::{Rule, Symbol};
use crate::{Result, WordId};

/// Blocks end with a source side, so each can be worked on alone.
const BLOCK: usize = 1 << 19;
/// Blocks worked on at once. A constant, so that nothing depends on the number of threads.
const BATCH: usize = 16;
/// Rules that codes are chosen by; of more, every second, third, … is looked at.
const SAMPLE: u64 = if cfg!(test) { 8 } else { 1 << 19 };

pub struct Spool {
    scratch: Scratch,
    pending: Vec<u8>,
    blocks: Vec<Block>,
    last_source: Vec<u8>,
    record: Vec<u8>,
    /// New numbers of source words, target words and labels; none while they stay.
    numbers: [Vec<u32>; 3],
    pub rules: u64,
    pub sources: u64,
}

#[derive(Clone, Copy)]
struct Block {
    start: u64,
    length: usize,
}

/// How a rule stands to those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    SameSource,
    NewSource,
}

impl Spool {
    pub fn new(scratch: Scratch) -> Self {
        Spool {
            scratch,
            pending: Vec::new(),
            blocks: Vec::new(),
            last_source: Vec::new(),
            record: Vec::new(),
            numbers: Default::default(),
            rules: 0,
            sources: 0,
        }
    }

    /// Takes a rule; None if its source side comes before that of the rule before it.
    pub fn push(&mut self, rule: &Rule) -> Result<Option<Order>> {
        self.record.clear();
        push_rule(rule, &mut self.record);
        let source = source_key(&self.record);
        let order = match source.cmp(&self.last_source[..]) {
            std::cmp::Ordering::Less => return Ok(None),
            std::cmp::Ordering::Equal => Order::SameSource,
            std::cmp::Ordering::Greater => Order::NewSource,
        };
        if order == Order::NewSource {
            self.last_source.clear();
            self.last_source.extend_from_slice(source);
            self.sources += 1;
            if self.pending.len() >= BLOCK {
                self.spill()?;
            }
        }
        self.rules += 1;
        self.pending.extend((self.record.len() as u32).to_le_bytes());
        self.pending.extend_from_slice(&self.record);
        Ok(Some(order))
    }

    /// From now on, words and labels are read with these numbers.
    pub fn renumber(&mut self, numbers: [Vec<u32>; 3]) {
        self.numbers = numbers.map(|numbers| {
            let same = numbers.iter().zip(0..).all(|(&new, old)| new == old);
            if same { Vec::new() } else { numbers }
        });
    }

    fn spill(&mut self) -> Result<()> {
        let start = self.scratch.append(&self.pending)?;
        self.blocks.push(Block { start, length: self.pending.len() });
        self.pending.clear();
        Ok(())
    }

    /// Of how many rules one is enough to choose codes by.
    pub fn step(&self) -> usize {
        (self.rules / SAMPLE).clamp(1, 8) as usize
    }

    /// Works on every `step`-th rule of all blocks, several blocks at once, and hands over the
    /// results in order.
    pub fn work<T: Send>(
        &self,
        step: usize,
        work: impl Fn(Rules<'_>) -> T + Sync,
        mut take: impl FnMut(Vec<T>) -> Result<()>,
    ) -> Result<()> {
        for batch in self.blocks.chunks(BATCH) {
            let done: Result<Vec<T>> = batch
                .par_iter()
                .map(|&block| {
                    Ok(work(Rules { bytes: &self.read(block)?, numbers: &self.numbers, step }))
                })
                .collect();
            take(done?)?;
        }
        if self.pending.is_empty() {
            return Ok(());
        }
        take(vec![work(Rules { bytes: &self.pending, numbers: &self.numbers, step })])
    }

    fn read(&self, block: Block) -> Result<Vec<u8>> {
        let mut bytes = vec![0; block.length];
        self.scratch.read(block.start, &mut bytes)?;
        Ok(bytes)
    }
}

/// The rules of one block.
pub struct Rules<'a> {
    bytes: &'a [u8],
    numbers: &'a [Vec<u32>; 3],
    step: usize,
}

impl<'a> Rules<'a> {
    fn record(&mut self) -> Option<&'a [u8]> {
        let (length, rest) = self.bytes.split_first_chunk::<4>()?;
        let (record, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        self.bytes = rest;
        Some(record)
    }

    /// The next rule, into a rule whose vectors are used again; false at the end.
    pub fn next(&mut self, rule: &mut Rule) -> bool {
        let Some(record) = self.record() else { return false };
        if read_rule(record, rule).is_none() {
            return false;
        }
        for _ in 1..self.step {
            self.record();
        }
        let [source, target, labels] = self.numbers;
        renumber_side(&mut rule.source, source);
        renumber_side(&mut rule.target, target);
        if let Some(structure) = &mut rule.structure {
            for label in structure.slot_labels.iter_mut().chain([&mut structure.label]) {
                renumber(label, labels);
            }
        }
        true
    }
}

fn renumber_side(side: &mut [Symbol], numbers: &[u32]) {
    if numbers.is_empty() {
        return;
    }
    for symbol in side {
        if let Symbol::Word(word) = symbol {
            renumber(word, numbers);
        }
    }
}

fn renumber(word: &mut WordId, numbers: &[u32]) {
    if let Some(&number) = numbers.get(word.index()) {
        *word = WordId(number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Counts, Structure, StructureKind};

    fn rule(source: u32, target: u32) -> Rule {
        Rule {
            source: vec![Symbol::Slot(0), Symbol::Word(WordId(source))],
            target: vec![Symbol::Word(WordId(target)); (target % 4) as usize],
            structure: target.is_multiple_of(3).then(|| Structure {
                kind: StructureKind::Fixed(1),
                heads: vec![2, 0],
                label: WordId(5),
                slot_labels: vec![WordId(3)],
            }),
            links: vec![(1, 0)],
            counts: target.is_multiple_of(2).then_some(Counts {
                target: 1.0,
                source: 2.0,
                joint: 0.5,
            }),
            features: vec![0.25, f32::MIN_POSITIVE],
        }
    }

    #[test]
    fn rules_come_back_in_order_through_memory_and_file() {
        let directory = tempfile::tempdir().unwrap();
        for many in [0, 10, 60_000] {
            let rules: Vec<Rule> = (0..many).map(|n| rule(n / 7, n)).collect();
            let mut spool = Spool::new(Scratch::new(directory.path()));
            for rule in &rules {
                assert!(spool.push(rule).unwrap().is_some());
            }
            assert_eq!(spool.scratch.is_empty(), many <= 10);
            assert_eq!((spool.rules, spool.sources), (many.into(), many.div_ceil(7).into()));
            let mut found = Vec::new();
            let read = |mut rules: Rules<'_>| {
                let (mut all, mut one) = (Vec::new(), rule(0, 0));
                while rules.next(&mut one) {
                    all.push(one.clone());
                }
                all
            };
            let mut keep = |batch: Vec<Vec<_>>| {
                found.extend(batch.concat());
                Ok(())
            };
            spool.work(1, read, &mut keep).unwrap();
            assert!(found == rules);
        }
    }

    #[test]
    fn rules_out_of_order_are_seen() {
        let directory = tempfile::tempdir().unwrap();
        let mut spool = Spool::new(Scratch::new(directory.path()));
        assert_eq!(spool.push(&rule(2, 1)).unwrap(), Some(Order::NewSource));
        assert_eq!(spool.push(&rule(2, 0)).unwrap(), Some(Order::SameSource));
        assert_eq!(spool.push(&rule(1, 1)).unwrap(), None);
    }
}
