//! The maximum spanning tree in O(n²): Chu–Liu–Edmonds in Tarjan's form for dense graphs.
//!
//! From a word one walks to its best head, from there to that one's, and so on. A walk that
//! meets itself has found a cycle, which becomes one node: its row of scores is the best, over
//! its members, of what changing a member's head would gain. Making a row costs n for each
//! member and there are fewer than 2n nodes in all, so everything is O(n²). At the end nodes
//! are opened again, from the outside in.

use super::matrix::ArcScores;

/// The best tree. With `single_root`, one word hangs from the root.
pub fn spanning_tree(scores: &ArcScores, single_root: bool) -> Vec<u32> {
    let (scores, charge) = scores.searchable(single_root);
    let mut contraction = Contraction::new(&scores, charge);
    contraction.run();
    contraction.expand().heads
}

const NONE: u32 = u32::MAX;

/// A word, or words that were joined because they formed a cycle.
pub(super) struct Node {
    /// What each head outside would give, and the member it would be the head of.
    pub scores: Vec<f64>,
    pub members: Vec<u32>,
    /// The head chosen, and the word it is the head of.
    pub head: u32,
    pub word: u32,
    pub score: f64,
    /// The nodes it was made of; none for a word.
    pub parts: Vec<u32>,
    /// The node it became part of.
    parent: u32,
}

/// How words were joined until no cycle was left.
pub(super) struct Contraction {
    words: usize,
    pub nodes: Vec<Node>,
    /// The outermost node that each word is in.
    outer: Vec<u32>,
    state: Vec<State>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    OnPath,
    /// Its chain of heads ends at the root.
    Done,
}

impl Contraction {
    /// Node 0 is the root, node w is word w.
    pub fn new(scores: &ArcScores, charge: f64) -> Self {
        let words = scores.words();
        let mut nodes = vec![Node::word(0, Vec::new())];
        nodes.extend((1..=words).map(|word| {
            let mut row = scores.into_word(word).to_vec();
            row[0] -= charge;
            Node::word(word as u32, row)
        }));
        let mut state = vec![State::New; words + 1];
        state[0] = State::Done;
        Contraction { words, nodes, outer: (0..=words as u32).collect(), state }
    }

    /// Rules an arc out. There must be a tree without it.
    pub fn exclude(&mut self, head: u32, word: u32) {
        self.nodes[word as usize].scores[head as usize] = f64::NEG_INFINITY;
    }

    /// Rules all other arcs to a word out.
    pub fn require(&mut self, head: u32, word: u32) {
        let scores = &mut self.nodes[word as usize].scores;
        let score = scores[head as usize];
        scores.fill(f64::NEG_INFINITY);
        scores[head as usize] = score;
    }

    pub fn run(&mut self) {
        let mut path: Vec<u32> = Vec::new();
        for start in 1..=self.words {
            let mut at = self.outer[start];
            while self.state[at as usize] == State::New {
                self.state[at as usize] = State::OnPath;
                path.push(at);
                self.choose_head(at);
                let next = self.outer[self.nodes[at as usize].head as usize];
                at = match self.state[next as usize] {
                    State::OnPath => self.join_cycle(&mut path, next),
                    _ => next,
                };
            }
            path.drain(..).for_each(|node| self.state[node as usize] = State::Done);
        }
    }

    /// The best head outside the node.
    fn choose_head(&mut self, at: u32) {
        let outer = &self.outer;
        let node = &mut self.nodes[at as usize];
        let mut best = (f64::NEG_INFINITY, NONE);
        for (head, (&score, &inside)) in node.scores.iter().zip(outer).enumerate() {
            if inside != at && (score > best.0 || best.1 == NONE) {
                best = (score, head as u32);
            }
        }
        node.score = best.0;
        node.head = best.1;
        node.word = node.members[best.1 as usize];
    }

    /// Makes one node of the end of the path, from `first` on.
    fn join_cycle(&mut self, path: &mut Vec<u32>, first: u32) -> u32 {
        let at = path.iter().rposition(|&node| node == first).unwrap_or(0);
        let parts: Vec<u32> = path.drain(at..).collect();
        let joined = self.nodes.len() as u32;
        let size = self.words + 1;
        let mut scores = vec![f64::NEG_INFINITY; size];
        let mut members = vec![0; size];
        for &part in &parts {
            let node = &mut self.nodes[part as usize];
            node.parent = joined;
            for head in 0..size {
                let gain = node.scores[head] - node.score;
                if gain > scores[head] {
                    scores[head] = gain;
                    members[head] = node.members[head];
                }
            }
        }
        for outer in &mut self.outer {
            if self.nodes[*outer as usize].parent == joined {
                *outer = joined;
            }
        }
        self.state.push(State::New);
        self.nodes.push(Node { scores, members, parts, ..Node::word(0, Vec::new()) });
        joined
    }

    /// Opens nodes: the chosen head of a node settles the member that it enters, and each part
    /// on the way from there out; all other parts keep the heads they had in their cycle.
    pub fn expand(&self) -> Expansion {
        let (mut heads, mut chosen_by) = (vec![0; self.words], vec![0; self.words]);
        let outermost = |&at: &u32| self.nodes[at as usize].parent == NONE;
        let mut open: Vec<u32> = (1..self.nodes.len() as u32).filter(outermost).collect();
        while let Some(at) = open.pop() {
            let node = &self.nodes[at as usize];
            heads[node.word as usize - 1] = node.head;
            chosen_by[node.word as usize - 1] = at;
            let mut inner = node.word;
            while inner != at {
                let parent = self.nodes[inner as usize].parent;
                let parts = &self.nodes[parent as usize].parts;
                open.extend(parts.iter().filter(|&&part| part != inner));
                inner = parent;
            }
        }
        Expansion { heads, chosen_by }
    }
}

/// A tree, and for each word the node for which its head was chosen.
pub(super) struct Expansion {
    pub heads: Vec<u32>,
    pub chosen_by: Vec<u32>,
}

impl Node {
    fn word(word: u32, scores: Vec<f64>) -> Self {
        Node {
            members: vec![word; scores.len()],
            scores,
            head: 0,
            word,
            score: 0.0,
            parts: Vec::new(),
            parent: NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::enumeration::{all_trees, random_scores};
    use super::*;
    use crate::tree::{Heads, Topology};

    #[test]
    fn the_best_of_all_trees_is_found() {
        for words in 0..=6 {
            for seed in 0..if words == 6 { 4 } else { 30 } {
                let scores = random_scores(words, seed);
                for single_root in [false, true] {
                    let best = all_trees(&scores, false, single_root).swap_remove(0).0;
                    let found = spanning_tree(&scores, single_root);
                    assert!((scores.sum(&found) - best).abs() < 1e-9, "{found:?}");
                }
            }
        }
    }

    #[test]
    fn long_sentences_give_trees() {
        for words in [1, 50, 400] {
            let found = spanning_tree(&random_scores(words, 1), true);
            assert!(Topology::new(&Heads::new(found).unwrap()).is_tree());
        }
    }

    #[test]
    fn equal_scores_give_a_tree() {
        let scores = ArcScores::new(8);
        assert!(Topology::new(&Heads::new(spanning_tree(&scores, true)).unwrap()).is_tree());
    }
}
