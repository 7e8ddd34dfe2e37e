//! Search that keeps the best few states side by side.

use crate::parse::multiclass::Scores;

use super::features::Input;
use super::greedy::{Judge, Scratch};
use super::state::State;

/// A state with its score and the way that led to it.
#[derive(Debug, Clone)]
pub struct Item {
    pub state: State,
    pub score: f64,
    /// The last step in the ways of the beam.
    step: Option<u32>,
    /// Whether a gold tree can still be had; only training asks.
    pub right: bool,
}

/// One way to go on: from an item, by a class, or with none if the item is at its end.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    score: f64,
    item: u32,
    class: Option<u16>,
    right: bool,
}

/// The best items of equally many steps, best first.
pub struct Beam<'j, M> {
    judge: &'j Judge<'j, M>,
    input: &'j Input,
    size: usize,
    pub items: Vec<Item>,
    /// Each step taken: the one before it, and its class.
    steps: Vec<(Option<u32>, u16)>,
    scratch: Scratch,
}

impl<'j, M: Scores> Beam<'j, M> {
    pub fn new(judge: &'j Judge<'j, M>, input: &'j Input, size: usize) -> Self {
        let state = judge.system.start(input.len());
        let first = Item { state, score: 0.0, step: None, right: true };
        let scratch = Scratch::default();
        Beam { judge, input, size, items: vec![first], steps: Vec::new(), scratch }
    }

    pub fn is_done(&self) -> bool {
        self.items.iter().all(|item| self.judge.system.is_end(&item.state))
    }

    /// Steps from all items to the best of what follows. `keeps` says of each class whether a
    /// right item stays right; where no such item is left, the best one that was dropped comes
    /// back, for training to learn from.
    pub fn advance(&mut self, keeps: impl Fn(&State) -> Vec<bool>) -> Option<Item> {
        let mut candidates = self.candidates(keeps);
        let order = |one: &Candidate, other: &Candidate| {
            let by_score = other.score.total_cmp(&one.score);
            by_score.then_with(|| (one.item, one.class).cmp(&(other.item, other.class)))
        };
        let dropped = if candidates.len() > self.size {
            candidates.select_nth_unstable_by(self.size - 1, order);
            candidates.split_off(self.size)
        } else {
            Vec::new()
        };
        candidates.sort_unstable_by(order);
        let right_lost = !candidates.iter().any(|candidate| candidate.right);
        let lost = dropped.into_iter().filter(|candidate| candidate.right && right_lost);
        let lost = lost.min_by(order).map(|candidate| self.follow(candidate));
        let next = candidates.into_iter().map(|candidate| self.follow(candidate)).collect();
        self.items = next;
        lost
    }

    fn candidates(&mut self, keeps: impl Fn(&State) -> Vec<bool>) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for (number, item) in (0..).zip(&self.items) {
            let Item { state, score, right, .. } = item;
            let same = Candidate { score: *score, item: number, class: None, right: *right };
            if self.judge.system.is_end(state) {
                candidates.push(same);
                continue;
            }
            self.judge.judge(self.input, state, &mut self.scratch);
            let kept = if *right { keeps(state) } else { Vec::new() };
            let open = (0..).zip(&self.scratch.scores).filter(|(_, score)| score.is_finite());
            candidates.extend(open.map(|(class, &added): (u16, _)| Candidate {
                score: score + f64::from(added),
                class: Some(class),
                right: *right && kept.get(class as usize).copied().unwrap_or(true),
                ..same
            }));
        }
        candidates
    }

    fn follow(&mut self, candidate: Candidate) -> Item {
        let Candidate { score, right, .. } = candidate;
        let mut item = self.items[candidate.item as usize].clone();
        if let Some(class) = candidate.class {
            self.judge.take(&mut item.state, class);
            self.steps.push((item.step, class));
            item.step = Some(self.steps.len() as u32 - 1);
        }
        Item { score, right, ..item }
    }

    /// The classes of the steps that led to an item.
    pub fn way(&self, item: &Item) -> Vec<u16> {
        let mut classes = Vec::new();
        let mut at = item.step;
        while let Some(step) = at {
            let (before, class) = self.steps[step as usize];
            classes.push(class);
            at = before;
        }
        classes.reverse();
        classes
    }
}

impl<M: Scores> Judge<'_, M> {
    /// The states that a beam ends with, best first.
    pub fn beam(&self, input: &Input, size: usize) -> Vec<Item> {
        let mut beam = Beam::new(self, input, size);
        while !beam.is_done() {
            beam.advance(|_| Vec::new());
        }
        beam.items
    }
}

#[cfg(test)]
mod tests {
    use super::super::gold::Gold;
    use super::super::moves::Moves;
    use super::super::system::System;
    use super::*;
    use crate::Vocabulary;
    use crate::parse::multiclass::testing::Noise;

    fn moves(system: System) -> Moves {
        let mut labels = Vocabulary::default();
        labels.add("a");
        labels.add("b");
        let gold = Gold::new(&[2, 0, 2, 5, 2], vec![0, 0, 1, 0, 1], 0);
        Moves::new(system, labels, std::iter::once(&gold)).unwrap()
    }

    fn exhaust(judge: &Judge<Noise>, input: &Input, state: &State) -> f64 {
        if judge.system.is_end(state) {
            return 0.0;
        }
        let mut scratch = Scratch::default();
        judge.judge(input, state, &mut scratch);
        let open = (0..).zip(&scratch.scores).filter(|(_, score)| score.is_finite());
        let totals = open.map(|(class, &score)| {
            let mut next = state.clone();
            judge.take(&mut next, class);
            f64::from(score) + exhaust(judge, input, &next)
        });
        totals.fold(f64::NEG_INFINITY, f64::max)
    }

    fn each_judge(mut check: impl FnMut(&Judge<Noise>, &Input)) {
        for (_, system) in System::ALL {
            let moves = moves(system);
            for seed in 0..12 {
                let words = &["x", "y", "z"][..seed as usize % 4];
                let input = Input::new(words, words, false);
                let judge =
                    Judge { system, single: seed % 2 == 0, moves: &moves, model: &Noise(seed) };
                check(&judge, &input);
            }
        }
    }

    #[test]
    fn a_wide_beam_finds_the_best_of_all_ways() {
        each_judge(|judge, input| {
            let found = judge.beam(input, 1_000_000);
            let best = exhaust(judge, input, &judge.system.start(input.len()));
            assert!((found[0].score - best).abs() < 1e-3, "{} {best}", found[0].score);
            assert!(found.is_sorted_by(|one, other| one.score >= other.score));
        });
    }

    #[test]
    fn a_beam_of_one_is_greedy() {
        each_judge(|judge, input| {
            assert_eq!(judge.beam(input, 1)[0].state.arcs(), judge.greedy(input).arcs());
        });
    }
}
