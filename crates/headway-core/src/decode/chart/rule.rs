//! Rules as search uses them: all that can be scored before their slots are filled.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::WordId;
use crate::decode::cache::Counted;
use crate::decode::phrase::Unknown;
use crate::decode::{Model, Search, local};
use crate::lm::{ChartState, Piece};
use crate::table::{Rule, Symbol};

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
    /// Its place among the rules of its source side.
    pub place: u32,
    /// Weighted: all that is its own, with what language models say of its runs alone.
    pub score: f32,
    /// Weighted: what language models would add if the first words of all runs, which lack
    /// context here, were certain.
    slack: f32,
}

/// The rules of one source side, the best by key first.
#[derive(Debug, Default)]
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
}

impl Counted for RuleSet {
    const MOST: usize = 400_000;

    fn count(&self) -> usize {
        self.rules.len()
    }
}

impl RuleSet {
    /// No rules yet, for this source side.
    pub fn of_source(source: &[Symbol]) -> Self {
        RuleSet { source: source.to_vec(), ..RuleSet::default() }
    }

    pub fn of_unknown(model: &Model, search: &Search, word: &str) -> Arc<Self> {
        let unknown = Unknown::new(search.unknown, word);
        let words = usize::from(unknown.word.is_some());
        let values = vec![0.0; local::value_count(model)];
        let score = local::weighted(model, &values, words, true);
        let mut set = RuleSet {
            source: vec![Symbol::Word(WordId(u32::MAX))],
            links: vec![(0, 0); words],
            values,
            ..RuleSet::default()
        };
        let mut rule = ChartRule { place: u32::MAX, score, ..ChartRule::default() };
        if let Some(shown) = &unknown.word {
            set.push_run(model, &mut rule, 1, |lm, _| model.lms()[lm].1.word_id(shown));
        }
        (rule.links, rule.parts) = (0..words as u32, 0..words as u32);
        set.unknown = Some(unknown);
        set.rules.push(rule);
        Arc::new(set.ranked(model, search))
    }

    /// Adds a rule of the table, with the values of added features. A rule whose sides have
    /// not the same slots cannot be used.
    pub fn push(&mut self, model: &Model, rule: &Rule, place: u32, added: &[f32]) {
        if slots_of(&rule.target) != slots_of(&rule.source) {
            return;
        }
        let values = local::values_of(model, rule, added);
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
        self.values.extend_from_slice(&values);
        self.targets.extend_from_slice(&rule.target);
        self.links.extend_from_slice(&rule.links);
        self.rules.push(new);
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

    /// Keeps the best `options` rules and sorts them; ties stay in the table's order.
    pub fn ranked(mut self, model: &Model, search: &Search) -> Self {
        let key = |rule: &ChartRule| rule.score + search.hope * rule.slack;
        self.rules.sort_by(|a, b| b.score.total_cmp(&a.score));
        if self.rules.len() > search.options {
            self.rules.truncate(search.options);
            self = self.compact(local::value_count(model), model.lms().len());
        }
        self.rules.sort_by(|a, b| key(b).total_cmp(&key(a)));
        self.keys = self.rules.iter().map(key).collect();
        self
    }

    /// The same without what belongs to no rule any more. Rules have `width` values, runs `many`
    /// states.
    fn compact(self, width: usize, many: usize) -> Self {
        let mut kept = RuleSet { source: self.source.clone(), ..RuleSet::default() };
        for rule in &self.rules {
            let mut new = rule.clone();
            new.target = append(&mut kept.targets, self.target(rule));
            new.links = append(&mut kept.links, self.links(rule));
            new.values = kept.values.len() as u32;
            kept.values.extend_from_slice(&self.values[rule.values as usize..][..width]);
            let first = kept.parts.len() as u32;
            for part in self.parts(rule) {
                kept.parts.push(match *part {
                    Part::Slot(slot) => Part::Slot(slot),
                    Part::Run(run) => {
                        kept.states.extend_from_slice(&self.states[run as usize * many..][..many]);
                        kept.runs += 1;
                        Part::Run(kept.runs - 1)
                    }
                });
            }
            new.parts = first..kept.parts.len() as u32;
            kept.rules.push(new);
        }
        kept
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

fn part_of<'a, T>(all: &'a [T], range: &Range<u32>) -> &'a [T] {
    &all[range.start as usize..range.end as usize]
}

fn append<T: Copy>(all: &mut Vec<T>, more: &[T]) -> Range<u32> {
    let start = all.len() as u32;
    all.extend_from_slice(more);
    start..all.len() as u32
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
