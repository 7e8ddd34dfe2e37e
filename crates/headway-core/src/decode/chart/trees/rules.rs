//! What is prepared of the structures of rules, one after the other.

use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use super::model::{Gain, Piece};
use super::plan::Plan;
use super::program::{Program, Step};
use crate::decode::chart::drafts::{append, part_of};
use crate::decode::chart::feature::RuleParts;
use crate::table::{Rule, Symbol};

/// The structure of one rule. What it is made of lies with its set.
#[derive(Debug, Clone, Default)]
pub struct TreeRule {
    plan: Range<u32>,
    steps: Range<u32>,
    pieces: Range<u32>,
    /// What its own structure is worth, which is part of the rule's score.
    pub gain: Gain,
    /// Labels that its slots ask for, and how many there are.
    pub slot_labels: [u32; 2],
    pub slots: u8,
    /// Whether it is no rule of the table.
    pub spelled: bool,
}

/// The structures of the rules of one source side.
#[derive(Debug, Default)]
pub struct TreeRules {
    rules: Vec<TreeRule>,
    plans: Vec<Plan>,
    steps: Vec<Step>,
    pieces: Vec<Piece>,
}

/// More different pieces than this are not compared with a new one.
const COMPARED: usize = 64;

/// What the feature keeps; parts of another kind would be a mistake of search.
pub fn of_mut(parts: &mut dyn RuleParts) -> &mut TreeRules {
    let parts: &mut dyn Any = parts;
    parts.downcast_mut().expect("parts of this feature")
}

impl TreeRules {
    pub fn push(&mut self, rule: &Rule, plan: &[Plan], program: Program, labels: [u32; 2]) {
        let slots = rule.source.iter().filter(|symbol| matches!(symbol, Symbol::Slot(_))).count();
        let new = TreeRule {
            plan: append(&mut self.plans, plan),
            slot_labels: labels,
            slots: slots as u8,
            ..TreeRule::default()
        };
        self.push_program(new, &program);
    }

    pub fn push_spelled(&mut self, program: Program) {
        self.push_program(TreeRule { spelled: true, ..TreeRule::default() }, &program);
    }

    fn push_program(&mut self, mut new: TreeRule, program: &Program) {
        new.gain = program.gain;
        new.steps = append(&mut self.steps, &program.steps);
        new.pieces = append(&mut self.pieces, &program.pieces);
        self.rules.push(new);
    }

    pub fn rule(&self, rule: u32) -> &TreeRule {
        &self.rules[rule as usize]
    }

    /// How its structure comes about by target symbols; nothing for the null structure.
    pub fn plan(&self, rule: &TreeRule) -> &[Plan] {
        part_of(&self.plans, &rule.plan)
    }

    pub fn steps(&self, rule: &TreeRule) -> &[Step] {
        part_of(&self.steps, &rule.steps)
    }

    /// The structures that steps begin with, by the numbers that these have for them.
    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Adds a rule of others; pieces that are there already are not added again.
    fn copy(&mut self, from: &TreeRules, rule: &TreeRule) {
        let plan = append(&mut self.plans, from.plan(rule));
        let own = part_of(&from.pieces, &rule.pieces);
        let places: SmallVec<[u32; 4]> = own.iter().map(|piece| self.place(piece)).collect();
        let start = self.steps.len() as u32;
        self.steps.extend(from.steps(rule).iter().map(|&step| match step {
            Step::Piece(piece) => Step::Piece(places[piece as usize]),
            other => other,
        }));
        let steps = start..self.steps.len() as u32;
        self.rules.push(TreeRule { plan, steps, pieces: 0..0, ..rule.clone() });
    }

    /// Where a piece is; a new one comes last.
    fn place(&mut self, piece: &Piece) -> u32 {
        let known = self.pieces.iter().rev().take(COMPARED).position(|other| other == piece);
        let last = self.pieces.len();
        if known.is_none() {
            self.pieces.push(piece.clone());
        }
        known.map_or(last, |behind| last - 1 - behind) as u32
    }
}

impl RuleParts for TreeRules {
    fn clear(&mut self) {
        self.rules.clear();
        self.plans.clear();
        self.steps.clear();
        self.pieces.clear();
    }

    fn picked(&self, rules: &[u32]) -> Arc<dyn RuleParts> {
        let total = |part: fn(&TreeRule) -> &Range<u32>| {
            rules.iter().map(|&rule| part(self.rule(rule)).len()).sum()
        };
        let mut kept = TreeRules {
            rules: Vec::with_capacity(rules.len()),
            plans: Vec::with_capacity(total(|rule| &rule.plan)),
            steps: Vec::with_capacity(total(|rule| &rule.steps)),
            pieces: Vec::with_capacity(total(|rule| &rule.pieces)),
        };
        rules.iter().for_each(|&rule| kept.copy(self, self.rule(rule)));
        kept.pieces.shrink_to_fit();
        Arc::new(kept)
    }

    fn bytes(&self) -> usize {
        // With five blocks of the allocator.
        const AROUND: usize = 80;
        let structures = reserved(&self.plans) + reserved(&self.steps) + reserved(&self.pieces);
        AROUND + size_of::<Self>() + reserved(&self.rules) + structures
    }

    fn any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

/// Bytes that a list takes.
fn reserved<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}
