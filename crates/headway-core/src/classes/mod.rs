//! Word classes: words that stand in the same surroundings, found in text alone.
//!
//! A language model over classes has seen most of what it is asked about, where one over words
//! has seen little of it; small corpora gain most.

mod bigrams;
mod exchange;

use std::path::Path;

use bigrams::Bigrams;

use crate::error::snippet;
use crate::text::{Lines, Output};
use crate::{Error, Monitor, Result, Vocabulary, WordId};

pub use exchange::Learning;

/// Which class each word is in; classes are numbers from 0.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct WordClasses {
    words: Vocabulary,
    classes: Vec<u32>,
}

impl WordClasses {
    /// Finds classes in text, one sentence a line, words between spaces.
    pub fn learn(texts: &[impl AsRef<Path>], how: Learning, monitor: &Monitor) -> Result<Self> {
        if how.classes == 0 {
            return Err(Error::setting("cannot put words into 0 classes; ask for at least 1"));
        }
        let (words, bigrams) = Bigrams::count(texts, monitor)?;
        let classes = exchange::learn(&bigrams, how, monitor)?;
        Ok(WordClasses { words, classes })
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

    /// Reads lines of a word, a tab and a number, as `write` has them.
    pub fn read(path: &Path) -> Result<Self> {
        let mut found = WordClasses::default();
        let mut lines = Lines::open(path)?;
        while let Some(line) = lines.next()? {
            let parsed = line.split_once('\t').map(|(word, class)| (word, class.parse()));
            let Some((word, Ok(class))) = parsed else {
                let shown = snippet(line.as_bytes());
                return Err(lines.error(format!("expected a word, a tab, a number; found {shown}")));
            };
            if found.words.add(word).index() < found.classes.len() {
                let shown = snippet(word.as_bytes());
                return Err(
                    lines.error(format!("{shown} has a class already; keep one line of it"))
                );
            }
            found.classes.push(class);
        }
        Ok(found)
    }

    /// Writes the words class by class, each class in the order the words were given numbers.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut order: Vec<usize> = (0..self.classes.len()).collect();
        order.sort_by_key(|&word| self.classes[word]);
        let mut output = Output::create(path)?;
        for word in order {
            let text = self.words.word(WordId(word as u32));
            output.write_line(&format!("{text}\t{}", self.classes[word]))?;
        }
        output.finish()
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A file that is removed when its path is dropped.
    fn file(text: &str) -> tempfile::TempPath {
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

    #[test]
    fn files_give_back_what_was_written() {
        let text = file("a b c\nb a c\n");
        let how = Learning { classes: 2, ..Learning::default() };
        let found = WordClasses::learn(&[&text], how, &Monitor::default()).unwrap();
        let path = file("");
        found.write(&path).unwrap();
        let read = WordClasses::read(&path).unwrap();
        for word in ["a", "b", "c"] {
            assert_eq!(read.class(word), found.class(word));
        }
        let rewritten = file("");
        read.rewrite(&file("a x\n\n"), &rewritten, &Monitor::default()).unwrap();
        let class = found.class("a").unwrap();
        assert_eq!(std::fs::read_to_string(rewritten).unwrap(), format!("{class} <unk>\n\n"));
    }

    #[test]
    fn wrong_files_are_told_by_line() {
        let message = |text| WordClasses::read(&file(text)).unwrap_err().to_string();
        assert!(message("a\t1\nb 2\n").contains(":2: expected a word, a tab, a number"));
        assert!(message("a\t1\na\t2\n").contains("has a class already"));
    }
}
