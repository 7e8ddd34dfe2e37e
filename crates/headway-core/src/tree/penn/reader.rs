//! Trees out of a file: several in a line, one over many lines.

use std::path::Path;

use super::builder::Builder;
use super::tree::ConstituentTree;
use crate::text::Lines;
use crate::{Error, Result};

/// Reads trees in the memory of one line or tree.
pub struct Reader {
    lines: Lines,
    builder: Builder,
    /// What is left of the last line, from a position on: there may be millions of trees in it.
    line: String,
    at: usize,
}

impl Reader {
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Reader::new(Lines::open(path)?))
    }

    pub fn new(lines: Lines) -> Self {
        Reader { lines, builder: Builder::default(), line: String::new(), at: 0 }
    }

    #[allow(clippy::should_implement_trait)] // an error ends reading, which Iterator does not say
    pub fn next(&mut self) -> Result<Option<ConstituentTree>> {
        loop {
            if self.at == self.line.len() && !self.advance()? {
                return Ok(None);
            }
            let pushed = self.builder.push(&self.line[self.at..], self.lines.number());
            let (tree, rest) = pushed.map_err(|message| self.lines.error(message))?;
            self.at = self.line.len() - rest.len();
            if tree.is_some() {
                return Ok(tree);
            }
        }
    }

    /// Where the last tree began.
    pub fn line(&self) -> u64 {
        self.builder.line
    }

    /// Up to `most` trees; none at the end.
    pub fn read(&mut self, most: usize) -> Result<Vec<ConstituentTree>> {
        let mut batch = Vec::new();
        while batch.len() < most {
            match self.next()? {
                Some(tree) => batch.push(tree),
                None => break,
            }
        }
        Ok(batch)
    }

    /// Steps to the next line; false at the end.
    fn advance(&mut self) -> Result<bool> {
        self.at = 0;
        self.line.clear();
        if let Some(line) = self.lines.next()? {
            self.line.push_str(line);
            return Ok(true);
        }
        let finished = std::mem::take(&mut self.builder).finish();
        let path = self.lines.path();
        finished.map_err(|(line, message)| Error::format(path, line, message))?;
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    fn all(text: &str) -> Result<Vec<String>> {
        let bytes = Cursor::new(text.as_bytes().to_vec());
        let mut reader = Reader::new(Lines::new(Box::new(bytes), Path::new("t")));
        Ok(reader.read(usize::MAX)?.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn trees_are_found_however_the_lines_run() {
        let text = "\n(A a) (B b)\n( (S\r\n  (C c)\n (D d) ))(())\n";
        assert_eq!(all(text).unwrap(), ["(A a)", "(B b)", "( (S (C c) (D d)))", "( ())"]);
        assert_eq!(all("").unwrap(), [""; 0]);
    }

    #[test]
    fn a_tree_without_end_is_an_error() {
        let bytes = Cursor::new("(A a)\n(B\n".to_string() + &"(C c)\n".repeat(100));
        let mut reader = Reader::new(Lines::new(Box::new(bytes), Path::new("t")));
        reader.builder.longest = 100;
        assert!(reader.next().unwrap().is_some());
        let error = reader.next().unwrap_err().to_string();
        let expected = "t:52: the tree from line 2 is longer than 100 bytes: a ) is missing";
        assert_eq!(error, expected);
    }

    #[test]
    fn an_unclosed_tree_is_named_by_its_first_line() {
        let error = all("(A a)\n(S\n(B b)\n").unwrap_err().to_string();
        assert!(error.starts_with("t:2: unbalanced brackets"), "{error}");
        let error = all("(A a)\n(B b))\n").unwrap_err().to_string();
        assert!(error.starts_with("t:2: unbalanced brackets"), "{error}");
    }
}
