//! The exchange algorithm (Martin, Liermann & Ney 1998): move one word after the other into the
//! class that makes a bigram model of classes explain the text best, until few words move.

use super::bigrams::{Bigrams, Neighbour};
use crate::{Monitor, Result};

/// How classes are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Learning {
    pub classes: usize,
    /// Most rounds over all words.
    pub rounds: usize,
}

impl Default for Learning {
    fn default() -> Self {
        Learning { classes: 100, rounds: 20 }
    }
}

/// Rounds end when fewer than one word in so many has moved.
const FEW: usize = 1000;

/// The class of each word.
pub fn learn(bigrams: &Bigrams, how: Learning, monitor: &Monitor) -> Result<Vec<u32>> {
    monitor.expect((how.rounds * bigrams.words()) as u64);
    let mut exchange = Exchange::new(bigrams, how.classes);
    for _ in 0..how.rounds {
        let mut moved = 0;
        for &word in &bigrams.by_frequency {
            monitor.advance(1)?;
            moved += usize::from(exchange.improve(word));
        }
        if moved * FEW <= bigrams.words() {
            break;
        }
    }
    exchange.classes.truncate(bigrams.words());
    Ok(exchange.classes)
}

/// Counts of classes under the present assignment.
///
/// The likelihood of the text is, up to a constant, the sum of f(n) over pairs of classes less
/// those over left and over right classes, where f(n) = n ln n.
struct Exchange<'b> {
    bigrams: &'b Bigrams,
    /// Of each word, and of the edge of sentences, which has the last class to itself.
    classes: Vec<u32>,
    /// With the edge's.
    many: usize,
    /// How often a class follows a class: by left, then right class, and the other way round.
    pairs: Vec<i64>,
    turned: Vec<i64>,
    left: Vec<i64>,
    right: Vec<i64>,
    logs: Logs,
    word: Word,
    gains: Vec<f64>,
}

/// The surroundings of one word by classes, itself left out.
#[derive(Default)]
struct Word {
    next: Vec<(usize, i64)>,
    previous: Vec<(usize, i64)>,
    itself: i64,
    as_left: i64,
    as_right: i64,
}

impl<'b> Exchange<'b> {
    fn new(bigrams: &'b Bigrams, classes: usize) -> Self {
        let (words, many) = (bigrams.words(), classes + 1);
        let mut of_words = vec![classes as u32; words + 1];
        for (rank, &word) in bigrams.by_frequency.iter().enumerate() {
            of_words[word as usize] = (rank % classes) as u32;
        }
        let mut exchange = Exchange {
            bigrams,
            classes: of_words,
            many,
            pairs: vec![0; many * many],
            turned: vec![0; many * many],
            left: vec![0; many],
            right: vec![0; many],
            logs: Logs::new(),
            word: Word::default(),
            gains: vec![0.0; classes],
        };
        for word in 0..=words as u32 {
            let class = exchange.classes[word as usize] as usize;
            for &(next, count) in bigrams.next.of(word) {
                let other = exchange.classes[next as usize] as usize;
                exchange.count(class, other, i64::from(count));
                exchange.left[class] += i64::from(count);
                exchange.right[other] += i64::from(count);
            }
        }
        exchange
    }

    fn count(&mut self, left: usize, right: usize, count: i64) {
        self.pairs[left * self.many + right] += count;
        self.turned[right * self.many + left] += count;
    }

    /// Puts a word where it fits best; whether that is another class than before.
    fn improve(&mut self, word: u32) -> bool {
        let old = self.classes[word as usize] as usize;
        self.look_around(word);
        self.place(old, -1);
        self.weigh();
        let mut best = old;
        for (class, gain) in self.gains.iter().enumerate() {
            // Better by more than sums of floats differ, or words would move for ever.
            if *gain > self.gains[best] + 1e-7 {
                best = class;
            }
        }
        self.place(best, 1);
        self.classes[word as usize] = best as u32;
        best != old
    }

    fn look_around(&mut self, word: u32) {
        let (bigrams, classes) = (self.bigrams, &self.classes);
        let itself = |all: &[Neighbour]| {
            let found = all.binary_search_by_key(&word, |&(other, _)| other);
            found.map_or(0, |place| i64::from(all[place].1))
        };
        let total = |all: &[Neighbour]| all.iter().map(|&(_, count)| i64::from(count)).sum();
        let (next, previous) = (bigrams.next.of(word), bigrams.previous.of(word));
        self.word.itself = itself(next);
        self.word.as_left = total(next);
        self.word.as_right = total(previous);
        by_class(next, word, classes, &mut self.word.next);
        by_class(previous, word, classes, &mut self.word.previous);
    }

