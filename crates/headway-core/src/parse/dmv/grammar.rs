//! The probabilities of the model, and counts to estimate them from.

/// Sides of a head.
pub const LEFT: usize = 0;
pub const RIGHT: usize = 1;

/// Natural logarithms of probabilities, for tags numbered from 0.
#[derive(Debug, Clone, PartialEq)]
pub struct Grammar {
    pub(super) tags: usize,
    /// Of each tag under the root.
    pub(super) root: Vec<f64>,
    /// Of stopping and of going on, by `Grammar::valence`.
    pub(super) stop: Vec<f64>,
    pub(super) go: Vec<f64>,
    /// Of each dependent tag, by `Grammar::pair`.
    pub(super) choose: Vec<f64>,
}

impl Grammar {
    pub fn tags(&self) -> usize {
        self.tags
    }

    /// The place of a decision to stop: `first` if there is no dependent on that side yet.
    #[inline]
    pub fn valence(head: usize, side: usize, first: bool) -> usize {
        head * 4 + side * 2 + usize::from(first)
    }

    /// The place of a dependent under a head.
    #[inline]
    pub fn pair(&self, head: usize, side: usize, dependent: usize) -> usize {
        (head * 2 + side) * self.tags + dependent
    }

    /// Whether there is a number for every decision.
    pub fn is_whole(&self) -> bool {
        let Grammar { tags, root, stop, go, choose } = self;
        let sizes = [(root, *tags), (stop, tags * 4), (go, tags * 4), (choose, tags * 2 * tags)];
        let is_log = |&log: &f64| log <= 1e-6; // false for NaN
        *tags > 0 && sizes.iter().all(|(logs, size)| logs.len() == *size && logs.iter().all(is_log))
    }

    /// The same with one more tag, for all that are unknown, and with nothing impossible, so
    /// that every sentence has a parse.
    pub fn open(&self) -> Grammar {
        const LEAST: f64 = -30.0;
        let tags = self.tags + 1;
        let even = -(tags as f64).ln();
        let mut choose = vec![LEAST; tags * 2 * tags];
        for head in 0..tags {
            for side in [LEFT, RIGHT] {
                for dependent in 0..tags {
                    choose[(head * 2 + side) * tags + dependent] = match (head, dependent) {
                        (head, _) if head == self.tags => even,
                        (_, dependent) if dependent == self.tags => LEAST,
                        _ => self.choose[self.pair(head, side, dependent)].max(LEAST),
                    };
                }
            }
        }
        let at_least = |values: &[f64], more: usize, value: f64| -> Vec<f64> {
            let known = values.iter().map(|&value| value.max(LEAST));
            known.chain(std::iter::repeat_n(value, more)).collect()
        };
        let half = 0.5_f64.ln();
        Grammar {
            tags,
            root: at_least(&self.root, 1, LEAST),
            stop: at_least(&self.stop, 4, half),
            go: at_least(&self.go, 4, half),
            choose,
        }
    }
}

/// How often each decision was taken, or is expected to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Counts {
    pub root: Vec<f64>,
    pub stop: Vec<f64>,
    pub go: Vec<f64>,
    pub choose: Vec<f64>,
    /// The logarithm of the probability of all sentences.
    pub likelihood: f64,
}

impl Counts {
    pub fn new(tags: usize) -> Self {
        Counts {
            root: vec![0.0; tags],
            stop: vec![0.0; tags * 4],
            go: vec![0.0; tags * 4],
            choose: vec![0.0; tags * 2 * tags],
            likelihood: 0.0,
        }
    }

    pub fn add(&mut self, other: &Counts) {
        let pairs = [
            (&mut self.root, &other.root),
            (&mut self.stop, &other.stop),
            (&mut self.go, &other.go),
            (&mut self.choose, &other.choose),
        ];
        for (mine, theirs) in pairs {
            mine.iter_mut().zip(theirs).for_each(|(mine, theirs)| *mine += theirs);
        }
        self.likelihood += other.likelihood;
    }

    /// The probabilities under which these counts are most likely. Where there are none, those
    /// of `before` stay.
    pub fn maximise(&self, before: &Grammar) -> Grammar {
        let mut grammar = before.clone();
        normalise(&self.root, &mut grammar.root);
        let tags = grammar.tags.max(1);
        for (counts, logs) in self.choose.chunks(tags).zip(grammar.choose.chunks_mut(tags)) {
            normalise(counts, logs);
        }
        for (at, (&stop, &go)) in self.stop.iter().zip(&self.go).enumerate() {
            let mut both = [grammar.stop[at], grammar.go[at]];
            normalise(&[stop, go], &mut both);
            [grammar.stop[at], grammar.go[at]] = both;
        }
        grammar
    }
}

fn normalise(counts: &[f64], logs: &mut [f64]) {
    let total: f64 = counts.iter().sum();
    if total > 0.0 {
        counts.iter().zip(logs).for_each(|(count, log)| *log = (count / total).ln());
    }
}
