//! A translation, with the derivation that made it.

use std::sync::Arc;

use super::settings::UnknownWords;
use crate::consensus::Gain;
use crate::forest::Forest;
use crate::tree::DependencyTree;
use crate::tree::structure::Operation;

/// A rule of a derivation, in the order of the translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Its source words, from the first to before the last; those of others may lie between.
    pub source: (u32, u32),
    /// Its target words, likewise.
    pub target: (u32, u32),
    /// What became of it, if it is a word without a rule.
    pub unknown: Option<UnknownWords>,
    /// The rule of hierarchical search; phrases need no such. Entries of a list share it.
    pub rule: Option<Arc<Shown>>,
}

/// A rule as text, slots as `[X1]` and `[X2]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    pub source: String,
    pub target: String,
    /// Its place among the table's rules of the same source side; none for an unknown word.
    pub place: Option<u32>,
}

/// A step of a derivation of hierarchical search; those that it is made of come before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Joint {
    /// The source words that it covers.
    pub source: (u32, u32),
    pub by: By,
    /// The steps that fill its slots, or that it joins, by number; `NO_STEP` is none.
    pub parts: [u32; 2],
}

pub const NO_STEP: u32 = u32::MAX;

/// How a step was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// By a rule: the segment of this number.
    Rule(u32),
    /// Put side by side, without trees.
    Glue,
    /// By joining trees; none if that left the null structure, or one of them was null before.
    Join(Option<Operation>),
}

/// The head of a word of a translation, or of a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Head {
    Root,
    /// A word or a segment, from 0.
    Word(u32),
    /// None: the word is in no structure.
    Null,
}

/// What search found for one sentence.
#[derive(Debug, Clone, Default)]
pub struct Translation {
    pub words: Vec<String>,
    pub score: f64,
    /// By the model's names.
    pub features: Vec<f64>,
    pub segments: Vec<Segment>,
    /// How they hang together, the whole last; none for phrases, which follow each other.
    pub steps: Vec<Joint>,
    /// Word links of the phrases: source word, target word.
    pub links: Vec<(u32, u32)>,
    /// For each word its head, where trees were built.
    pub heads: Option<Vec<Head>>,
    /// For each segment the one that it depends on, where phrases were parsed; null if it says
    /// nothing.
    pub phrase_heads: Option<Vec<Head>>,
    /// Whether it was translated in pieces, for its length.
    pub split: bool,
    /// Whether its time was up before search had ended.
    pub hurried: bool,
    /// The parts of its source that the decoder has no use for, by name.
    pub ignored: Vec<&'static str>,
    /// The best ones, if they were asked for; the first is this one.
    pub n_best: Vec<Translation>,
    pub forest: Option<Forest>,
    /// If it was asked for and a feature makes one.
    pub tree: Option<DependencyTree>,
}

impl Translation {
    /// Words, score and features alone, of the list as well: what tuning looks at.
    pub fn bare(&self) -> Translation {
        let Translation { words, score, features, .. } = self;
        let (words, score, features) = (words.clone(), *score, features.clone());
        let n_best = self.n_best.iter().map(Translation::bare).collect();
        Translation { words, score, features, n_best, ..Translation::default() }
    }
}

/// What is wanted beside the best translation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Request {
    pub forest: bool,
    /// So many of the best translations; 0 is none.
    pub n_best: usize,
    /// Whether these must differ in their words.
    pub distinct: bool,
    /// Whether translations, those of the n-best list too, come with their trees.
    pub trees: bool,
    /// Whether the list also has the derivation that all agree with most, if it is not among the
    /// best: by which gain, and what scores count as logarithms of probabilities.
    pub safest: Option<(Gain, f64)>,
    /// Sentences before the first one, for messages.
    pub before: u64,
}
