//! Trees without crossing arcs made of trees with some.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use super::{Heads, Topology};

/// Lifts words to their head's head, shortest arcs first, until no arcs cross
/// (Nivre & Nilsson 2005). The heads have no cycle.
///
/// Lifting a word takes a step for each word under it, and takes one from the depth of each: all
/// of it takes no more steps than the depths of all words add up to, and often far fewer.
pub fn projectivise(heads: &mut [u32]) {
    let Ok(known) = Heads::new(heads.to_vec()) else { return };
    let shape = Topology::new(&known);
    if shape.is_projective() {
        return;
    }
    let mut lifting = Lifting::new(heads, &shape);
    while let Some(Reverse((_, word))) = lifting.crossed.pop() {
        lifting.lift(word);
    }
}

/// Heads on their way to those of a projective tree.
///
/// An arc is crossed if a word between its ends does not hang from its head. Lifting takes words
/// away from under one head and adds none under another, so an arc once crossed stays so until it
/// is lifted itself.
struct Lifting<'a> {
    heads: &'a mut [u32],
    below: Siblings,
    /// For each word the nearest on its left and on its right that do not hang from it. Arcs to
    /// words beyond these are crossed.
    edges: Vec<(u32, u32)>,
    /// Arcs that are not crossed, as head and word.
    sound: BTreeSet<(u32, u32)>,
    /// Arcs that are crossed, as length and word.
    crossed: BinaryHeap<Reverse<(u32, u32)>>,
}

impl<'a> Lifting<'a> {
    fn new(heads: &'a mut [u32], shape: &Topology) -> Self {
        let edges = edges(shape, heads.len());
        let below = Siblings::new(heads);
        let (sound, crossed) = (BTreeSet::new(), BinaryHeap::new());
        let mut lifting = Lifting { heads, below, edges, sound, crossed };
        (1..=lifting.heads.len() as u32).for_each(|word| lifting.sort(word));
        lifting
    }

    fn lift(&mut self, word: u32) {
        let head = self.heads[word as usize - 1];
        let above = self.heads[head as usize - 1];
        self.below.remove(head, word);
        self.below.insert(above, word);
        self.heads[word as usize - 1] = above;
        self.sort(word);
        self.narrow(head, word);
    }

    /// Puts the arc to `word` among the crossed or the sound ones.
    fn sort(&mut self, word: u32) {
        let head = self.heads[word as usize - 1];
        if head == 0 {
            return;
        }
        let (left, right) = self.edges[head as usize - 1];
        if word < left || word > right {
            self.crossed.push(Reverse((word.abs_diff(head), word)));
        } else {
            self.sound.insert((head, word));
        }
    }

    /// What is `lifted` from `head`, with all under it, crosses arcs of `head` from now on.
    fn narrow(&mut self, head: u32, lifted: u32) {
        let (left, right) = self.edges[head as usize - 1];
        let (mut nearest_left, mut nearest_right) = (left, right);
        self.below.under(lifted, |word| match word < head {
            true => nearest_left = nearest_left.max(word),
            false => nearest_right = nearest_right.min(word),
        });
        self.edges[head as usize - 1] = (nearest_left, nearest_right);
        for (first, last) in [(left, nearest_left), (nearest_right, right)] {
            while let Some(&arc) = self.sound.range((head, first)..(head, last)).next() {
                self.sound.remove(&arc);
                self.sort(arc.1);
            }
        }
    }
}

/// For each word the nearest on its left and on its right that do not hang from it: 0 and one
/// past the last if there are none.
fn edges(shape: &Topology, words: usize) -> Vec<(u32, u32)> {
    let last = words as u32 + 1;
    let reach = Reach::new(shape, words);
    let mut edges = vec![(0, last); words];
    // All between a word and its edge hang from whatever it hangs from: step from edge to edge.
    // Nobody after steps on what is stepped over, as on a stack.
    for word in 1..last {
        let mut left = word - 1;
        while left > 0 && reach.hangs(left, word) {
            left = edges[left as usize - 1].0;
        }
        edges[word as usize - 1].0 = left;
    }
    for word in (1..last).rev() {
        let mut right = word + 1;
        while right < last && reach.hangs(right, word) {
            right = edges[right as usize - 1].1;
        }
        edges[word as usize - 1].1 = right;
    }
    edges
}

/// Words numbered heads first, so that those under a word have the numbers that follow its own.
struct Reach {
    numbers: Vec<u32>,
    ends: Vec<u32>,
}

impl Reach {
    fn new(shape: &Topology, words: usize) -> Self {
        let mut reach = Reach { numbers: vec![0; words], ends: vec![0; words] };
        let mut next = 0;
        let mut open: Vec<(u32, bool)> = shape.roots().iter().map(|&root| (root, false)).collect();
        while let Some((word, is_done)) = open.pop() {
            if is_done {
                reach.ends[word as usize - 1] = next;
                continue;
            }
            reach.numbers[word as usize - 1] = next;
            next += 1;
            open.push((word, true));
            open.extend(shape.children(word).iter().map(|&child| (child, false)));
        }
        reach
    }

