//! Word classes as text: `word<TAB>class`, or `bits<TAB>word<TAB>count` for Brown clusters, as
//! other programs write their paths.

use std::cmp::Reverse;
use std::path::Path;

use super::{Tree, WordClasses};
use crate::error::snippet;
use crate::text::{Lines, Output};
use crate::{Result, Vocabulary, WordId};

/// A word and its class as they are read: a number, or a path and a count.
enum Entry<'l> {
    Class(&'l str, u32),
    Path { path: &'l str, word: &'l str, count: u64 },
}

fn entry(line: &str) -> Option<Entry<'_>> {
    let cells: Vec<&str> = line.split('\t').collect();
    match cells[..] {
        [word, class] => Some(Entry::Class(word, class.parse().ok()?)),
        [path, word, count] if path.bytes().all(|bit| matches!(bit, b'0' | b'1')) => {
            Some(Entry::Path { path, word, count: count.parse().ok()? })
        }
        _ => None,
    }
}

impl WordClasses {
    /// Reads either kind of file, as `write` has them; the first line tells which.
    pub fn read(path: &Path) -> Result<Self> {
        let mut found = WordClasses::default();
        let mut paths = Vocabulary::default();
        let mut lines = Lines::open(path)?;
        while let Some(line) = lines.next()? {
            let (word, class, count) = match entry(line) {
                Some(Entry::Class(word, class)) if found.tree.is_none() => (word, class, None),
                Some(Entry::Path { path, word, count }) if found.accepts_paths() => {
                    (word, paths.add(path).0, Some(count))
                }
                _ => {
                    let expected = if found.tree.is_some() {
                        "bits, a tab, a word, a tab, a count"
                    } else {
                        "a word, a tab, a number"
                    };
                    let shown = snippet(line.as_bytes());
                    return Err(lines.error(format!("expected {expected}; found {shown}")));
                }
            };
            if found.words.add(word).index() < found.classes.len() {
                let shown = snippet(word.as_bytes());
                return Err(
                    lines.error(format!("{shown} has a class already; keep one line of it"))
                );
            }
            found.classes.push(class);
            if let Some(count) = count {
                found.tree.get_or_insert_with(Tree::default).counts.push(count);
            }
        }
        if let Some(tree) = &mut found.tree {
            tree.paths = paths.words().map(str::to_string).collect();
        }
        Ok(found)
    }

    fn accepts_paths(&self) -> bool {
        self.tree.is_some() || self.classes.is_empty()
    }

    /// Writes the words class by class: Brown clusters in the order of their paths, the most
    /// frequent word first, other classes in the order the words were given numbers.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut order: Vec<usize> = (0..self.classes.len()).collect();
        let mut output = Output::create(path)?;
        let text = |word: usize| self.words.word(WordId(word as u32));
        let Some(tree) = &self.tree else {
            order.sort_by_key(|&word| self.classes[word]);
            for word in order {
                output.write_line(&format!("{}\t{}", text(word), self.classes[word]))?;
            }
            return output.finish();
        };
        let bits = |word: usize| tree.paths[self.classes[word] as usize].as_str();
        order.sort_by_key(|&word| (bits(word), Reverse(tree.counts[word])));
        for word in order {
            let count = tree.counts[word];
            output.write_line(&format!("{}\t{}\t{count}", bits(word), text(word)))?;
        }
        output.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::file;
    use super::super::{Brown, Learning};
    use super::*;
    use crate::Monitor;

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

    #[test]
    fn paths_survive_files() {
        let text = file("a b c a\nb a c b\nonce\n");
        let how = Brown { classes: 3, min_count: 2 };
        let found = WordClasses::learn_brown(&[text], how, &Monitor::default()).unwrap();
        assert_eq!((found.count(), found.class("once")), (3, None));
        let path = file("");
        found.write(&path).unwrap();
        let read = WordClasses::read(&path).unwrap();
        assert_eq!(read, found);
        let foreign = file("0\tthe\t7\n110\tof\t3\n110\tto\t4\n10\tx\t1\n");
        let read = WordClasses::read(&foreign).unwrap();
        assert_eq!((read.class("of"), read.class("to")), (Some(1), Some(1)));
        assert_eq!((read.path(1), read.path(2), read.path(3)), (Some("110"), Some("10"), None));
    }

    #[test]
    fn the_two_kinds_of_files_do_not_mix() {
        let message = |text| WordClasses::read(&file(text)).unwrap_err().to_string();
        assert!(message("0\tthe\t7\nof\t3\n").contains(":2: expected bits, a tab, a word"));
        assert!(message("of\t3\n0\tthe\t7\n").contains(":2: expected a word, a tab, a number"));
        assert!(message("012\tthe\t7\n").contains(":1: expected a word"));
    }
}
