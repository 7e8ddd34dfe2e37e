//! Features with a state in chart search, and their states together.
//!
//! A feature says what a rule makes of the states in its slots, what becomes of two neighbours
//! that are joined without a rule, and what a state is worth at the end. Search adds that up.

use std::any::Any;
use std::sync::Arc;

use smallvec::{SmallVec, smallvec};

use super::states::EMPTY;
use crate::decode::interned::{Interned, Pairs};
use crate::decode::source::Source;
use crate::table::{Rule, RuleTable};
use crate::tree::structure::{Operation, Partial};

/// What a feature keeps of the rules of one source side, one after the other.
pub trait RuleParts: Any + Send + Sync {
    /// Forgets all rules.
    fn clear(&mut self);

    /// Parts of these rules alone, and not a byte too large.
    fn picked(&self, rules: &[u32]) -> Arc<dyn RuleParts>;

    fn bytes(&self) -> usize;

    /// Itself, so that a scorer finds its own kind again.
    fn any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync>;
}

/// The parts of a feature's own kind; others would be a mistake of search.
pub fn own_kind<T: RuleParts>(parts: &Arc<dyn RuleParts>) -> Arc<T> {
    Arc::clone(parts).any().downcast().expect("parts of this feature")
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
    fn rule_parts(&self) -> Arc<dyn RuleParts>;

    /// Prepares a rule of the table.
    fn prepare(
        &self,
        table: &RuleTable,
        rule: &Rule,
        weights: &[f32],
        parts: &mut dyn RuleParts,
    ) -> OwnWorth;

    /// Prepares what no rule of the table has: words that are said, by their spelling.
    fn prepare_spelled(
        &self,
        words: &[String],
        weights: &[f32],
        parts: &mut dyn RuleParts,
    ) -> OwnWorth;

    /// Starts a sentence.
    fn begin<'a>(&'a self, source: &'a Source, weights: &'a [f32]) -> Box<dyn ChartScorer + 'a>;

    /// Whether neighbours may be joined within every span, and not only from left to right. Of
    /// all features of a model, one may do so: it decides in which ways.
    fn joins(&self) -> bool {
        false
    }

    /// Whether its scorer has the tree of a derivation. One feature of a model may.
    fn builds_trees(&self) -> bool {
        false
    }
}

/// What became of two neighbours, or of a rule with its slots filled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// In which way, as the feature numbers them; 0 where there is only one.
    pub way: u32,
    /// What is added, weighted.
    pub change: f32,
    pub state: u32,
    /// What the state is expected to add later, weighted.
    pub outlook: f32,
}

pub type Outcomes = SmallVec<[Outcome; 5]>;

/// A rule in a sentence: the number of its set there, its number in what the feature keeps of the
/// set, and the source words that it covers with what fills its slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Applied {
    pub set: u32,
    pub rule: u32,
    pub span: (u32, u32),
}

/// The source words that two neighbours cover, counted from the first of the sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Meeting {
    pub start: u32,
    pub middle: u32,
    pub end: u32,
}

/// A feature at work on one sentence. States are numbers of its choice, equal for equal futures;
/// 0 is the state of no words.
pub trait ChartScorer {
    /// Takes note of a rule set; sets are numbered in this order.
    fn enter(&mut self, parts: &Arc<dyn RuleParts>);

    /// What a rule makes of the states in its slots: the change beyond its own worth. A slot that
    /// the rule does not have is filled by 0.
    fn apply(&mut self, rule: Applied, slots: [u32; 2]) -> Outcome;

    /// What becomes of two neighbours; at least one outcome.
    fn join(&mut self, left: u32, right: u32, at: Meeting) -> Outcomes;

    /// What is added at the end of the sentence, weighted.
    fn finish(&mut self, state: u32) -> f32;

    /// Whether states count as one although they differ: see `key`.
    fn has_keys(&self) -> bool {
        false
    }

    /// States with the same key count as one: the better item stands for both. Asked only if
    /// `has_keys` says so; else each state is its own key.
    fn key(&self, state: u32) -> u64 {
        u64::from(state)
    }

