//! The search of one sentence: a cell for each span, then glue from left to right.

use std::sync::Arc;

use super::arena::{Arena, BEGIN, Cell, GLUE, Item, JOIN, LocalSet, NONE, START};
use super::cube::Cube;
use super::decoder::Decoder;
use super::entry::Entry;
use super::feature::Scorers;
use super::focus::Focus;
use super::matching::{Match, Matcher};
use super::rule::RuleSet;
use super::states::States;
use crate::Result;
use crate::decode::clock::Clock;
use crate::decode::constraint::{Forced, Restrictions};
use crate::decode::interned::Joins;
use crate::decode::{Decode, Model, Search, Source};
use crate::table::{NodeId, Rule, Symbol};

/// Where the rules of source sides come from.
pub trait Offers {
    fn known(&mut self, node: NodeId, source: &[Symbol]) -> Result<Arc<RuleSet>>;

    /// Those of them that constraints allow.
    fn allowed(
        &mut self,
        node: NodeId,
        source: &[Symbol],
        allowed: &dyn Fn(&Rule) -> bool,
    ) -> Result<Arc<RuleSet>>;

    /// What a constraint puts in place of words.
    fn forced(&mut self, forced: &Forced) -> Arc<RuleSet>;

    /// The fallback for a word that has none of its own.
    fn unknown(&mut self, word: &str) -> Arc<RuleSet>;
}

/// Rules that fit a span, and the spans of their slots; (0, 0) where there is none.
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    pub set: u32,
    pub slots: [(u32, u32); 2],
}

/// One sentence under way.
pub struct Searching<'a> {
    pub model: &'a Model,
    pub search: &'a Search,
    pub words: &'a [&'a str],
    pub states: States<'a>,
    /// Features with a state.
    pub scorers: Scorers<'a>,
    pub arena: Arena,
    pub sets: Vec<LocalSet>,
    /// States of the runs of all rules, once they were needed.
    pub runs: Vec<u32>,
    /// What joining two parts weighs.
    pub glue: f32,
    /// Whether items that recombined are kept, for a forest.
    pub keep: bool,
    pub hurried: bool,
    /// Whether some score was not a finite number.
    pub unsound: bool,
    pub clock: Clock<'a>,
    /// What stands before the words, and behind.
    pub entry: Entry,
    /// What constraints leave.
    pub restrictions: Option<Restrictions>,
    /// By first word and length: where what fits lies, and how much.
    pub spans: Vec<(u32, u32)>,
    pub patterns: Vec<Pattern>,
    /// Words of the longest span that may be a part.
    width: usize,
    /// By first word and length.
    cells: Vec<Cell>,
    /// By length: everything from the first word on.
    prefixes: Vec<Cell>,
}

/// Extensions tried for a span once time is up.
const HURRIED: usize = 5;
/// Words of the longest span that rules are looked up for once time is up.
pub const HURRIED_SPAN: u32 = 7;

