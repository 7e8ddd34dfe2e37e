//! What is extracted, and within which limits.

use std::path::PathBuf;

use super::pair::Pair;
use crate::scratch::Scratch;
use crate::tree::conllu::Tags;
use crate::{Error, Result};

/// Places within a rule are numbered in a byte, the place of a head plus one as well.
const LONGEST_RULE: usize = 200;
const LONGEST_SENTENCE: usize = 10_000;
const MOST_SLOTS: usize = 2;
const LEAST_MEMORY: u64 = 16 << 20;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Phrase pairs, with lexicalised reordering.
    Phrase,
    /// Hierarchical rules (Chiang 2007).
    Hiero,
    /// Hierarchical rules with target dependency structures (Shen, Xu & Weischedel 2010).
    StringToDependency,
    /// Hierarchical rules whose target sides are well-formed structures, without these.
    Filtered,
}

impl Kind {
    pub const ALL: [(&str, Kind); 4] = [
        ("phrase", Kind::Phrase),
        ("hiero", Kind::Hiero),
        ("str2dep", Kind::StringToDependency),
        ("filtered", Kind::Filtered),
    ];

    pub fn needs_trees(self) -> bool {
        matches!(self, Kind::StringToDependency | Kind::Filtered)
    }
}

/// Whether phrases may begin or end in words without a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edges {
    Tight,
    Loose,
}

/// How far a phrase pair may reach on either side, and where it may end.
#[derive(Debug, Clone, Copy)]
pub struct PhraseLimits {
    pub length: usize,
    pub edges: Edges,
}

#[derive(Debug, Clone, Copy)]
pub struct RuleLimits {
    /// Of the phrase pairs from which rules are made.
    pub initial: PhraseLimits,
    pub slots: usize,
    /// Words and slots on the source side.
    pub source_symbols: usize,
    /// Source words that a slot must stand for.
    pub slot_words: usize,
    /// Whether slots may be neighbours on the source side.
    pub adjacent_slots: bool,
    /// Whether the rules of one phrase pair share one count.
    pub fractional_counts: bool,
}

/// Which pairs give phrasal rules, which have no structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phrasal {
    None,
    /// Sentence pairs without a tree.
    Treeless,
    /// Those, and phrase pairs whose target side is not a well-formed structure.
    IllFormed,
}

impl Phrasal {
    pub const ALL: [(&str, Phrasal); 3] = [
        ("none", Phrasal::None),
        ("treeless", Phrasal::Treeless),
        ("ill-formed", Phrasal::IllFormed),
    ];
}

/// What becomes of rules with the same words and different structures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Structures {
    /// They are different rules.
    All,
    /// They are one, with the structure seen most often.
    Best,
}

impl Structures {
    pub const ALL: [(&str, Structures); 2] = [("all", Structures::All), ("best", Structures::Best)];
}

#[derive(Debug, Clone, Copy)]
pub struct TreeOptions {
    /// Where labels come from; None labels everything X.
    pub labels: Option<Tags>,
    pub structures: Structures,
    pub phrasal: Phrasal,
    /// Words on either side of a phrasal rule.
    pub phrasal_length: usize,
}

/// What tells how a phrase pair stands to its neighbours (Galley & Manning 2008).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Neighbours {
    /// The word links at its corners.
    Words,
    /// Phrase pairs of limited length that touch its corners.
    Phrases,
    /// Phrase pairs of any length.
    Blocks,
}

