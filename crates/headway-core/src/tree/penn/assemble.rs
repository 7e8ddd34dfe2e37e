//! Trees put together bracket by bracket.

use super::tree::{ConstituentTree, ESCAPES, Event, Node};

/// Builds a tree from its brackets in the order in which they open.
#[derive(Debug, Default)]
pub struct Assembler {
    tree: ConstituentTree,
    open: Vec<usize>,
}

impl Assembler {
    /// Opens the bracket of a phrase.
    pub fn open(&mut self, label: &str) {
        self.open.push(self.tree.nodes.len());
        self.push(label, None);
    }

    /// A whole bracket of a tag and its word, which is escaped as Penn does it.
    pub fn word(&mut self, tag: &str, word: &str) {
        let leaf = self.tree.leaves.len() as u32;
        self.push(tag, Some(leaf));
        self.tree.leaves.push(escape(word));
        self.end(self.tree.nodes.len() - 1);
    }

    /// All that is inside the outer bracket of another tree.
    pub fn inside_of(&mut self, tree: &ConstituentTree) {
        for event in tree.events().filter(|event| !event.is_outer()) {
            match event {
                Event::Open(node) => match &tree.nodes[node] {
                    Node { label, leaf: Some(leaf), .. } => {
                        let before = self.tree.leaves.len() as u32;
                        self.open.push(self.tree.nodes.len());
                        self.push(label, Some(before));
                        self.tree.leaves.push(tree.leaves[*leaf as usize].clone());
                    }
                    Node { label, .. } => self.open(label),
                },
                Event::Close(_) => self.close(),
            }
        }
    }

    /// Closes the bracket that was opened last.
    pub fn close(&mut self) {
        if let Some(node) = self.open.pop() {
            self.end(node);
        }
    }

    /// The tree, once all its brackets are closed.
    pub fn finish(mut self) -> ConstituentTree {
        while !self.open.is_empty() {
            self.close();
        }
        self.tree
    }

    fn push(&mut self, label: &str, leaf: Option<u32>) {
        let before = self.tree.leaves.len() as u32;
        let label = label.to_string();
        self.tree.nodes.push(Node { label, leaf, end: 0, words: (before, before) });
    }

    fn end(&mut self, node: usize) {
        let (end, words) = (self.tree.nodes.len() as u32, self.tree.leaves.len() as u32);
        let node = &mut self.tree.nodes[node];
        (node.end, node.words.1) = (end, words);
    }
}

/// A word as it may stand in brackets: `-LRB-` for a bracket, `\/` for a slash, no spaces.
fn escape(word: &str) -> String {
    let mut escaped = word.replace('/', "\\/").replace('*', "\\*");
    for (escape, plain) in ESCAPES {
        escaped = escaped.replace(plain, escape);
    }
    let mut escaped: String =
        escaped.chars().map(|c| if c.is_whitespace() { '_' } else { c }).collect();
    if escaped.is_empty() {
        escaped.push('_');
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assembled_trees_are_those_that_are_read() {
        let mut brackets = Assembler::default();
        brackets.open("");
        brackets.open("S");
        brackets.word("-LRB-", "(");
        brackets.open("NP");
        brackets.word("CD", "1/2");
        brackets.close();
        brackets.word("SYM", "f(x) y");
        let tree = brackets.finish();
        let text = "( (S (-LRB- -LRB-) (NP (CD 1\\/2)) (SYM f-LRB-x-RRB-_y)))";
        assert_eq!(tree, ConstituentTree::parse(text).unwrap());
        assert_eq!(tree.words()[..2], ["(", "1/2"]);
        let mut twice = Assembler::default();
        twice.open("");
        twice.inside_of(&tree);
        twice.inside_of(&ConstituentTree::parse("( (X x))").unwrap());
        let text = format!("{} (X x))", &text[..text.len() - 1]);
        assert_eq!(twice.finish(), ConstituentTree::parse(&text).unwrap());
    }
}
