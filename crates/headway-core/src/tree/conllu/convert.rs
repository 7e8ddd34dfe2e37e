//! From sentences to trees and back.

use super::row::Column;
use super::sentence::{Sentence, Word};
use crate::tree::DependencyTree;
use crate::{Error, Result};

/// Which column holds the tags of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tags {
    #[default]
    Upos,
    Xpos,
}

impl Tags {
    fn column(self) -> Column {
        match self {
            Tags::Upos => Column::Upos,
            Tags::Xpos => Column::Xpos,
        }
    }
}

impl Sentence {
    /// The tree of the words. Every word needs a head.
    pub fn tree(&self, tags: Tags) -> Result<DependencyTree> {
        let column = |column| self.words().map(|row| self.cell(row, column).to_string()).collect();
        let heads = self.words().zip(1..).map(|(row, word)| {
            let missing = || {
                Error::setting(format!(
                    "word {word} has no head: column 7 (HEAD) is _; parse the sentence first"
                ))
            };
            row.head.ok_or_else(missing)
        });
        let heads = heads.collect::<Result<_>>()?;
        DependencyTree::new(
            column(Column::Form),
            heads,
            column(tags.column()),
            column(Column::Deprel),
        )
    }

    /// A sentence of the words of a tree, and nothing else.
    pub fn from_tree(tree: &DependencyTree, tags: Tags) -> Result<Self> {
        let word = |index: usize| {
            let tag = tree.tags()[index].clone();
            let (upos, xpos) = match tags {
                Tags::Upos => (tag, String::new()),
                Tags::Xpos => (String::new(), tag),
            };
            let (form, deprel) = (tree.forms()[index].clone(), tree.labels()[index].clone());
            Word { form, upos, xpos, head: Some(tree.heads()[index]), deprel, ..Word::default() }
        };
        let words: Vec<Word> = (0..tree.len()).map(word).collect();
        Sentence::from_words(&[], &words)
    }

    /// Writes the tags, heads and labels of `tree` into the words and leaves all else.
    pub fn set_tree(&mut self, tree: &DependencyTree, tags: Tags) -> Result<()> {
        let heads: Vec<String> = tree.heads().iter().map(u32::to_string).collect();
        let [tag_column, heads, labels] = [tree.tags(), &heads, tree.labels()]
            .map(|cells| -> Vec<&str> { cells.iter().map(String::as_str).collect() });
        self.set_columns(
            &[tags.column(), Column::Head, Column::Deprel],
            &[&tag_column, &heads, &labels],
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "1\tdas\tder\tDET\tART\t_\t2\tdet\t_\tx=y\n2\tHaus\t_\tNOUN\tNN\t_\t0\troot\t_\t_\n\n";

    #[test]
    fn trees_come_from_sentences_and_go_back() {
        let mut sentence = Sentence::parse(TEXT).unwrap();
        let tree = sentence.tree(Tags::Xpos).unwrap();
        assert_eq!(tree.tags(), ["ART", "NN"]);
        assert_eq!(&tree.heads()[..], [2, 0]);
        let again = Sentence::from_tree(&tree, Tags::Xpos).unwrap().tree(Tags::Xpos).unwrap();
        assert_eq!(again, tree);
        sentence.set_tree(&tree, Tags::Upos).unwrap();
        assert_eq!(sentence.as_str(), TEXT.replace("DET", "ART").replace("NOUN", "NN"));
    }

    #[test]
    fn a_word_without_a_head_is_named() {
        let sentence = Sentence::parse(&TEXT.replace("\t0\t", "\t_\t")).unwrap();
        let error = sentence.tree(Tags::Upos).unwrap_err().to_string();
        assert!(error.starts_with("word 2 has no head"), "{error}");
    }
}
