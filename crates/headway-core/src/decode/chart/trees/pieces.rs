//! Structures in one search, by number, and what joins are worth.

use smallvec::SmallVec;

use super::model::{Gain, Piece, TreeModel};
use super::plan::ordered;
use super::program::Step;
use crate::decode::chart::feature::{Outcome, Outcomes};
use crate::decode::interned::{Interned, Joins};
use crate::tree::structure::Operation;

/// The null structure, also that of no words.
pub const NULL: u32 = 0;

/// In place of an operation, where none is defined for two structures.
pub const UNDEFINED: u32 = 4;

/// Structures and their joins.
pub struct Pieces<'m> {
    pub trees: &'m TreeModel,
    pub weights: &'m [f32],
    pieces: Interned<Piece>,
    /// For each number, weighted: what is expected of its open words.
    outlooks: Vec<f32>,
    /// By operation.
    joins: Joins<4>,
}

impl<'m> Pieces<'m> {
    /// For a sentence of this many words.
    pub fn new(trees: &'m TreeModel, weights: &'m [f32], words: usize) -> Self {
        let (outlooks, joins) = (Vec::new(), Joins::new(Joins::bits(words)));
        let mut pieces = Pieces { trees, weights, pieces: Interned::new(1), outlooks, joins };
        pieces.id(&Piece::default());
        pieces
    }

    pub fn get(&self, id: u32) -> &Piece {
        &self.pieces.get(id)[0]
    }

    #[inline]
    pub fn outlook(&self, id: u32) -> f32 {
        self.outlooks[id as usize]
    }

    pub fn id(&mut self, piece: &Piece) -> u32 {
        let (id, is_new) = self.pieces.id(std::slice::from_ref(piece));
        if is_new {
            self.outlooks.push(self.weights[0] * self.trees.outlook(piece));
        }
        id
    }

    /// Joins two neighbours: the weighted change and the whole.
    #[inline]
    pub fn join(&mut self, operation: Operation, left: u32, right: u32) -> (f32, u32) {
        if left == NULL {
            return (0.0, right);
        }
        if right == NULL {
            return (0.0, left);
        }
        match self.joins.find(left, right, operation as usize) {
            Ok(known) => known,
            Err(place) => {
                let (whole, gain) = self.trees.join(operation, self.get(left), self.get(right));
                let made = (gain.weighted(self.weights), self.id(&whole));
                self.joins.keep(place, made)
            }
        }
    }

    /// All that four operations make of two neighbours, each different outcome once.
    pub fn outcomes(&mut self, left: u32, right: u32) -> Outcomes {
        if left == NULL || right == NULL {
            let state = if left == NULL { right } else { left };
            let outlook = self.outlook(state);
            return SmallVec::from_slice(&[Outcome { way: 0, change: 0.0, state, outlook }]);
        }
        let mut found = Outcomes::new();
        let mut undefined = None;
        for (way, (_, operation)) in (0..).zip(Operation::ALL) {
            let (change, state) = self.join(operation, left, right);
            let outcome = Outcome { way, change, state, outlook: self.outlook(state) };
            if state == NULL {
                undefined = Some(Outcome { way: UNDEFINED, ..outcome });
            } else {
                found.push(outcome);
            }
        }
        found.extend(undefined);
        found
    }

    /// Runs the steps of a rule whose own pieces have numbers and whose slots are filled.
    pub fn run(
        &mut self,
        steps: &[Step],
        slots: [u32; 2],
        mut own: impl FnMut(&mut Self, u32) -> u32,
    ) -> (f32, u32) {
        let mut pile: SmallVec<[u32; 8]> = SmallVec::new();
        let mut total = 0.0;
        for step in steps {
            match *step {
                Step::Piece(piece) => pile.push(own(self, piece)),
                Step::Slot(slot) => pile.push(slots[usize::from(slot)]),
                Step::Drop => {
                    let top = pile.pop().unwrap_or(NULL);
                    total += self.trees.drop(self.get(top)).weighted(self.weights);
                    pile.push(NULL);
                }
                Step::Join(operation) => {
                    let (above, below) = (pile.pop().unwrap_or(NULL), pile.pop().unwrap_or(NULL));
                    let (left, right) = ordered(operation, below, above);
                    let (change, whole) = self.join(operation, left, right);
                    total += change;
                    pile.push(whole);
                }
            }
        }
        (total, pile.pop().unwrap_or(NULL))
    }

    /// The same without weights: what the steps add to features.
    pub fn gain(&self, steps: &[Step], own: &[Piece], slots: [u32; 2]) -> Gain {
        let mut pile: SmallVec<[Piece; 8]> = SmallVec::new();
        let mut total = Gain::default();
        for step in steps {
            match *step {
                Step::Piece(piece) => {
                    pile.push(own.get(piece as usize).cloned().unwrap_or_default())
                }
                Step::Slot(slot) => pile.push(self.get(slots[usize::from(slot)]).clone()),
                Step::Drop => {
                    total += self.trees.drop(&pile.pop().unwrap_or_default());
                    pile.push(Piece::default());
                }
                Step::Join(operation) => {
                    let above = pile.pop().unwrap_or_default();
                    let below = pile.pop().unwrap_or_default();
                    let (left, right) = ordered(operation, below, above);
                    let (whole, gain) = self.trees.join(operation, &left, &right);
                    total += gain;
                    pile.push(whole);
                }
            }
        }
        total
    }
}
