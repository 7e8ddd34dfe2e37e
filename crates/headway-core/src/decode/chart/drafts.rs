//! All rules of one source side while they are prepared; the best become a `RuleSet`.

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::decoder::Features;
use super::feature::{OwnWorth, RuleParts};
use super::rule::{ChartRule, RULE, RUN, RuleSet, Sections, packed};
use crate::decode::constraint::Forced;
use crate::decode::phrase::{Spelled, diagonal};
use crate::decode::{Model, Search, local};
use crate::lm::Piece;
use crate::table::{Rule, Symbol};
use crate::{Result, WordId};

/// One rule. What it is made of lies with all drafts.
#[derive(Debug, Clone, Default)]
struct Draft {
    target: Range<u32>,
    links: Range<u32>,
    parts: Range<u32>,
    runs: Range<u32>,
    /// Its number among the drafts.
    number: u32,
    place: u32,
    score: f32,
    /// Weighted: what language models would add if the first words of all runs, which lack
    /// context here, were certain.
    slack: f32,
    /// Weighted: what features expect to come, if there are no slots.
    outlook: f32,
}

impl Draft {
    /// Adds what it is worth to a feature.
    fn add(&mut self, own: OwnWorth) {
        self.score += own.score;
        self.outlook += own.outlook;
    }

    fn worth(&self) -> f32 {
        self.score + self.outlook
    }

    fn key(&self, hope: f32) -> f32 {
        self.worth() + hope * self.slack
    }
}

/// Rules of one source side, and memory for those of the next.
#[derive(Default)]
pub struct Drafts {
    source: Vec<Symbol>,
    rules: Vec<Draft>,
    targets: Vec<Symbol>,
    links: Vec<(u8, u8)>,
    parts: Vec<u8>,
    values: Vec<f32>,
    /// For each run, where the states of language models are.
    runs: Vec<Range<u32>>,
    states: Vec<u32>,
    features: Vec<Arc<dyn RuleParts>>,
    /// What is written.
    block: Vec<u32>,
}

impl Drafts {
    /// For rules of these features.
    pub fn new(features: &Features) -> Self {
        let features = features.iter().map(|feature| feature.chart().rule_parts()).collect();
        Drafts { features, ..Drafts::default() }
    }

    /// Begins anew for a source side, in the same memory.
    pub fn start(&mut self, source: &[Symbol]) {
        self.source.clear();
        self.source.extend_from_slice(source);
        self.rules.clear();
        self.targets.clear();
        self.links.clear();
        self.parts.clear();
        self.values.clear();
        self.runs.clear();
        self.states.clear();
        self.features.iter_mut().for_each(|parts| alone(parts).clear());
    }

    /// The one rule of a word that the table does not have.
    pub fn of_unknown(
        model: &Model,
        features: &Features,
        search: &Search,
        word: &str,
    ) -> Arc<RuleSet> {
        let values = vec![0.0; local::value_count(model)];
        let spelled = Spelled::unknown(search.unknown, word);
        Drafts::of_spelled(model, features, search, spelled, 1, values)
    }

    /// The one rule that a constraint is.
    pub fn of_forced(
        model: &Model,
        features: &Features,
        search: &Search,
        forced: &Forced,
    ) -> Arc<RuleSet> {
        let values = local::forced_values(model, forced.score);
        let (spelled, source) = (Spelled::forced(&forced.target), forced.span.len());
        Drafts::of_spelled(model, features, search, spelled, source, values)
    }

