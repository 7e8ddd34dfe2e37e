//! One translation rule, whatever system it serves, and what passes between those who have
//! rules (extraction, a Moses table, a table at hand) and those who keep them.

use crate::{Result, Vocabulary, WordId};

/// A word, or a slot to be filled by another rule's result. Slots are numbered in the order of
/// the source side; the same number stands on both sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Symbol {
    Slot(u8),
    Word(WordId),
}

/// How a target structure can be used (paper 003, Definitions 1 and 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum StructureKind {
    /// One symbol, at this place, heads all others.
    Fixed(u8),
    /// Siblings whose head will stand to their right.
    FloatingLeft,
    /// Siblings whose head stands to their left.
    FloatingRight,
}

/// The dependency structure of a rule's target side.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Structure {
    pub kind: StructureKind,
    /// For each target symbol the place of its head among the target symbols plus one; 0 where
    /// the head lies outside.
    pub heads: Vec<u8>,
    /// Label of the whole: tag of the head if fixed, the generic `X` if floating. A number of
    /// the header's `labels`.
    pub label: WordId,
    /// Labels of the slots, by slot number.
    pub slot_labels: Vec<WordId>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    pub source: Vec<Symbol>,
    pub target: Vec<Symbol>,
    /// None for phrase pairs, Hiero rules, and phrasal rules of string-to-dependency systems.
    pub structure: Option<Structure>,
    /// Word links within the rule (source place, target place), the most frequent ones seen.
    pub links: Vec<(u8, u8)>,
    /// One value for each name in the header.
    pub features: Vec<f32>,
}

/// What all rules of a table share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    pub features: Vec<String>,
    pub source: Vocabulary,
    pub target: Vocabulary,
    pub labels: Vocabulary,
}

/// Takes a whole table: `begin`, then rules sorted by source side (then in any fixed order),
/// then `finish`.
pub trait RuleSink {
    fn begin(&mut self, header: &Header) -> Result<()>;

    fn rule(&mut self, rule: &Rule) -> Result<()>;

    fn finish(&mut self) -> Result<()>;
}
