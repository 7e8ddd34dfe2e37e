//! Features with a state in chart search, and their states together.
//!
//! A feature says what a rule makes of the states in its slots, what becomes of two neighbours
//! that are joined without a rule, and what a state is worth at the end. Search adds that up.

use std::any::Any;

use smallvec::{SmallVec, smallvec};

use super::states::EMPTY;
use crate::decode::interned::Interned;
use crate::decode::source::Source;
use crate::table::{Rule, RuleTable};
use crate::tree::structure::{Operation, Partial};

/// What a feature keeps of the rules of one source side, one after the other.
pub trait RuleParts: Any + Send + Sync {
    /// Forgets all rules.
    fn clear(&mut self);

    /// The same kind of parts, without a rule.
    fn empty(&self) -> Box<dyn RuleParts>;

    /// Adds a rule of other parts of the same kind.
    fn copy(&mut self, from: &dyn RuleParts, rule: u32);

    /// Gives back memory beyond what the rules take.
    fn shrink(&mut self);

    fn bytes(&self) -> usize;
}

/// What a rule is worth to a feature before its slots are filled, weighted.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct OwnWorth {
    pub score: f32,
    /// What is expected to come, if the rule has no slots.
    pub outlook: f32,
}

/// A feature of charts, for all sentences. `weights` are those of its names, in their order.
pub trait ChartFeature: Send + Sync {
    /// An empty store for what it prepares of rules.
    fn rule_parts(&self) -> Box<dyn RuleParts>;

    /// Prepares a rule of the table.
    fn prepare(
        &self,
        table: &RuleTable,
        rule: &Rule,
        weights: &[f32],
        parts: &mut dyn RuleParts,
    ) -> OwnWorth;

    /// Prepares a word that no rule has; `word` is what is said for it, if anything.
    fn prepare_unknown(
        &self,
        word: Option<&str>,
        weights: &[f32],
        parts: &mut dyn RuleParts,
    ) -> OwnWorth;

    /// Starts a sentence.
    fn begin<'a>(&'a self, source: &Source, weights: &'a [f32]) -> Box<dyn ChartScorer + 'a>;

    /// Whether neighbours may be joined within every span, and not only from left to right. Of
    /// all features of a model, one may do so: it decides in which ways.
    fn joins(&self) -> bool {
        false
    }
}

/// What became of two neighbours.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// In which way, as the feature numbers them; 0 where there is only one.
    pub way: u32,
    /// Weighted.
    pub change: f32,
    pub state: u32,
}

pub type Outcomes = SmallVec<[Outcome; 4]>;

/// A rule in a sentence: the number of its set there, what the feature keeps of the set, and its
/// number in that.
#[derive(Clone, Copy)]
pub struct Applied<'a> {
    pub set: u32,
    pub parts: &'a dyn RuleParts,
    pub rule: u32,
}

/// A feature at work on one sentence. States are numbers of its choice, equal for equal futures;
/// 0 is the state of no words.
pub trait ChartScorer {
    /// Takes note of a rule set; sets are numbered in this order.
    fn enter(&mut self, _parts: &dyn RuleParts) {}

