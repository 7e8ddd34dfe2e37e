//! The tree of a derivation: structures over the words of the translation.

use super::pieces::UNDEFINED;
use super::plan::{Plan, ordered};
use crate::tree::structure::{Operation, Partial};

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

/// The structure of words without a rule: all of them hang from the last one.
pub fn headed_by_last(first: u32, words: Vec<Partial>) -> Partial {
    let whole = words
        .into_iter()
        .rev()
        .reduce(|whole, word| word.join_or_null(Operation::LeftAdjoin, &whole));
    whole.unwrap_or_else(|| Partial::null(first, 0))
}

/// Two null structures: joined in whatever way, they stay as they are.
fn side_by_side(first: Partial, second: &Partial) -> Partial {
    first.join_or_null(Operation::RightAdjoin, second)
}
