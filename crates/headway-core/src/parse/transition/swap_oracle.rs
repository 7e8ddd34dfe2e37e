//! The static oracle of parsing with swaps: words are brought into the order in which no arcs
//! cross, as late as that can be done (Nivre, Kuhlmann & Hall 2009).

use super::gold::Gold;
use super::state::State;
use super::system::{Action, System};

/// The way to one gold tree.
#[derive(Debug, Clone)]
pub struct SwapOracle {
    /// The place of each node in the order without crossing arcs.
    order: Vec<u32>,
    /// The part of the sentence, parsed without swaps, that each node belongs to.
    part: Vec<u32>,
}

impl SwapOracle {
    pub fn new(gold: &Gold) -> Self {
        SwapOracle { order: projective_order(gold), part: projective_parts(gold) }
    }

    /// The next step from a state on the way.
    pub fn next(&self, state: &State, gold: &Gold) -> Action {
        arc_step(state, gold).unwrap_or_else(|| self.step_without_arc(state))
    }

    fn step_without_arc(&self, state: &State) -> Action {
        let (Some(top), Some(below)) = (state.stack(0), state.stack(1)) else {
            return Action::Shift;
        };
        let (top, below) = (top as usize, below as usize);
        let part_ends =
            state.buffer(0).is_none_or(|front| self.part[front as usize] != self.part[top]);
        if self.order[below] > self.order[top] && part_ends { Action::Swap } else { Action::Shift }
    }
}

/// The arc of the gold tree between the two topmost nodes whose word has all its children.
fn arc_step(state: &State, gold: &Gold) -> Option<Action> {
    let (top, below) = (state.stack(0)?, state.stack(1)?);
    let complete = |word: u32| {
        let node = state.node(word);
        usize::from(node.lefts) + usize::from(node.rights) == gold.children(word).len()
    };
    if below != 0 && gold.head(below) == top && complete(below) {
        return Some(Action::Left);
    }
    let right = gold.head(top) == below && complete(top);
    right.then_some(if below == 0 { Action::Root } else { Action::Right })
}

fn projective_order(gold: &Gold) -> Vec<u32> {
    enum Visit {
        Open(u32),
        Close(u32),
    }
    let mut order = vec![0; gold.words() + 2];
    let mut place = 0;
    let mut agenda = vec![Visit::Open(0)];
    while let Some(visit) = agenda.pop() {
        match visit {
            Visit::Close(node) => {
                order[node as usize] = place;
                place += 1;
            }
            Visit::Open(node) => {
                let (left, right): (Vec<u32>, Vec<u32>) =
                    gold.children(node).iter().partition(|&&child| child < node);
                agenda.extend(right.into_iter().rev().map(Visit::Open));
                agenda.push(Visit::Close(node));
                agenda.extend(left.into_iter().rev().map(Visit::Open));
            }
        }
    }
    order
}

/// Parses as far as arcs alone allow; what is left on the stack tops the parts.
fn projective_parts(gold: &Gold) -> Vec<u32> {
    let system = System::Swap;
    let mut state = system.start(gold.words());
    loop {
        match arc_step(&state, gold) {
            Some(action) => system.take(&mut state, action, 0),
            None if state.buffer(0).is_some() => state.push(),
            None => break,
        }
    }
    let top = |mut node: u32| {
        while state.has_head(node) && state.node(node).head != 0 {
            node = state.node(node).head;
        }
        node
    };
    (0..=gold.words() as u32).map(top).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::tree::random_tree;

    fn derive(heads: &[u32], single: bool) -> (Vec<u32>, usize) {
        let gold = Gold::new(heads, vec![0; heads.len()], 0);
        let oracle = SwapOracle::new(&gold);
        let mut state = System::Swap.start(heads.len());
        let mut swaps = 0;
        while !System::Swap.is_end(&state) {
            let action = oracle.next(&state, &gold);
            assert!(System::Swap.allows(&state, action, single), "{heads:?} {action:?}");
            swaps += usize::from(action == Action::Swap);
            System::Swap.take(&mut state, action, 0);
        }
        (state.arcs().0, swaps)
    }

    #[test]
    fn every_tree_is_derived() {
        for seed in 0..3000 {
            let mut random = Random::new(seed, 2);
            let words = seed as usize % 13;
            let single = seed % 2 == 0;
            let heads = random_tree(words, &mut random, single);
            assert_eq!(derive(&heads, single).0, heads);
        }
    }

    #[test]
    fn projective_trees_need_no_swap() {
        for seed in 0..300 {
            let mut random = Random::new(seed, 3);
            let heads = super::super::gold::tests::random_projective(8, &mut random, true);
            assert_eq!(derive(&heads, true), (heads, 0));
        }
    }
}
