//! The clusters that Brown clustering holds at a time, with what each merge would cost.
//!
//! Up to a constant the mutual information of clusters is the sum of g(n) over pairs of clusters
//! less that of A·ln f over clusters, where g(n) = n ln n, f is how frequent a cluster is and A how
//! often it occurs next to clusters. Merging a and b so costs, beside what these two alone decide,
//! g(x) + g(y) − g(x + y) for the counts x and y of a and b before and after each other cluster:
//! `shared` keeps the sums of those, which one word more or one merge changes in few places.

use super::bigrams::Bigrams;
use super::exchange::Logs;

/// Of words that are in no cluster yet.
const OUTSIDE: u32 = u32::MAX;

/// Merges whose costs differ by less are alike, and the first is taken: sums of floats differ by
/// the order of their terms.
const ALIKE: f64 = 1e-7;

pub struct Window<'b> {
    bigrams: &'b Bigrams,
    logs: &'b Logs,
    /// The cluster of each word and of the edge of sentences, which is in none.
    clusters: Vec<u32>,
    members: Vec<Vec<u32>>,
    frequencies: Vec<f64>,
    /// A, see above.
    beside: Vec<f64>,
    /// Most clusters; the width of the tables.
    width: usize,
    /// How often a cluster follows a cluster: by left, then right one, and the other way round.
    pairs: Vec<i64>,
    turned: Vec<i64>,
    shared: Vec<f64>,
}

impl<'b> Window<'b> {
    pub fn new(bigrams: &'b Bigrams, width: usize, logs: &'b Logs) -> Self {
        Window {
            bigrams,
            logs,
            clusters: vec![OUTSIDE; bigrams.words() + 1],
            members: Vec::new(),
            frequencies: Vec::new(),
            beside: Vec::new(),
            width,
            pairs: vec![0; width * width],
            turned: vec![0; width * width],
            shared: vec![0.0; width * width],
        }
    }

    /// How many clusters there are.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// The words of each cluster, in the order of `words`.
    pub fn slots(&self, words: &[u32]) -> Vec<Vec<u32>> {
        let mut slots = vec![Vec::new(); self.len()];
        for &word in words {
            slots[self.clusters[word as usize] as usize].push(word);
        }
        slots
    }

    /// Takes a word in as the last cluster.
    pub fn add(&mut self, word: u32) {
        let last = self.len();
        self.clusters[word as usize] = last as u32;
        self.members.push(vec![word]);
        self.frequencies.push(self.bigrams.frequency(word) as f64);
        self.beside.push(0.0);
        for other in 0..=last {
            self.set(last, other, 0);
            self.set(other, last, 0);
        }
        let (bigrams, own) = (self.bigrams, last as u32);
        for &(next, count) in bigrams.next.of(word) {
            self.count(own, self.clusters[next as usize], count);
        }
        for &(previous, count) in bigrams.previous.of(word).iter().filter(|&&(it, _)| it != word) {
            self.count(self.clusters[previous as usize], own, count);
        }
        self.share(last);
        self.compute(last);
    }

    fn count(&mut self, left: u32, right: u32, count: u32) {
        if left == OUTSIDE || right == OUTSIDE {
            return;
        }
        let (left, right) = (left as usize, right as usize);
        self.set(left, right, self.pairs[left * self.width + right] + i64::from(count));
        self.beside[left] += f64::from(count);
        self.beside[right] += f64::from(count);
    }

    fn set(&mut self, left: usize, right: usize, count: i64) {
        self.pairs[left * self.width + right] = count;
        self.turned[right * self.width + left] = count;
    }

    /// Adds the context of the last cluster to what the others share.
    fn share(&mut self, last: usize) {
        for one in 0..last {
            for other in one + 1..last {
                let more = self.alike(one, other, last);
                if more != 0.0 {
                    self.change(one, other, more);
                }
            }
        }
    }

    fn change(&mut self, one: usize, other: usize, more: f64) {
        let sum = self.shared[one * self.width + other] + more;
        self.shared[one * self.width + other] = sum;
        self.shared[other * self.width + one] = sum;
    }

    /// What two clusters share by occurring before and after a third.
    fn alike(&self, one: usize, other: usize, third: usize) -> f64 {
        let at = |table: &[i64]| {
            let row = &table[third * self.width..][..self.width];
            self.overlap(row[one], row[other])
        };
        at(&self.pairs) + at(&self.turned)
    }

