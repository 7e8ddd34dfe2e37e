//! Brackets into trees, line by line.

use super::tree::{ConstituentTree, Node};
use crate::error::snippet;
use crate::text::{MAX_LINE, size};

/// A tree of more brackets has lost one; reading on would fill memory.
const MAX_NODES: usize = 10_000_000;
const MAX_TREE: usize = MAX_LINE;

/// Takes lines; gives each tree when its last bracket closes.
pub(super) struct Builder {
    tree: ConstituentTree,
    /// Brackets that are open, as positions among the nodes.
    open: Vec<usize>,
    /// Where the tree at hand, or the last one, begins.
    pub(super) line: u64,
    /// The bytes of its labels and words.
    bytes: usize,
    /// How many it may have.
    pub(super) longest: usize,
}

impl Default for Builder {
    fn default() -> Self {
        let (tree, open) = (ConstituentTree::default(), Vec::new());
        Builder { tree, open, line: 0, bytes: 0, longest: MAX_TREE }
    }
}

impl Builder {
    /// Reads a line, or what is left of it, up to the end of a tree; the tree and what is left.
    pub(super) fn push<'a>(
        &mut self,
        line: &'a str,
        number: u64,
    ) -> Result<(Option<ConstituentTree>, &'a str), String> {
        let mut rest = line.trim_start();
        while let Some(first) = rest.chars().next() {
            let length = match first {
                '(' => self.open(number)?,
                ')' => self.close()?,
                _ => self.symbol(rest)?,
            };
            rest = rest[length..].trim_start();
            if self.open.is_empty() {
                self.bytes = 0;
                return Ok((Some(std::mem::take(&mut self.tree)), rest));
            }
        }
        Ok((None, rest))
    }

    /// Errs if a tree is unfinished, with the line where it begins.
    pub(super) fn finish(self) -> Result<(), (u64, String)> {
        match self.open.len() {
            0 => Ok(()),
            1 => Err((
                self.line,
                "unbalanced brackets: 1 ) is missing at the end of this tree".into(),
            )),
            open => Err((
                self.line,
                format!("unbalanced brackets: {open} ) are missing at the end of this tree"),
            )),
        }
    }

    fn open(&mut self, number: u64) -> Result<usize, String> {
        if self.open.is_empty() {
            self.line = number;
        } else if self.tree.nodes.len() >= MAX_NODES {
            return Err(format!("the tree from line {} never ends: a ) is missing", self.line));
        }
        if let Some(parent) = self.open.last().map(|&parent| &self.tree.nodes[parent])
            && parent.leaf.is_some()
        {
            return Err(format!("expected ) after the word of ({}, found (", parent.label));
        }
        let before = self.tree.leaves.len() as u32;
        self.open.push(self.tree.nodes.len());
        let words = (before, before);
        self.tree.nodes.push(Node { label: String::new(), leaf: None, end: 0, words });
        Ok(1)
    }

    fn close(&mut self) -> Result<usize, String> {
        let Some(at) = self.open.pop() else {
            return Err("unbalanced brackets: this ) closes nothing".into());
        };
        let (end, words) = (self.tree.nodes.len() as u32, self.tree.leaves.len() as u32);
        let node = &mut self.tree.nodes[at];
        (node.end, node.words.1) = (end, words);
        if node.words.0 == words && (at > 1 || !node.label.is_empty()) {
            return Err(format!("expected a word or a bracket inside ({}, found )", node.label));
        }
        Ok(1)
    }

    /// A label if it is the first thing in its bracket, a word if the second.
    fn symbol(&mut self, text: &str) -> Result<usize, String> {
        let length = text.find(|c: char| c == '(' || c == ')' || c.is_whitespace());
        let symbol = &text[..length.unwrap_or(text.len())];
        let Some(&at) = self.open.last() else {
            return Err(format!("expected (, found {}", snippet(symbol.as_bytes())));
        };
        self.bytes += symbol.len();
        if self.bytes > self.longest {
            let (line, longest) = (self.line, size(self.longest));
            return Err(format!(
                "the tree from line {line} is longer than {longest}: a ) is missing"
            ));
        }
        let last = at + 1 == self.tree.nodes.len();
        let node = &mut self.tree.nodes[at];
        if !last || node.leaf.is_some() {
            let found = snippet(symbol.as_bytes());
            return Err(format!("expected ( or ) inside ({}, found {found}", node.label));
        }
        if node.label.is_empty() {
            node.label.push_str(symbol);
        } else {
            node.leaf = Some(self.tree.leaves.len() as u32);
            self.tree.leaves.push(symbol.to_string());
        }
        Ok(symbol.len())
    }
}

#[cfg(test)]
mod tests {
    use crate::tree::penn::ConstituentTree;

    #[test]
    fn flaws_say_what_was_expected() {
        for (text, message) in [
            ("(S (NN a)", "<text>:1: unbalanced brackets: 1 ) is missing at the end of this tree"),
            (
                "\n((S\n(NN a",
                "<text>:2: unbalanced brackets: 3 ) are missing at the end of this tree",
            ),
            ("(NN a))", "<text>:1: unbalanced brackets: this ) closes nothing"),
            ("(S (NP) (NN a))", "<text>:1: expected a word or a bracket inside (NP, found )"),
            ("(S (NN a) ())", "<text>:1: expected a word or a bracket inside (, found )"),
            ("word", "<text>:1: expected (, found \"word\""),
            ("(NN a b)", "<text>:1: expected ( or ) inside (NN, found \"b\""),
            ("(NP (DT a) b)", "<text>:1: expected ( or ) inside (NP, found \"b\""),
            ("(NN a (DT b))", "<text>:1: expected ) after the word of (NN, found ("),
        ] {
            let error = ConstituentTree::parse(text).unwrap_err().to_string();
            assert_eq!(error, message, "{text}");
        }
    }

    #[test]
    fn a_hundred_thousand_brackets_do_not_exhaust_the_stack() {
        let text = format!("{}(N a){}", "(S ".repeat(100_000), ")".repeat(100_000));
        let tree = ConstituentTree::parse(&text).unwrap();
        assert_eq!(tree.nodes().len(), 100_001);
        assert_eq!(tree.to_string(), text);
        assert!(tree.pretty(80).len() > text.len());
    }
}
