//! From phrases to a translation.

use super::arena::NONE;
use super::search::Searching;
use crate::decode::feature::SourceSpan;
use crate::decode::translation::{Segment, Translation};
use crate::decode::{Model, Phrase};

/// A phrase of a derivation.
#[derive(Clone, Copy)]
pub struct Taken<'a> {
    /// Where it stands in the source.
    pub span: SourceSpan,
    pub phrase: &'a Phrase,
    /// The source trees that the order agrees with behind it.
    pub trees: u32,
}

impl Translation {
    pub fn of_steps(model: &Model, steps: &[Taken<'_>]) -> Self {
        let mut translation = Translation::default();
        for &Taken { span, phrase, .. } in steps {
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
            unknown: phrase.spelled.as_ref().and_then(|spelled| spelled.unknown),
            rule: None,
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
