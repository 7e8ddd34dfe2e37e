//! Rules as search uses them: all that can be scored before their slots are filled.
//!
//! What is prepared of a source side is kept for later sentences, so it is written as small as it
//! can be: all of it in one block of 32-bit words, states of language models without the places
//! that they do not use, equal ones once.

use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::feature::RuleParts;
use super::states::Several;
use crate::WordId;
use crate::decode::cache::Kept;
use crate::decode::phrase::Spelled;
use crate::decode::{Model, local};
use crate::lm::ChartState;
use crate::table::Symbol;

/// In place of a slot among the parts of a target side: neighbouring words.
pub const RUN: u8 = u8::MAX;

/// One rule, prepared under a model: where what it is made of begins within the set. It ends where
/// that of the next rule begins.
#[derive(Debug, Clone, Copy, Default, Pod, Zeroable)]
#[repr(C)]
pub struct ChartRule {
    pub target: u32,
    pub parts: u32,
    pub links: u32,
    /// The number of its first run.
    pub runs: u32,
    /// Its place among the rules of its source side.
    pub place: u32,
    /// Weighted: all that is its own, with what language models say of its runs alone.
    pub score: f32,
    /// What it is expected to score: with part of its slack.
    pub key: f32,
}

/// Words of the block that a rule takes.
pub const RULE: usize = size_of::<ChartRule>() / size_of::<u32>();

/// Where each kind of content begins in the block of a set; the source side comes before all.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sections {
    /// One more than there are: the last says where all ends.
    pub rules: u32,
    pub values: u32,
    pub targets: u32,
    /// For each run, where its states begin.
    pub runs: u32,
    /// One of each language model for each run that differs.
    pub states: u32,
    /// Bytes: parts of target sides, then links.
    pub parts: u32,
    pub links: u32,
}

/// The rules of one source side, the best by key first.
pub struct RuleSet {
    pub block: Box<[u32]>,
    pub sections: Sections,
    /// How many rules there are.
    pub count: u32,
    /// How many runs they have.
    pub runs: u32,
    /// What the one rule says, if there is none in the table.
    pub spelled: Option<Box<Spelled>>,
    /// What each feature with a state keeps of the rules, by rank.
    pub features: Vec<Arc<dyn RuleParts>>,
}

impl Kept for RuleSet {
    const MOST: usize = 96 << 20;

    fn bytes(&self) -> usize {
        // With two blocks of the allocator, and its place among what is kept.
        const AROUND: usize = 80;
        let features: usize = self.features.iter().map(|parts| parts.bytes()).sum();
        AROUND + size_of::<Self>() + size_of_val(&*self.block) + features
    }
}

impl RuleSet {
    #[inline]
    fn words(&self, start: u32, end: u32) -> &[u32] {
        &self.block[start as usize..end as usize]
    }

    /// A rule by its rank.
    #[inline]
    pub fn rule(&self, rank: u32) -> &ChartRule {
        let words = &self.block[self.sections.rules as usize + rank as usize * RULE..];
        bytemuck::cast_ref(words.first_chunk::<RULE>().expect("a rule of the set"))
    }

    /// The source side.
    pub fn source(&self) -> impl DoubleEndedIterator<Item = Symbol> + ExactSizeIterator + '_ {
        self.words(0, self.sections.rules).iter().map(|&word| unpacked(word))
    }

    /// Symbols of the table's target side; none for what is spelled.
    pub fn target(&self, rank: u32) -> impl ExactSizeIterator<Item = Symbol> + '_ {
        let [start, end] = [rank, rank + 1].map(|it| self.sections.targets + self.rule(it).target);
        self.words(start, end).iter().map(|&word| unpacked(word))
    }

    #[inline]
    fn bytes_from(&self, start: u32, end: u32) -> &[u8] {
        let bytes: &[u8] = bytemuck::cast_slice(&self.block);
        &bytes[start as usize..end as usize]
    }

    /// Parts of the target side: slots by number, and `RUN`.
    #[inline]
    pub fn parts(&self, rank: u32) -> &[u8] {
        let first = self.sections.parts;
        self.bytes_from(first + self.rule(rank).parts, first + self.rule(rank + 1).parts)
    }

    /// Word links: place on the source side, place on the target side.
    pub fn links(&self, rank: u32) -> impl Iterator<Item = (u8, u8)> + '_ {
        let [start, end] = [rank, rank + 1].map(|it| self.sections.links + self.rule(it).links);
        self.bytes_from(start, end).chunks_exact(2).map(|link| (link[0], link[1]))
    }

    /// The states of a run, one of each of this many language models.
    pub fn run(&self, run: u32, many: usize) -> Several {
        let start = self.block[(self.sections.runs + run) as usize];
        let mut rest = &self.block[(self.sections.states + start) as usize..];
        (0..many).map(|_| ChartState::unpack(&mut rest)).collect()
    }

    /// Adds the values of all features that need no context.
    pub fn add_local(&self, model: &Model, rank: u32, sums: &mut [f64]) {
        let width = local::value_count(model);
        let values: &[f32] =
            bytemuck::cast_slice(self.words(self.sections.values, self.sections.targets));
        let known = self.target(rank).filter(|symbol| matches!(symbol, Symbol::Word(_)));
        let (spelled, unknown) = match &self.spelled {
            Some(spelled) => (spelled.words.len(), spelled.unknown.is_some()),
            None => (0, false),
        };
        let words = known.count() + spelled;
        let values = &values[rank as usize * width..][..width];
        local::add(model, values, words, unknown, sums);
    }
}

/// Slots are the last numbers.
const FIRST_SLOT: u32 = u32::MAX - u8::MAX as u32;

/// A symbol in one word of a block.
pub fn packed(symbol: Symbol) -> u32 {
    match symbol {
        Symbol::Word(word) => word.0,
        Symbol::Slot(slot) => FIRST_SLOT + u32::from(slot),
    }
}

fn unpacked(word: u32) -> Symbol {
    match word.checked_sub(FIRST_SLOT) {
        None => Symbol::Word(WordId(word)),
        Some(slot) => Symbol::Slot(slot as u8),
    }
}