    /// Takes the word in hand into a class (sign 1) or out of it (−1).
    fn place(&mut self, class: usize, sign: i64) {
        let word = std::mem::take(&mut self.word);
        for &(other, count) in &word.next {
            self.count(class, other, sign * count);
        }
        for &(other, count) in &word.previous {
            self.count(other, class, sign * count);
        }
        self.count(class, class, sign * word.itself);
        // Its neighbours stay where they are, so only its own class has more or less on a side.
        self.left[class] += sign * word.as_left;
        self.right[class] += sign * word.as_right;
        self.word = word;
    }

    /// What each class would gain by the word in hand, which is in none.
    fn weigh(&mut self) {
        let Exchange { word, gains, logs, many, .. } = self;
        let classes = gains.len();
        for (class, gain) in gains.iter_mut().enumerate() {
            let change = |n: i64, more: i64| logs.get(n + more) - logs.get(n);
            *gain = -change(self.left[class], word.as_left);
            *gain -= change(self.right[class], word.as_right);
            // Pairs of the class with itself: words before and after, and the word's own.
            let count = |all: &[(usize, i64)]| {
                let found = all.binary_search_by_key(&class, |&(other, _)| other);
                found.map_or(0, |place| all[place].1)
            };
            let more = word.itself + count(&word.next) + count(&word.previous);
            *gain += change(self.pairs[class * *many + class], more);
        }
        for (others, table) in [(&word.next, &self.turned), (&word.previous, &self.pairs)] {
            for &(other, count) in others {
                let row = &table[other * *many..][..classes];
                for (class, (gain, &n)) in gains.iter_mut().zip(row).enumerate() {
                    if class != other {
                        *gain += logs.get(n + count) - logs.get(n);
                    }
                }
            }
        }
    }
}

/// Neighbours of a word by class, sorted, without the word itself.
fn by_class(all: &[Neighbour], word: u32, classes: &[u32], found: &mut Vec<(usize, i64)>) {
    found.clear();
    let others = all.iter().filter(|&&(other, _)| other != word);
    found.extend(others.map(|&(other, count)| (classes[other as usize] as usize, count.into())));
    found.sort_unstable();
    found.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
}

/// n ln n, from a table while n is small.
pub(super) struct Logs(Vec<f64>);

impl Logs {
    const MOST: i64 = 1 << 14;

    pub fn new() -> Self {
        Logs((0..Self::MOST).map(Self::compute).collect())
    }

    fn compute(n: i64) -> f64 {
        if n <= 0 { 0.0 } else { n as f64 * (n as f64).ln() }
    }

    #[inline]
    pub fn get(&self, n: i64) -> f64 {
        match self.0.get(n as usize) {
            Some(&known) => known,
            None => Self::compute(n),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The likelihood by the book: counts of classes from the words, nothing incremental.
    fn likelihood(pairs: &[((u32, u32), u32)], classes: &[u32], many: usize) -> f64 {
        let mut counts = vec![vec![0i64; many]; many];
        for &((left, right), count) in pairs {
            counts[classes[left as usize] as usize][classes[right as usize] as usize] +=
                i64::from(count);
        }
        let f = Logs::compute;
        let all: f64 = counts.iter().flatten().map(|&n| f(n)).sum();
        let left: f64 = counts.iter().map(|row| f(row.iter().sum())).sum();
        let right: f64 = (0..many).map(|c| f(counts.iter().map(|row| row[c]).sum())).sum();
        all - left - right
    }

    fn pairs(words: u32) -> impl Strategy<Value = Vec<((u32, u32), u32)>> {
        let pair = (0..=words, 0..=words)
            .prop_filter("edges do not meet", move |&(l, r)| l != words || r != words);
        prop::collection::btree_map(pair, 1..5u32, 1..20).prop_map(|all| all.into_iter().collect())
    }

    proptest! {
        #[test]
        fn gains_are_differences_of_likelihood(pairs in pairs(6), word in 0..6u32) {
            let bigrams = Bigrams::new(6, pairs.clone());
            let mut exchange = Exchange::new(&bigrams, 3);
            let old = exchange.classes[word as usize] as usize;
            exchange.look_around(word);
            exchange.place(old, -1);
            exchange.weigh();
            let at = |class: usize| {
                let mut classes = exchange.classes.clone();
                classes[word as usize] = class as u32;
                likelihood(&pairs, &classes, 4)
            };
            for class in 0..3 {
                let expected = at(class) - at(old);
                prop_assert!((exchange.gains[class] - exchange.gains[old] - expected).abs() < 1e-9);
            }
        }

        #[test]
        fn no_single_move_improves_the_result(pairs in pairs(6)) {
            let bigrams = Bigrams::new(6, pairs.clone());
            let how = Learning { classes: 3, rounds: 100 };
            let mut classes = learn(&bigrams, how, &Monitor::default()).unwrap();
            classes.push(3);
            let reached = likelihood(&pairs, &classes, 4);
            for word in 0..6 {
                for class in 0..3 {
                    let mut other = classes.clone();
                    other[word] = class;
                    prop_assert!(likelihood(&pairs, &other, 4) <= reached + 1e-6);
                }
            }
        }
    }
}