    /// What another scorer of this feature needs to go on from a state: long sentences are
    /// searched in pieces.
    fn carry(&self, state: u32) -> Box<dyn Any>;

    /// The state that another scorer carried.
    fn resume(&mut self, carried: &dyn Any) -> u32;

    /// Writes the values, one for each name, that `apply` and the rule's own worth weigh.
    fn rule_values(&self, rule: Applied, slots: [u32; 2], values: &mut [f64]);

    /// The same of a join in one way.
    fn join_values(&self, way: u32, left: u32, right: u32, at: Meeting, values: &mut [f64]);

    /// The same of the end of the sentence.
    fn finish_values(&self, state: u32, values: &mut [f64]);

    /// The structure that a rule makes of those of its target symbols, the first of which stands
    /// at `first`; none for features without trees.
    fn rule_tree(&self, _rule: Applied, _first: u32, _symbols: Vec<Partial>) -> Option<Partial> {
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

/// More features with a state than this have no place in a chart.
pub const MOST_FEATURES: usize = 3;

/// The state of each feature; 0 behind the last.
pub type States = [u32; MOST_FEATURES];

/// What became of two neighbours, or of a rule, for all features together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joined {
    pub way: u32,
    pub change: f32,
    pub outlook: f32,
    pub states: States,
}

const NOTHING: Joined = Joined { way: 0, change: 0.0, outlook: 0.0, states: [0; MOST_FEATURES] };

/// All features of a sentence at work. Their states and that of language models together are a
/// number: that of language models and the first feature make a pair, that pair and the second
/// feature another, and so on.
pub struct Scorers<'f> {
    scorers: Vec<Box<dyn ChartScorer + 'f>>,
    /// The model's columns that each writes.
    columns: Vec<Vec<usize>>,
    /// The scorer that decides in which ways neighbours are joined.
    joining: Option<usize>,
    /// The scorer that has the tree of a derivation.
    builder: Option<usize>,
    levels: Vec<Pairs>,
    /// If some scorer has keys: the keys of all, and for each number that of its keys.
    keys: Option<(Interned<u64>, Vec<u32>)>,
}

impl<'f> Scorers<'f> {
    pub fn new(
        scorers: Vec<Box<dyn ChartScorer + 'f>>,
        columns: Vec<Vec<usize>>,
        joining: Option<usize>,
        builder: Option<usize>,
    ) -> Self {
        let levels = scorers.iter().map(|_| Pairs::default()).collect();
        let keyed = scorers.iter().any(|scorer| scorer.has_keys());
        let keys = keyed.then(|| (Interned::new(scorers.len() + 1), Vec::new()));
        let mut all = Scorers { scorers, columns, joining, builder, levels, keys };
        if !all.is_empty() {
            all.number(EMPTY, [0; MOST_FEATURES]); // of no words: 0
        }
        all
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.scorers.is_empty()
    }

    /// Whether neighbours may be joined within every span.
    #[inline]
    pub fn joins(&self) -> bool {
        self.joining.is_some()
    }

    pub fn enter(&mut self, parts: &[Arc<dyn RuleParts>]) {
        let both = self.scorers.iter_mut().zip(parts);
        both.for_each(|(scorer, parts)| scorer.enter(parts));
    }

    /// The number of a state of language models and of each feature.
    #[inline]
    pub fn number(&mut self, lm: u32, states: States) -> u32 {
        let (mut id, mut is_new) = (lm, false);
        for (level, state) in self.levels.iter_mut().zip(states) {
            (id, is_new) = level.id(id, state);
        }
        if is_new && let Some((keys, classes)) = &mut self.keys {
            let own =
                self.scorers.iter().zip(states).map(|(scorer, state)| match scorer.has_keys() {
                    true => scorer.key(state),
                    false => u64::from(state),
                });
            let group: SmallVec<[u64; 4]> = [u64::from(lm)].into_iter().chain(own).collect();
            classes.push(keys.id(&group).0);
        }
        id
    }