    fn overlap(&self, x: i64, y: i64) -> f64 {
        if x == 0 || y == 0 {
            return 0.0;
        }
        self.logs.get(x) + self.logs.get(y) - self.logs.get(x + y)
    }

    /// What a cluster shares with each other one, anew.
    fn compute(&mut self, own: usize) {
        let many = self.len();
        for other in (0..many).filter(|&other| other != own) {
            let mut sum = 0.0;
            for table in [&self.pairs, &self.turned] {
                let [a, b] = [own, other].map(|row| &table[row * self.width..][..many]);
                for (third, (&x, &y)) in a.iter().zip(b).enumerate() {
                    if third != own && third != other {
                        sum += self.overlap(x, y);
                    }
                }
            }
            self.shared[own * self.width + other] = sum;
            self.shared[other * self.width + own] = sum;
        }
    }

    /// The two clusters whose merge costs least; the first of those that cost the same.
    pub fn best(&self) -> (usize, usize) {
        let (mut best, mut least) = ((0, 1), f64::INFINITY);
        let terms: Vec<f64> =
            self.beside.iter().zip(&self.frequencies).map(|(a, f)| a * f.ln()).collect();
        for one in 0..self.len() {
            for other in one + 1..self.len() {
                let frequency = self.frequencies[one] + self.frequencies[other];
                let beside = self.beside[one] + self.beside[other];
                let cost = self.shared[one * self.width + other] + self.own(one, other)
                    - (terms[one] + terms[other] - beside * frequency.ln());
                if cost < least - ALIKE {
                    (best, least) = ((one, other), cost);
                }
            }
        }
        best
    }

    /// The part of the cost that the counts of two clusters next to themselves and each other have.
    fn own(&self, one: usize, other: usize) -> f64 {
        let all = [(one, one), (one, other), (other, one), (other, other)];
        let counts = all.map(|(left, right)| self.pairs[left * self.width + right]);
        let apart: f64 = counts.iter().map(|&count| self.logs.get(count)).sum();
        apart - self.logs.get(counts.iter().sum())
    }

    /// Merges cluster `gone` into `kept`, which is before it; the last cluster takes its place.
    pub fn merge(&mut self, kept: usize, gone: usize) {
        self.part(kept, gone, -1.0);
        let row = |table: &[i64], row: usize| table[row * self.width..][..self.len()].to_vec();
        let (mut after, mut before) = (row(&self.pairs, kept), row(&self.turned, kept));
        for (sums, table) in [(&mut after, &self.pairs), (&mut before, &self.turned)] {
            let more = row(table, gone);
            sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        let itself = after[kept] + after[gone];
        for other in (0..self.len()).filter(|&other| other != gone) {
            self.set(kept, other, after[other]);
            self.set(other, kept, before[other]);
            self.set(gone, other, 0);
            self.set(other, gone, 0);
        }
        self.set(gone, gone, 0);
        self.set(kept, kept, itself);
        self.beside[kept] += self.beside[gone];
        self.frequencies[kept] += self.frequencies[gone];
        self.part(kept, gone, 1.0);
        self.remove(kept, gone);
        self.compute(kept);
    }

    /// Adds (or takes away) the contexts of two clusters to what the others share.
    fn part(&mut self, kept: usize, gone: usize, sign: f64) {
        let others: Vec<usize> =
            (0..self.len()).filter(|&other| other != kept && other != gone).collect();
        for (number, &one) in others.iter().enumerate() {
            for &other in &others[number + 1..] {
                let more = self.alike(one, other, kept) + self.alike(one, other, gone);
                if more != 0.0 {
                    self.change(one, other, sign * more);
                }
            }
        }
    }

    fn remove(&mut self, kept: usize, gone: usize) {
        let words = self.members.swap_remove(gone);
        self.beside.swap_remove(gone);
        self.frequencies.swap_remove(gone);
        let last = self.len();
        if gone < last {
            self.move_last(last, gone);
        }
        for &word in &words {
            self.clusters[word as usize] = kept as u32;
        }
        self.members[kept].extend(words);
    }

    fn move_last(&mut self, last: usize, to: usize) {
        for &word in &self.members[to] {
            self.clusters[word as usize] = to as u32;
        }
        let width = self.width;
        let itself = self.pairs[last * width + last];
        for other in 0..last {
            self.set(to, other, self.pairs[last * width + other]);
            self.set(other, to, self.pairs[other * width + last]);
            let shared = self.shared[last * width + other];
            self.shared[to * width + other] = shared;
            self.shared[other * width + to] = shared;
        }
        self.set(to, to, itself);
    }
}
