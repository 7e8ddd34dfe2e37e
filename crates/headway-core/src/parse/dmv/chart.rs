//! All parses of a sentence in one chart, in time O(n³), since a head's dependents on one side
//! know nothing of those on the other (Eisner & Satta 1999).
//!
//! Left sides are kept as right sides of the sentence read backwards: position x is then
//! n - 1 - x, and what holds for one side holds for both.

use super::grammar::{Grammar, LEFT, RIGHT};

/// How several ways to the same part of a parse are put together.
pub trait Sum {
    fn add(one: f64, other: f64) -> f64;
}

/// The sum of their probabilities.
pub struct Total;

/// The best of them.
pub struct Best;

impl Sum for Total {
    #[inline]
    fn add(one: f64, other: f64) -> f64 {
        let (low, high) = if one < other { (one, other) } else { (other, one) };
        if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
    }
}

impl Sum for Best {
    #[inline]
    fn add(one: f64, other: f64) -> f64 {
        one.max(other)
    }
}

/// For each side, head and end (at or behind the head in that side's order) a logarithm.
pub struct Table {
    words: usize,
    cells: [Vec<f64>; 2],
}

impl Table {
    pub fn new(words: usize) -> Self {
        let cells = || vec![f64::NEG_INFINITY; words * words];
        Table { words, cells: [cells(), cells()] }
    }

    #[inline]
    pub fn at(&self, side: usize, head: usize, end: usize) -> f64 {
        self.cells[side][head * self.words + end]
    }

    #[inline]
    pub fn at_mut(&mut self, side: usize, head: usize, end: usize) -> &mut f64 {
        &mut self.cells[side][head * self.words + end]
    }
}

/// The inside part of a chart.
pub struct Chart<'s> {
    pub sentence: &'s [u16],
    pub grammar: &'s Grammar,
    /// A head with its dependents on one side up to an end, before it has stopped.
    pub open: Table,
    /// The same once it has stopped.
    pub done: Table,
    /// A head with its dependents up to one, whose own dependents towards the head are there.
    pub arc: Table,
}

impl<'s> Chart<'s> {
    pub fn new<S: Sum>(grammar: &'s Grammar, sentence: &'s [u16]) -> Self {
        let words = sentence.len();
        let tables = [(); 3].map(|()| Table::new(words));
        let [open, done, arc] = tables;
        let mut chart = Chart { sentence, grammar, open, done, arc };
        for width in 0..words {
            for side in [LEFT, RIGHT] {
                (0..words - width).for_each(|head| chart.fill_arc::<S>(side, head, head + width));
            }
            for side in [LEFT, RIGHT] {
                (0..words - width).for_each(|head| chart.fill_open::<S>(side, head, head + width));
            }
        }
        chart
    }

    pub fn words(&self) -> usize {
        self.sentence.len()
    }

    /// The tag at a position, counted in a side's order.
    #[inline]
    pub fn tag(&self, side: usize, at: usize) -> usize {
        let at = if side == RIGHT { at } else { self.mirror(at) };
        self.sentence[at] as usize
    }

    /// A position in the order of the other side.
    #[inline]
    pub fn mirror(&self, at: usize) -> usize {
        self.words() - 1 - at
    }

    /// The dependent's own part towards the head: its other side, back to `from`.
    #[inline]
    pub fn inner(&self, side: usize, dependent: usize, from: usize) -> f64 {
        self.done.at(1 - side, self.mirror(dependent), self.mirror(from))
    }

    /// Going on from `end` to one more dependent of this tag.
    #[inline]
    pub fn step(&self, side: usize, head: usize, end: usize, dependent: usize) -> f64 {
        let (tag, other) = (self.tag(side, head), self.tag(side, dependent));
        let go = self.grammar.go[Grammar::valence(tag, side, end == head)];
        go + self.grammar.choose[self.grammar.pair(tag, side, other)]
    }

    #[inline]
    pub fn stop(&self, side: usize, head: usize, end: usize) -> f64 {
        self.grammar.stop[Grammar::valence(self.tag(side, head), side, end == head)]
    }

    fn fill_arc<S: Sum>(&mut self, side: usize, head: usize, dependent: usize) {
        let ways = (head..dependent).map(|end| {
            let step = self.step(side, head, end, dependent);
            self.open.at(side, head, end) + step + self.inner(side, dependent, end + 1)
        });
        let sum = ways.fold(f64::NEG_INFINITY, S::add);
        *self.arc.at_mut(side, head, dependent) = sum;
    }

    fn fill_open<S: Sum>(&mut self, side: usize, head: usize, end: usize) {
        let ways = (head + 1..=end)
            .map(|last| self.arc.at(side, head, last) + self.done.at(side, last, end));
        let sum = if end == head { 0.0 } else { ways.fold(f64::NEG_INFINITY, S::add) };
        *self.open.at_mut(side, head, end) = sum;
        *self.done.at_mut(side, head, end) = sum + self.stop(side, head, end);
    }

    /// Parses whose root is the word at `at`.
    pub fn under_root(&self, at: usize) -> f64 {
        let last = self.words() - 1;
        let sides = self.done.at(LEFT, self.mirror(at), last) + self.done.at(RIGHT, at, last);
        self.grammar.root[self.sentence[at] as usize] + sides
    }

    /// All parses together.
    pub fn sum<S: Sum>(&self) -> f64 {
        (0..self.words()).map(|at| self.under_root(at)).fold(f64::NEG_INFINITY, S::add)
    }
}