impl Neighbours {
    pub const ALL: [(&str, Neighbours); 3] = [
        ("word", Neighbours::Words),
        ("phrase", Neighbours::Phrases),
        ("hierarchical", Neighbours::Blocks),
    ];
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reordering {
    pub neighbours: Neighbours,
    /// Discontinuous to the left and to the right are told apart: mslr, not msd.
    pub sides: bool,
    /// Orientation towards the phrase before.
    pub backward: bool,
    /// Orientation towards the phrase after.
    pub forward: bool,
    /// Conditioned on the source phrase alone.
    pub source_only: bool,
    /// Added to every count.
    pub smoothing: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Smoothing {
    None,
    GoodTuring,
    KneserNey,
}

impl Smoothing {
    pub const ALL: [(&str, Smoothing); 3] = [
        ("none", Smoothing::None),
        ("good-turing", Smoothing::GoodTuring),
        ("kneser-ney", Smoothing::KneserNey),
    ];
}

/// Phrase pairs whose words occur together no more often than by chance are left out: those
/// with −ln p of Fisher's exact test below this (Johnson et al. 2007).
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Significance {
    /// Just above that of two phrases that occur once, together: these go.
    AlphaPlus,
    /// Just below: these stay.
    AlphaMinus,
    Value(f64),
}

#[derive(Debug, Clone)]
pub struct Options {
    pub kind: Kind,
    pub phrase_length: usize,
    pub rules: RuleLimits,
    pub trees: TreeOptions,
    pub reordering: Option<Reordering>,
    pub smoothing: Smoothing,
    pub significance: Option<Significance>,
    /// Whether counts are among the features.
    pub counts: bool,
    /// Pairs with a longer side are passed over, and counted.
    pub sentence_length: usize,
    /// Bytes to work in; what does not fit goes by way of the disk.
    pub memory: u64,
    /// Where unnamed temporary files are made; None is the system's place.
    pub temp: Option<PathBuf>,
}

impl Options {
    /// A file for what does not fit into memory.
    pub fn scratch(&self) -> Scratch {
        Scratch::new(self.temp.as_deref().unwrap_or(&std::env::temp_dir()))
    }

    /// The limits of the phrase pairs that this kind of rule starts from.
    pub fn initial(&self) -> PhraseLimits {
        match self.kind {
            Kind::Phrase => PhraseLimits { length: self.phrase_length, edges: Edges::Loose },
            _ => self.rules.initial,
        }
    }

    /// Whether a pair is passed over for its length.
    pub fn is_too_long(&self, pair: &Pair) -> bool {
        pair.source.len().max(pair.target.len()) > self.sentence_length
    }

    pub fn check(&self) -> Result<()> {
        within("longest phrase", self.phrase_length, 1, LONGEST_RULE)?;
        within("initial_length", self.rules.initial.length, 1, LONGEST_RULE)?;
        within("slots", self.rules.slots, 0, MOST_SLOTS)?;
        within("source_symbols", self.rules.source_symbols, 1, LONGEST_RULE)?;
        within("min_slot_words", self.rules.slot_words, 1, LONGEST_RULE)?;
        within("phrasal_length", self.trees.phrasal_length, 1, LONGEST_RULE)?;
        within("max_sentence_length", self.sentence_length, 1, LONGEST_SENTENCE)?;
        self.check_reordering()?;
        if self.significance.is_some() && self.kind != Kind::Phrase {
            return Err(Error::setting(
                "extract.significance is defined for phrase pairs; set it to none for rules with slots",
            ));
        }
        if matches!(self.significance, Some(Significance::Value(least)) if !least.is_finite()) {
            return Err(Error::setting("extract.significance: expected a finite number"));
        }
        if self.memory < LEAST_MEMORY {
            return Err(Error::setting("memory: too little to work with; give at least 16M"));
        }
        Ok(())
    }

    fn check_reordering(&self) -> Result<()> {
        let Some(reordering) = self.reordering else { return Ok(()) };
        let smoothing = reordering.smoothing;
        if !smoothing.is_finite() || smoothing < 0.0 {
            return Err(Error::setting(format!(
                "extract.reordering.smoothing {smoothing}: expected 0 or more"
            )));
        }
        Ok(())
    }
}

fn within(name: &str, value: usize, least: usize, most: usize) -> Result<()> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    Err(Error::setting(format!("extract: {name} {value}: expected {least} to {most}")))
}
