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

/// The label of floating structures, which have no head to take one from. No tagset has it: X
/// would be a tag of Universal Dependencies.
pub const GENERIC_LABEL: &str = "[X]";

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

/// How often the sides of a rule were seen; fractions where counts were shared out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counts {
    pub target: f32,
    pub source: f32,
    pub joint: f32,
}

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rule {
    pub source: Vec<Symbol>,
    pub target: Vec<Symbol>,
    /// None for phrase pairs, Hiero rules, and phrasal rules of string-to-dependency systems.
    pub structure: Option<Structure>,
    /// Word links within the rule (source place, target place), the most frequent ones seen.
    pub links: Vec<(u8, u8)>,
    pub counts: Option<Counts>,
    /// One value for each feature in the header, as estimated: a probability as a probability,
    /// not as its logarithm (see `Scale`).
    pub features: Vec<f32>,
}

/// How a feature's value enters the linear model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// A probability: the model adds up its natural logarithm, at least `FLOOR`.
    Probability,
    /// The value itself is added up.
    Value,
}

/// The logarithm of a probability of 0, as Moses has it.
pub const FLOOR: f32 = -100.0;

impl Scale {
    /// What a weight is multiplied with.
    pub fn model_value(self, value: f32) -> f32 {
        match self {
            Scale::Probability => (f64::from(value).ln() as f32).max(FLOOR),
            Scale::Value => value,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Feature {
    pub name: String,
    pub scale: Scale,
}

impl Feature {
    pub fn probability(name: impl Into<String>) -> Self {
        Feature { name: name.into(), scale: Scale::Probability }
    }
}

/// The four scores of every table, in the order of Moses; f is the source, e the target side.
pub const TRANSLATION_FEATURES: [&str; 4] = ["p(f|e)", "lex(f|e)", "p(e|f)", "lex(e|f)"];

/// Lexicalised reordering features are named `reordering.backward.swap` and the like; those
/// with this prefix go to a table of their own when written as text.
pub const REORDERING_PREFIX: &str = "reordering.";

/// What all rules of a table share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Header {
    pub features: Vec<Feature>,
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
