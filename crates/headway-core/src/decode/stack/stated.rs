//! Derivations that a caller states, phrase by phrase.

use std::ops::Range;

use super::decoder::Decoder;
use super::derive::Taken;
use super::guide::Guide;
use super::literal;
use crate::decode::Phrase;
use crate::decode::constraint::Constraint;
use crate::decode::coverage::Coverage;
use crate::decode::feature::SourceSpan;
use crate::decode::interface::{Decode, Given};
use crate::decode::source::Source;
use crate::decode::trees::UsableTrees;
use crate::table::Symbol;
use crate::{Error, Result};

impl Decoder {
    /// All features of a derivation.
    pub fn stated(&self, source: &Source, given: &[Given]) -> Result<Vec<f64>> {
        let (words, mut phrases) = (source.strs(), Vec::new());
        for phrase in given {
            let span = self.span_of(&words, phrase)?;
            let found = match self.forced(source, phrase) {
                Some(forced) => forced,
                None => self.find(&words, phrase)?,
            };
            phrases.push((span, found));
        }
        let (mut extras, trees) = (self.extras(source), self.trees(source));
        let steps = self.taken(source, &phrases, &trees);
        Ok(literal::features(self.model(), self.manner(&trees), &mut extras, &steps))
    }

    /// The phrases of a derivation with the source trees that agree behind each.
    fn taken<'p>(
        &self,
        source: &Source,
        phrases: &'p [(SourceSpan, Phrase)],
        trees: &UsableTrees,
    ) -> Vec<Taken<'p>> {
        let how = &self.search().order;
        let mut guided: Vec<(Range<usize>, Option<Guide>, Coverage)> = Vec::new();
        for piece in self.pieces(source) {
            let guide = Guide::wanted(trees, &piece, how);
            guided.push((piece, guide, Coverage::of_trees(trees.all())));
        }
        let mut left = trees.all();
        let taken = |(span, phrase): &'p (SourceSpan, Phrase)| {
            let (start, end) = (span.start as usize, span.end as usize);
            let inside = |piece: &Range<usize>| piece.start <= start && end <= piece.end;
            let place = guided.iter_mut().find(|(piece, ..)| inside(piece));
            if let Some((piece, Some(guide), covered)) = place {
                let (start, end) = ((start - piece.start) as u32, (end - piece.start) as u32);
                left = guide.step(covered, left, start, end);
                if !(start..end).any(|word| covered.contains(word)) {
                    *covered = covered.with(start, end, trees.all());
                }
            }
            Taken { span: *span, phrase, trees: left }
        };
        phrases.iter().map(taken).collect()
    }

    /// The phrase that a constraint is, if the source has one of these words.
    fn forced(&self, source: &Source, given: &Given) -> Option<Phrase> {
        let same = |constraint: &Constraint| match constraint {
            Constraint::Forced(forced) => {
                let span = given.start..given.end;
                (forced.span == span && forced.target == given.target).then(|| forced.clone())
            }
            _ => None,
        };
        let forced = source.constraints().iter().find_map(same)?;
        Some(Phrase::of_forced(self.model(), self.search(), &forced))
    }

    fn span_of(&self, words: &[&str], given: &Given) -> Result<SourceSpan> {
        let (start, end) = (given.start, given.end);
        if start >= end || end as usize > words.len() {
            let length = words.len();
            let message = format!("{start}–{end} is no span of a sentence of {length} words");
            return Err(Error::setting(message));
        }
        Ok(SourceSpan { start: start as i32, end: end as i32 })
    }

    /// The rule with these sides, or the fallback for a word.
    fn find(&self, words: &[&str], given: &Given) -> Result<Phrase> {
        let (model, search) = (self.model(), self.search());
        let source = &words[given.start as usize..given.end as usize];
        let ids: Option<Vec<Symbol>> =
            source.iter().map(|word| model.table().source().get(word).map(Symbol::Word)).collect();
        let target: Option<Vec<Symbol>> = given
            .target
            .iter()
            .map(|word| model.table().target().get(word).map(Symbol::Word))
            .collect();
        let node = ids.as_ref().and_then(|ids| model.table().find(ids));
        if let (Some(node), Some(ids), Some(target)) = (node, ids, target) {
            let (mut found, mut place) = (None, 0);
            model.table().visit(node, &ids, |rule| {
                if found.is_none() && rule.target == target {
                    found = Some(Phrase::of_rule(model, search, rule, place, &[]));
                }
                place += 1;
            })?;
            if let Some(found) = found {
                return Ok(found);
            }
        }
        let unknown = (source.len() == 1).then(|| Phrase::of_unknown(model, search, source[0]));
        let unknown = unknown.filter(|phrase| phrase.words(model).eq(given.target.iter()));
        unknown.ok_or_else(|| {
            let (source, target) = (source.join(" "), given.target.join(" "));
            Error::setting(format!("the table has no rule \"{source}\" → \"{target}\""))
        })
    }
}
