//! States of language models in one search, by number, and what joins cost.
//!
//! The same option follows the same state in many hypotheses that differ in coverage alone, so
//! joins are remembered.

use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::model::Model;
use super::phrase::Phrase;
use crate::lm::{ChartState, LanguageModel, State};

/// A join that was made: state and option, the weighted change, the state behind.
#[derive(Clone, Copy)]
struct Join {
    key: u64,
    change: f32,
    next: u32,
}

/// Joins that were made lately, each at a place of its own.
struct Joins {
    slots: Vec<Join>,
    shift: u32,
}

const NO_KEY: u64 = u64::MAX;
const NONE: u32 = u32::MAX;

impl Joins {
    fn new(bits: u32) -> Self {
        let empty = Join { key: NO_KEY, change: 0.0, next: 0 };
        Joins { slots: vec![empty; 1 << bits], shift: 64 - bits }
    }

    /// The place of a join, and what is there if it was made.
    #[inline]
    fn find(&self, from: u32, option: u32) -> (usize, u64, Option<(f32, u32)>) {
        let key = u64::from(from) << 32 | u64::from(option);
        let place = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        let join = self.slots[place];
        (place, key, (join.key == key).then_some((join.change, join.next)))
    }
}

/// The states of one model by number.
struct OneModel<'m> {
    lm: &'m LanguageModel,
    weight: f32,
    states: Vec<State>,
    ids: HashTable<u32>,
    joins: Joins,
    /// For each option the state at its right end, once it was needed.
    rights: Vec<u32>,
}

impl OneModel<'_> {
    fn id(&mut self, new: &State) -> u32 {
        let OneModel { states, ids, .. } = self;
        let key = hash(new);
        if let Some(&id) = ids.find(key, |&id| &states[id as usize] == new) {
            return id;
        }
        let id = states.len() as u32;
        states.push(*new);
        ids.insert_unique(key, id, |&id| hash(&states[id as usize]));
        id
    }

    #[inline]
    fn extend(&mut self, from: u32, option: u32, part: &ChartState) -> (f32, u32) {
        let (place, key, known) = self.joins.find(from, option);
        known.unwrap_or_else(|| {
            let (next, change) = self.lm.append(&self.states[from as usize], part);
            let next = match next {
                Some(next) => self.id(&next),
                None => self.right(option, part),
            };
            let change = change * self.weight;
            self.joins.slots[place] = Join { key, change, next };
            (change, next)
        })
    }

    fn right(&mut self, option: u32, part: &ChartState) -> u32 {
        let known = self.rights[option as usize];
        if known != NONE {
            return known;
        }
        let id = self.id(part.right());
        self.rights[option as usize] = id;
        id
    }

    fn end(&self, id: u32) -> f32 {
        let mut state = self.states[id as usize];
        self.weight * self.lm.score(&mut state, self.lm.end()).log_prob() as f32
    }
}

/// One state of each model, together a number. Each model remembers its own joins: the same
/// class follows the same classes far more often than words follow words.
pub struct LmStates<'m> {
    models: Vec<OneModel<'m>>,
    /// Of several models: the numbers of their states, one after the other. One model has none.
    together: Vec<u32>,
    ids: HashTable<u32>,
}

/// Options by number.
pub trait Phrases {
    fn phrase(&self, option: u32) -> &Phrase;
}

type States = SmallVec<[State; 2]>;
type Numbers = SmallVec<[u32; 4]>;

impl<'m> LmStates<'m> {
    /// For a search with so many options, remembering about `2^bits` joins.
    pub fn new(model: &'m Model, options: usize, bits: u32) -> Self {
        let weights = &model.weights()[model.columns().lms..];
        let one = |((_, lm), &weight): (&'m (String, Arc<LanguageModel>), &f32)| OneModel {
            lm,
            weight,
            states: Vec::new(),
            ids: HashTable::new(),
            joins: Joins::new(bits),
            rights: vec![NONE; options],
        };
        LmStates {
            models: model.lms().iter().zip(weights).map(one).collect(),
            together: Vec::new(),
            ids: HashTable::new(),
        }
    }

    /// The states after `<s>`.
    pub fn begin(model: &Model) -> States {
        model.lms().iter().map(|(_, lm)| lm.begin_state()).collect()
    }

    pub fn get(&self, id: u32) -> States {
        let numbers = self.numbers(id);
        let states = self.models.iter().zip(numbers);
        states.map(|(model, number)| model.states[number as usize]).collect()
    }

    pub fn id(&mut self, new: &[State]) -> u32 {
        let models = self.models.iter_mut().zip(new);
        let numbers: Numbers = models.map(|(model, state)| model.id(state)).collect();
        self.number(&numbers)
    }

    fn numbers(&self, id: u32) -> Numbers {
        match self.models.len() {
            1 => Numbers::from_slice(&[id]),
            many => Numbers::from_slice(&self.together[id as usize * many..][..many]),
        }
    }

    fn number(&mut self, new: &[u32]) -> u32 {
        let many = new.len();
        if many < 2 {
            return new.first().copied().unwrap_or(0);
        }
        let LmStates { together, ids, .. } = self;
        let key = hash(new);
        if let Some(&id) = ids.find(key, |&id| &together[id as usize * many..][..many] == new) {
            return id;
        }
        let id = (together.len() / many) as u32;
        together.extend_from_slice(new);
        ids.insert_unique(key, id, |&id| hash(&together[id as usize * many..][..many]));
        id
    }

    /// Puts an option behind a state: the weighted change to the option's own estimate, and
    /// the state behind it.
    #[inline]
    pub fn extend(&mut self, from: u32, option: u32, options: &impl Phrases) -> (f32, u32) {
        match &mut self.models[..] {
            [] => (0.0, 0),
            [model] => model.extend(from, option, &options.phrase(option).parts[0]),
            _ => self.join(from, option, options.phrase(option)),
        }
    }

    fn join(&mut self, from: u32, option: u32, phrase: &Phrase) -> (f32, u32) {
        let (mut total, mut numbers) = (0.0, self.numbers(from));
        // No memory of what all models say together: it is asked for seldom, and would push
        // theirs out of the processor's caches.
        for ((model, part), number) in self.models.iter_mut().zip(&phrase.parts).zip(&mut numbers) {
            let (change, next) = model.extend(*number, option, part);
            total += change;
            *number = next;
        }
        (total, self.number(&numbers))
    }

    /// The weighted score of `</s>` after a state.
    pub fn end(&self, id: u32) -> f32 {
        let states = self.models.iter().zip(self.numbers(id));
        states.map(|(model, number)| model.end(number)).sum()
    }
}

fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    FxBuildHasher.hash_one(value)
}
