//! The tree of a derivation: structures over the words of the translation, and their features.

use super::arena::{BEGIN, Item};
use super::pieces::{NULL, UNDEFINED};
use super::plan::{Plan, ordered};
use super::search::Searching;
use super::trees::Gain;
use crate::decode::translation::Head;
use crate::tree::structure::{Link, Operation, Partial};

/// What one of four operations makes of two neighbours, by its place in `Operation::ALL`.
pub fn joined(operation: u32, first: &Partial, second: &Partial) -> Partial {
    if first.is_null() || second.is_null() || operation != UNDEFINED {
        let (_, operation) = Operation::ALL[operation as usize % Operation::ALL.len()];
        return first.join_or_null(operation, second);
    }
    side_by_side(first.clone().closed(), &second.clone().closed())
}

/// The structures of a rule's target symbols, joined as planned; without a plan they all end in
/// no structure.
pub fn planned(plan: &[Plan], first: u32, symbols: Vec<Partial>) -> Partial {
    let mut pile: Vec<Partial> = Vec::new();
    for step in plan {
        let next = match *step {
            Plan::Symbol(place) => symbols.get(usize::from(place)).cloned(),
            Plan::Join(operation) => {
                let (above, below) = (pile.pop(), pile.pop());
                below.zip(above).map(|(below, above)| {
                    let (left, right) = ordered(operation, below, above);
                    left.join_or_null(operation, &right)
                })
            }
        };
        pile.extend(next);
    }
    pile.pop().unwrap_or_else(|| {
        let closed = symbols.into_iter().map(Partial::closed);
        closed.fold(Partial::null(first, 0), |all, next| side_by_side(all, &next))
    })
}

/// Two null structures: joined in whatever way, they stay as they are.
fn side_by_side(first: Partial, second: &Partial) -> Partial {
    first.join_or_null(Operation::RightAdjoin, second)
}

/// Heads of a finished structure: of one without a single head, all open words are in none.
pub fn heads(whole: Partial) -> Vec<Head> {
    let open = whole.links().iter().filter(|link| **link == Link::Open).count();
    let whole = if open == 1 { whole } else { whole.closed() };
    let head = |link: &Link| match *link {
        Link::To(head) => Head::Word(head),
        Link::Open => Head::Root,
        Link::Null => Head::Null,
    };
    whole.links().iter().map(head).collect()
}

impl Searching<'_> {
    /// The number of the structure of an item.
    fn piece(&self, item: u32) -> u32 {
        let state = self.arena.items.get(item as usize).map_or(0, |item| item.state);
        self.pieces.as_ref().map_or(NULL, |pieces| pieces.both(state).1)
    }

    /// The operation that joined the two trees of an item; none where one of them was null.
    pub fn operation(&self, item: &Item) -> Option<Operation> {
        let real = item.tails.iter().all(|&tail| self.piece(tail) != NULL);
        let known = Operation::ALL.get(item.rule as usize).filter(|_| real);
        known.map(|&(_, operation)| operation)
    }

    /// Adds what the tree of an item is worth beyond those of its tails.
    pub fn add_trees(&self, item: &Item, values: &mut [f64]) {
        let Some(pieces) = &self.pieces else { return };
        if item.set == BEGIN {
            return;
        }
        let slots = item.tails.map(|tail| self.piece(tail));
        let gain = match self.sets.get(item.set as usize) {
            Some(local) => {
                let rule = &local.options.rules[item.rule as usize];
                let own = local.options.pieces(rule);
                let mut gain = pieces.gain(local.options.steps(rule), own, slots);
                gain += rule.gain;
                gain.unmatched += local.unmatched(pieces, rule, slots);
                gain
            }
            None => {
                let [first, second] = slots.map(|slot| pieces.get(slot));
                match Operation::ALL.get(item.rule as usize) {
                    Some(&(_, operation)) => pieces.trees.join(operation, first, second).1,
                    None => {
                        let mut gain = pieces.trees.drop(first);
                        gain += pieces.trees.drop(second);
                        gain
                    }
                }
            }
        };
        pieces.trees.add(gain, values);
    }

    /// The same for the end of the sentence.
    pub fn add_tree_end(&self, last: u32, values: &mut [f64]) {
        let Some(pieces) = &self.pieces else { return };
        let gain: Gain = pieces.trees.finish(pieces.get(self.piece(last)));
        pieces.trees.add(gain, values);
    }
}
