//! Scores of steps, and the parser that always takes the best one.

use crate::parse::multiclass::Scores;

use super::features::{Input, features};
use super::moves::Moves;
use super::state::State;
use super::system::{Action, System};

/// A model, trained or in training, with what its classes mean.
pub struct Judge<'m, M> {
    pub system: System,
    pub single: bool,
    pub moves: &'m Moves,
    pub model: &'m M,
}

/// Space that is used again for every state.
#[derive(Default)]
pub struct Scratch {
    pub keys: Vec<u64>,
    pub scores: Vec<f32>,
}

impl<M: Scores> Judge<'_, M> {
    /// Fills in the features of a state and the scores of all classes, those of steps that are
    /// not allowed below all others.
    pub fn judge(&self, input: &Input, state: &State, scratch: &mut Scratch) {
        features(self.system, input, state, &mut scratch.keys);
        scratch.scores.clear();
        scratch.scores.resize(self.moves.len(), 0.0);
        for &key in &scratch.keys {
            self.model.add(key, &mut scratch.scores);
        }
        let open = Action::ALL.map(|action| self.system.allows(state, action, self.single));
        for (score, (_, step)) in scratch.scores.iter_mut().zip(self.moves.all()) {
            if !open[step.action as usize] {
                *score = f32::NEG_INFINITY;
            }
        }
    }

    pub fn take(&self, state: &mut State, class: u16) {
        let step = self.moves.of(class);
        self.system.take(state, step.action, step.label);
    }

    /// The end of the way along which each step is the best one.
    pub fn greedy(&self, input: &Input) -> State {
        let mut state = self.system.start(input.len());
        let mut scratch = Scratch::default();
        while !self.system.is_end(&state) {
            self.judge(input, &state, &mut scratch);
            self.take(&mut state, best(&scratch.scores, |_| true));
        }
        state
    }
}

/// The class with the highest score among some; of equals the first.
pub fn best(scores: &[f32], among: impl Fn(usize) -> bool) -> u16 {
    let mut best: Option<usize> = None;
    for (class, score) in scores.iter().enumerate().filter(|(class, _)| among(*class)) {
        if best.is_none_or(|best| *score > scores[best]) {
            best = Some(class);
        }
    }
    best.unwrap_or(0) as u16
}
