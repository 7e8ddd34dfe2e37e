//! The last pass: what was found of each rule, and of its two sides, becomes its features.

use super::code::Decoder;
use super::features::features;
use super::input::Words;
use super::options::Options;
use super::shape;
use super::smoothing::{self, Classes, Estimator, Side};
use super::sorter::Sorted;
use super::totals::TargetTotal;
use super::worker::unit;
use crate::scratch::Scratch;
use crate::table::{Counts, Header, Rule, RuleSink, Symbol, TRANSLATION_FEATURES};
use crate::{Monitor, Result};

/// Groups as `reduce` wrote them, in pieces, on disk.
#[derive(Debug)]
pub struct Groups {
    scratch: Scratch,
    pieces: Vec<(u64, usize)>,
}

impl Groups {
    pub fn new(scratch: Scratch) -> Self {
        Groups { scratch, pieces: Vec::new() }
    }

    pub fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.pieces.push((self.scratch.append(bytes)?, bytes.len()));
        Ok(())
    }
}

pub struct Writer<'a> {
    options: &'a Options,
    estimator: Estimator,
    totals: Sorted<'a, TargetTotal>,
    unit: f64,
    /// Features of reordering, which were computed before.
    orientations: usize,
    rule: Rule,
}

impl<'a> Writer<'a> {
    pub fn new(
        options: &'a Options,
        estimator: Estimator,
        totals: Sorted<'a, TargetTotal>,
    ) -> Self {
        let rule = Rule {
            source: Vec::new(),
            target: Vec::new(),
            structure: None,
            links: Vec::new(),
            counts: None,
            features: Vec::new(),
        };
        let orientations = features(options).len() - TRANSLATION_FEATURES.len();
        Writer { options, estimator, totals, unit: unit(options) as f64, orientations, rule }
    }

    pub fn write(
        mut self,
        groups: &Groups,
        words: Words,
        sink: &mut dyn RuleSink,
        monitor: &Monitor,
    ) -> Result<()> {
        let Words { source, target, labels } = words;
        sink.begin(&Header { features: features(self.options), source, target, labels })?;
        let mut bytes = Vec::new();
        for &(start, length) in &groups.pieces {
            monitor.check()?;
            bytes.resize(length, 0);
            groups.scratch.read(start, &mut bytes)?;
            let mut decoder = Decoder::new(&bytes);
            while !decoder.is_done() {
                self.group(&mut decoder, sink)?;
            }
        }
        sink.finish()
    }

    fn group(&mut self, decoder: &mut Decoder<'_>, sink: &mut dyn RuleSink) -> Result<()> {
        let length = decoder.number() as usize;
        self.rule.source.clear();
        Decoder::new(decoder.bytes(length)).side(&mut self.rule.source);
        let total = decoder.number() as f64 / self.unit;
        let classes: Classes = std::array::from_fn(|_| decoder.number() as u32);
        let source = Side { total, classes };
        for _ in 0..decoder.number() {
            self.read(decoder, &source)?;
            sink.rule(&self.rule)?;
        }
        Ok(())
    }

    fn read(&mut self, decoder: &mut Decoder<'_>, source: &Side) -> Result<()> {
        let rule = &mut self.rule;
        let length = decoder.number() as usize;
        let mut target = Decoder::new(decoder.bytes(length));
        rule.target.clear();
        target.side(&mut rule.target);
        let slots = rule.target.iter().filter(|symbol| matches!(symbol, Symbol::Slot(_))).count();
        rule.structure = shape::structure(&mut target, rule.target.len(), slots);
        rule.links.clear();
        decoder.links(&mut rule.links);
        let weight = decoder.number();
        let [inverse, direct] = [decoder.float(), decoder.float()];
        let (total, classes) = match self.totals.next()? {
            Some(found) => (found.total, found.classes),
            None => (weight, Classes::default()), // every kept rule has one
        };
        let target = Side { total: total as f64 / self.unit, classes };
        let count = weight as f64 / self.unit;
        let class = smoothing::class(weight, self.unit as u64);
        let probability =
            |given, side| self.estimator.probability(count, class, given, side) as f32;
        rule.features.clear();
        rule.features.extend([
            probability(&target, source),
            inverse,
            probability(source, &target),
            direct,
        ]);
        rule.features.extend((0..self.orientations).map(|_| decoder.float()));
        rule.counts = self.options.counts.then_some(Counts {
            target: target.total as f32,
            source: source.total as f32,
            joint: count as f32,
        });
        Ok(())
    }
}
