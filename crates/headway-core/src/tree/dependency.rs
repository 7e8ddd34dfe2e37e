//! The one dependency tree that everything shares.

use super::{Heads, Spans, Topology};
use crate::{Error, Result};

/// Words, their heads, their tags and the labels of their arcs.
///
/// Only data: `topology` and `spans` prepare answers about its shape. Cyclic and multi-root
/// analyses are held like any other; `Topology::is_tree` tells them.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct DependencyTree {
    forms: Vec<String>,
    heads: Heads,
    tags: Vec<String>,
    labels: Vec<String>,
}

impl DependencyTree {
    /// A tree of words with their heads (0 is the root), tags and labels, one of each per word.
    pub fn new(
        forms: Vec<String>,
        heads: Vec<u32>,
        tags: Vec<String>,
        labels: Vec<String>,
    ) -> Result<Self> {
        let counts = [("heads", heads.len()), ("tags", tags.len()), ("labels", labels.len())];
        for (name, count) in counts {
            if count != forms.len() {
                let words = forms.len();
                return Err(Error::setting(format!("expected {words} {name}, found {count}")));
            }
        }
        Ok(DependencyTree { forms, heads: Heads::new(heads)?, tags, labels })
    }

    /// The number of words.
    pub fn len(&self) -> usize {
        self.forms.len()
    }

    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    pub fn forms(&self) -> &[String] {
        &self.forms
    }

    pub fn heads(&self) -> &Heads {
        &self.heads
    }

    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    pub fn labels(&self) -> &[String] {
        &self.labels
    }

    /// Prepares questions about what hangs where.
    pub fn topology(&self) -> Topology {
        Topology::new(&self.heads)
    }

    /// Prepares the question which spans are well-formed structures.
    pub fn spans(&self) -> Spans {
        Spans::new(&self.heads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(words: &str) -> Vec<String> {
        words.split(' ').map(str::to_string).collect()
    }

    #[test]
    fn every_word_has_a_head_a_tag_and_a_label() {
        let tree = DependencyTree::new(
            strings("the boy"),
            vec![2, 0],
            strings("DET NOUN"),
            strings("det root"),
        );
        assert_eq!(tree.unwrap().len(), 2);
        let error = DependencyTree::new(strings("the boy"), vec![2, 0], vec![], vec![]);
        assert_eq!(error.unwrap_err().to_string(), "expected 2 tags, found 0");
    }
}
