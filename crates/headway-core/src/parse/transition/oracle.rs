//! The dynamic oracle of arc-eager parsing (Goldberg & Nivre 2012): how many arcs of the gold
//! tree each step puts out of reach, from any state, right or wrong.
//!
//! With a single root, two more things can go out of reach. The gold root with anything below
//! it on the stack will not be the root: what is lowest will. And the last word must come to
//! hang, at any depth, from the lowest node: where its gold heads lead to another node of the
//! stack, one arc of that chain is lost.

use super::gold::Gold;
use super::state::{Place, State};
use super::system::Action;

/// The number of gold arcs that can still be made before an allowed step and no longer after
/// it. The gold tree is projective and, with `single`, has one root.
pub fn cost(state: &State, gold: &Gold, action: Action, single: bool) -> u32 {
    let Some(front) = state.buffer(0) else { return 0 };
    let look = Look { state, gold, single, front };
    let lost = match (action, state.stack(0)) {
        (Action::Shift, _) => {
            look.lost_below(None) + u32::from(look.is_covered_root(front, state.depth()))
        }
        (Action::Right, Some(top)) => {
            let ahead = state.node(gold.head(front)).place == Place::Buffer;
            look.lost_below(Some(top)) + u32::from(ahead)
        }
        (Action::Left, Some(top)) => {
            let head = gold.head(top);
            let ahead = head != front && state.node(head).place == Place::Buffer;
            let covered = look.is_covered_root(top, state.depth() - 1);
            look.children_ahead(top) + u32::from(ahead && !covered)
        }
        (Action::Reduce, Some(top)) => look.children_ahead(top),
        _ => 0,
    };
    let (before, after) = look.chains(action);
    (lost + u32::from(after)).saturating_sub(u32::from(before))
}

struct Look<'a> {
    state: &'a State,
    gold: &'a Gold,
    single: bool,
    front: u32,
}

impl Look<'_> {
    /// Arcs between the front of the buffer and the stack, but for the one from `kept`, that
    /// are lost when the word goes onto the stack.
    fn lost_below(&self, kept: Option<u32>) -> u32 {
        let head = self.gold.head(self.front);
        let head_lost = Some(head) != kept && self.state.node(head).place == Place::Stack;
        let headless = |&&child: &&u32| {
            self.state.node(child).place == Place::Stack && !self.state.has_head(child)
        };
        let children = self.gold.children(self.front).iter().filter(headless).count();
        u32::from(head_lost) + children as u32
    }

    /// The gold children of the top of the stack that are still in the buffer.
    fn children_ahead(&self, top: u32) -> u32 {
        let ahead = |&&child: &&u32| self.state.node(child).place == Place::Buffer;
        self.gold.children(top).iter().filter(ahead).count() as u32
    }

    fn is_covered_root(&self, word: u32, below: usize) -> bool {
        self.single && self.gold.head(word) == self.state.root() && below > 0
    }

    /// Whether the chain of gold heads of the last word leads to a node of the stack that does
    /// not hang from the lowest one: before a step, and after it.
    fn chains(&self, action: Action) -> (bool, bool) {
        if !self.single || self.front == self.state.root() {
            return (false, false);
        }
        let (end, through_front) = self.chain();
        let before = end.is_some_and(|node| !self.hangs_from_lowest(node));
        let more = self.front + 1 < self.state.root();
        let headless = self.state.headless();
        let after = match action {
            Action::Shift if through_front => more && headless > 0,
            Action::Right if through_front => more && headless > 1,
            Action::Left | Action::Reduce if end == self.state.stack(0) => false,
            _ => before,
        };
        (before, after)
    }

    /// The node of the stack that the last word's chain of gold heads in the buffer leads to,
    /// and whether it goes through the front of the buffer.
    fn chain(&self) -> (Option<u32>, bool) {
        let (mut node, mut through_front) = (self.state.root() - 1, false);
        loop {
            through_front |= node == self.front;
            let head = self.gold.head(node);
            match self.state.node(head).place {
                Place::Stack => return (Some(head), through_front),
                Place::Buffer if head != self.state.root() => node = head,
                _ => return (None, through_front),
            }
        }
    }

    /// Whether a node of the stack hangs, at any depth, from the lowest.
    fn hangs_from_lowest(&self, node: u32) -> bool {
        let mut at = node;
        while self.state.has_head(at) {
            at = self.state.node(at).head;
        }
        self.state.stack(self.state.depth() - 1) == Some(at)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::gold::tests::random_projective;
    use super::super::system::System;
    use super::*;
    use crate::random::Random;

    type Key = (Vec<u32>, Option<u32>, Vec<u32>);

    /// The most gold arcs that any steps from here can end with.
    fn best(state: &State, heads: &[u32], single: bool, known: &mut HashMap<Key, u32>) -> u32 {
        let (found, _) = state.arcs();
        if System::Eager.is_end(state) {
            return found.iter().zip(heads).filter(|(one, other)| one == other).count() as u32;
        }
        let stack = (0..state.depth()).filter_map(|at| state.stack(at)).collect();
        let key = (stack, state.buffer(0), found);
        if let Some(&best) = known.get(&key) {
            return best;
        }
        let nexts =
            Action::ALL.into_iter().filter(|&action| System::Eager.allows(state, action, single));
        let totals = nexts.map(|action| {
            let mut next = state.clone();
            System::Eager.take(&mut next, action, 0);
            best(&next, heads, single, known)
        });
        let most = totals.max().unwrap_or(0);
        known.insert(key, most);
        most
    }

    /// Walks at random, mostly into wrong states, and compares the cost of every step there.
    fn check(words: usize, seed: u64, single: bool) {
        let mut random = Random::new(seed, 5);
        let heads = random_projective(words, &mut random, single);
        let gold = Gold::new(&heads, vec![0; words], words as u32 + 1);
        let mut known = HashMap::new();
        let mut state = System::Eager.start(words);
        while !System::Eager.is_end(&state) {
            let before = best(&state, &heads, single, &mut known);
            let open: Vec<Action> = Action::ALL
                .into_iter()
                .filter(|&action| System::Eager.allows(&state, action, single))
                .collect();
            for &action in &open {
                let mut next = state.clone();
                System::Eager.take(&mut next, action, 0);
                let lost = before - best(&next, &heads, single, &mut known);
                let told = cost(&state, &gold, action, single);
                assert_eq!(told, lost, "{heads:?} {single} {action:?} {state:?}");
            }
            System::Eager.take(&mut state, open[random.below(open.len())], 0);
        }
    }

    #[test]
    fn costs_are_what_exhausting_all_continuations_finds() {
        for seed in 0..100 {
            for words in 1..=6 {
                check(words, seed, false);
                check(words, seed, true);
            }
        }
    }

    #[test]
    fn following_free_steps_gives_the_gold_tree() {
        for seed in 0..500 {
            let mut random = Random::new(seed, 6);
            let words = seed as usize % 20;
            let heads = random_projective(words, &mut random, seed % 2 == 0);
            let gold = Gold::new(&heads, vec![0; words], words as u32 + 1);
            let mut state = System::Eager.start(words);
            while !System::Eager.is_end(&state) {
                let free: Vec<Action> = Action::ALL
                    .into_iter()
                    .filter(|&action| System::Eager.allows(&state, action, seed % 2 == 0))
                    .filter(|&action| cost(&state, &gold, action, seed % 2 == 0) == 0)
                    .collect();
                System::Eager.take(&mut state, free[random.below(free.len())], 0);
            }
            assert_eq!(state.arcs().0, heads);
        }
    }
}
