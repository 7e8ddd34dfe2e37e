//! States of language models in one search, by number, and what joins cost.
//!
//! The same parts meet in many items that differ elsewhere, so joins are remembered: most cost
//! one look into a table.

use smallvec::SmallVec;

use crate::decode::Model;
use crate::decode::interned::{Interned, Joins};
use crate::lm::{ChartState, Piece};

/// The state of no words at all.
pub const EMPTY: u32 = 0;

/// One state of each model, together a number.
pub struct States<'m> {
    model: &'m Model,
    states: Interned<ChartState>,
    /// For each number, weighted: what would be added if its left words were certain.
    slacks: Vec<f32>,
    joins: Joins,
}

/// One state of each model.
pub type Several = SmallVec<[ChartState; 2]>;

impl<'m> States<'m> {
    /// Remembers about `2^bits` joins.
    pub fn new(model: &'m Model, bits: u32) -> Self {
        let mut states = States {
            model,
            states: Interned::new(model.lms().len()),
            slacks: Vec::new(),
            joins: Joins::new(bits),
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
        self.states.get(id)
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
        let (id, is_new) = self.states.id(new);
        if is_new {
            let weights = &self.model.weights()[self.model.columns().lms..];
            let states = new.iter().zip(weights);
            let slack = states.map(|(state, weight)| -weight * state.left_log_prob());
            self.slacks.push(slack.sum());
        }
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
        match self.joins.find(left, right, 0) {
            Ok(known) => known,
            Err(place) => {
                let made = self.compute(left, right);
                self.joins.keep(place, made)
            }
        }
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