    /// What a rule adds to the states in its slots beyond its own worth, weighted, and the state
    /// of the whole. A slot that the rule does not have is filled by 0.
    fn apply(&mut self, rule: Applied<'_>, slots: [u32; 2]) -> (f32, u32);

    /// What becomes of two neighbours; at least one outcome.
    fn join(&mut self, left: u32, right: u32) -> Outcomes;

    /// What is added at the end of the sentence, weighted.
    fn finish(&mut self, state: u32) -> f32;

    /// What a state is expected to add later, weighted.
    fn outlook(&self, _state: u32) -> f32 {
        0.0
    }

    /// States with the same key count as one: the better item stands for both.
    fn key(&self, state: u32) -> u32 {
        state
    }

    /// What another scorer of this feature needs to go on from a state: long sentences are
    /// searched in pieces.
    fn carry(&self, state: u32) -> Box<dyn Any>;

    /// The state that another scorer carried.
    fn resume(&mut self, carried: &dyn Any) -> u32;

    /// Writes the values, one for each name, that `apply` and the rule's own worth weigh.
    fn rule_values(&self, rule: Applied<'_>, slots: [u32; 2], values: &mut [f64]);

    /// The same of a join in one way.
    fn join_values(&self, way: u32, left: u32, right: u32, values: &mut [f64]);

    /// The same of the end of the sentence.
    fn finish_values(&self, state: u32, values: &mut [f64]);

    /// The structure that a rule makes of those of its target symbols, the first of which stands
    /// at `first`; none for features without trees.
    fn rule_tree(
        &self,
        _rule: Applied<'_>,
        _first: u32,
        _symbols: Vec<Partial>,
    ) -> Option<Partial> {
        None
    }

    /// The structure that a join in one way makes of two.
    fn join_tree(&self, _way: u32, _left: &Partial, _right: &Partial) -> Option<Partial> {
        None
    }

    /// The operation on trees that a way of joining is, if both states have trees.
    fn operation(&self, _way: u32, _left: u32, _right: u32) -> Option<Operation> {
        None
    }
}

/// Numbers of states: of language models, then of each feature.
pub type Group = SmallVec<[u32; 4]>;

/// What became of two neighbours, for all features together.
#[derive(Debug, Clone, PartialEq)]
pub struct Joined {
    pub way: u32,
    pub change: f32,
    /// Of each feature.
    pub states: SmallVec<[u32; 2]>,
}

/// All features of a sentence at work. Their states and that of language models together are a
/// number as well.
pub struct Scorers<'f> {
    scorers: Vec<Box<dyn ChartScorer + 'f>>,
    /// The model's columns that each writes.
    columns: Vec<Vec<usize>>,
    /// The scorer that decides in which ways neighbours are joined.
    joining: Option<usize>,
    groups: Interned<u32>,
    /// By number of a group: that which it counts as when items recombine.
    classes: Vec<u32>,
}

impl<'f> Scorers<'f> {
    pub fn new(
        scorers: Vec<Box<dyn ChartScorer + 'f>>,
        columns: Vec<Vec<usize>>,
        joining: Option<usize>,
    ) -> Self {
        let groups = Interned::new(scorers.len() + 1);
        let mut all = Scorers { scorers, columns, joining, groups, classes: Vec::new() };
        if !all.is_empty() {
            all.number(EMPTY, &smallvec![0; all.scorers.len()]); // of no words: 0
        }
        all
    }

    pub fn is_empty(&self) -> bool {
        self.scorers.is_empty()
    }

    /// Whether neighbours may be joined within every span.
    pub fn joins(&self) -> bool {
        self.joining.is_some()
    }

    pub fn enter(&mut self, parts: &[Box<dyn RuleParts>]) {
        let both = self.scorers.iter_mut().zip(parts);
        both.for_each(|(scorer, parts)| scorer.enter(parts.as_ref()));
    }

    /// The number of states of language models and of each feature.
    pub fn number(&mut self, lm: u32, states: &SmallVec<[u32; 2]>) -> u32 {
        let mut group: Group = smallvec![lm];
        group.extend_from_slice(states);
        let (id, is_new) = self.groups.id(&group);
        if is_new {
            // Its class is the first group with the same keys.
            let mut keys = group;
            for (scorer, state) in self.scorers.iter().zip(&mut keys[1..]) {
                *state = scorer.key(*state);
            }
            self.classes.push(id);
            let class = self.groups.id(&keys);
            if class.1 {
                self.classes.push(class.0);
            }
            self.classes[id as usize] = class.0;
        }
        id
    }

    /// The number of a state of language models before all words, or behind a piece of the
    /// sentence that left `carried`.
    pub fn begin(&mut self, lm: u32, carried: &[Box<dyn Any>]) -> u32 {
        if self.is_empty() {
            return lm;
        }
        let mut states = smallvec![0; self.scorers.len()];
        let scorers = self.scorers.iter_mut().zip(carried);
        for ((scorer, carried), state) in scorers.zip(&mut states) {
            *state = scorer.resume(carried.as_ref());
        }
        self.number(lm, &states)
    }

    /// What features keep of a state for the next piece.
    pub fn carry(&self, id: u32) -> Vec<Box<dyn Any>> {
        if self.is_empty() {
            return Vec::new();
        }
        let states = self.scorers.iter().zip(self.of(id));
        states.map(|(scorer, &state)| scorer.carry(state)).collect()
    }

    /// What a number counts as when items recombine.
    #[inline]
    pub fn class(&self, id: u32) -> u32 {
        if self.is_empty() { id } else { self.classes[id as usize] }
    }

