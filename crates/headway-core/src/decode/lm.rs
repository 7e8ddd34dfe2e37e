//! States of language models in one search, by number, and what joins cost.
//!
//! The same option follows the same state in many hypotheses that differ in coverage alone, so
//! joins are remembered.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::model::Model;
use super::phrase::Phrase;
use crate::lm::State;

/// A join that was made: state and option, the weighted change, the state behind.
#[derive(Clone, Copy)]
struct Join {
    key: u64,
    change: f32,
    next: u32,
}

const NO_KEY: u64 = u64::MAX;
const NONE: u32 = u32::MAX;

/// One state of each model, together a number.
pub struct LmStates<'m> {
    model: &'m Model,
    states: Vec<State>,
    ids: HashTable<u32>,
    joins: Vec<Join>,
    shift: u32,
    /// For each option the state at its right end, once it was needed.
    rights: Vec<u32>,
}

/// Options by number.
pub trait Phrases {
    fn phrase(&self, option: u32) -> &Phrase;
}

type States = SmallVec<[State; 2]>;

impl<'m> LmStates<'m> {
    /// For a search with so many options, remembering about `2^bits` joins.
    pub fn new(model: &'m Model, options: usize, bits: u32) -> Self {
        LmStates {
            model,
            states: Vec::new(),
            ids: HashTable::new(),
            joins: vec![Join { key: NO_KEY, change: 0.0, next: 0 }; 1 << bits],
            shift: 64 - bits,
            rights: vec![NONE; options],
        }
    }

    /// The states after `<s>`.
    pub fn begin(model: &Model) -> States {
        model.lms().iter().map(|(_, lm)| lm.begin_state()).collect()
    }

    fn many(&self) -> usize {
        self.model.lms().len()
    }

    pub fn get(&self, id: u32) -> &[State] {
        let start = id as usize * self.many();
        &self.states[start..start + self.many()]
    }

    pub fn id(&mut self, new: &[State]) -> u32 {
        if new.is_empty() {
            return 0;
        }
        let many = new.len();
        let LmStates { states, ids, .. } = self;
        let at = |states: &Vec<State>, id: u32| hash(&states[id as usize * many..][..many]);
        let key = hash(new);
        if let Some(&id) = ids.find(key, |&id| &states[id as usize * many..][..many] == new) {
            return id;
        }
        let id = (states.len() / many) as u32;
        states.extend_from_slice(new);
        ids.insert_unique(key, id, |&id| at(states, id));
        id
    }

    /// Puts an option behind a state: the weighted change to the option's own estimate, and
    /// the state behind it.
    #[inline]
    pub fn extend(&mut self, from: u32, option: u32, options: &impl Phrases) -> (f32, u32) {
        let key = u64::from(from) << 32 | u64::from(option);
        let place = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        let join = self.joins[place];
        if join.key == key {
            return (join.change, join.next);
        }
        let (change, next) = self.join(from, option, options.phrase(option));
        self.joins[place] = Join { key, change, next };
        (change, next)
    }

    fn join(&mut self, from: u32, option: u32, phrase: &Phrase) -> (f32, u32) {
        let many = self.many();
        let weights = &self.model.weights()[self.model.columns().lms..];
        if many == 1 {
            let (lm, state) = (&self.model.lms()[0].1, &self.states[from as usize]);
            let (next, change) = lm.append(state, &phrase.parts[0]);
            let id = match next {
                Some(next) => self.id(&[next]),
                None => self.right(option, phrase),
            };
            return (change * weights[0], id);
        }
        let (mut total, mut states) = (0.0, States::new());
        for (index, part) in phrase.parts.iter().enumerate() {
            let lm = &self.model.lms()[index].1;
            let (next, change) = lm.append(&self.get(from)[index], part);
            total += change * weights[index];
            states.push(next.unwrap_or(*part.right()));
        }
        (total, self.id(&states))
    }

    fn right(&mut self, option: u32, phrase: &Phrase) -> u32 {
        let known = self.rights[option as usize];
        if known != NONE {
            return known;
        }
        let id = self.id(&[*phrase.parts[0].right()]);
        self.rights[option as usize] = id;
        id
    }

    /// The weighted score of `</s>` after a state.
    pub fn end(&self, id: u32) -> f32 {
        let weights = &self.model.weights()[self.model.columns().lms..];
        let scores = self.get(id).iter().zip(self.model.lms()).zip(weights);
        scores
            .map(|((state, (_, lm)), &weight)| {
                let mut state = *state;
                weight * lm.score(&mut state, lm.end()).log_prob() as f32
            })
            .sum()
    }
}

fn hash(states: &[State]) -> u64 {
    FxBuildHasher.hash_one(states)
}