    /// What a number counts as when items recombine.
    #[inline]
    pub fn class(&self, id: u32) -> u32 {
        self.keys.as_ref().map_or(id, |(_, classes)| classes[id as usize])
    }

    /// The language models' part of a state.
    #[inline]
    pub fn lm(&self, id: u32) -> u32 {
        self.levels.iter().rev().fold(id, |id, level| level.get(id).0)
    }

    /// The state of each feature.
    #[inline]
    fn states(&self, id: u32) -> States {
        let (mut states, mut id) = ([0; MOST_FEATURES], id);
        for (level, state) in self.levels.iter().zip(&mut states).rev() {
            (id, *state) = level.get(id);
        }
        states
    }

    /// The number of a state of language models before all words, or behind a piece of the
    /// sentence that left `carried`.
    pub fn begin(&mut self, lm: u32, carried: &[Box<dyn Any>]) -> u32 {
        let mut states = [0; MOST_FEATURES];
        let scorers = self.scorers.iter_mut().zip(carried);
        for ((scorer, carried), state) in scorers.zip(&mut states) {
            *state = scorer.resume(carried.as_ref());
        }
        self.number(lm, states)
    }

    /// What features keep of a state for the next piece.
    pub fn carry(&self, id: u32) -> Vec<Box<dyn Any>> {
        let states = self.scorers.iter().zip(self.states(id));
        states.map(|(scorer, state)| scorer.carry(state)).collect()
    }

    /// What a rule makes of two filled slots.
    #[inline]
    pub fn apply(&mut self, rule: Applied, slots: [u32; 2]) -> Joined {
        let slots = slots.map(|slot| self.states(slot));
        let mut whole = NOTHING;
        for (index, scorer) in self.scorers.iter_mut().enumerate() {
            let own = scorer.apply(rule, slots.map(|states| states[index]));
            whole.change += own.change;
            whole.outlook += own.outlook;
            whole.states[index] = own.state;
        }
        whole
    }

    /// What becomes of two neighbours.
    #[inline]
    pub fn join(&mut self, left: u32, right: u32, at: Meeting) -> SmallVec<[Joined; 5]> {
        let [left, right] = [left, right].map(|id| self.states(id));
        let mut found: SmallVec<[Joined; 5]> = smallvec![NOTHING];
        for (index, scorer) in self.scorers.iter_mut().enumerate() {
            let outcomes = scorer.join(left[index], right[index], at);
            let ways = self.joining == Some(index);
            let with = |known: &Joined, outcome: &Outcome| {
                let mut joined = *known;
                joined.states[index] = outcome.state;
                joined.change += outcome.change;
                joined.outlook += outcome.outlook;
                joined.way = if ways { outcome.way } else { known.way };
                joined
            };
            if let [known] = found[..] {
                found.clear();
                found.extend(outcomes.iter().map(|outcome| with(&known, outcome)));
            } else {
                let pairs =
                    found.iter().flat_map(|known| outcomes.iter().map(move |it| (known, it)));
                found = pairs.map(|(known, outcome)| with(known, outcome)).collect();
            }
        }
        found
    }

    /// The weighted score of the end of the sentence.
    pub fn finish(&mut self, id: u32) -> f32 {
        let states = self.states(id);
        let scorers = self.scorers.iter_mut().zip(states);
        scorers.map(|(scorer, state)| scorer.finish(state)).sum()
    }

    /// Adds the values of a rule to sums by column.
    pub fn add_rule(&self, rule: Applied, slots: [u32; 2], sums: &mut [f64]) {
        let slots = slots.map(|slot| self.states(slot));
        self.add(sums, |index, scorer, values| {
            scorer.rule_values(rule, slots.map(|states| states[index]), values);
        });
    }

    /// Adds the values of a join.
    pub fn add_join(&self, way: u32, left: u32, right: u32, at: Meeting, sums: &mut [f64]) {
        let [left, right] = [left, right].map(|id| self.states(id));
        self.add(sums, |index, scorer, values| {
            let way = if self.joining == Some(index) { way } else { 0 };
            scorer.join_values(way, left[index], right[index], at, values);
        });
    }

