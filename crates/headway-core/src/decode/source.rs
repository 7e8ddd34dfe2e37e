//! What is translated: words, and what else is known about them.
//!
//! Every decoder and every feature takes a `Source`. A part that a decoder has no use for is
//! ignored, and the translation says so.

use super::constraint::{Constraint, check};
use crate::tree::DependencyTree;
use crate::{Error, Result};

/// A dependency tree of the source words, and how much it counts among several.
#[derive(Debug, Clone, PartialEq)]
pub struct WeightedTree {
    pub tree: DependencyTree,
    pub weight: f64,
}

/// Other ways to read the sentence: states from 0, in topological order, and arcs with a word.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct WordLattice {
    pub states: u32,
    pub arcs: Vec<LatticeArc>,
}

/// One word of a lattice, between two states.
#[derive(Debug, Clone, PartialEq)]
pub struct LatticeArc {
    pub from: u32,
    pub to: u32,
    pub word: String,
    /// Natural logarithm of its probability.
    pub score: f64,
}

/// The parts of a source besides its words that a decoder uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Used {
    pub trees: bool,
    pub lattice: bool,
    pub constraints: bool,
}

impl Used {
    /// What either uses.
    pub fn or(self, other: Used) -> Used {
        Used {
            trees: self.trees || other.trees,
            lattice: self.lattice || other.lattice,
            constraints: self.constraints || other.constraints,
        }
    }

    /// The parts by name, each with whether it is used.
    fn parts(self) -> [(&'static str, bool); 3] {
        [("trees", self.trees), ("lattice", self.lattice), ("constraints", self.constraints)]
    }

    /// The names of the parts that are used.
    pub fn names(self) -> Vec<&'static str> {
        self.parts().into_iter().filter(|part| part.1).map(|part| part.0).collect()
    }
}

/// One sentence to translate.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Source {
    words: Vec<String>,
    trees: Vec<WeightedTree>,
    lattice: Option<WordLattice>,
    constraints: Vec<Constraint>,
}

impl Source {
    /// Words that text cannot hold, empty or with white space, are shown as an open box.
    pub fn new(words: Vec<String>) -> Self {
        let odd = |word: &str| word.is_empty() || word.contains(char::is_whitespace);
        let shown = |word: String| if odd(&word) { "\u{2423}".to_string() } else { word };
        Source { words: words.into_iter().map(shown).collect(), ..Source::default() }
    }

    /// With trees over the same number of words; weights are numbers above 0.
    pub fn with_trees(mut self, trees: Vec<WeightedTree>) -> Result<Self> {
        for WeightedTree { tree, weight } in &trees {
            if tree.len() != self.words.len() {
                let (found, words) = (tree.len(), self.words.len());
                let message = format!("a source tree of {found} words for a sentence of {words}");
                return Err(Error::setting(message));
            }
            if !(weight.is_finite() && *weight > 0.0) {
                let message = format!("the weight of a source tree is {weight}; give one above 0");
                return Err(Error::setting(message));
            }
        }
        self.trees = trees;
        Ok(self)
    }

    /// With other ways to read it.
    pub fn with_lattice(mut self, lattice: WordLattice) -> Result<Self> {
        for LatticeArc { from, to, .. } in &lattice.arcs {
            if from >= to || *to >= lattice.states {
                let message = format!("an arc of the lattice from state {from} to {to}");
                let states = lattice.states;
                return Err(Error::setting(format!("{message}; expected to rise below {states}")));
            }
        }
        self.lattice = Some(lattice);
        Ok(self)
    }

    /// With constraints on its translation, which lie inside the sentence and do not contradict
    /// each other.
    pub fn with_constraints(mut self, constraints: Vec<Constraint>) -> Result<Self> {
        check(&constraints, self.words.len() as u32)?;
        self.constraints = constraints;
        Ok(self)
    }

    pub fn words(&self) -> &[String] {
        &self.words
    }

    /// The words as most of search takes them.
    pub fn strs(&self) -> Vec<&str> {
        self.words.iter().map(String::as_str).collect()
    }

    /// Trees of the words; several if it is not certain which one is right.
    pub fn trees(&self) -> &[WeightedTree] {
        &self.trees
    }

    pub fn lattice(&self) -> Option<&WordLattice> {
        self.lattice.as_ref()
    }

    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The parts that a decoder which uses only `used` leaves out, by name.
    pub fn ignored(&self, used: Used) -> Vec<&'static str> {
        let given = Used {
            trees: !self.trees.is_empty(),
            lattice: self.lattice.is_some(),
            constraints: !self.constraints.is_empty(),
        };
        let parts = given.parts().into_iter().zip(used.parts());
        parts.filter(|(given, used)| given.1 && !used.1).map(|(given, _)| given.0).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(words: &str) -> Vec<String> {
        words.split(' ').map(str::to_string).collect()
    }

    fn tree(words: &str) -> DependencyTree {
        let forms = strings(words);
        let many = forms.len();
        let heads = (0..many as u32).collect();
        DependencyTree::new(forms, heads, vec![String::new(); many], vec![String::new(); many])
            .unwrap()
    }

    #[test]
    fn words_that_text_cannot_hold_are_shown_as_a_box() {
        let source = Source::new(vec!["a".to_string(), String::new(), "b c".to_string()]);
        assert_eq!(source.strs(), ["a", "\u{2423}", "\u{2423}"]);
    }

    #[test]
    fn what_is_not_used_is_named() {
        let weighted = |weight| vec![WeightedTree { tree: tree("a b"), weight }];
        let source = Source::new(strings("a b")).with_trees(weighted(0.5)).unwrap();
        assert_eq!(source.ignored(Used::default()), ["trees"]);
        assert!(source.ignored(Used { trees: true, ..Used::default() }).is_empty());
        assert_eq!(Used { trees: true, ..Used::default() }.names(), ["trees"]);
        let source = source.with_lattice(WordLattice::default()).unwrap();
        let source = source.with_constraints(vec![Constraint::Wall(1)]).unwrap();
        assert_eq!(source.ignored(Used::default()), ["trees", "lattice", "constraints"]);
        assert!(Source::new(strings("a b")).ignored(Used::default()).is_empty());
    }

    #[test]
    fn parts_that_do_not_fit_the_words_are_refused() {
        let source = Source::new(strings("a b c"));
        let weighted = |words, weight| vec![WeightedTree { tree: tree(words), weight }];
        let message = |trees| source.clone().with_trees(trees).unwrap_err().to_string();
        assert_eq!(message(weighted("a b", 1.0)), "a source tree of 2 words for a sentence of 3");
        assert!(message(weighted("a b c", f64::NAN)).contains("weight"));
        assert!(message(weighted("a b c", 0.0)).contains("above 0"));
        for wrong in [Constraint::Zone(1..4), Constraint::Zone(1..1), Constraint::Wall(0)] {
            assert!(source.clone().with_constraints(vec![wrong]).is_err());
        }
        let arc = |from, to| LatticeArc { from, to, word: "a".to_string(), score: 0.0 };
        for (from, to) in [(1, 1), (2, 1), (0, 3)] {
            let lattice = WordLattice { states: 3, arcs: vec![arc(from, to)] };
            assert!(source.clone().with_lattice(lattice).is_err());
        }
    }
}
