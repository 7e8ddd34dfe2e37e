//! Target structures at work on one sentence.

use std::any::Any;
use std::sync::Arc;

use super::grow;
use super::model::{Gain, Piece, TreeModel};
use super::pieces::{NULL, Pieces};
use super::rules::{TreeRule, TreeRules};
use crate::decode::chart::feature::{
    Applied, ChartScorer, Meeting, Outcome, Outcomes, RuleParts, own_kind,
};
use crate::tree::structure::{Operation, Partial};

/// States are numbers of structures; 0 is the null structure, also that of no words.
pub struct TreeScorer<'m> {
    pieces: Pieces<'m>,
    /// Numbers of the structures of all rules, once they were needed.
    own: Vec<u32>,
    /// What is prepared of each rule set, and where its structures begin.
    sets: Vec<(Arc<TreeRules>, u32)>,
}

const UNSEEN: u32 = u32::MAX;

impl<'m> TreeScorer<'m> {
    pub fn new(trees: &'m TreeModel, weights: &'m [f32], words: usize) -> Self {
        TreeScorer { pieces: Pieces::new(trees, weights, words), own: Vec::new(), sets: Vec::new() }
    }

    /// How many slots of a rule are filled by structures of other labels than it asks for.
    fn unmatched(&self, rule: &TreeRule, slots: [u32; 2]) -> u32 {
        let asked = slots.iter().zip(rule.slot_labels).take(usize::from(rule.slots));
        let wrong = |&(&slot, label): &(&u32, u32)| {
            self.pieces.trees.is_unmatched(label, self.pieces.get(slot).label)
        };
        asked.filter(wrong).count() as u32
    }
}

impl ChartScorer for TreeScorer<'_> {
    fn enter(&mut self, parts: &Arc<dyn RuleParts>) {
        let rules: Arc<TreeRules> = own_kind(parts);
        let first = self.own.len();
        self.own.resize(first + rules.pieces().len(), UNSEEN);
        self.sets.push((rules, first as u32));
    }

    fn apply(&mut self, applied: Applied, slots: [u32; 2]) -> Outcome {
        let (rules, first) = &self.sets[applied.set as usize];
        let rule = rules.rule(applied.rule);
        let gain = Gain { unmatched: self.unmatched(rule, slots), ..Gain::default() };
        let (pieces, own) = (&mut self.pieces, &mut self.own);
        let number = |pieces: &mut Pieces<'_>, number: u32| {
            let id = &mut own[(first + number) as usize];
            if *id == UNSEEN {
                *id = pieces.id(&rules.pieces()[number as usize]);
            }
            *id
        };
        let (change, state) = pieces.run(rules.steps(rule), slots, number);
        let change = change + gain.weighted(pieces.weights);
        Outcome { way: 0, change, state, outlook: pieces.outlook(state) }
    }

    fn join(&mut self, left: u32, right: u32, _at: Meeting) -> Outcomes {
        self.pieces.outcomes(left, right)
    }

    fn finish(&mut self, state: u32) -> f32 {
        self.pieces.trees.finish(self.pieces.get(state)).weighted(self.pieces.weights)
    }

    fn carry(&self, state: u32) -> Box<dyn Any> {
        Box::new(self.pieces.get(state).clone())
    }

    fn resume(&mut self, carried: &dyn Any) -> u32 {
        carried.downcast_ref::<Piece>().map_or(NULL, |piece| self.pieces.id(piece))
    }

    fn rule_values(&self, applied: Applied, slots: [u32; 2], values: &mut [f64]) {
        let (rules, _) = &self.sets[applied.set as usize];
        let rule = rules.rule(applied.rule);
        let mut gain = self.pieces.gain(rules.steps(rule), rules.pieces(), slots);
        gain += rule.gain;
        gain.unmatched += self.unmatched(rule, slots);
        gain.add(values);
    }

    fn join_values(&self, way: u32, left: u32, right: u32, _at: Meeting, values: &mut [f64]) {
        let (trees, pieces) = (self.pieces.trees, &self.pieces);
        let [first, second] = [left, right].map(|state| pieces.get(state));
        let gain = match Operation::ALL.get(way as usize) {
            Some(&(_, operation)) => trees.join(operation, first, second).1,
            None => {
                let mut gain = trees.drop(first);
                gain += trees.drop(second);
                gain
            }
        };
        gain.add(values);
    }

    fn finish_values(&self, state: u32, values: &mut [f64]) {
        self.pieces.trees.finish(self.pieces.get(state)).add(values);
    }

    fn rule_tree(&self, applied: Applied, first: u32, symbols: Vec<Partial>) -> Option<Partial> {
        let (rules, _) = &self.sets[applied.set as usize];
        let rule = rules.rule(applied.rule);
        Some(match rule.spelled {
            true => grow::headed_by_last(first, symbols),
            false => grow::planned(rules.plan(rule), first, symbols),
        })
    }

    fn join_tree(&self, way: u32, left: &Partial, right: &Partial) -> Option<Partial> {
        Some(grow::joined(way, left, right))
    }

    fn operation(&self, way: u32, left: u32, right: u32) -> Option<Operation> {
        let real = left != NULL && right != NULL;
        let known = Operation::ALL.get(way as usize).filter(|_| real);
        known.map(|&(_, operation)| operation)
    }
}
