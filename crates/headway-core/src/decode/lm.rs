//! States of language models in one search, by number, and what joins cost.
//!
//! The same option follows the same state in many hypotheses that differ in coverage alone, so
//! joins are remembered.

use std::sync::Arc;

use smallvec::SmallVec;

use super::interned::{Interned, Joins};
use super::model::Model;
use super::phrase::Phrase;
use crate::lm::{ChartState, LanguageModel, State};

const NONE: u32 = u32::MAX;

/// The states of one model by number.
struct OneModel<'m> {
    lm: &'m LanguageModel,
    weight: f32,
    states: Interned<State>,
    joins: Joins,
    /// For each option the state at its right end, once it was needed.
    rights: Vec<u32>,
}

impl OneModel<'_> {
    fn id(&mut self, new: &State) -> u32 {
        self.states.id(std::slice::from_ref(new)).0
    }

    fn state(&self, id: u32) -> &State {
        &self.states.get(id)[0]
    }

    #[inline]
    fn extend(&mut self, from: u32, option: u32, part: &ChartState) -> (f32, u32) {
        self.joins.find(from, option, 0).unwrap_or_else(|place| {
            let (next, change) = self.lm.append(self.state(from), part);
            let next = match next {
                Some(next) => self.id(&next),
                None => self.right(option, part),
            };
            self.joins.keep(place, (change * self.weight, next))
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
        let mut state = *self.state(id);
        self.weight * self.lm.score(&mut state, self.lm.end()).log_prob() as f32
    }
}

/// One state of each model, together a number. Each model remembers its own joins: the same
/// class follows the same classes far more often than words follow words.
pub struct LmStates<'m> {
    models: Vec<OneModel<'m>>,
    /// Of several models: the numbers of their states, one after the other. One model has none.
    together: Interned<u32>,
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
            states: Interned::new(1),
            joins: Joins::new(bits),
            rights: vec![NONE; options],
        };
        LmStates {
            models: model.lms().iter().zip(weights).map(one).collect(),
            together: Interned::new(model.lms().len()),
        }
    }

    /// The states after `<s>`.
    pub fn begin(model: &Model) -> States {
        model.lms().iter().map(|(_, lm)| lm.begin_state()).collect()
    }

    pub fn get(&self, id: u32) -> States {
        let numbers = self.numbers(id);
        let states = self.models.iter().zip(numbers);
        states.map(|(model, number)| *model.state(number)).collect()
    }

    pub fn id(&mut self, new: &[State]) -> u32 {
        let models = self.models.iter_mut().zip(new);
        let numbers: Numbers = models.map(|(model, state)| model.id(state)).collect();
        self.number(&numbers)
    }

    fn numbers(&self, id: u32) -> Numbers {
        match self.models.len() {
            1 => Numbers::from_slice(&[id]),
            _ => Numbers::from_slice(self.together.get(id)),
        }
    }

    fn number(&mut self, new: &[u32]) -> u32 {
        match new {
            [] => 0,
            [one] => *one,
            _ => self.together.id(new).0,
        }
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
