//! Rules as search uses them: all that can be scored before their slots are filled.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::decoder::Features;
use super::feature::{OwnWorth, RuleParts};
use crate::decode::cache::Kept;
use crate::decode::phrase::Unknown;
use crate::decode::{Model, Search, local};
use crate::lm::{ChartState, Piece};
use crate::table::{Rule, Symbol};
use crate::{Result, WordId};

/// A part of a target side: neighbouring words, or what fills a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// By number, within the rule set.
    Run(u32),
    Slot(u8),
}

/// One rule, prepared under a model. What it is made of lies with its set.
#[derive(Debug, Clone, Default)]
pub struct ChartRule {
    target: Range<u32>,
    links: Range<u32>,
    parts: Range<u32>,
    values: u32,
    /// Its number in what features keep of the set.
    pub number: u32,
    /// Its place among the rules of its source side.
    pub place: u32,
    /// Weighted: all that is its own, with what language models say of its runs alone.
    pub score: f32,
    /// Weighted: what language models would add if the first words of all runs, which lack
    /// context here, were certain.
    slack: f32,
    /// Weighted: what features expect to come, if there are no slots.
    outlook: f32,
}

impl ChartRule {
    /// Adds what it is worth to a feature.
    fn add(&mut self, own: OwnWorth) {
        self.score += own.score;
        self.outlook += own.outlook;
    }
}

/// The rules of one source side, the best by key first.
#[derive(Default)]
pub struct RuleSet {
    pub source: Vec<Symbol>,
    pub rules: Vec<ChartRule>,
    /// What each is expected to score, by rank: with part of its slack.
    pub keys: Vec<f32>,
    /// How many runs they have.
    pub runs: u32,
    /// The word that the one rule is made for, if there is none in the table.
    pub unknown: Option<Unknown>,
    targets: Vec<Symbol>,
    links: Vec<(u8, u8)>,
    parts: Vec<Part>,
    values: Vec<f32>,
    /// One state of each language model for each run.
    states: Vec<ChartState>,
    /// What each feature with a state keeps of the rules.
    pub features: Vec<Arc<dyn RuleParts>>,
}

impl Kept for RuleSet {
    const MOST: usize = 160 << 20;

    fn bytes(&self) -> usize {
        let rules = reserved(&self.source)
            + reserved(&self.rules)
            + reserved(&self.keys)
            + reserved(&self.values);
        let text = reserved(&self.targets)
            + reserved(&self.links)
            + reserved(&self.parts)
            + reserved(&self.states);
        let features: usize = self.features.iter().map(|parts| parts.bytes()).sum();
        size_of::<Self>() + rules + text + features
    }
}

impl RuleSet {
    /// For rules of these features.
    pub fn new(features: &Features) -> Self {
        let features = features.iter().map(|feature| feature.chart().rule_parts()).collect();
        RuleSet { features, ..RuleSet::default() }
    }

    /// Begins anew for a source side, in the same memory.
    pub fn start(&mut self, source: &[Symbol]) {
        self.source.clear();
        self.source.extend_from_slice(source);
        self.rules.clear();
        self.runs = 0;
        self.targets.clear();
        self.links.clear();
        self.parts.clear();
        self.values.clear();
        self.features.iter_mut().for_each(|parts| alone(parts).clear());
        self.states.clear();
    }

    pub fn of_unknown(
        model: &Model,
        features: &Features,
        search: &Search,
        word: &str,
    ) -> Arc<Self> {
        let unknown = Unknown::new(search.unknown, word);
        let words = usize::from(unknown.word.is_some());
        let values = vec![0.0; local::value_count(model)];
        let score = local::weighted(model, &values, words, true);
        let mut set = RuleSet {
            source: vec![Symbol::Word(WordId(u32::MAX))],
            links: vec![(0, 0); words],
            values,
            ..RuleSet::new(features)
        };
        let mut rule = ChartRule { place: u32::MAX, score, ..ChartRule::default() };
        if let Some(shown) = &unknown.word {
            set.push_run(model, &mut rule, 1, |lm, _| model.lms()[lm].1.word_id(shown));
        }
        (rule.links, rule.parts) = (0..words as u32, 0..words as u32);
        for (feature, parts) in features.iter().zip(&mut set.features) {
            let said = unknown.word.as_deref();
            rule.add(feature.chart().prepare_unknown(said, &feature.weights, alone(parts)));
        }
        set.unknown = Some(unknown);
        set.rules.push(rule);
        Arc::new(set.ranked(model, search))
    }