/// The heads of the most probable parse, 0 for the root, and the logarithm of its probability
/// together with the sentence. Of equals, the first root, and the shortest arcs.
pub fn viterbi(grammar: &Grammar, sentence: &[u16]) -> (Vec<u32>, f64) {
    let chart = Chart::new::<Best>(grammar, sentence);
    let mut heads = vec![0; sentence.len()];
    let Some(root) = first_best(0..sentence.len(), |at| chart.under_root(at)) else {
        return (heads, 0.0);
    };
    let last = sentence.len() - 1;
    let mut agenda = vec![(LEFT, chart.mirror(root), last), (RIGHT, root, last)];
    while let Some((side, head, end)) = agenda.pop() {
        if end == head {
            continue;
        }
        let dependents = (head + 1..=end).rev();
        let dependent = first_best(dependents, |at| {
            chart.arc.at(side, head, at) + chart.done.at(side, at, end)
        });
        let Some(dependent) = dependent else { continue };
        let ends = (head..dependent).rev();
        let before = first_best(ends, |end| {
            let step = chart.step(side, head, end, dependent);
            chart.open.at(side, head, end) + step + chart.inner(side, dependent, end + 1)
        });
        let Some(before) = before else { continue };
        let place = |at: usize| if side == RIGHT { at } else { chart.mirror(at) };
        heads[place(dependent)] = place(head) as u32 + 1;
        agenda.push((side, head, before));
        agenda.push((side, dependent, end));
        agenda.push((1 - side, chart.mirror(dependent), chart.mirror(before + 1)));
    }
    (heads, chart.sum::<Best>())
}

fn first_best(among: impl Iterator<Item = usize>, value: impl Fn(usize) -> f64) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for at in among {
        let value = value(at);
        if best.is_none_or(|(_, most)| value > most) {
            best = Some((at, value));
        }
    }
    best.map(|(at, _)| at)
}

#[cfg(test)]
pub mod tests {
    use super::super::grammar::Counts;
    use super::super::start;
    use super::*;
    use crate::random::Random;
    use crate::tree::{Heads, Topology};

    /// Every projective tree with one root.
    pub fn all_trees(words: usize) -> Vec<Vec<u32>> {
        let choices = (words + 1).pow(words as u32);
        let tree = |number: usize| -> Vec<u32> {
            (0..words)
                .map(|at| (number / (words + 1).pow(at as u32) % (words + 1)) as u32)
                .collect()
        };
        let fits = |heads: &Vec<u32>| {
            let shape = Topology::new(&Heads::new(heads.clone()).unwrap());
            shape.is_tree() && shape.is_projective()
        };
        (0..choices).map(tree).filter(fits).collect()
    }

    /// The decisions behind one tree, read off the model's story word by word.
    pub fn decisions(heads: &[u32], sentence: &[u16], grammar: &Grammar) -> Counts {
        let mut counts = Counts::new(grammar.tags());
        for (at, &head) in heads.iter().enumerate() {
            let tag = sentence[at] as usize;
            match (head as usize).checked_sub(1) {
                None => counts.root[tag] += 1.0,
                Some(head) => {
                    let side = if at < head { LEFT } else { RIGHT };
                    counts.choose[grammar.pair(sentence[head] as usize, side, tag)] += 1.0;
                }
            }
            for side in [LEFT, RIGHT] {
                let there = |other: &usize| if side == LEFT { *other < at } else { *other > at };
                let mine = |other: &usize| heads[*other] as usize == at + 1;
                let dependents = (0..heads.len()).filter(there).filter(mine).count();
                for taken in 0..=dependents {
                    let place = Grammar::valence(tag, side, taken == 0);
                    let kind = if taken < dependents { &mut counts.go } else { &mut counts.stop };
                    kind[place] += 1.0;
                }
            }
        }
        counts.likelihood = [
            (&counts.root, &grammar.root),
            (&counts.stop, &grammar.stop),
            (&counts.go, &grammar.go),
            (&counts.choose, &grammar.choose),
        ]
        .into_iter()
        .flat_map(|(counts, logs)| counts.iter().zip(logs))
        .map(|(count, log)| if *count > 0.0 { count * log } else { 0.0 })
        .sum();
        counts
    }

    pub fn random_case(seed: u64, words: usize) -> (Grammar, Vec<u16>) {
        let mut random = Random::new(seed, 9);
        let grammar = start::random(3, &mut random);
        let sentence = (0..words).map(|_| random.below(3) as u16).collect();
        (grammar, sentence)
    }

    #[test]
    fn the_best_parse_is_the_best_of_all_trees() {
        for words in 1..=5 {
            let trees = all_trees(words);
            for seed in 0..40 {
                let (grammar, sentence) = random_case(seed, words);
                let (heads, score) = viterbi(&grammar, &sentence);
                let value = |heads: &Vec<u32>| decisions(heads, &sentence, &grammar).likelihood;
                let best = trees.iter().map(value).fold(f64::NEG_INFINITY, f64::max);
                assert!((score - best).abs() < 1e-9 && (value(&heads) - best).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn no_words_and_unknown_tags_have_a_parse() {
        let (grammar, _) = random_case(1, 1);
        assert_eq!(viterbi(&grammar, &[]).0, Vec::<u32>::new());
        assert_eq!(viterbi(&grammar.open(), &[3]).0, [0]);
        let (heads, _) = viterbi(&grammar.open(), &[3, 0, 3, 3, 1]);
        assert!(Topology::new(&Heads::new(heads).unwrap()).is_tree());
    }
}
