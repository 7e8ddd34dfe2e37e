//! Structures in one search, by number, and what joins are worth.

use std::hash::BuildHasher;

use hashbrown::{HashMap, HashTable};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::plan::ordered;
use super::program::Step;
use super::trees::{Gain, Piece, TreeModel};
use crate::tree::structure::Operation;

/// The null structure, also that of no words.
pub const NULL: u32 = 0;

/// What became of two structures side by side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Which operation it was, by its place in `Operation::ALL`; `UNDEFINED` for one that is not.
    pub operation: u32,
    /// Weighted.
    pub change: f32,
    pub whole: u32,
}

pub const UNDEFINED: u32 = 4;

/// By operation, once it was needed: the weighted change and the whole.
type Joins = [Option<(f32, u32)>; 4];

pub type Outcomes = SmallVec<[Outcome; 4]>;

/// Structures and their joins.
pub struct Pieces<'m> {
    pub trees: &'m TreeModel,
    pieces: Vec<Piece>,
    ids: HashTable<u32>,
    /// For each number, weighted: what is expected of its open words.
    outlooks: Vec<f32>,
    joins: HashMap<(u32, u32), Joins, FxBuildHasher>,
    /// A language model state and a structure together are a number as well.
    pairs: Vec<(u32, u32)>,
    pair_ids: HashMap<(u32, u32), u32, FxBuildHasher>,
}

impl<'m> Pieces<'m> {
    pub fn new(trees: &'m TreeModel) -> Self {
        let mut pieces = Pieces {
            trees,
            pieces: Vec::new(),
            ids: HashTable::new(),
            outlooks: Vec::new(),
            joins: HashMap::default(),
            pairs: Vec::new(),
            pair_ids: HashMap::default(),
        };
        pieces.id(&Piece::default());
        // No words: the first state of both.
        pieces.pair(0, NULL);
        pieces
    }

    pub fn get(&self, id: u32) -> &Piece {
        &self.pieces[id as usize]
    }

    #[inline]
    pub fn outlook(&self, id: u32) -> f32 {
        self.outlooks[id as usize]
    }

    pub fn id(&mut self, piece: &Piece) -> u32 {
        let Pieces { pieces, ids, .. } = self;
        let key = FxBuildHasher.hash_one(piece);
        if let Some(&id) = ids.find(key, |&id| pieces[id as usize] == *piece) {
            return id;
        }
        let id = pieces.len() as u32;
        pieces.push(piece.clone());
        ids.insert_unique(key, id, |&id| FxBuildHasher.hash_one(&pieces[id as usize]));
        self.outlooks.push(self.trees.outlook(piece));
        id
    }

    /// The number of a language model state and a structure.
    #[inline]
    pub fn pair(&mut self, lm: u32, piece: u32) -> u32 {
        let next = self.pairs.len() as u32;
        let id = *self.pair_ids.entry((lm, piece)).or_insert(next);
        if id == next {
            self.pairs.push((lm, piece));
        }
        id
    }

    #[inline]
    pub fn both(&self, pair: u32) -> (u32, u32) {
        self.pairs[pair as usize]
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
        let place = operation as usize;
        if let Some(Some(known)) = self.joins.get(&(left, right)).map(|all| all[place]) {
            return known;
        }
        let (whole, gain) = self.trees.join(operation, self.get(left), self.get(right));
        let found = (self.trees.weighted(gain), self.id(&whole));
        self.joins.entry((left, right)).or_default()[place] = Some(found);
        found
    }

    /// All that four operations make of two neighbours, each different outcome once.
    pub fn outcomes(&mut self, left: u32, right: u32) -> Outcomes {
        if left == NULL || right == NULL {
            let whole = if left == NULL { right } else { left };
            return SmallVec::from_slice(&[Outcome { operation: 0, change: 0.0, whole }]);
        }
        let mut found = Outcomes::new();
        let mut undefined = None;
        for (place, (_, operation)) in (0..).zip(Operation::ALL) {
            let (change, whole) = self.join(operation, left, right);
            let outcome = Outcome { operation: place, change, whole };
            if whole == NULL {
                undefined = Some(Outcome { operation: UNDEFINED, ..outcome });
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
                    total += self.trees.weighted(self.trees.drop(self.get(top)));
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
