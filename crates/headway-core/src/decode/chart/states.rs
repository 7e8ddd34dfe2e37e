//! States of language models in one search, by number, and what joins cost.
//!
//! The same parts meet in many items that differ elsewhere, so joins are remembered: most cost
//! one look into a table.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use crate::decode::Model;
use crate::lm::{ChartState, Piece};

/// The state of no words at all.
pub const EMPTY: u32 = 0;

/// A join that was made: both states, the weighted change, the state of the whole.
#[derive(Clone, Copy)]
struct Join {
    key: u64,
    change: f32,
    whole: u32,
}

const NO_KEY: u64 = u64::MAX;

/// One state of each model, together a number.
pub struct States<'m> {
    model: &'m Model,
    states: Vec<ChartState>,
    ids: HashTable<u32>,
    /// For each number, weighted: what would be added if its left words were certain.
    slacks: Vec<f32>,
    joins: Vec<Join>,
    shift: u32,
}

/// One state of each model.
pub type Several = SmallVec<[ChartState; 2]>;

impl<'m> States<'m> {
    /// Remembers about `2^bits` joins.
    pub fn new(model: &'m Model, bits: u32) -> Self {
        let mut states = States {
            model,
            states: Vec::new(),
            ids: HashTable::new(),
            slacks: Vec::new(),
            joins: vec![Join { key: NO_KEY, change: 0.0, whole: 0 }; 1 << bits],
            shift: 64 - bits,
        };
        let empty: Several = model.lms().iter().map(|_| ChartState::default()).collect();
        if empty.is_empty() {
            states.slacks.push(0.0);
        } else {
            states.id(&empty);
        }
        states
    }

    pub fn get(&self, id: u32) -> &[ChartState] {
        let many = self.model.lms().len();
        &self.states[id as usize * many..][..many]
    }

    #[inline]
    pub fn slack(&self, id: u32) -> f32 {
        self.slacks[id as usize]
    }

    /// The state after `<s>`.
    pub fn begin(&mut self) -> u32 {
        let model = self.model;
        let begin: Several = model.lms().iter().map(|(_, lm)| lm.join([Piece::Begin]).0).collect();
        self.id(&begin)
    }

    pub fn id(&mut self, new: &[ChartState]) -> u32 {
        let many = new.len();
        if many == 0 {
            return EMPTY;
        }
        let States { states, ids, .. } = self;
        let key = FxBuildHasher.hash_one(new);
        if let Some(&id) = ids.find(key, |&id| &states[id as usize * many..][..many] == new) {
            return id;
        }
        let id = (states.len() / many) as u32;
        states.extend_from_slice(new);
        let hash = |&id: &u32| FxBuildHasher.hash_one(&states[id as usize * many..][..many]);
        ids.insert_unique(key, id, hash);
        let weights = &self.model.weights()[self.model.columns().lms..];
        let slack = new.iter().zip(weights).map(|(state, weight)| -weight * state.left_log_prob());
        self.slacks.push(slack.sum());
        id
    }

    /// Puts `right` behind `left`: the weighted change to what both score alone, and the state
    /// of the whole.
    #[inline]
    pub fn join(&mut self, left: u32, right: u32) -> (f32, u32) {
        if left == EMPTY {
            return (0.0, right);
        }
        if right == EMPTY {
            return (0.0, left);
        }
        let key = u64::from(left) << 32 | u64::from(right);
        let place = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        let known = self.joins[place];
        if known.key == key {
            return (known.change, known.whole);
        }
        let (change, whole) = self.compute(left, right);
        self.joins[place] = Join { key, change, whole };
        (change, whole)
    }

    fn compute(&mut self, left: u32, right: u32) -> (f32, u32) {
        let model = self.model;
        let weights = &model.weights()[model.columns().lms..];
        let (mut total, mut whole) = (0.0, Several::new());
        for (index, (_, lm)) in model.lms().iter().enumerate() {
            let (left, right) = (&self.get(left)[index], &self.get(right)[index]);
            let (state, change) = lm.join([Piece::Part(left), Piece::Part(right)]);
            total += weights[index] * change as f32;
            whole.push(state);
        }
        (total, self.id(&whole))
    }

    /// The weighted score of `</s>` behind a state.
    pub fn end(&self, id: u32) -> f32 {
        let weights = &self.model.weights()[self.model.columns().lms..];
        let scores = self.get(id).iter().zip(self.model.lms()).zip(weights);
        let end = |((state, (_, lm)), weight): ((&ChartState, &(String, _)), &f32)| {
            let lm: &std::sync::Arc<crate::lm::LanguageModel> = lm;
            let mut state = *state.right();
            weight * lm.score(&mut state, lm.end()).log_prob() as f32
        };
        scores.map(end).sum()
    }
}
