//! What the model sees of a state: the templates of Zhang & Nivre (2011) for arc-eager parsing,
//! and the like for the stack of arc-standard parsing.

use crate::parse::hash::{key, of_text};

use super::state::{NONE, State};
use super::system::System;

/// The word or tag of the root, and of no node.
const ROOT: u64 = 1;
const OUTSIDE: u64 = 2;

/// Words and tags of a sentence as numbers, by nodes of a state.
#[derive(Debug, Clone)]
pub struct Input {
    words: Vec<u64>,
    tags: Vec<u64>,
}

impl Input {
    pub fn new<S: AsRef<str>, T: AsRef<str>>(forms: &[S], tags: &[T], lowercase: bool) -> Self {
        let mut input = Input { words: vec![ROOT], tags: vec![ROOT] };
        for (form, tag) in forms.iter().zip(tags) {
            let form = form.as_ref();
            let word = if lowercase { of_text(&form.to_lowercase()) } else { of_text(form) };
            input.words.push(word);
            input.tags.push(of_text(tag.as_ref()));
        }
        input.words.push(ROOT);
        input.tags.push(ROOT);
        input
    }

    pub fn len(&self) -> usize {
        self.words.len() - 2
    }
}

/// What is seen of one node.
#[derive(Clone, Copy)]
struct Seen {
    node: u32,
    word: u64,
    tag: u64,
}

struct View<'a> {
    input: &'a Input,
    state: &'a State,
}

impl View<'_> {
    #[inline]
    fn see(&self, node: Option<u32>) -> Seen {
        match node {
            Some(node) if node != NONE => {
                let at = node as usize;
                Seen { node, word: self.input.words[at], tag: self.input.tags[at] }
            }
            _ => Seen { node: NONE, word: OUTSIDE, tag: OUTSIDE },
        }
    }

    #[inline]
    fn head(&self, seen: Seen) -> Seen {
        self.see((seen.node != NONE).then(|| self.state.node(seen.node).head))
    }

    #[inline]
    fn left(&self, seen: Seen, at: usize) -> Seen {
        self.see((seen.node != NONE).then(|| self.state.node(seen.node).left[at]))
    }

    #[inline]
    fn right(&self, seen: Seen, at: usize) -> Seen {
        self.see((seen.node != NONE).then(|| self.state.node(seen.node).right[at]))
    }

    /// The label of a node's arc; without an arc a number of its own.
    #[inline]
    fn label(&self, seen: Seen) -> u64 {
        if seen.node == NONE {
            return OUTSIDE;
        }
        let node = self.state.node(seen.node);
        if node.head == NONE { ROOT } else { u64::from(node.label) + 3 }
    }

    /// The numbers and the labels of children on either side.
    #[inline]
    fn valency(&self, seen: Seen) -> [u64; 4] {
        if seen.node == NONE {
            return [0; 4];
        }
        let node = self.state.node(seen.node);
        [u64::from(node.lefts), u64::from(node.rights), node.left_labels, node.right_labels]
    }

    /// The tag of the word beside a node.
    #[inline]
    fn beside(&self, seen: Seen, step: i64) -> u64 {
        let at = i64::from(seen.node) + step;
        let tag = usize::try_from(at).ok().and_then(|at| self.input.tags.get(at));
        if seen.node == NONE { OUTSIDE } else { tag.copied().unwrap_or(OUTSIDE) }
    }

    fn distance(&self, one: Seen, other: Seen) -> u64 {
        if one.node == NONE || other.node == NONE {
            return 0;
        }
        match one.node.abs_diff(other.node) {
            far @ 0..=4 => u64::from(far),
            5..=6 => 5,
            7..=10 => 6,
            _ => 7,
        }
    }
}

/// The keys of all features of a state.
pub fn features(system: System, input: &Input, state: &State, keys: &mut Vec<u64>) {
    keys.clear();
    let view = View { input, state };
    match system {
        System::Eager => eager(&view, keys),
        System::Swap => swap(&view, keys),
    }
}

/// Gives templates their numbers in the order in which they are written.
struct Templates<'k> {
    next: u64,
    keys: &'k mut Vec<u64>,
}

impl Templates<'_> {
    #[inline]
    fn add<const N: usize>(&mut self, values: [u64; N]) {
        self.keys.push(key(self.next, values));
        self.next += 1;
    }

    fn words(&mut self, seen: &[Seen]) {
        for one in seen {
            self.add([one.word, one.tag]);
            self.add([one.word]);
            self.add([one.tag]);
        }
    }

    /// Two nodes together, by word and tag in all ways.
    fn pair(&mut self, one: Seen, other: Seen) {
        self.add([one.word, one.tag, other.word, other.tag]);
        self.add([one.word, one.tag, other.word]);
        self.add([one.word, other.word, other.tag]);
        self.add([one.word, one.tag, other.tag]);
        self.add([one.tag, other.word, other.tag]);
        self.add([one.word, other.word]);
        self.add([one.tag, other.tag]);
    }

    fn child(&mut self, child: Seen, label: u64) {
        self.add([child.word]);
        self.add([child.tag]);
        self.add([label]);
    }

    fn valency(&mut self, seen: Seen, values: &[u64]) {
        for &value in values {
            self.add([seen.word, value]);
            self.add([seen.tag, value]);
        }
    }

    fn distance(&mut self, one: Seen, other: Seen, distance: u64) {
        for seen in [one, other] {
            self.add([seen.word, distance]);
            self.add([seen.tag, distance]);
        }
        self.add([one.word, other.word, distance]);
        self.add([one.tag, other.tag, distance]);
    }
}

