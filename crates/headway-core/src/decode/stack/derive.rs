//! A translation, with the derivation that made it.

use super::arena::NONE;
use super::search::Searching;
use crate::decode::feature::SourceSpan;
use crate::decode::{Model, Phrase, UnknownWords};
use crate::forest::Forest;

/// A phrase of a derivation, in the order of the translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    /// Source words, from the first to before the last.
    pub source: (u32, u32),
    /// Target words, likewise.
    pub target: (u32, u32),
    /// What became of it, if it is a word without a rule.
    pub unknown: Option<UnknownWords>,
}

/// What search found for one sentence.
#[derive(Debug, Clone, Default)]
pub struct Translation {
    pub words: Vec<String>,
    pub score: f64,
    /// By the model's names.
    pub features: Vec<f64>,
    pub segments: Vec<Segment>,
    /// Word links of the phrases: source word, target word.
    pub links: Vec<(u32, u32)>,
    /// Whether it was translated in pieces, for its length.
    pub split: bool,
    /// Whether its time was up before search had ended.
    pub hurried: bool,
    /// The best ones, if they were asked for; the first is this one.
    pub n_best: Vec<Translation>,
    pub forest: Option<Forest>,
}

/// A derivation: phrases and where they stand in the source.
pub type Steps<'a> = Vec<(SourceSpan, &'a Phrase)>;

impl Translation {
    pub fn of_steps(model: &Model, steps: &[(SourceSpan, &Phrase)]) -> Self {
        let mut translation = Translation::default();
        for &(span, phrase) in steps {
            translation.push(model, span, phrase);
        }
        translation
    }

    fn push(&mut self, model: &Model, span: SourceSpan, phrase: &Phrase) {
        let (start, first) = (span.start as u32, self.words.len() as u32);
        self.words.extend(phrase.words(model).map(ToString::to_string));
        let links = phrase.links.iter();
        self.links.extend(links.map(|&(s, t)| (start + u32::from(s), first + u32::from(t))));
        self.segments.push(Segment {
            source: (start, span.end as u32),
            target: (first, self.words.len() as u32),
            unknown: phrase.unknown.as_ref().map(|unknown| unknown.treatment),
        });
    }
}

impl Searching<'_, '_> {
    /// The phrases that lead to a hypothesis, as hypotheses, the first first.
    pub fn path(&self, hypothesis: u32) -> Vec<u32> {
        let (mut path, mut at) = (Vec::new(), hypothesis);
        while self.arena[at as usize].choice != NONE {
            path.push(at);
            at = self.arena[at as usize].previous;
        }
        path.reverse();
        path
    }
}