    /// Adds a rule of the table, with the values of added features. A rule whose sides have
    /// not the same slots cannot be used.
    pub fn push(
        &mut self,
        model: &Model,
        features: &Features,
        rule: &Rule,
        place: u32,
        added: &[f32],
    ) -> Result<()> {
        if slots_of(&rule.target) != slots_of(&rule.source) {
            return Ok(());
        }
        let values = local::values_of(model, rule, added);
        local::check(model, &values)?;
        let words = rule.target.iter().filter(|symbol| matches!(symbol, Symbol::Word(_))).count();
        let first = self.parts.len() as u32;
        let mut new = ChartRule {
            target: self.targets.len() as u32..(self.targets.len() + rule.target.len()) as u32,
            links: self.links.len() as u32..(self.links.len() + rule.links.len()) as u32,
            values: self.values.len() as u32,
            place,
            score: local::weighted(model, &values, words, false),
            ..ChartRule::default()
        };
        let mut rest = &rule.target[..];
        while let Some(&symbol) = rest.first() {
            if let Symbol::Slot(slot) = symbol {
                self.parts.push(Part::Slot(slot));
                rest = &rest[1..];
                continue;
            }
            let run = rest.iter().take_while(|symbol| matches!(symbol, Symbol::Word(_))).count();
            self.push_run(model, &mut new, run, |lm, index| match rest[index] {
                Symbol::Word(word) => model.lm_word(lm, word),
                Symbol::Slot(_) => WordId(0),
            });
            rest = &rest[run..];
        }
        new.parts = first..self.parts.len() as u32;
        new.number = self.rules.len() as u32;
        for (feature, parts) in features.iter().zip(&mut self.features) {
            let (table, weights) = (model.table(), &feature.weights);
            new.add(feature.chart().prepare(table, rule, weights, alone(parts)));
        }
        self.values.extend_from_slice(&values);
        self.targets.extend_from_slice(&rule.target);
        self.links.extend_from_slice(&rule.links);
        self.rules.push(new);
        Ok(())
    }

    /// Adds neighbouring words to a rule, scored without context.
    fn push_run(
        &mut self,
        model: &Model,
        rule: &mut ChartRule,
        words: usize,
        id: impl Fn(usize, usize) -> WordId,
    ) {
        let weights = &model.weights()[model.columns().lms..];
        self.parts.push(Part::Run(self.runs));
        self.runs += 1;
        for (index, (_, lm)) in model.lms().iter().enumerate() {
            let pieces = (0..words).map(|place| Piece::Word(id(index, place)));
            let (state, log_prob) = lm.join(pieces);
            rule.score += weights[index] * log_prob as f32;
            rule.slack -= weights[index] * state.left_log_prob();
            self.states.push(state);
        }
    }

    /// The best `options` rules, sorted; ties stay in the table's order. The others stay here.
    pub fn ranked(&mut self, model: &Model, search: &Search) -> Self {
        let key = |rule: &ChartRule| rule.score + rule.outlook + search.hope * rule.slack;
        let worth = |rule: &ChartRule| rule.score + rule.outlook;
        self.rules.sort_by(|a, b| worth(b).total_cmp(&worth(a)));
        self.rules.truncate(search.options);
        self.rules.sort_by(|a, b| key(b).total_cmp(&key(a)));
        let mut kept = self.copied(local::value_count(model), model.lms().len());
        kept.keys = kept.rules.iter().map(key).collect();
        kept.unknown = self.unknown.take();
        kept
    }