    fn hangs(&self, word: u32, head: u32) -> bool {
        let number = self.numbers[word as usize - 1];
        (self.numbers[head as usize - 1]..self.ends[head as usize - 1]).contains(&number)
    }
}

/// The words under each head in linked lists; 0 is no word.
struct Siblings {
    first: Vec<u32>,
    next: Vec<u32>,
    previous: Vec<u32>,
}

impl Siblings {
    fn new(heads: &[u32]) -> Self {
        let none = vec![0; heads.len() + 1];
        let mut all = Siblings { first: none.clone(), next: none.clone(), previous: none };
        (1..).zip(heads).for_each(|(word, &head)| all.insert(head, word));
        all
    }

    fn insert(&mut self, head: u32, word: u32) {
        let second = std::mem::replace(&mut self.first[head as usize], word);
        self.next[word as usize] = second;
        self.previous[word as usize] = 0;
        self.previous[second as usize] = word;
    }

    fn remove(&mut self, head: u32, word: u32) {
        let (previous, next) = (self.previous[word as usize], self.next[word as usize]);
        match previous {
            0 => self.first[head as usize] = next,
            _ => self.next[previous as usize] = next,
        }
        self.previous[next as usize] = previous;
    }

    /// Calls `found` with `top` and each word under it.
    fn under(&self, top: u32, mut found: impl FnMut(u32)) {
        let mut open = vec![top];
        while let Some(word) = open.pop() {
            found(word);
            let mut child = self.first[word as usize];
            while child != 0 {
                open.push(child);
                child = self.next[child as usize];
            }
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::random::Random;

    /// A random tree of any shape: words hang from words already in it.
    pub fn random_tree(words: usize, random: &mut Random, single: bool) -> Vec<u32> {
        let mut order: Vec<u32> = (1..=words as u32).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last + 1));
        }
        let mut heads = vec![0; words];
        for (at, &word) in order.iter().enumerate().skip(1) {
            let root = !single && random.below(4) == 0;
            heads[word as usize - 1] = if root { 0 } else { order[random.below(at)] };
        }
        heads
    }

    /// The definition: look for the shortest arc over a word that does not hang from its head,
    /// lift its word, look again.
    fn literally_projectivise(heads: &mut [u32]) {
        let crossed = |heads: &[u32], word: u32| {
            let head = heads[word as usize - 1];
            let hangs = |mut inside: u32| {
                while inside != head && inside != 0 {
                    inside = heads[inside as usize - 1];
                }
                inside == head
            };
            head != 0 && !(word.min(head) + 1..word.max(head)).all(hangs)
        };
        loop {
            let words = (1..=heads.len() as u32).filter(|&word| crossed(heads, word));
            let length = |word: &u32| word.abs_diff(heads[*word as usize - 1]);
            let Some(word) = words.min_by_key(|word| (length(word), *word)) else { return };
            heads[word as usize - 1] = heads[heads[word as usize - 1] as usize - 1];
        }
    }

    #[test]
    fn words_are_lifted_as_defined() {
        for seed in 0..2000 {
            let mut random = Random::new(seed, 2);
            let words = seed as usize % 25;
            let mut heads = match seed % 3 {
                0 => chain(words, &mut random),
                kind => random_tree(words, &mut random, kind == 1),
            };
            let mut expected = heads.clone();
            literally_projectivise(&mut expected);
            projectivise(&mut heads);
            assert_eq!(heads, expected, "{seed}");
        }
    }

    /// A tree in which each word has one child, in any order.
    fn chain(words: usize, random: &mut Random) -> Vec<u32> {
        let mut order: Vec<u32> = (1..=words as u32).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, random.below(last + 1));
        }
        let mut heads = vec![0; words];
        order.windows(2).for_each(|pair| heads[pair[1] as usize - 1] = pair[0]);
        heads
    }

    #[test]
    fn long_sentences_are_lifted_too() {
        let mut random = Random::new(1, 3);
        for mut heads in [random_tree(100_000, &mut random, true), chain(4000, &mut random)] {
            projectivise(&mut heads);
            assert!(Topology::new(&Heads::new(heads).unwrap()).is_projective());
        }
    }

    #[test]
    fn lifted_trees_are_projective_and_keep_what_was() {
        for seed in 0..500 {
            let mut random = Random::new(seed, 1);
            let words = seed as usize % 12;
            let before = random_tree(words, &mut random, seed % 2 == 0);
            let mut after = before.clone();
            projectivise(&mut after);
            let shape = Topology::new(&Heads::new(after.clone()).unwrap());
            assert!(shape.is_projective() && !shape.has_cycle());
            let roots = |heads: &[u32]| heads.iter().filter(|&&head| head == 0).count();
            assert!(roots(&after) >= roots(&before));
            let was = Topology::new(&Heads::new(before.clone()).unwrap()).is_projective();
            assert!(!was || before == after);
            for (word, &head) in after.iter().enumerate() {
                let mut above = before[word];
                while above != head {
                    assert_ne!(above, 0, "words hang from those above them");
                    above = before[above as usize - 1];
                }
            }
        }
    }
}
