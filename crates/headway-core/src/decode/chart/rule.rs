//! Rules as search uses them: all that can be scored before their slots are filled.

use std::sync::Arc;

use smallvec::SmallVec;

use crate::WordId;
use crate::decode::cache::Counted;
use crate::decode::phrase::Unknown;
use crate::decode::{Model, Search, UnknownWords, local};
use crate::lm::{ChartState, Piece};
use crate::table::{Rule, Symbol};

/// A part of a target side: neighbouring words, or what fills a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// By number, within the rule.
    Run(u8),
    Slot(u8),
}

/// One rule, prepared under a model.
#[derive(Debug, Clone)]
pub struct ChartRule {
    /// Symbols of the table's target side; empty for unknown words.
    pub target: SmallVec<[Symbol; 8]>,
    pub links: SmallVec<[(u8, u8); 8]>,
    /// The table's features as the model sees them, then those added.
    pub values: Box<[f32]>,
    pub unknown: Option<Box<Unknown>>,
    /// Its place among the rules of its source side.
    pub place: u32,
    pub parts: SmallVec<[Part; 5]>,
    /// Weighted: all that is its own, with what language models say of its runs alone.
    pub score: f32,
    /// Weighted: what language models would add if the first words of all runs, which lack
    /// context here, were certain.
    pub slack: f32,
    /// States of its runs: for each run one of each language model.
    pub runs: Vec<ChartState>,
}

impl ChartRule {
    fn of_rule(model: &Model, rule: &Rule, place: u32, added: &[f32]) -> Self {
        let mut new = ChartRule::new(local::values_of(model, rule, added));
        (new.target, new.links, new.place) =
            (rule.target.iter().copied().collect(), rule.links.iter().copied().collect(), place);
        let words = rule.target.iter().filter(|symbol| matches!(symbol, Symbol::Word(_))).count();
        new.score = local::weighted(model, &new.values, words, false);
        let runs = rule.target.split(|symbol| matches!(symbol, Symbol::Slot(_)));
        let mut slots = rule.target.iter().filter_map(|symbol| match symbol {
            Symbol::Slot(slot) => Some(*slot),
            Symbol::Word(_) => None,
        });
        for run in runs {
            if !run.is_empty() {
                new.push_run(model, run.len(), |lm, index| match run[index] {
                    Symbol::Word(word) => model.lm_word(lm, word),
                    Symbol::Slot(_) => WordId(0),
                });
            }
            new.parts.extend(slots.next().map(Part::Slot));
        }
        new
    }

    /// The fallback for a word.
    fn of_unknown(model: &Model, treatment: UnknownWords, word: &str) -> Self {
        let unknown = Unknown::new(treatment, word);
        let mut new = ChartRule::new(vec![0.0; local::value_count(model)]);
        let words = usize::from(unknown.word.is_some());
        new.score = local::weighted(model, &new.values, words, true);
        if let Some(shown) = &unknown.word {
            new.links.push((0, 0));
            new.push_run(model, 1, |lm, _| model.lms()[lm].1.word_id(shown));
        }
        new.unknown = Some(Box::new(unknown));
        new
    }

    fn new(values: Vec<f32>) -> Self {
        ChartRule {
            target: SmallVec::new(),
            links: SmallVec::new(),
            values: values.into(),
            unknown: None,
            place: u32::MAX,
            parts: SmallVec::new(),
            score: 0.0,
            slack: 0.0,
            runs: Vec::new(),
        }
    }

    /// Adds neighbouring words, scored without context.
    fn push_run(&mut self, model: &Model, words: usize, id: impl Fn(usize, usize) -> WordId) {
        let weights = &model.weights()[model.columns().lms..];
        let run = self.parts.iter().filter(|part| matches!(part, Part::Run(_))).count();
        self.parts.push(Part::Run(run as u8));
        for (index, (_, lm)) in model.lms().iter().enumerate() {
            let pieces = (0..words).map(|place| Piece::Word(id(index, place)));
            let (state, log_prob) = lm.join(pieces);
            self.score += weights[index] * log_prob as f32;
            self.slack -= weights[index] * state.left_log_prob();
            self.runs.push(state);
        }
    }

    /// Target words of its own.
    pub fn words(&self) -> usize {
        let unknown = self.unknown.as_ref().and_then(|unknown| unknown.word.as_ref());
        let known = self.target.iter().filter(|symbol| matches!(symbol, Symbol::Word(_)));
        known.count() + usize::from(unknown.is_some())
    }

    /// Adds the values of all features that need no context.
    pub fn add_local(&self, model: &Model, sums: &mut [f64]) {
        local::add(model, &self.values, self.words(), self.unknown.is_some(), sums);
    }
}

/// The rules of one source side, the best by key first.
#[derive(Debug)]
pub struct RuleSet {
    pub source: Vec<Symbol>,
    pub rules: Vec<ChartRule>,
    /// What each is expected to score, by rank: with part of its slack.
    pub keys: Vec<f32>,
    /// Where the runs of each begin among those of all; one more at the end.
    pub first_runs: Vec<u32>,
}

impl Counted for RuleSet {
    fn count(&self) -> usize {
        self.rules.len()
    }
}

impl RuleSet {
    /// Keeps the best `options`; ties stay in the table's order.
    fn new(source: Vec<Symbol>, mut rules: Vec<ChartRule>, search: &Search) -> Arc<Self> {
        let key = |rule: &ChartRule| rule.score + search.hope * rule.slack;
        rules.sort_by(|a, b| b.score.total_cmp(&a.score));
        rules.truncate(search.options);
        rules.sort_by(|a, b| key(b).total_cmp(&key(a)));
        let keys = rules.iter().map(key).collect();
        let mut first_runs = vec![0];
        for rule in &rules {
            let runs = rule.parts.iter().filter(|part| matches!(part, Part::Run(_))).count();
            first_runs.push(first_runs.last().copied().unwrap_or(0) + runs as u32);
        }
        Arc::new(RuleSet { source, rules, keys, first_runs })
    }

    /// Those of a source side; `added` holds values for rules by their places.
    pub fn of_table<'a>(
        model: &Model,
        search: &Search,
        source: &[Symbol],
        rules: impl Iterator<Item = (u32, &'a Rule, &'a [f32])>,
    ) -> Arc<Self> {
        let slots = slots_of(source);
        let fitting = rules.filter(|(_, rule, _)| slots_of(&rule.target) == slots);
        let rules =
            fitting.map(|(place, rule, added)| ChartRule::of_rule(model, rule, place, added));
        RuleSet::new(source.to_vec(), rules.collect(), search)
    }

    pub fn of_unknown(model: &Model, search: &Search, word: &str) -> Arc<Self> {
        let rule = ChartRule::of_unknown(model, search.unknown, word);
        RuleSet::new(vec![Symbol::Word(WordId(u32::MAX))], vec![rule], search)
    }
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
