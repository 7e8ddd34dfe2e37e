//! Trees out of a file: several in a line, one over many lines.

use std::collections::VecDeque;
use std::path::Path;

use super::builder::Builder;
use super::tree::ConstituentTree;
use crate::text::Lines;
use crate::{Error, Result};

/// Reads trees in the memory of one line or tree.
pub struct Reader {
    lines: Lines,
    builder: Builder,
    ready: VecDeque<ConstituentTree>,
    ended: bool,
}

impl Reader {
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Reader::new(Lines::open(path)?))
    }

    pub fn new(lines: Lines) -> Self {
        Reader { lines, builder: Builder::default(), ready: VecDeque::new(), ended: false }
    }

    #[allow(clippy::should_implement_trait)] // an error ends reading, which Iterator does not say
    pub fn next(&mut self) -> Result<Option<ConstituentTree>> {
        while self.ready.is_empty() && !self.ended {
            self.advance()?;
        }
        Ok(self.ready.pop_front())
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

    fn advance(&mut self) -> Result<()> {
        let number = self.lines.number() + 1;
        let mut done = Vec::new();
        match self.lines.next()? {
            Some(line) => {
                let pushed = self.builder.push(line, number, &mut done);
                pushed.map_err(|message| self.lines.error(message))?;
            }
            None => {
                self.ended = true;
                let finished = std::mem::take(&mut self.builder).finish();
                let path = self.lines.path();
                finished.map_err(|(line, message)| Error::format(path, line, message))?;
            }
        }
        self.ready.extend(done);
        Ok(())
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
    fn an_unclosed_tree_is_named_by_its_first_line() {
        let error = all("(A a)\n(S\n(B b)\n").unwrap_err().to_string();
        assert!(error.starts_with("t:2: unbalanced brackets"), "{error}");
        let error = all("(A a)\n(B b))\n").unwrap_err().to_string();
        assert!(error.starts_with("t:2: unbalanced brackets"), "{error}");
    }
}
