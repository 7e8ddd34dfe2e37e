//! Hashes of target sides that can be joined: what a derivation yields is known by its hash
//! without being spelt out.

use super::graph::{EdgeId, Forest, NodeId, SLOT};

/// The Mersenne prime 2⁶¹ − 1, modulo which hashes are polynomials in `BASE`.
const PRIME: u64 = (1 << 61) - 1;
const BASE: u64 = 0x0b1f_4a2d_93c6_57e9;

/// The hash of a sequence of words, and the base to the power of its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spelling {
    hash: u64,
    power: u64,
}

impl Spelling {
    const EMPTY: Spelling = Spelling { hash: 0, power: 1 };

    pub(super) fn hash(self) -> u64 {
        self.hash
    }

    fn word(word: u32) -> Spelling {
        // Mixed, as neighbours in the word list are neighbours in the text.
        let mixed = (u64::from(word) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Spelling { hash: (mixed ^ (mixed >> 29)) % (PRIME - 1) + 1, power: BASE }
    }

    fn join(self, next: Spelling) -> Spelling {
        let hash = product(self.hash, next.power) + next.hash;
        Spelling { hash: hash % PRIME, power: product(self.power, next.power) }
    }
}

fn product(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

/// The spelling of each node's best derivation.
pub(super) struct Spellings {
    best: Vec<Spelling>,
}

impl Spellings {
    pub(super) fn new(forest: &Forest, choices: &[Option<EdgeId>]) -> Self {
        let mut spellings = Spellings { best: Vec::with_capacity(choices.len()) };
        for choice in choices {
            let spelling = choice.map_or(Spelling::EMPTY, |edge| {
                let tails = forest.tails_of(edge.index());
                spellings.of_edge(forest, edge.index(), |tail| spellings.best(tails[tail]))
            });
            spellings.best.push(spelling);
        }
        spellings
    }

    pub(super) fn best(&self, node: NodeId) -> Spelling {
        self.best[node.index()]
    }

    /// The spelling of an edge whose tails are spelt as `tail` says.
    pub(super) fn of_edge(
        &self,
        forest: &Forest,
        edge: usize,
        tail: impl Fn(usize) -> Spelling,
    ) -> Spelling {
        let symbols = forest.symbols_of(edge).iter();
        symbols.fold(Spelling::EMPTY, |spelt, &symbol| {
            spelt.join(match symbol & SLOT {
                0 => Spelling::word(symbol),
                _ => tail((symbol & !SLOT) as usize),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joining_is_associative_and_heeds_order() {
        let [a, b, c] = [0, 1, 7].map(Spelling::word);
        assert_eq!(a.join(b).join(c), a.join(b.join(c)));
        assert_ne!(a.join(b), b.join(a));
        assert_ne!(a.join(a), a);
        assert_eq!(Spelling::EMPTY.join(a), a.join(Spelling::EMPTY));
    }
}
