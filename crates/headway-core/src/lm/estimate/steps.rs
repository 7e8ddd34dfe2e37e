//! From a complete text to a model, step by step.

use std::sync::Arc;

use super::adjust::{Adjusted, Adjuster};
use super::corpus::Text;
use super::count::Counter;
use super::discount::Discounts;
use super::emit::Emitter;
use super::interpolate::{Estimates, Interpolator};
use super::key::{Key, Packing};
use super::options::{Options, Report};
use super::table::{Table, gather};
use super::tape::Space;
use crate::lm::NgramSink;
use crate::{Error, Monitor, Result};

/// Texts with fewer tokens are not worth parts of their own.
const PART: u64 = 1 << 15;
const MOST_PARTS: usize = 64;

/// What all steps need to know.
pub struct Steps<'a> {
    pub options: &'a Options,
    pub prune: &'a [u64],
    pub space: &'a Arc<Space>,
    pub packing: Packing,
    /// Bytes for what is being sorted.
    pub sorting: u64,
    pub monitor: &'a Monitor,
}

impl Steps<'_> {
    pub fn run<K: Key>(&self, mut text: Text, sink: &mut dyn NgramSink) -> Result<Report> {
        let (read, _) = self.monitor.progress();
        self.monitor.expect(read + 5 * text.tokens());
        let tables = self.count::<K>(&text)?;
        text.release();
        self.space.give(self.sorting / 2);
        let adjusted = self.adjust(&text, &tables)?;
        drop(tables);
        let discounts: Vec<Discounts> = adjusted.counts.iter().map(Discounts::of).collect();
        let estimates = self.interpolate(&adjusted, &discounts)?;
        self.emit(&text, &adjusted, &estimates, sink)?;
        let report = report(&text, &adjusted, &discounts);
        // What the sink still has to do may take memory of its own.
        drop((text, adjusted, estimates));
        sink.finish()?;
        Ok(report)
    }

    fn count<K: Key>(&self, text: &Text) -> Result<Vec<Table<K>>> {
        let counter = Counter {
            text,
            order: self.options.order,
            packing: self.packing,
            boundaries: self.options.boundaries,
            space: self.space,
            memory: self.sorting,
        };
        gather(counter.count(self.monitor)?, self.space, self.monitor)
    }

    fn adjust<K: Key>(&self, text: &Text, tables: &[Table<K>]) -> Result<Adjusted<K>> {
        let order = self.options.order;
        let adjuster = Adjuster {
            order,
            packing: self.packing,
            begin: self.options.boundaries.begin,
            prune: self.prune,
            words: text.vocabulary.len(),
            largest: text.tokens(),
            space: self.space,
        };
        let adjusted = adjuster.adjust(tables, &bounds(text, order), self.monitor)?;
        if adjusted.unigrams.iter().all(|&count| count == 0) {
            return Err(Error::setting("no words to predict in the text"));
        }
        let longer: u64 = adjusted.counts[1..].iter().map(|counts| counts.total).sum();
        self.monitor.expect(self.monitor.progress().0 + 2 * longer);
        Ok(adjusted)
    }

    fn interpolate<K: Key>(
        &self,
        adjusted: &Adjusted<K>,
        discounts: &[Discounts],
    ) -> Result<Estimates<K>> {
        let interpolator = Interpolator {
            order: self.options.order,
            packing: self.packing,
            discounts,
            space: self.space,
            memory: self.sorting / 2,
        };
        interpolator.interpolate(adjusted, self.monitor)
    }

    fn emit<K: Key>(
        &self,
        text: &Text,
        adjusted: &Adjusted<K>,
        estimates: &Estimates<K>,
        sink: &mut dyn NgramSink,
    ) -> Result<()> {
        let emitter = Emitter {
            text,
            order: self.options.order,
            packing: self.packing,
            begin: self.options.boundaries.begin,
            adjusted,
            estimates,
        };
        emitter.emit(sink, self.monitor)
    }
}

fn report<K: Key>(text: &Text, adjusted: &Adjusted<K>, discounts: &[Discounts]) -> Report {
    let fallback = |&n: &usize| discounts[n - 1].fallback;
    Report {
        sentences: text.sentences,
        words: text.words,
        vocabulary: text.vocabulary.len(),
        counts: adjusted.counts.iter().map(|counts| counts.total).collect(),
        kept: adjusted.kept(),
        discounts: discounts.iter().map(|discounts| discounts.amounts).collect(),
        fallback: (1..=discounts.len()).filter(fallback).collect(),
    }
}

/// Words at which to cut the n-grams into parts of about equal size by the last word of their
/// context.
fn bounds(text: &Text, order: usize) -> Vec<u32> {
    let parts = (4 * rayon::current_num_threads()).min(MOST_PARTS) as u64;
    let size = (text.tokens() / parts).max(PART);
    let (mut bounds, mut sum) = (Vec::new(), 0);
    if order == 1 {
        return bounds;
    }
    for (word, &frequency) in text.frequencies.iter().enumerate() {
        if sum >= size {
            bounds.push(word as u32);
            sum = 0;
        }
        sum += frequency;
    }
    bounds
}
