//! Partial structures as the dependency language model sees them, and how they combine.
//!
//! This is the 5-tuple ⟨LF, LN, h, RN, RF⟩ of the paper. LF and RF, the farthest children, are
//! kept as n-gram states: what of them can still matter. LN and RN, the nearest children of a
//! floating structure, are kept as words, because they cannot be scored before their head is
//! known; children beyond the nearest ones depend on children only and are scored at once.

use smallvec::SmallVec;

use crate::WordId;
use crate::lm::State;

use super::model::{DependencyModel, Side};
use crate::tree::structure::Operation;

/// Words at the near end of a floating structure: at most order − 1.
pub(super) type Near = SmallVec<[WordId; 3]>;

/// The state of a well-formed structure. Equal states have equal futures.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Structure {
    /// ⟨LF, −, h, −, RF⟩
    Fixed { head: WordId, left: State, right: State },
    /// ⟨LF, LN, −, −, −⟩ or ⟨−, −, −, RN, RF⟩: siblings on this side of a head to come.
    Floating { side: Side, near: Near, far: State },
}

/// A structure, and the logarithm of the probability of all in it that could be scored.
pub type Piece = (Structure, f64);

impl DependencyModel {
    /// One word without children.
    pub fn leaf(&self, head: WordId) -> Structure {
        let [left, right] = [Side::Left, Side::Right].map(|side| self.after_head(side, head));
        Structure::Fixed { head, left, right }
    }

    /// Combines two neighbouring structures, `first` standing left of `second`: the result and
    /// the logarithm of what its new dependencies are worth. None where the operation is not
    /// defined for such structures (Definition 5).
    pub fn combine(
        &self,
        operation: Operation,
        first: &Structure,
        second: &Structure,
    ) -> Option<Piece> {
        match operation {
            Operation::LeftAdjoin => self.adjoin(Side::Left, first, second),
            Operation::RightAdjoin => self.adjoin(Side::Right, second, first),
            // The nearer siblings come first: right ones left of a head, left ones right of it.
            Operation::LeftConcatenate => self.concatenate(Side::Left, second, first),
            Operation::RightConcatenate => self.concatenate(Side::Right, first, second),
        }
    }

    /// A finished tree: its root, and the end of its children where STOP is on.
    pub fn finish(&self, structure: &Structure) -> Option<f64> {
        match structure {
            Structure::Fixed { head, .. } => Some(self.root(*head) + self.close(structure)),
            Structure::Floating { .. } => None,
        }
    }

    /// A guess for search: what the words that wait for their head would be worth if nothing were
    /// known of it. They are the head of a fixed structure, the nearest siblings of a floating one.
    pub fn outlook(&self, structure: &Structure) -> f64 {
        let one = |side: Side, near: &[WordId]| {
            let mut context = State::default();
            near.iter().map(|&child| self.child(side, &mut context, child)).sum::<f64>()
        };
        match structure {
            Structure::Fixed { head, .. } => {
                (one(Side::Left, &[*head]) + one(Side::Right, &[*head])) / 2.0
            }
            Structure::Floating { side, near, .. } => one(*side, near),
        }
    }

    fn adjoin(&self, side: Side, children: &Structure, parent: &Structure) -> Option<Piece> {
        let Structure::Fixed { head, mut left, mut right } = *parent else { return None };
        let (near, far, closing) = self.as_floating(side, children)?;
        let state = if side == Side::Left { &mut left } else { &mut right };
        let mut score = closing;
        for &child in &near {
            score += self.child(side, state, child);
        }
        if near.len() == self.context() {
            *state = far;
        }
        Some((Structure::Fixed { head, left, right }, score))
    }

    fn concatenate(&self, side: Side, nearer: &Structure, farther: &Structure) -> Option<Piece> {
        let (mut near, mut far, closing) = self.as_floating(side, nearer)?;
        let (more, beyond, more_closing) = self.as_floating(side, farther)?;
        let mut score = closing + more_closing;
        for &child in &more {
            if near.len() < self.context() {
                // Its context reaches to the head: it waits with the nearest ones.
                self.child(side, &mut far, child);
                near.push(child);
            } else {
                score += self.child(side, &mut far, child);
            }
        }
        if more.len() == self.context() {
            far = beyond;
        }
        Some((Structure::Floating { side, near, far }, score))
    }

    /// A structure as siblings on one side of a head to come: floating ones as they are, fixed
    /// ones raised (Definition 4), which closes their own children.
    fn as_floating(&self, side: Side, structure: &Structure) -> Option<(Near, State, f64)> {
        match structure {
            Structure::Floating { side: own, near, far } if *own == side => {
                Some((near.clone(), *far, 0.0))
            }
            Structure::Floating { .. } => None,
            Structure::Fixed { head, .. } => {
                let mut far = State::default();
                self.child(side, &mut far, *head);
                Some((Near::from_slice(&[*head]), far, self.close(structure)))
            }
        }
    }