impl<'a> Searching<'a> {
    pub fn new(
        decoder: &'a Decoder,
        source: &'a Source,
        words: &'a [&'a str],
        restrictions: Option<Restrictions>,
        keep: bool,
        clock: Clock<'a>,
        entry: Entry,
    ) -> Self {
        let (model, search) = (decoder.model(), decoder.search());
        let bits = Joins::bits(words.len());
        let longest = restrictions.as_ref().map_or(0, Restrictions::longest);
        let width = search.span_limit.max(longest).min(words.len());
        Searching {
            model,
            search,
            words,
            states: States::new(model, bits),
            scorers: decoder.features().begin(source),
            arena: Arena::default(),
            sets: Vec::new(),
            runs: Vec::new(),
            glue: model.weights()[model.columns().joining],
            keep,
            hurried: false,
            unsound: false,
            clock,
            entry,
            restrictions,
            width,
            spans: vec![(0, 0); words.len() * width],
            patterns: Vec::new(),
            cells: vec![Cell::default(); words.len() * width],
            prefixes: Vec::new(),
        }
    }

    /// Words of the longest span that rules of the table may cover.
    pub fn span_limit(&self) -> u32 {
        self.search.span_limit.min(self.words.len()) as u32
    }

    /// The place of a span, which is no longer than rules may be.
    pub fn place(&self, start: u32, end: u32) -> usize {
        start as usize * self.width + (end - start) as usize - 1
    }

    pub fn cell(&self, (start, end): (u32, u32)) -> Cell {
        self.cells[self.place(start, end)]
    }

    pub fn check_time(&mut self) {
        self.hurried = self.hurried || self.clock.is_up();
    }

    /// Searches; answers items of the whole sentence, the best first, with the score of the end
    /// of the sentence.
    pub fn run(&mut self, offers: &mut impl Offers) -> Result<Vec<(u32, f32)>> {
        self.find_patterns(offers)?;
        let focus = Focus::new(self.search.pop_limit, self.cells.len(), self.scorers.joins());
        let keep = std::mem::replace(&mut self.keep, true);
        let coarse = self.pass(&focus)?;
        self.keep = keep;
        if self.hurried {
            return Ok(coarse);
        }
        let focus = focus.refined(self, &coarse);
        // A second pass that has to hurry may end worse than the first one.
        let before = self.clock.has_limit().then(|| std::mem::take(&mut self.arena));
        self.arena.clear();
        let fine = self.pass(&focus)?;
        let best = |finals: &[(u32, f32)]| finals.first().map_or(f32::NEG_INFINITY, |it| it.1);
        match before {
            Some(arena) if self.hurried && best(&coarse) > best(&fine) => {
                self.arena = arena;
                Ok(coarse)
            }
            _ => Ok(fine),
        }
    }

    /// One search through all spans, as long as `focus` says for each.
    fn pass(&mut self, focus: &Focus) -> Result<Vec<(u32, f32)>> {
        self.fill_spans(focus)?;
        self.fill_prefixes(focus)?;
        let whole = self.prefixes.last().copied().unwrap_or_default();
        let rows = self.arena.cell(whole).to_vec();
        let mut finals: Vec<(u32, f32)> =
            rows.iter().map(|row| (row.item, row.score + self.end(row.state))).collect();
        finals.sort_by(|a, b| b.1.total_cmp(&a.1));
        Ok(finals)
    }

    /// The weighted score of the end of the sentence, if it comes.
    fn end(&mut self, state: u32) -> f32 {
        if !self.entry.last {
            return 0.0;
        }
        let lms = self.states.end(self.lm_state(state));
        if self.scorers.is_empty() { lms } else { lms + self.scorers.finish(state) }
    }

    /// The language models' part of a state.
    pub fn lm_state(&self, state: u32) -> u32 {
        self.scorers.lm(state)
    }

    /// Finds what fits every span that rules may cover, first words from the last to the first:
    /// what fits a span has items, and so may fill slots.
    fn find_patterns(&mut self, offers: &mut impl Offers) -> Result<()> {
        if let Some(restrictions) = self.restrictions.take() {
            let found = self.find_restricted(offers, &restrictions);
            self.restrictions = Some(restrictions);
            return found;
        }
        let mut matcher = Matcher::new(self.model.table(), self.words);
        let (length, width) = (self.words.len() as u32, self.span_limit());
        let mut sets: Vec<u32> = Vec::new();
        for start in (0..length).rev() {
            matcher.begin(start);
            self.check_time();
            let width = if self.hurried { width.min(HURRIED_SPAN) } else { width };
            for end in start + 1..=(start + width).min(length) {
                let first = self.patterns.len();
                // Joining fills every span.
                let joins = self.scorers.joins();
                let filled = |from: u32| joins || self.spans[self.place(from, end)].1 > 0;
                // A copy, as what is found leads back to the matcher for its nodes.
                let found = matcher.advance(end, filled).to_vec();
                sets.resize(matcher.len().max(sets.len()), NONE);
                for one in found {
                    self.add_pattern(&matcher, &mut sets, offers, one)?;
                }
                if end == start + 1 && self.patterns.len() == first {
                    let set = self.add_set(offers.unknown(self.words[start as usize]));
                    self.patterns.push(Pattern { set, slots: [(0, 0); 2] });
                }
                let many = self.patterns.len() - first;
                let place = self.place(start, end);
                self.spans[place] = (first as u32, many as u32);
                if many > 0 || self.scorers.joins() {
                    matcher.fill(end);
                }
            }
        }
        Ok(())
    }

    fn add_pattern(
        &mut self,
        matcher: &Matcher<'_>,
        sets: &mut [u32],
        offers: &mut impl Offers,
        one: Match,
    ) -> Result<()> {
        if !matcher.has_rules(one.node) {
            return Ok(());
        }
        if sets[one.node as usize] == NONE {
            let path = matcher.source(one.node);
            let options = offers.known(matcher.node(one.node), &path)?;
            sets[one.node as usize] = self.add_set(options);
        }
        let set = sets[one.node as usize];
        if self.sets[set as usize].count > 0 {
            self.patterns.push(Pattern { set, slots: one.slots });
        }
        Ok(())
    }

    pub fn add_set(&mut self, options: Arc<RuleSet>) -> u32 {
        let first_run = self.runs.len() as u32;
        self.runs.resize(self.runs.len() + options.runs as usize, NONE);
        self.scorers.enter(&options.features);
        let count = options.count;
        let best = if count > 0 { options.rule(0).key } else { f32::NEG_INFINITY };
        self.sets.push(LocalSet { options, first_run, best, count });
        self.sets.len() as u32 - 1
    }

    /// Makes the items of all spans, from short to long for each first word, so that what fills
    /// slots is there.
    fn fill_spans(&mut self, focus: &Focus) -> Result<()> {
        let (length, width) = (self.words.len() as u32, self.width as u32);
        let mut cubes = Vec::new();
        for start in (0..length).rev() {
            for end in start + 1..=(start + width).min(length) {
                self.check_time();
                let place = self.place(start, end);
                let (first, many) = self.spans[place];
                let patterns = &self.patterns[first as usize..][..many as usize];
                let cell = |slot| if slot == (0, 0) { Cell::default() } else { self.cell(slot) };
                let flat = |pattern: &&Pattern| pattern.slots[0] == (0, 0);
                let has_flat = patterns.iter().any(|pattern| flat(&pattern));
                let usable = patterns.iter().filter(|it| !(self.hurried && has_flat) || flat(it));
                cubes.clear();
                cubes.extend(usable.map(|it| Cube { set: it.set, cells: it.slots.map(cell) }));
                if self.scorers.joins() && self.may_join(start, end) {
                    let join = |middle| [self.cell((start, middle)), self.cell((middle, end))];
                    let joins = (start + 1..end).map(join);
                    let is_whole = |cells: &[Cell; 2]| cells.iter().all(|cell| cell.count > 0);
                    cubes.extend(joins.filter(is_whole).map(|cells| Cube { set: JOIN, cells }));
                }
                let limit = self.limit(focus.span(place));
                self.cells[place] = self.fill(&cubes, (start, end), limit)?;
            }
        }
        Ok(())
    }

    fn limit(&self, pops: usize) -> usize {
        if self.hurried { pops.min(HURRIED) } else { pops }
    }

    /// Joins items from left to right.
    fn fill_prefixes(&mut self, focus: &Focus) -> Result<()> {
        self.prefixes.clear();
        let begin = match &self.entry.states {
            Some(states) => self.states.id(states),
            None => self.states.begin(),
        };
        let state = self.scorers.begin(begin, &self.entry.carried);
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
        self.arena.insert(begin, self.scorers.class(state), false);
        let cell = self.arena.close(1, f32::INFINITY);
        self.prefixes.push(cell);
        for end in 1..=self.words.len() {
            self.check_time();
            let first = end.saturating_sub(self.width);
            // Short beginnings are joined as spans are, unless words stand before them.
            let alone = self.scorers.joins() && !self.entry.is_later();
            let joined = alone && first == 0 && self.cell((0, end as u32)).count > 0;
            let last = if joined { 1 } else { end };
            let cubes: Vec<Cube> = (first..last)
                .map(|middle| {
                    let start = alone && middle == 0;
                    let cells = [self.prefixes[middle], self.cell((middle as u32, end as u32))];
                    Cube { set: if start { START } else { GLUE }, cells }
                })
                .filter(|cube| cube.cells.iter().all(|cell| cell.count > 0))
                .collect();
            let cell = self.fill(&cubes, (0, end as u32), self.limit(focus.prefix()))?;
            self.prefixes.push(cell);
        }
        Ok(())
    }
}