fn eager(view: &View, keys: &mut Vec<u64>) {
    let mut t = Templates { next: 100, keys };
    let s0 = view.see(view.state.stack(0));
    let s1 = view.see(view.state.stack(1));
    let [n0, n1, n2] = [0, 1, 2].map(|at| view.see(view.state.buffer(at)));
    let (head, head2) = (view.head(s0), view.head(view.head(s0)));
    let (l, l2, r, r2) = (view.left(s0, 0), view.left(s0, 1), view.right(s0, 0), view.right(s0, 1));
    let (nl, nl2) = (view.left(n0, 0), view.left(n0, 1));
    t.words(&[s0, n0, n1, n2]);
    t.pair(s0, n0);
    t.add([n0.tag, n1.tag]);
    t.add([n0.tag, n1.tag, n2.tag]);
    t.add([s0.tag, n0.tag, n1.tag]);
    t.add([head.tag, s0.tag, n0.tag]);
    t.add([s0.tag, l.tag, n0.tag]);
    t.add([s0.tag, r.tag, n0.tag]);
    t.add([s0.tag, n0.tag, nl.tag]);
    t.distance(s0, n0, view.distance(s0, n0));
    let [lefts, rights, left_labels, right_labels] = view.valency(s0);
    t.valency(s0, &[lefts, rights, left_labels, right_labels]);
    let [lefts, _, left_labels, _] = view.valency(n0);
    t.valency(n0, &[lefts, left_labels]);
    t.child(head, view.label(s0));
    t.child(head2, view.label(head));
    for child in [l, l2, r, r2, nl, nl2] {
        t.child(child, view.label(child));
    }
    t.add([s0.tag, l.tag, l2.tag]);
    t.add([s0.tag, r.tag, r2.tag]);
    t.add([s0.tag, head.tag, head2.tag]);
    t.add([n0.tag, nl.tag, nl2.tag]);
    // Beyond the paper: what lies below on the stack, and around the two words.
    t.add([s1.tag, s0.tag, n0.tag]);
    t.add([s1.word, s0.tag, n0.tag]);
    t.add([s1.tag, n0.tag, u64::from(view.label(s0) == ROOT)]);
    t.add([s0.tag, n0.tag, n1.tag, n2.tag]);
    t.add([s0.tag, view.beside(s0, 1), view.beside(n0, -1), n0.tag]);
    t.add([view.beside(s0, -1), s0.tag, n0.tag, n1.tag]);
    t.add([s0.word, n0.tag, n1.tag]);
    t.add([s0.tag, n0.word, n1.tag]);
}

fn swap(view: &View, keys: &mut Vec<u64>) {
    let mut t = Templates { next: 300, keys };
    let [s0, s1, s2, s3] = [0, 1, 2, 3].map(|at| view.see(view.state.stack(at)));
    let [n0, n1, n2] = [0, 1, 2].map(|at| view.see(view.state.buffer(at)));
    t.words(&[s0, s1, s2, n0, n1]);
    t.pair(s0, s1);
    t.pair(s0, n0);
    t.add([s1.word, n0.word]);
    t.add([s1.tag, n0.tag]);
    t.add([s2.tag, n0.tag]);
    for [one, other, third] in
        [[s2, s1, s0], [s1, s0, n0], [s0, n0, n1], [n0, n1, n2], [s3, s2, s1]]
    {
        t.add([one.tag, other.tag, third.tag]);
    }
    t.add([s1.word, s0.tag, n0.tag]);
    t.add([s1.tag, s0.word, n0.tag]);
    t.add([s1.tag, s0.tag, n0.word]);
    t.add([s2.tag, s1.tag, s0.tag, n0.tag]);
    t.add([s1.tag, s0.tag, n0.tag, n1.tag]);
    t.distance(s0, s1, view.distance(s0, s1));
    t.add([u64::from(s1.node < s0.node), s1.tag, s0.tag]);
    for seen in [s0, s1] {
        let outer = [view.left(seen, 0), view.right(seen, 0)];
        let inner = [view.left(seen, 1), view.right(seen, 1)];
        t.valency(seen, &view.valency(seen));
        for (child, second) in outer.into_iter().zip(inner) {
            t.child(child, view.label(child));
            t.child(second, view.label(second));
            t.add([s1.tag, s0.tag, child.tag]);
            t.add([s1.tag, s0.tag, view.label(child)]);
            t.add([s1.word, s0.word, child.tag]);
            t.add([s0.tag, child.tag, n0.tag]);
            t.add([seen.tag, child.tag, second.tag]);
        }
    }
    t.add([s1.tag, view.beside(s1, 1), view.beside(s0, -1), s0.tag]);
    t.add([view.beside(s1, -1), s1.tag, s0.tag, view.beside(s0, 1)]);
}
