//! How lattices are pruned and parsed.

use crate::{Error, Result};

/// How the best tree is searched for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Parsing {
    /// Every part of every path: exact.
    #[default]
    Exact,
    /// An agenda ordered by bounds on what is still to come: the first goal is the best one.
    Bound,
    /// An agenda ordered by the best path around an item, as in the paper: approximate.
    Path,
}

/// The settings of lattice parsing.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LatticeSettings {
    /// A lattice has fewer edges than this.
    pub edges: usize,
    pub parsing: Parsing,
    /// Agendas stop after so many complete trees.
    pub goals: usize,
    /// Parents of an edge: on average (μ; 0 keeps all), at least (α) and at most (β).
    pub parents_mean: usize,
    pub parents_least: usize,
    pub parents_most: usize,
    /// What is added to log probabilities of dependencies, so that seen ones count (C).
    pub constant: f32,
    /// Whether sides and swaps of attachments are counted.
    pub string_to_tree: bool,
    /// Whether attachments are compared with a tree of the source.
    pub tree_to_tree: bool,
}

impl Default for LatticeSettings {
    fn default() -> Self {
        LatticeSettings {
            edges: 1000,
            parsing: Parsing::Exact,
            goals: 4000,
            parents_mean: 0,
            parents_least: 100,
            parents_most: 400,
            constant: 12.0,
            string_to_tree: true,
            tree_to_tree: true,
        }
    }
}

impl LatticeSettings {
    /// Refuses numbers of parents that contradict each other.
    pub fn check(&self) -> Result<()> {
        let (mean, least, most) = (self.parents_mean, self.parents_least, self.parents_most);
        if mean == 0 || (least <= mean && mean <= most) {
            return Ok(());
        }
        let found = format!("search.parents_mean is {mean}");
        Err(Error::setting(format!(
            "{found}; expected 0, or from parents_least ({least}) to parents_most ({most})"
        )))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_lies_between_the_least_and_the_most() {
        let with = |parents_mean| LatticeSettings { parents_mean, ..LatticeSettings::default() };
        assert!([0, 100, 400].into_iter().all(|mean| with(mean).check().is_ok()));
        for mean in [99, 401] {
            let message = with(mean).check().unwrap_err().to_string();
            assert!(
                message.ends_with("expected 0, or from parents_least (100) to parents_most (400)")
            );
        }
    }
}