    fn of_spelled(
        model: &Model,
        features: &Features,
        search: &Search,
        spelled: Spelled,
        source: usize,
        values: Vec<f32>,
    ) -> Arc<RuleSet> {
        let words = &spelled.words;
        let score = local::weighted(model, &values, words.len(), spelled.unknown.is_some());
        let mut drafts = Drafts {
            source: vec![Symbol::Word(WordId(0)); source], // they have no number; nobody asks
            links: diagonal(source, words.len()).to_vec(),
            values,
            ..Drafts::new(features)
        };
        let mut rule = Draft { place: u32::MAX, score, ..Draft::default() };
        if !words.is_empty() {
            let id = |lm: usize, place: usize| model.lms()[lm].1.word_id(&words[place]);
            drafts.push_run(model, &mut rule, words.len(), id);
        }
        rule.links = 0..drafts.links.len() as u32;
        rule.parts = 0..drafts.parts.len() as u32;
        rule.runs = 0..drafts.runs.len() as u32;
        for (feature, parts) in features.iter().zip(&mut drafts.features) {
            rule.add(feature.chart().prepare_spelled(words, &feature.weights, alone(parts)));
        }
        drafts.rules.push(rule);
        let mut set = drafts.ranked(model, search);
        set.spelled = Some(Box::new(spelled));
        Arc::new(set)
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
        let (first, first_run) = (self.parts.len() as u32, self.runs.len() as u32);
        let mut new = Draft {
            number: self.rules.len() as u32,
            place,
            score: local::weighted(model, &values, words, false),
            ..Draft::default()
        };
        let mut rest = &rule.target[..];
        while let Some(&symbol) = rest.first() {
            if let Symbol::Slot(slot) = symbol {
                self.parts.push(slot);
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
        new.runs = first_run..self.runs.len() as u32;
        for (feature, parts) in features.iter().zip(&mut self.features) {
            let (table, weights) = (model.table(), &feature.weights);
            new.add(feature.chart().prepare(table, rule, weights, alone(parts)));
        }
        self.values.extend_from_slice(&values);
        new.target = append(&mut self.targets, &rule.target);
        new.links = append(&mut self.links, &rule.links);
        self.rules.push(new);
        Ok(())
    }

    /// Adds neighbouring words to a rule, scored without context.
    fn push_run(
        &mut self,
        model: &Model,
        rule: &mut Draft,
        words: usize,
        id: impl Fn(usize, usize) -> WordId,
    ) {
        let weights = &model.weights()[model.columns().lms..];
        self.parts.push(RUN);
        let start = self.states.len() as u32;
        for (index, (_, lm)) in model.lms().iter().enumerate() {
            let pieces = (0..words).map(|place| Piece::Word(id(index, place)));
            let (state, log_prob) = lm.join(pieces);
            rule.score += weights[index] * log_prob as f32;
            rule.slack -= weights[index] * state.left_log_prob();
            state.pack(&mut self.states);
        }
        self.runs.push(start..self.states.len() as u32);
    }

    /// The best `options` rules, sorted; ties stay in the table's order.
    pub fn ranked(&mut self, model: &Model, search: &Search) -> RuleSet {
        self.rules.sort_by(|a, b| b.worth().total_cmp(&a.worth()));
        self.rules.truncate(search.options);
        self.rules.sort_by(|a, b| b.key(search.hope).total_cmp(&a.key(search.hope)));
        let numbers: Vec<u32> = self.rules.iter().map(|rule| rule.number).collect();
        let features = self.features.iter().map(|parts| parts.picked(&numbers)).collect();
        let (sections, runs) = self.write(local::value_count(model), search.hope);
        RuleSet {
            block: Box::from(&self.block[..]),
            sections,
            count: self.rules.len() as u32,
            runs,
            spelled: None,
            features,
        }
    }

    /// Writes the rules into the block; answers where what begins, and how many runs there are.
    fn write(&mut self, width: usize, hope: f32) -> (Sections, u32) {
        let Drafts { source, rules, targets, links, parts, values, runs, states, block, .. } = self;
        let mut at = Sections::default();
        block.clear();
        block.extend(source.iter().map(|&symbol| packed(symbol)));
        at.rules = block.len() as u32;
        let mut next = ChartRule::default();
        for rule in &*rules {
            let (place, score, key) = (rule.place, rule.score, rule.key(hope));
            let record = ChartRule { place, score, key, ..next };
            block.extend_from_slice(bytemuck::cast_ref::<_, [u32; RULE]>(&record));
            next.target += rule.target.len() as u32;
            next.parts += rule.parts.len() as u32;
            next.links += 2 * rule.links.len() as u32;
            next.runs += rule.runs.len() as u32;
        }
        block.extend_from_slice(bytemuck::cast_ref::<_, [u32; RULE]>(&next));
        at.values = block.len() as u32;
        for rule in &*rules {
            let own = &values[rule.number as usize * width..][..width];
            block.extend(own.iter().map(|value| value.to_bits()));
        }
        at.targets = block.len() as u32;
        let symbols = rules.iter().flat_map(|rule| part_of(targets, &rule.target));
        block.extend(symbols.map(|&symbol| packed(symbol)));
        at.runs = block.len() as u32;
        block.resize(block.len() + next.runs as usize, 0);
        at.states = block.len() as u32;
        let used = rules.iter().flat_map(|rule| part_of(runs, &rule.runs));
        write_states(block, &at, used.map(|run| part_of(states, run)));
        let bytes = rules.iter().flat_map(|rule| part_of(parts, &rule.parts)).copied();
        let linked = rules.iter().flat_map(|rule| part_of(links, &rule.links));
        at.parts = (block.len() * size_of::<u32>()) as u32;
        at.links = at.parts + next.parts;
        write_bytes(block, bytes.chain(linked.flat_map(|&(source, target)| [source, target])));
        (at, next.runs)
    }
}

/// More different runs than this are not compared with a new one.
const COMPARED: usize = 64;

/// Writes the states of all runs, those of equal runs once.
fn write_states<'s>(block: &mut Vec<u32>, at: &Sections, runs: impl Iterator<Item = &'s [u32]>) {
    let mut known: SmallVec<[(&[u32], u32); COMPARED]> = SmallVec::new();
    for (place, states) in (at.runs as usize..).zip(runs) {
        let same = known.iter().rev().take(COMPARED).find(|(other, _)| *other == states);
        block[place] = match same {
            Some(&(_, start)) => start,
            None => {
                let start = block.len() as u32 - at.states;
                block.extend_from_slice(states);
                known.push((states, start));
                start
            }
        };
    }
}

/// Writes bytes, four to a word.
fn write_bytes(block: &mut Vec<u32>, bytes: impl Iterator<Item = u8>) {
    let mut bytes = bytes.peekable();
    while bytes.peek().is_some() {
        let word = std::array::from_fn(|_| bytes.next().unwrap_or_default());
        block.push(u32::from_ne_bytes(word));
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lm::ChartState;
    use crate::random::Random;
    use Symbol::{Slot, Word};

    /// A rule as it was given.
    #[derive(Debug, Clone, PartialEq)]
    struct Plain {
        target: Vec<Symbol>,
        links: Vec<(u8, u8)>,
        parts: Vec<u8>,
        values: Vec<f32>,
        place: u32,
        score: f32,
        runs: usize,
    }

    fn random_rule(random: &mut Random, place: u32) -> Plain {
        let target: Vec<Symbol> = (0..1 + random.below(5))
            .map(|_| match random.below(3) {
                0 => Slot(random.below(2) as u8),
                _ => Word(WordId(random.below(9) as u32)),
            })
            .collect();
        let links = (0..random.below(4)).map(|at| (at as u8, random.below(5) as u8)).collect();
        let parts: Vec<u8> = target
            .chunk_by(|a, b| matches!((a, b), (Word(_), Word(_))))
            .map(|part| if let Slot(slot) = part[0] { slot } else { RUN })
            .collect();
        let runs = parts.iter().filter(|&&part| part == RUN).count();
        let values = (0..3).map(|_| random.below(100) as f32).collect();
        Plain { target, links, parts, values, place, score: -(random.below(50) as f32), runs }
    }

    fn push(drafts: &mut Drafts, rule: &Plain) {
        let first = drafts.runs.len() as u32;
        for _ in 0..rule.runs {
            let start = drafts.states.len() as u32;
            ChartState::default().pack(&mut drafts.states);
            drafts.runs.push(start..drafts.states.len() as u32);
        }
        drafts.values.extend_from_slice(&rule.values);
        let new = Draft {
            target: append(&mut drafts.targets, &rule.target),
            links: append(&mut drafts.links, &rule.links),
            parts: append(&mut drafts.parts, &rule.parts),
            runs: first..drafts.runs.len() as u32,
            number: drafts.rules.len() as u32,
            place: rule.place,
            score: rule.score,
            ..Draft::default()
        };
        drafts.rules.push(new);
    }

    fn read(set: &RuleSet, rank: u32) -> Plain {
        let record = set.rule(rank);
        let first = set.sections.values as usize + rank as usize * 3;
        let values = set.block[first..first + 3].iter().map(|&bits| f32::from_bits(bits));
        Plain {
            target: set.target(rank).collect(),
            links: set.links(rank).collect(),
            parts: set.parts(rank).to_vec(),
            values: values.collect(),
            place: record.place,
            score: record.score,
            runs: (set.rule(rank + 1).runs - record.runs) as usize,
        }
    }

    #[test]
    fn rules_are_read_as_they_were_written() {
        let mut random = Random::new(7, 3);
        let mut drafts = Drafts::default();
        for _ in 0..200 {
            let source = [Word(WordId(4)), Slot(0), Word(WordId(0)), Slot(1)];
            drafts.start(&source[..1 + random.below(4)]);
            let mut given: Vec<Plain> =
                (0..random.below(7)).map(|place| random_rule(&mut random, place as u32)).collect();
            given.iter().for_each(|rule| push(&mut drafts, rule));
            // Another order than that in which they came, and not all.
            drafts.rules.sort_by(|a, b| b.score.total_cmp(&a.score));
            given.sort_by(|a, b| b.score.total_cmp(&a.score));
            given.truncate(5);
            drafts.rules.truncate(5);
            let (sections, runs) = drafts.write(3, 0.0);
            let (block, count) = (Box::from(&drafts.block[..]), given.len() as u32);
            let set = RuleSet { block, sections, count, runs, spelled: None, features: Vec::new() };
            assert_eq!((0..count).map(|rank| read(&set, rank)).collect::<Vec<_>>(), given);
            assert_eq!(set.source().collect::<Vec<_>>(), drafts.source);
            assert_eq!(runs as usize, given.iter().map(|rule| rule.runs).sum::<usize>());
            for run in 0..runs {
                assert_eq!(set.run(run, 1)[..], [ChartState::default()]);
            }
            let states =
                set.sections.parts as usize / size_of::<u32>() - set.sections.states as usize;
            assert_eq!(states, usize::from(runs > 0), "equal states once");
        }
    }
}