    /// Adds the values of the end of the sentence.
    pub fn add_finish(&self, id: u32, sums: &mut [f64]) {
        let states = self.states(id);
        self.add(sums, |index, scorer, values| scorer.finish_values(states[index], values));
    }

    fn add(&self, sums: &mut [f64], write: impl Fn(usize, &dyn ChartScorer, &mut [f64])) {
        for (index, scorer) in self.scorers.iter().enumerate() {
            let columns = &self.columns[index];
            let mut values: SmallVec<[f64; 8]> = smallvec![0.0; columns.len()];
            write(index, scorer.as_ref(), &mut values);
            columns.iter().zip(values).for_each(|(&column, value)| sums[column] += value);
        }
    }

    /// The scorer that builds trees.
    pub fn builder(&self) -> Option<&(dyn ChartScorer + 'f)> {
        self.builder.map(|index| self.scorers[index].as_ref())
    }

    /// The operation on trees that joined two states in one way.
    pub fn operation(&self, way: u32, left: u32, right: u32) -> Option<Operation> {
        let (index, scorer) = (self.builder?, self.builder()?);
        scorer.operation(way, self.states(left)[index], self.states(right)[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// A scorer that only has keys, by state.
    struct Keyed(Vec<u64>);

    impl ChartScorer for Keyed {
        fn enter(&mut self, _parts: &Arc<dyn RuleParts>) {}

        fn apply(&mut self, _rule: Applied, _slots: [u32; 2]) -> Outcome {
            Outcome { way: 0, change: 0.0, state: 0, outlook: 0.0 }
        }

        fn join(&mut self, _left: u32, _right: u32, _at: Meeting) -> Outcomes {
            Outcomes::new()
        }

        fn finish(&mut self, _state: u32) -> f32 {
            0.0
        }

        fn has_keys(&self) -> bool {
            !self.0.is_empty()
        }

        fn key(&self, state: u32) -> u64 {
            self.0[state as usize]
        }

        fn carry(&self, _state: u32) -> Box<dyn Any> {
            Box::new(())
        }

        fn resume(&mut self, _carried: &dyn Any) -> u32 {
            0
        }

        fn rule_values(&self, _rule: Applied, _slots: [u32; 2], _values: &mut [f64]) {}

        fn join_values(&self, _: u32, _: u32, _: u32, _: Meeting, _values: &mut [f64]) {}

        fn finish_values(&self, _state: u32, _values: &mut [f64]) {}
    }

    /// States count as one exactly if the states of language models and all keys agree, and
    /// numbers lead back to what they stand for.
    #[test]
    fn items_recombine_by_keys() {
        let mut random = Random::new(3, 1);
        let tables = [vec![7, 2, 3, 1, 3, 0], Vec::new(), vec![1, 1, 0, 0, 5, 5]];
        for keyed in [[true, true, true], [false, true, false]] {
            let table =
                |index: usize| if keyed[index] { tables[index].clone() } else { Vec::new() };
            let scorers = (0..3).map(|index| Box::new(Keyed(table(index))) as Box<_>).collect();
            let mut all = Scorers::new(scorers, vec![Vec::new(); 3], None, None);
            let key = |index: usize, state: u32| match table(index).get(state as usize) {
                Some(&key) => key,
                None => u64::from(state),
            };
            let mut seen: Vec<(u32, (u32, [u64; 3]))> = Vec::new();
            for _ in 0..400 {
                let mut below = |most| random.below(most) as u32;
                let (lm, states) = (below(4), [below(6), below(6), below(6)]);
                let id = all.number(lm, states);
                assert_eq!((all.lm(id), all.states(id)), (lm, states));
                let keys = std::array::from_fn(|index| key(index, states[index]));
                seen.push((all.class(id), (lm, keys)));
            }
            for (class, keys) in &seen {
                assert!(seen.iter().all(|(other, own)| (class == other) == (keys == own)));
            }
        }
    }
}
