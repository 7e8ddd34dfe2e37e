//! Treebanks of Penn brackets.

use std::path::PathBuf;

use crate::parse::treebank::{Example, LeftOut, Treebank, check_weight};
use crate::tree::DependencyTree;
use crate::tree::penn::{ConstituentTree, Reader, Strip};
use crate::{Error, Monitor, Result};

/// What brackets lose before anything is learnt from them.
pub const STRIP: Strip = Strip { traces: true, functions: true, wrapper: false };

/// Trees without traces and functions, each with its weight.
#[derive(Debug, Clone, Default)]
pub struct BracketBank {
    pub trees: Vec<(ConstituentTree, f64)>,
    pub left_out: LeftOut,
}

impl BracketBank {
    /// Reads files, each with the weight of its trees.
    pub fn read(sources: &[(PathBuf, f64)], monitor: &Monitor) -> Result<Self> {
        let mut bank = BracketBank::default();
        for (path, weight) in sources {
            check_weight(path, *weight)?;
            let mut reader = Reader::open(path)?;
            while let Some(tree) = reader.next()? {
                monitor.check()?;
                bank.add(&tree, *weight);
            }
        }
        if bank.trees.is_empty() {
            let path = sources.first().map(|(path, _)| path.clone()).unwrap_or_default();
            let message = "no tree with words in it; name a treebank of Penn brackets";
            return Err(Error::format(&path, 1, message));
        }
        Ok(bank)
    }

    /// Adds a tree unless it has no words.
    pub fn add(&mut self, tree: &ConstituentTree, weight: f64) {
        let stripped = tree.strip(STRIP);
        if stripped.leaves().is_empty() {
            self.left_out.empty += 1;
        } else {
            self.trees.push((stripped, weight));
        }
    }

    /// The words with their tags, for a tagger. Every word hangs from the root.
    pub fn tagged(&self) -> Result<Treebank> {
        let example = |(tree, weight): &(ConstituentTree, f64)| {
            let forms = tree.words();
            let tags = tree.tags().map(str::to_string).collect();
            let (heads, labels) = (vec![0; forms.len()], vec!["_".to_string(); forms.len()]);
            let tree = DependencyTree::new(forms, heads, tags, labels)?;
            Ok(Example { tree, weight: *weight })
        };
        let examples = self.trees.iter().map(example).collect::<Result<_>>()?;
        Ok(Treebank { examples, left_out: self.left_out })
    }
}
