//! The search of one sentence: a cell for each span, then glue from left to right.

use std::sync::Arc;
use std::time::Instant;

use super::arena::{Arena, BEGIN, Cell, GLUE, Item, LocalSet, NONE};
use super::cube::Cube;
use super::matching::Matcher;
use super::rule::RuleSet;
use super::states::States;
use crate::Result;
use crate::decode::{Model, Search};
use crate::table::{NodeId, Symbol};

/// Where the rules of source sides come from.
pub trait Source {
    fn known(&mut self, node: NodeId, source: &[Symbol]) -> Result<Arc<RuleSet>>;

    /// The fallback for a word that has none of its own.
    fn unknown(&mut self, word: &str) -> Arc<RuleSet>;
}

/// One sentence under way.
pub struct Searching<'a> {
    pub model: &'a Model,
    pub search: &'a Search,
    pub words: &'a [&'a str],
    pub states: States<'a>,
    pub arena: Arena,
    pub sets: Vec<LocalSet>,
    /// States of the runs of all rules, once they were needed.
    pub runs: Vec<u32>,
    /// What glue weighs.
    pub glue: f32,
    /// Whether items that recombined are kept, for a forest.
    pub keep: bool,
    pub hurried: bool,
    deadline: Option<Instant>,
    /// By first word and length.
    cells: Vec<Cell>,
    /// By length: everything from the first word on.
    prefixes: Vec<Cell>,
}

/// Extensions tried for a span once time is up.
const HURRIED: usize = 5;

impl<'a> Searching<'a> {
    pub fn new(
        model: &'a Model,
        search: &'a Search,
        words: &'a [&'a str],
        keep: bool,
        deadline: Option<Instant>,
    ) -> Self {
        let bits = 12 + (words.len() * 2).max(1).ilog2().min(6);
        let width = search.span_limit.min(words.len());
        Searching {
            model,
            search,
            words,
            states: States::new(model, bits),
            arena: Arena::default(),
            sets: Vec::new(),
            runs: Vec::new(),
            glue: model.weights()[model.columns().joining],
            keep,
            hurried: false,
            deadline,
            cells: vec![Cell::default(); words.len() * width],
            prefixes: Vec::new(),
        }
    }

    fn width(&self) -> usize {
        self.search.span_limit.min(self.words.len())
    }

    /// The cell of a span, which is no longer than rules may be.
    fn cell(&self, (start, end): (u32, u32)) -> Cell {
        self.cells[start as usize * self.width() + (end - start) as usize - 1]
    }

    pub fn pop_limit(&self) -> usize {
        if self.hurried { self.search.pop_limit.min(HURRIED) } else { self.search.pop_limit }
    }

    fn check_time(&mut self) {
        self.hurried =
            self.hurried || self.deadline.is_some_and(|deadline| Instant::now() > deadline);
    }

    /// Searches; answers items of the whole sentence, the best first, with the score of the end
    /// of the sentence.
    pub fn run(&mut self, source: &mut impl Source) -> Result<Vec<(u32, f32)>> {
        self.fill_spans(source)?;
        self.fill_prefixes();
        let whole = self.prefixes.last().copied().unwrap_or_default();
        let rows = self.arena.cell(whole).iter();
        let mut finals: Vec<(u32, f32)> =
            rows.map(|row| (row.item, row.score + self.states.end(row.state))).collect();
        finals.sort_by(|a, b| b.1.total_cmp(&a.1));
        Ok(finals)
    }

    /// Makes the items of all spans that rules may cover: from the last first word to the
    /// first, and from short to long, so that what fills slots is there.
    fn fill_spans(&mut self, source: &mut impl Source) -> Result<()> {
        let mut matcher = Matcher::new(self.model.table(), self.words);
        let (length, width) = (self.words.len(), self.width());
        let mut sets: Vec<u32> = Vec::new();
        let mut cubes = Vec::new();
        for start in (0..length).rev() {
            matcher.begin(start as u32);
            for end in start + 1..=(start + width).min(length) {
                self.check_time();
                cubes.clear();
                self.find_cubes(&mut matcher, &mut sets, source, (start, end), &mut cubes)?;
                let cell = self.fill(&cubes, (start as u32, end as u32));
                self.cells[start * width + end - start - 1] = cell;
                if cell.count > 0 {
                    matcher.fill(end as u32);
                }
            }
        }
        Ok(())
    }

    fn find_cubes(
        &mut self,
        matcher: &mut Matcher<'_>,
        sets: &mut Vec<u32>,
        source: &mut impl Source,
        (start, end): (usize, usize),
        cubes: &mut Vec<Cube>,
    ) -> Result<()> {
        let filled = |from: u32| self.cell((from, end as u32)).count > 0;
        // A copy, as what is found leads back to the matcher for its nodes.
        let found = matcher.advance(end as u32, filled).to_vec();
        sets.resize(matcher.len().max(sets.len()), NONE);
        for one in found {
            let slots = one.slots.iter().any(|slot| *slot != (0, 0));
            if !matcher.has_rules(one.node) || (slots && self.hurried) {
                continue;
            }
            if sets[one.node as usize] == NONE {
                let path = matcher.source(one.node);
                let options = source.known(matcher.node(one.node), &path)?;
                sets[one.node as usize] = self.add_set(options);
            }
            let set = sets[one.node as usize];
            if !self.sets[set as usize].options.rules.is_empty() {
                let cell = |slot: (u32, u32)| {
                    if slot == (0, 0) { Cell::default() } else { self.cell(slot) }
                };
                cubes.push(Cube { set, cells: one.slots.map(cell) });
            }
        }
        if end == start + 1 && cubes.is_empty() {
            let set = self.add_set(source.unknown(self.words[start]));
            cubes.push(Cube { set, cells: [Cell::default(); 2] });
        }
        Ok(())
    }

    fn add_set(&mut self, options: Arc<RuleSet>) -> u32 {
        let first_run = self.runs.len() as u32;
        let runs = options.first_runs.last().copied().unwrap_or(0);
        self.runs.resize(self.runs.len() + runs as usize, NONE);
        self.sets.push(LocalSet { options, first_run });
        self.sets.len() as u32 - 1
    }

    /// Joins items from left to right.
    fn fill_prefixes(&mut self) {
        let state = self.states.begin();
        self.arena.open();
        let begin = Item {
            score: 0.0,
            key: 0.0,
            state,
            set: BEGIN,
            rule: 0,
            tails: [NONE; 2],
            next: NONE,
            start: 0,
            end: 0,
        };
        self.arena.insert(begin, false);
        let cell = self.arena.close(1, f32::INFINITY);
        self.prefixes.push(cell);
        for end in 1..=self.words.len() {
            self.check_time();
            let first = end.saturating_sub(self.width());
            let cubes: Vec<Cube> = (first..end)
                .map(|middle| [self.prefixes[middle], self.cell((middle as u32, end as u32))])
                .filter(|cells| cells.iter().all(|cell| cell.count > 0))
                .map(|cells| Cube { set: GLUE, cells })
                .collect();
            let cell = self.fill(&cubes, (0, end as u32));
            self.prefixes.push(cell);
        }
    }
}