    /// The same without what belongs to no rule any more, and not a byte too large. Rules have
    /// `width` values, runs `many` states.
    fn copied(&self, width: usize, many: usize) -> Self {
        let runs = self.rules.iter().flat_map(|rule| self.parts(rule));
        let runs = runs.filter(|part| matches!(part, Part::Run(_))).count();
        let numbers: Vec<u32> = self.rules.iter().map(|rule| rule.number).collect();
        let mut kept = RuleSet {
            source: self.source.clone(),
            rules: Vec::with_capacity(self.rules.len()),
            targets: Vec::with_capacity(self.total(|rule| &rule.target)),
            links: Vec::with_capacity(self.total(|rule| &rule.links)),
            parts: Vec::with_capacity(self.total(|rule| &rule.parts)),
            values: Vec::with_capacity(self.rules.len() * width),
            states: Vec::with_capacity(runs * many),
            features: self.features.iter().map(|parts| parts.picked(&numbers)).collect(),
            ..RuleSet::default()
        };
        for rule in &self.rules {
            kept.copy(self, rule, width, many);
        }
        kept
    }

    /// How much all rules have of something.
    fn total(&self, part: impl Fn(&ChartRule) -> &Range<u32>) -> usize {
        self.rules.iter().map(|rule| part(rule).len()).sum()
    }

    /// Adds a rule of another set.
    fn copy(&mut self, from: &RuleSet, rule: &ChartRule, width: usize, many: usize) {
        let mut new = rule.clone();
        new.target = append(&mut self.targets, from.target(rule));
        new.links = append(&mut self.links, from.links(rule));
        new.number = self.rules.len() as u32;
        new.values = self.values.len() as u32;
        self.values.extend_from_slice(&from.values[rule.values as usize..][..width]);
        let first = self.parts.len() as u32;
        for part in from.parts(rule) {
            self.parts.push(match *part {
                Part::Slot(slot) => Part::Slot(slot),
                Part::Run(run) => {
                    self.states.extend_from_slice(&from.states[run as usize * many..][..many]);
                    self.runs += 1;
                    Part::Run(self.runs - 1)
                }
            });
        }
        new.parts = first..self.parts.len() as u32;
        self.rules.push(new);
    }

    /// Symbols of the table's target side; none for an unknown word.
    pub fn target(&self, rule: &ChartRule) -> &[Symbol] {
        part_of(&self.targets, &rule.target)
    }

    pub fn links(&self, rule: &ChartRule) -> &[(u8, u8)] {
        part_of(&self.links, &rule.links)
    }

    #[inline]
    pub fn parts(&self, rule: &ChartRule) -> &[Part] {
        part_of(&self.parts, &rule.parts)
    }

    /// The states of a run, one of each of so many language models.
    #[inline]
    pub fn run(&self, run: u32, many: usize) -> &[ChartState] {
        &self.states[run as usize * many..][..many]
    }

    /// Adds the values of all features that need no context.
    pub fn add_local(&self, model: &Model, rule: &ChartRule, sums: &mut [f64]) {
        let values = &self.values[rule.values as usize..][..local::value_count(model)];
        let known = self.target(rule).iter().filter(|symbol| matches!(symbol, Symbol::Word(_)));
        let shown = self.unknown.as_ref().is_some_and(|unknown| unknown.word.is_some());
        let words = known.count() + usize::from(shown);
        local::add(model, values, words, self.unknown.is_some(), sums);
    }
}

pub fn part_of<'a, T>(all: &'a [T], range: &Range<u32>) -> &'a [T] {
    &all[range.start as usize..range.end as usize]
}

pub fn append<T: Clone>(all: &mut Vec<T>, more: &[T]) -> Range<u32> {
    let start = all.len() as u32;
    all.extend_from_slice(more);
    start..all.len() as u32
}

/// Parts that are still being made: nobody else has them.
fn alone(parts: &mut Arc<dyn RuleParts>) -> &mut dyn RuleParts {
    Arc::get_mut(parts).expect("parts are shared only when they are complete")
}

/// Bytes that a list takes.
pub fn reserved<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// The slots of a side, in the order of their numbers: rules must have the same on both.
fn slots_of(side: &[Symbol]) -> SmallVec<[u8; 2]> {
    let slots = side.iter().filter_map(|symbol| match symbol {
        Symbol::Slot(slot) => Some(*slot),
        Symbol::Word(_) => None,
    });
    let mut slots: SmallVec<[u8; 2]> = slots.collect();
    slots.sort_unstable();
    slots
}