    /// What ending the children of a fixed structure is worth: STOP on both sides, if it is on.
    fn close(&self, structure: &Structure) -> f64 {
        match structure {
            Structure::Fixed { left, right, .. } if self.stop() => {
                self.end(Side::Left, left) + self.end(Side::Right, right)
            }
            _ => 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deplm::{Trainer, Training};
    use crate::random::Random;
    use crate::tree::DependencyTree;
    use crate::{Monitor, Result};
    use proptest::prelude::*;

    const WORDS: [&str; 6] = ["a", "b", "c", "d", "e", "f"];

    /// A random projective tree over a random sentence.
    fn random_tree(length: usize, random: &mut Random) -> DependencyTree {
        let mut heads = vec![0; length];
        attach(1, length as u32, 0, random, &mut heads);
        let forms = (0..length).map(|_| WORDS[random.below(WORDS.len())].to_string()).collect();
        tree(forms, heads).unwrap()
    }

    /// Gives the words first..=last a root under `head`, and splits what is left of each side.
    fn attach(first: u32, last: u32, head: u32, random: &mut Random, heads: &mut [u32]) {
        let root = first + random.below((last - first + 1) as usize) as u32;
        heads[root as usize - 1] = head;
        for (mut start, end) in [(first, root), (root + 1, last + 1)] {
            while start < end {
                let stop = start + random.below((end - start) as usize) as u32;
                attach(start, stop, root, random, heads);
                start = stop + 1;
            }
        }
    }

    fn tree(forms: Vec<String>, heads: Vec<u32>) -> Result<DependencyTree> {
        let blank = vec![String::from("_"); forms.len()];
        DependencyTree::new(forms, heads, blank.clone(), blank)
    }

    fn model(order: usize, stop: bool, random: &mut Random) -> DependencyModel {
        let directory = tempfile::tempdir().unwrap();
        let training = Training { order, memory: 1 << 28, lowercase: false, arpa: false };
        let mut trainer = Trainer::new(training).unwrap();
        for _ in 0..30 {
            trainer.tree(&random_tree(1 + random.below(7), random)).unwrap();
        }
        trainer.finish(directory.path(), &Monitor::default()).unwrap();
        DependencyModel::load(directory.path(), false, stop, &Monitor::default()).unwrap()
    }

    /// Builds trees bottom-up, choosing at random among all ways to do it.
    struct Builder<'a> {
        model: &'a DependencyModel,
        tree: &'a DependencyTree,
        random: &'a mut Random,
        score: f64,
    }

    impl Builder<'_> {
        fn combine(
            &mut self,
            operation: Operation,
            first: Structure,
            second: Structure,
        ) -> Structure {
            let (joined, score) = self.model.combine(operation, &first, &second).unwrap();
            self.score += score;
            joined
        }

        /// Neighbouring siblings, in order, as one structure.
        fn concatenate(&mut self, operation: Operation, siblings: &[u32]) -> Structure {
            if let [only] = siblings {
                return self.build(*only);
            }
            let cut = 1 + self.random.below(siblings.len() - 1);
            let first = self.concatenate(operation, &siblings[..cut]);
            let second = self.concatenate(operation, &siblings[cut..]);
            self.combine(operation, first, second)
        }

        fn build(&mut self, word: u32) -> Structure {
            let children = self.tree.topology().children(word).to_vec();
            let (left, right): (Vec<u32>, Vec<u32>) = children.iter().partition(|&&c| c < word);
            let (mut left, mut right) = (&left[..], &right[..]);
            let mut whole = self.model.leaf(self.model.word(&self.tree.forms()[word as usize - 1]));
            while !left.is_empty() || !right.is_empty() {
                if right.is_empty() || (!left.is_empty() && self.random.below(2) == 0) {
                    let start = self.random.below(left.len());
                    let group = self.concatenate(Operation::LeftConcatenate, &left[start..]);
                    whole = self.combine(Operation::LeftAdjoin, group, whole);
                    left = &left[..start];
                } else {
                    let end = 1 + self.random.below(right.len());
                    let group = self.concatenate(Operation::RightConcatenate, &right[..end]);
                    whole = self.combine(Operation::RightAdjoin, whole, group);
                    right = &right[end..];
                }
            }
            whole
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_way_of_building_a_tree_scores_it_alike(seed: u64, order in 2_usize..5, stop: bool) {
            let mut random = Random::new(seed, 0);
            let model = model(order, stop, &mut random);
            for _ in 0..8 {
                let tree = random_tree(1 + random.below(12), &mut random);
                let expected = model.score(&tree);
                let mut states = Vec::new();
                for _ in 0..4 {
                    let mut builder =
                        Builder { model: &model, tree: &tree, random: &mut random, score: 0.0 };
                    let root = tree.topology().roots()[0];
                    let structure = builder.build(root);
                    let total = builder.score + model.finish(&structure).unwrap();
                    prop_assert!((total - expected).abs() < 1e-5, "{total} {expected}");
                    states.push(structure);
                }
                prop_assert!(states.windows(2).all(|pair| pair[0] == pair[1]));
            }
        }
    }

    #[test]
    fn operations_are_defined_where_definition_5_says_so() {
        let model = model(3, false, &mut Random::new(1, 0));
        let word = model.leaf(model.word("a"));
        let join = |operation, first: &Structure, second: &Structure| {
            model.combine(operation, first, second).map(|(structure, _)| structure)
        };
        use Operation::{LeftAdjoin, LeftConcatenate, RightAdjoin, RightConcatenate};
        let left = join(LeftConcatenate, &word, &word).unwrap();
        let right = join(RightConcatenate, &word, &word).unwrap();
        let defined = |operation| {
            let mut found = Vec::new();
            for (first, name) in [(&word, 'f'), (&left, 'l'), (&right, 'r')] {
                for (second, other) in [(&word, 'f'), (&left, 'l'), (&right, 'r')] {
                    if join(operation, first, second).is_some() {
                        found.push(format!("{name}{other}"));
                    }
                }
            }
            found.join(" ")
        };
        assert_eq!(defined(LeftAdjoin), "ff lf");
        assert_eq!(defined(RightAdjoin), "ff fr");
        assert_eq!(defined(LeftConcatenate), "ff fl lf ll");
        assert_eq!(defined(RightConcatenate), "ff fr rf rr");
        assert!(model.finish(&left).is_none());
        assert!(model.finish(&word).is_some());
    }
}