    /// The language models' part of a state.
    #[inline]
    pub fn lm(&self, id: u32) -> u32 {
        if self.is_empty() { id } else { self.groups.get(id)[0] }
    }

    fn of(&self, id: u32) -> &[u32] {
        &self.groups.get(id)[1..]
    }

    /// What a rule makes of two filled slots: the change of all features, and their states.
    pub fn apply(
        &mut self,
        set: u32,
        parts: &[Box<dyn RuleParts>],
        rule: u32,
        slots: [u32; 2],
    ) -> Joined {
        let (mut change, mut states) = (0.0, SmallVec::new());
        for (index, scorer) in self.scorers.iter_mut().enumerate() {
            let own = slots.map(|slot| self.groups.get(slot)[1 + index]);
            let applied = Applied { set, parts: parts[index].as_ref(), rule };
            let (more, state) = scorer.apply(applied, own);
            change += more;
            states.push(state);
        }
        Joined { way: 0, change, states }
    }

    /// What becomes of two neighbours.
    pub fn join(&mut self, left: u32, right: u32) -> SmallVec<[Joined; 4]> {
        let first = Joined { way: 0, change: 0.0, states: SmallVec::new() };
        let mut found: SmallVec<[Joined; 4]> = smallvec![first];
        for (index, scorer) in self.scorers.iter_mut().enumerate() {
            let [left, right] = [left, right].map(|id| self.groups.get(id)[1 + index]);
            let outcomes = scorer.join(left, right);
            let ways = self.joining == Some(index);
            let together = found.iter().flat_map(|known| {
                outcomes.iter().map(|outcome| {
                    let mut joined = known.clone();
                    joined.states.push(outcome.state);
                    joined.change += outcome.change;
                    joined.way = if ways { outcome.way } else { known.way };
                    joined
                })
            });
            found = together.collect();
        }
        found
    }

    /// The weighted score of the end of the sentence.
    pub fn finish(&mut self, id: u32) -> f32 {
        let Scorers { scorers, groups, .. } = self;
        let states = groups.get(id).get(1..).unwrap_or_default();
        scorers.iter_mut().zip(states).map(|(scorer, &state)| scorer.finish(state)).sum()
    }

    /// What states are expected to add later, weighted.
    pub fn outlook(&self, states: &[u32]) -> f32 {
        self.scorers.iter().zip(states).map(|(scorer, &state)| scorer.outlook(state)).sum()
    }

    /// Adds the values of a rule to sums by column.
    pub fn add_rule(
        &self,
        set: u32,
        parts: &[Box<dyn RuleParts>],
        rule: u32,
        slots: [u32; 2],
        sums: &mut [f64],
    ) {
        self.add(sums, |index, scorer, values| {
            let applied = Applied { set, parts: parts[index].as_ref(), rule };
            scorer.rule_values(applied, slots.map(|slot| self.of(slot)[index]), values);
        });
    }

    /// Adds the values of a join.
    pub fn add_join(&self, way: u32, left: u32, right: u32, sums: &mut [f64]) {
        self.add(sums, |index, scorer, values| {
            let way = if self.joining == Some(index) { way } else { 0 };
            scorer.join_values(way, self.of(left)[index], self.of(right)[index], values);
        });
    }

    /// Adds the values of the end of the sentence.
    pub fn add_finish(&self, id: u32, sums: &mut [f64]) {
        self.add(sums, |index, scorer, values| {
            scorer.finish_values(self.of(id)[index], values);
        });
    }

    fn add(&self, sums: &mut [f64], write: impl Fn(usize, &dyn ChartScorer, &mut [f64])) {
        for (index, scorer) in self.scorers.iter().enumerate() {
            let columns = &self.columns[index];
            let mut values: SmallVec<[f64; 8]> = smallvec![0.0; columns.len()];
            write(index, scorer.as_ref(), &mut values);
            columns.iter().zip(values).for_each(|(&column, value)| sums[column] += value);
        }
    }

    /// The scorer that builds trees, and its place among all.
    pub fn builder(&self) -> Option<(usize, &(dyn ChartScorer + 'f))> {
        self.joining.map(|index| (index, self.scorers[index].as_ref()))
    }

    /// The operation on trees that joined two states in one way.
    pub fn operation(&self, way: u32, left: u32, right: u32) -> Option<Operation> {
        let (index, scorer) = self.builder()?;
        scorer.operation(way, self.of(left)[index], self.of(right)[index])
    }
}
