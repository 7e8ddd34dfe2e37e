//! Trees without what most uses do not want.

use super::tree::{ConstituentTree, Event, Node};

/// What to take off a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Strip {
    /// Words tagged `-NONE-`, and phrases of nothing else.
    pub traces: bool,
    /// Functions and indices: `NP-SBJ-1` and `NP=2` become `NP`.
    pub functions: bool,
    /// The outer bracket without a label.
    pub wrapper: bool,
}

impl ConstituentTree {
    /// The tree without what `strip` names; `()` if nothing is left.
    pub fn strip(&self, strip: Strip) -> ConstituentTree {
        let traces = self.trace_counts();
        let mut kept = ConstituentTree::default();
        let mut open: Vec<Option<usize>> = Vec::new();
        for event in self.events() {
            match event {
                Event::Open(node) => {
                    let goes = strip.traces && self.holds_only_traces(node, &traces)
                        || strip.wrapper && node == 0 && self.nodes[node].label.is_empty();
                    open.push((!goes).then(|| kept.open_copy(self, node, strip.functions)));
                }
                Event::Close(_) => {
                    if let Some(node) = open.pop().flatten() {
                        kept.close(node);
                    }
                }
            }
        }
        if kept.nodes.is_empty() {
            kept.nodes.push(Node { label: String::new(), leaf: None, end: 1, words: (0, 0) });
        }
        kept
    }

    fn open_copy(&mut self, from: &ConstituentTree, node: usize, bare_label: bool) -> usize {
        let Node { label, leaf, .. } = &from.nodes[node];
        let label = if bare_label { category(label) } else { label };
        let before = self.leaves.len() as u32;
        let copy = Node {
            label: label.to_string(),
            leaf: leaf.map(|_| before),
            end: 0,
            words: (before, before),
        };
        self.leaves.extend(leaf.map(|leaf| from.leaves[leaf as usize].clone()));
        self.nodes.push(copy);
        self.nodes.len() - 1
    }

    fn close(&mut self, node: usize) {
        self.nodes[node].end = self.nodes.len() as u32;
        self.nodes[node].words.1 = self.leaves.len() as u32;
    }

    fn holds_only_traces(&self, node: usize, traces: &[u32]) -> bool {
        let (first, last) = self.nodes[node].words;
        first < last && traces[last as usize] - traces[first as usize] == last - first
    }

    /// How many of the first k words are traces, for k from 0.
    fn trace_counts(&self) -> Vec<u32> {
        let mut counts = vec![0];
        let mut count = 0;
        for tag in self.tags() {
            count += u32::from(tag == "-NONE-");
            counts.push(count);
        }
        counts
    }
}

/// A label up to its functions. `-LRB-` and the like are labels as they are.
pub(super) fn category(label: &str) -> &str {
    match label.find(['-', '=']) {
        None | Some(0) => label,
        Some(at) => &label[..at],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "( (S (NP-SBJ-1 (NN a)) (VP=2 (VBD b) (NP (-NONE- *-1)) \
                        (PP-LOC (-NONE- *T*) (SBAR (-NONE- 0))) (-LRB- -LRB-))))";

    #[test]
    fn traces_functions_and_wrapper_go_as_asked() {
        let tree = ConstituentTree::parse(TEXT).unwrap();
        let all = Strip { traces: true, functions: true, wrapper: true };
        assert_eq!(tree.strip(all).to_string(), "(S (NP (NN a)) (VP (VBD b) (-LRB- -LRB-)))");
        assert_eq!(tree.strip(Strip::default()), tree);
        let stripped = tree.strip(all);
        assert_eq!(stripped, ConstituentTree::parse(&stripped.to_string()).unwrap());
        assert_eq!(stripped.leaves(), ["a", "b", "-LRB-"]);
    }

    #[test]
    fn a_tree_of_traces_becomes_empty() {
        let tree = ConstituentTree::parse("( (S (-NONE- *)))").unwrap();
        let stripped = tree.strip(Strip { traces: true, ..Strip::default() });
        assert_eq!((stripped.leaves().len(), stripped.to_string().as_str()), (0, "()"));
        assert_eq!(ConstituentTree::parse("()").unwrap(), stripped);
    }
}
