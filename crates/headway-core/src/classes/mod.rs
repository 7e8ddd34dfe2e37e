//! Word classes: words that stand in the same surroundings, found in text alone.
//!
//! A language model over classes has seen most of what it is asked about, where one over words
//! has seen little of it; small corpora gain most.

mod bigrams;
mod brown;
mod exchange;
mod file;
mod window;

use std::path::Path;

use bigrams::Bigrams;

use crate::text::{Lines, Output};
use crate::{Error, Monitor, Result, Vocabulary, WordId};

pub use brown::Brown;
pub use exchange::Learning;

/// Which class each word is in; classes are numbers from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WordClasses {
    words: Vocabulary,
    classes: Vec<u32>,
    tree: Option<Tree>,
}

/// What Brown clusters have besides: their places in a tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Tree {
    /// Of each class: a 0 or a 1 for each branch from the root.
    paths: Vec<String>,
    /// How often each word was seen.
    counts: Vec<u64>,
}

/// The words of texts and what follows what; texts without any word are refused.
fn counted(texts: &[impl AsRef<Path>], monitor: &Monitor) -> Result<(Vocabulary, Bigrams)> {
    let (words, bigrams) = Bigrams::count(texts, monitor)?;
    match texts.first().filter(|_| words.is_empty()) {
        Some(text) => {
            let message = "no words to find classes of; give it lines of tokenised text";
            Err(Error::format(text.as_ref(), 1, message))
        }
        None => Ok((words, bigrams)),
    }
}

impl WordClasses {
    /// Finds classes in text, one sentence a line, words between spaces.
    pub fn learn(texts: &[impl AsRef<Path>], how: Learning, monitor: &Monitor) -> Result<Self> {
        check(how.classes)?;
        let (words, bigrams) = counted(texts, monitor)?;
        let classes = exchange::learn(&bigrams, how, monitor)?;
        Ok(WordClasses { words, classes, tree: None })
    }

    /// Finds clusters and their tree; words that are too rare have no class.
    pub fn learn_brown(texts: &[impl AsRef<Path>], how: Brown, monitor: &Monitor) -> Result<Self> {
        check(how.classes)?;
        let (words, bigrams) = counted(texts, monitor)?;
        let (mut found, mut tree) = (WordClasses::default(), Tree::default());
        for (class, cluster) in (0..).zip(brown::learn(&bigrams, how, monitor)?) {
            tree.paths.push(cluster.path);
            for word in cluster.words {
                found.words.add(words.word(WordId(word)));
                found.classes.push(class);
                tree.counts.push(bigrams.frequency(word));
            }
        }
        found.tree = Some(tree);
        Ok(found)
    }

    /// The class of a word; none of a word that was not in the text.
    pub fn class(&self, word: &str) -> Option<u32> {
        self.words.get(word).map(|id| self.classes[id.index()])
    }

    pub fn words(&self) -> &Vocabulary {
        &self.words
    }

    /// The class of each word of `words()`.
    pub fn of_words(&self) -> &[u32] {
        &self.classes
    }

    /// One more than the highest class.
    pub fn count(&self) -> usize {
        self.classes.iter().max().map_or(0, |&class| class as usize + 1)
    }

    /// The place of a class in the tree of Brown clusters, as bits from the root.
    pub fn path(&self, class: u32) -> Option<&str> {
        self.tree.as_ref()?.paths.get(class as usize).map(String::as_str)
    }

    /// Writes text with the number of its class for each word, `<unk>` for a word without one.
    pub fn rewrite(&self, text: &Path, output: &Path, monitor: &Monitor) -> Result<()> {
        let (mut lines, mut output) = (Lines::open(text)?, Output::create(output)?);
        let mut classes = String::new();
        while let Some(line) = lines.next()? {
            monitor.advance(1)?;
            classes.clear();
            for word in line.split_whitespace() {
                if !classes.is_empty() {
                    classes.push(' ');
                }
                match self.class(word) {
                    Some(class) => classes.push_str(&class.to_string()),
                    None => classes.push_str("<unk>"),
                }
            }
            output.write_line(&classes)?;
        }
        output.finish()
    }
}

fn check(classes: usize) -> Result<()> {
    // The window of Brown clustering is a table of this many rows and columns.
    if (1..=100_000).contains(&classes) {
        return Ok(());
    }
    let message = format!("cannot put words into {classes} classes; ask for 1 to 100,000");
    Err(Error::setting(message))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A file that is removed when its path is dropped.
    pub fn file(text: &str) -> tempfile::TempPath {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        file.into_temp_path()
    }

    #[test]
    fn words_of_the_same_surroundings_share_a_class() {
        let text = file(&"on monday we sing\non friday we eat\non sunday we sing\n".repeat(3));
        let how = Learning { classes: 4, ..Learning::default() };
        let found = WordClasses::learn(&[text], how, &Monitor::default()).unwrap();
        let class = |word| found.class(word).unwrap();
        assert_eq!([class("friday"), class("sunday")], [class("monday"); 2]);
        assert_eq!(class("sing"), class("eat"));
        assert_ne!(class("on"), class("we"));
        assert_eq!(found.class("dance"), None);
    }
}
