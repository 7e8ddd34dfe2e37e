//! Trees as brackets: on one line, or laid out to be read.

use std::fmt;

use super::tree::{ConstituentTree, Event, Node};

impl fmt::Display for ConstituentTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for event in self.events() {
            match event {
                Event::Open(0) => f.write_str(&self.opening(0))?,
                Event::Open(node) => write!(f, " {}", self.opening(node))?,
                Event::Close(_) => f.write_str(")")?,
            }
        }
        Ok(())
    }
}

impl ConstituentTree {
    /// The tree with each bracket that does not fit into `width` columns broken into lines,
    /// one for each bracket inside, indented by two.
    pub fn pretty(&self, width: usize) -> String {
        let widths = self.widths();
        let mut text = String::new();
        let mut open: Vec<bool> = Vec::new(); // is it broken?
        for event in self.events() {
            let Event::Open(node) = event else {
                open.pop();
                text.push(')');
                continue;
            };
            // Endless indentation would make deep trees quadratic and no easier to read.
            let column = (2 * open.len()).min(width / 2);
            match open.last() {
                None => {}
                Some(false) => text.push(' '),
                Some(true) => {
                    text.push('\n');
                    text.extend(std::iter::repeat_n(' ', column));
                }
            }
            text.push_str(&self.opening(node));
            open.push(open.last() != Some(&false) && column + widths[node] > width);
        }
        text
    }

    fn opening(&self, node: usize) -> String {
        let Node { label, leaf, .. } = &self.nodes[node];
        match leaf {
            Some(leaf) => format!("({label} {}", self.leaves[*leaf as usize]),
            None => format!("({label}"),
        }
    }

    /// The width of each bracket on one line.
    fn widths(&self) -> Vec<usize> {
        let mut starts = vec![0; self.nodes.len()];
        let mut widths = vec![0; self.nodes.len()];
        let mut written = 0;
        for event in self.events() {
            match event {
                Event::Open(node) => {
                    written += 1; // the space before, which its first bracket has not, nor needs
                    starts[node] = written;
                    written += self.opening(node).chars().count();
                }
                Event::Close(node) => {
                    written += 1;
                    widths[node] = written - starts[node];
                }
            }
        }
        widths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "( (S (NP-SBJ (DT The) (NN boy)) (VP (VBZ finds) (NP (PRP it))) (. .)))";

    #[test]
    fn one_line_is_read_again_as_the_same() {
        assert_eq!(ConstituentTree::parse(TEXT).unwrap().to_string(), TEXT);
    }

    #[test]
    fn lines_break_where_brackets_do_not_fit() {
        let tree = ConstituentTree::parse(TEXT).unwrap();
        assert_eq!(tree.pretty(80), TEXT);
        assert_eq!(
            tree.pretty(40),
            "(\n  (S\n    (NP-SBJ (DT The) (NN boy))\n    (VP (VBZ finds) (NP (PRP it)))\n    (. .)))"
        );
        for width in [1, 10, 20, 30] {
            assert_eq!(ConstituentTree::parse(&tree.pretty(width)).unwrap(), tree);
        }
    }
}
