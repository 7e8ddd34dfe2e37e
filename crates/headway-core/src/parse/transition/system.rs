//! The two systems of steps, and which steps are allowed when.

use super::state::State;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Arc-eager: projective trees.
    Eager,
    /// Arc-standard with swaps: any tree.
    Swap,
}

/// What a step does. `Root` is an arc from the root, apart from others because it has labels
/// of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    Shift,
    Reduce,
    Swap,
    Left,
    Right,
    Root,
}

impl Action {
    pub const ALL: [Action; 6] =
        [Action::Shift, Action::Reduce, Action::Swap, Action::Left, Action::Right, Action::Root];

    /// True if it makes an arc.
    pub fn is_arc(self) -> bool {
        matches!(self, Action::Left | Action::Right | Action::Root)
    }
}

impl System {
    pub const ALL: [(&'static str, System); 2] = [("eager", System::Eager), ("swap", System::Swap)];

    pub fn start(self, words: usize) -> State {
        match self {
            System::Eager => State::root_last(words),
            System::Swap => State::root_first(words),
        }
    }

    pub fn is_end(self, state: &State) -> bool {
        match self {
            System::Eager => state.depth() == 0 && state.buffer(0) == Some(state.root()),
            System::Swap => state.depth() == 1 && state.buffer(0).is_none(),
        }
    }

    /// Whether a step may be taken. Until the end there always is one. With `single`, exactly
    /// one word comes to hang from the root.
    #[inline]
    pub fn allows(self, state: &State, action: Action, single: bool) -> bool {
        match self {
            System::Eager => eager_allows(state, action, single),
            System::Swap => swap_allows(state, action, single),
        }
    }

    /// Takes a step that is allowed.
    pub fn take(self, state: &mut State, action: Action, label: u16) {
        match (self, action) {
            (_, Action::Shift) => state.push(),
            (_, Action::Reduce) => {
                state.remove(0);
            }
            (_, Action::Swap) => state.put_back(),
            (System::Eager, Action::Right) => {
                if let (Some(head), Some(word)) = (state.stack(0), state.buffer(0)) {
                    state.attach(head, word, label);
                    state.push();
                }
            }
            (System::Eager, Action::Left | Action::Root) => {
                if let Some(head) = state.buffer(0) {
                    let word = state.remove(0);
                    state.attach(head, word, label);
                }
            }
            (System::Swap, Action::Left) => {
                let word = state.remove(1);
                if let Some(head) = state.stack(0) {
                    state.attach(head, word, label);
                }
            }
            (System::Swap, Action::Right | Action::Root) => {
                let word = state.remove(0);
                if let Some(head) = state.stack(0) {
                    state.attach(head, word, label);
                }
            }
        }
    }

    /// The head and the word of the arc that an action would make.
    pub fn arc(self, state: &State, action: Action) -> Option<(u32, u32)> {
        let (top, below, front) = (state.stack(0), state.stack(1), state.buffer(0));
        match (self, action) {
            (System::Eager, Action::Left | Action::Root) => front.zip(top),
            (System::Eager, Action::Right) => top.zip(front),
            (System::Swap, Action::Left) => top.zip(below),
            (System::Swap, Action::Right | Action::Root) => below.zip(top),
            _ => None,
        }
    }
}

/// A word that is still without a head when the buffer runs out hangs from the root. For a
/// single root, all but the lowest of them must be off the stack before the last word goes on
/// it: the lowest node of the stack never has a head.
fn eager_allows(state: &State, action: Action, single: bool) -> bool {
    let Some(front) = state.buffer(0) else { return false };
    let at_root = front == state.root();
    let bound = single && front + 1 == state.root();
    let top_has_head = state.stack(0).map(|top| state.has_head(top));
    match action {
        Action::Shift => !at_root && (!bound || state.headless() == 0),
        Action::Right => !at_root && state.depth() > 0 && (!bound || state.headless() == 1),
        Action::Left => !at_root && top_has_head == Some(false),
        Action::Root => at_root && top_has_head == Some(false),
        Action::Reduce => top_has_head == Some(true),
        Action::Swap => false,
    }
}

fn swap_allows(state: &State, action: Action, single: bool) -> bool {
    let more = state.buffer(0).is_some();
    match action {
        Action::Shift => more,
        Action::Left | Action::Right => state.depth() > 2,
        Action::Root => state.depth() == 2 && !(single && more),
        Action::Swap => state.depth() > 2 && state.stack(1) < state.stack(0),
        Action::Reduce => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::tree::{Heads, Topology};

    #[test]
    fn any_allowed_steps_end_in_a_tree() {
        for seed in 0..2000 {
            let mut random = Random::new(seed, 0);
            let words = seed as usize % 9;
            for (_, system) in System::ALL {
                for single in [false, true] {
                    let mut state = system.start(words);
                    while !system.is_end(&state) {
                        let open: Vec<Action> = Action::ALL
                            .into_iter()
                            .filter(|&action| system.allows(&state, action, single))
                            .collect();
                        system.take(&mut state, open[random.below(open.len())], 0);
                    }
                    let heads = Heads::new(state.arcs().0).unwrap();
                    let shape = Topology::new(&heads);
                    assert!(!shape.has_cycle() && heads.len() == words);
                    assert!(!single || words == 0 || shape.is_tree(), "{heads:?}");
                    assert!(system == System::Swap || shape.is_projective(), "{heads:?}");
                }
            }
        }
    }
}
