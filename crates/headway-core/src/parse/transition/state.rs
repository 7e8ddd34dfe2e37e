//! How far the parse of a sentence has come: a stack, a buffer, and the arcs so far.

/// No node.
pub const NONE: u32 = u32::MAX;

/// Where a node is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Place {
    Buffer,
    Stack,
    Done,
}

/// What is known of a word, or of the root.
#[derive(Debug, Clone, Copy)]
pub struct Node {
    pub head: u32,
    pub label: u16,
    pub place: Place,
    /// The two outermost children on either side, the outermost first.
    pub left: [u32; 2],
    pub right: [u32; 2],
    pub lefts: u16,
    pub rights: u16,
    /// The labels of the children on either side, as sets of numbers modulo 64.
    pub left_labels: u64,
    pub right_labels: u64,
}

const FRESH: Node = Node {
    head: NONE,
    label: 0,
    place: Place::Buffer,
    left: [NONE; 2],
    right: [NONE; 2],
    lefts: 0,
    rights: 0,
    left_labels: 0,
    right_labels: 0,
};

/// Words are nodes 1 to n; nodes 0 and n + 1 are the root, whichever the system uses.
#[derive(Debug, Clone)]
pub struct State {
    pub nodes: Vec<Node>,
    stack: Vec<u32>,
    /// Nodes that were put back, the first of the buffer last.
    returned: Vec<u32>,
    /// The first node that never left the buffer, and the end of the buffer.
    next: u32,
    end: u32,
    root: u32,
    /// Words on the stack without a head.
    headless: u32,
}

impl State {
    /// All words in the buffer, followed by the root.
    pub fn root_last(words: usize) -> Self {
        let root = words as u32 + 1;
        State { end: root + 1, root, ..State::root_first(words) }.without_stack()
    }

    /// The root on the stack, all words in the buffer.
    pub fn root_first(words: usize) -> Self {
        let mut nodes = vec![FRESH; words + 2];
        nodes[0].place = Place::Stack;
        State {
            nodes,
            stack: vec![0],
            returned: Vec::new(),
            next: 1,
            end: words as u32 + 1,
            root: 0,
            headless: 0,
        }
    }

    fn without_stack(mut self) -> Self {
        self.stack.clear();
        self
    }

    pub fn words(&self) -> usize {
        self.nodes.len() - 2
    }

    pub fn root(&self) -> u32 {
        self.root
    }

    pub fn headless(&self) -> u32 {
        self.headless
    }

    pub fn depth(&self) -> usize {
        self.stack.len()
    }

    /// The node `at` places below the top of the stack.
    #[inline]
    pub fn stack(&self, at: usize) -> Option<u32> {
        self.stack.len().checked_sub(at + 1).map(|at| self.stack[at])
    }

    /// The node `at` places behind the front of the buffer.
    #[inline]
    pub fn buffer(&self, at: usize) -> Option<u32> {
        match at.checked_sub(self.returned.len()) {
            None => Some(self.returned[self.returned.len() - 1 - at]),
            Some(at) => Some(self.next + at as u32).filter(|&node| node < self.end),
        }
    }

    #[inline]
    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    pub fn has_head(&self, node: u32) -> bool {
        self.node(node).head != NONE
    }

    /// Moves the front of the buffer onto the stack.
    pub fn push(&mut self) {
        let node = self.returned.pop().unwrap_or_else(|| {
            self.next += 1;
            self.next - 1
        });
        self.nodes[node as usize].place = Place::Stack;
        self.headless += u32::from(!self.has_head(node));
        self.stack.push(node);
    }

    /// Takes a node off the stack, `at` places below its top.
    pub fn remove(&mut self, at: usize) -> u32 {
        let node = self.stack.remove(self.stack.len() - 1 - at);
        self.headless -= u32::from(!self.has_head(node));
        self.nodes[node as usize].place = Place::Done;
        node
    }

    /// Puts the node below the top of the stack back to the front of the buffer.
    pub fn put_back(&mut self) {
        let node = self.remove(1);
        self.nodes[node as usize].place = Place::Buffer;
        self.returned.push(node);
    }

    /// Adds an arc. Only words off the stack or in front of the buffer get a head.
    pub fn attach(&mut self, head: u32, word: u32, label: u16) {
        let node = &mut self.nodes[word as usize];
        (node.head, node.label) = (head, label);
        let node = &mut self.nodes[head as usize];
        let bit = 1 << (label % 64);
        if word < head {
            node.lefts = node.lefts.saturating_add(1);
            node.left_labels |= bit;
            insert(&mut node.left, word, |one, other| one < other);
        } else {
            node.rights = node.rights.saturating_add(1);
            node.right_labels |= bit;
            insert(&mut node.right, word, |one, other| one > other);
        }
    }

    /// The heads of all words, 0 for the root, and the labels of their arcs.
    pub fn arcs(&self) -> (Vec<u32>, Vec<u16>) {
        let words = &self.nodes[1..=self.words()];
        let head = |node: &Node| if node.head == self.root { 0 } else { node.head };
        (words.iter().map(head).collect(), words.iter().map(|node| node.label).collect())
    }
}

fn insert(outermost: &mut [u32; 2], word: u32, outer: impl Fn(u32, u32) -> bool) {
    if outermost[0] == NONE || outer(word, outermost[0]) {
        *outermost = [word, outermost[0]];
    } else if outermost[1] == NONE || outer(word, outermost[1]) {
        outermost[1] = word;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_put_back_come_first_in_the_buffer() {
        let mut state = State::root_first(3);
        state.push();
        state.push();
        state.put_back();
        let buffer: Vec<u32> = (0..4).filter_map(|at| state.buffer(at)).collect();
        assert_eq!(buffer, [1, 3]);
        assert_eq!((state.stack(0), state.stack(1), state.stack(2)), (Some(2), Some(0), None));
        state.push();
        assert_eq!(state.stack(0), Some(1));
    }

    #[test]
    fn outermost_children_are_kept_in_order() {
        let mut state = State::root_last(6);
        for word in [3, 2, 1, 5, 6] {
            state.attach(4, word, word as u16);
        }
        let node = state.node(4);
        assert_eq!((node.left, node.right), ([1, 2], [6, 5]));
        assert_eq!((node.lefts, node.rights, node.left_labels), (3, 2, 0b1110));
    }
}
