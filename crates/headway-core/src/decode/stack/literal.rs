//! Scoring a derivation step by step and word by word, without anything prepared.
//!
//! This is what features mean; search computes the same sums another way.

use crate::decode::feature::{SourceSpan, Step};
use crate::decode::reordering::{Orientation, Oriented};
use crate::decode::{Model, Orienting, Phrase};
use crate::lm::State;

use super::derive::Taken;
use super::extras::Extras;
use super::search::Entry;

/// What counts in a sentence besides what the model says.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    pub orienting: Orienting,
    /// Whether words jumped over count.
    pub linear: bool,
}

/// A walk through a derivation.
pub struct Walk<'a> {
    model: &'a Model,
    manner: Manner,
    pub lm: Vec<State>,
    pub last: SourceSpan,
    pub phrase: Option<&'a Phrase>,
}

impl<'a> Walk<'a> {
    pub fn new(model: &'a Model, manner: Manner) -> Self {
        let lm = model.lms().iter().map(|(_, lm)| lm.begin_state()).collect();
        Walk { model, manner, lm, last: SourceSpan { start: -1, end: 0 }, phrase: None }
    }

    /// Adds the values of one more phrase.
    pub fn step(&mut self, span: SourceSpan, phrase: &'a Phrase, values: &mut [f64]) {
        let columns = self.model.columns();
        phrase.add_local(self.model, values);
        for word in phrase.words(self.model) {
            for (index, (_, lm)) in self.model.lms().iter().enumerate() {
                let score = lm.score(&mut self.lm[index], lm.word_id(word));
                values[columns.lms + index] += score.log_prob();
            }
        }
        if self.manner.linear {
            values[columns.joining] -= f64::from((span.start - self.last.end).abs());
        }
        if self.manner.orienting == Orienting::Phrase {
            self.orient(span, phrase, values);
        }
        (self.last, self.phrase) = (span, Some(phrase));
    }

    fn orient(&self, span: SourceSpan, phrase: &Phrase, values: &mut [f64]) {
        let last = (self.last.start, self.last.end);
        let orientation = Orientation::between(last, (span.start, span.end));
        let reordering = self.model.reordering();
        let mut add = |columns: Option<Oriented>, phrase: Option<&Phrase>| {
            if let (Some(columns), Some(phrase)) = (columns, phrase) {
                let column = columns[orientation as usize];
                values[column] += f64::from(phrase.values[column]);
            }
        };
        add(reordering.backward, Some(phrase));
        add(reordering.forward, self.phrase);
    }

    /// Adds what the end of the sentence scores.
    pub fn finish(&mut self, values: &mut [f64]) {
        let columns = self.model.columns();
        for (index, (_, lm)) in self.model.lms().iter().enumerate() {
            values[columns.lms + index] += lm.score(&mut self.lm[index], lm.end()).log_prob();
        }
    }
}

/// All features of a whole derivation.
pub fn features(
    model: &Model,
    manner: Manner,
    extras: &mut Extras<'_>,
    steps: &[Taken<'_>],
) -> Vec<f64> {
    let mut values = vec![0.0; model.names().len()];
    let (mut walk, mut extra) = (Walk::new(model, manner), 0);
    let end = steps.iter().map(|step| step.span.end).max().unwrap_or(0);
    let mut covered = vec![false; end.max(0) as usize];
    for &Taken { span, phrase, trees } in steps {
        let previous = walk.phrase.map(|phrase| (walk.last, phrase));
        walk.step(span, phrase, &mut values);
        if extras.is_empty() {
            continue;
        }
        (span.start..span.end).for_each(|word| covered[word as usize] = true);
        let is_covered =
            |word: i32| usize::try_from(word).is_ok_and(|word| covered.get(word) == Some(&true));
        let step = Step { span, phrase, previous, covered: &is_covered, trees };
        extra = extras.extend(extra, &step, |column, value| values[column] += f64::from(value));
    }
    if !steps.is_empty() {
        walk.finish(&mut values);
        extras.finish(extra, |column, value| values[column] += f64::from(value));
    }
    values
}

/// How the next piece begins.
pub fn entry_behind(walk: &Walk<'_>, extra: u32, trees: u32, length: u32) -> Entry {
    let SourceSpan { start, end } = walk.last;
    let last = SourceSpan { start: start - length as i32, end: end - length as i32 };
    Entry { lm: walk.lm.clone(), last, phrase: walk.phrase.cloned(), extra, trees }
}
