//! Offsets by the words at both ends: (label, dependent), and (label, governor, dependent).

use super::smoothing::backoff;
use super::tally::Event;

/// Sparse distributions of many contexts: what was seen in each, and what remains for the less
/// specific context.
#[derive(Debug, Clone, PartialEq)]
pub struct Level {
    /// The entries of context c are those from `starts[c]` to `starts[c + 1]`, by outcome.
    pub starts: Vec<u32>,
    pub backoffs: Vec<f32>,
    pub outcomes: Vec<u16>,
    pub probabilities: Vec<f32>,
}

impl Default for Level {
    fn default() -> Self {
        Level { starts: vec![0], backoffs: vec![], outcomes: vec![], probabilities: vec![] }
    }
}

impl Level {
    pub fn len(&self) -> usize {
        self.backoffs.len()
    }

    /// Adds a context. What its own probabilities leave goes to the less specific one.
    pub fn push(&mut self, own: &[(usize, f64)], backoff: f64) {
        for &(outcome, probability) in own {
            self.outcomes.push(outcome as u16);
            self.probabilities.push(probability as f32);
        }
        self.backoffs.push(backoff as f32);
        self.starts.push(self.outcomes.len() as u32);
    }

    fn push_counts(&mut self, counts: &[(usize, u64)]) {
        let total = counts.iter().map(|(_, count)| count).sum::<u64>() as f64;
        let backoff = backoff(total, counts.len());
        let own = counts
            .iter()
            .map(|&(outcome, count)| (outcome, (1.0 - backoff) * count as f64 / total));
        self.push(&own.collect::<Vec<_>>(), backoff);
    }

    /// P(outcome | context), where `shorter` is that of the less specific context.
    pub fn probability(&self, context: usize, outcome: usize, shorter: f64) -> f64 {
        let entries = self.starts[context] as usize..self.starts[context + 1] as usize;
        let place = self.outcomes[entries.clone()].binary_search(&(outcome as u16));
        let own = place.map_or(0.0, |place| self.probabilities[entries.start + place]);
        f64::from(own) + f64::from(self.backoffs[context]) * shorter
    }
}

/// The contexts of the model that name words.
#[derive(Debug, Clone, PartialEq)]
pub struct Lexical {
    /// The contexts of dependent w are those from `starts[w]` to `starts[w + 1]`, by key.
    pub starts: Vec<u32>,
    pub keys: Vec<u32>,
    pub dependents: Level,
    /// The governors of context c are those from `governor_starts[c]` to the next, by word.
    pub governor_starts: Vec<u32>,
    pub governors: Vec<u32>,
    pub pairs: Level,
}

impl Default for Lexical {
    fn default() -> Self {
        Lexical {
            starts: vec![0],
            keys: vec![],
            dependents: Level::default(),
            governor_starts: vec![0],
            governors: vec![],
            pairs: Level::default(),
        }
    }
}

/// A label within a class of sizes, ordered by class.
pub fn key(class: usize, label: u32) -> u32 {
    (class as u32) << 24 | label
}

pub fn label_of(key: u32) -> u32 {
    key & 0xFF_FFFF
}

impl Lexical {
    /// Contexts out of events in order, for a vocabulary of so many words.
    pub fn new(events: &[(Event, u32)], words: usize) -> Self {
        let mut lexical = Lexical::default();
        for group in events.chunk_by(|(a, _), (b, _)| a.context() == b.context()) {
            let event = group[0].0;
            lexical.begin(event.dependent(), key(event.class(), event.label()));
            lexical.dependents.push_counts(&by_outcome(group));
            for pair in group.chunk_by(|(a, _), (b, _)| a.governor() == b.governor()) {
                lexical.governors.push(pair[0].0.governor());
                lexical.pairs.push_counts(&by_outcome(pair));
            }
            lexical.governor_starts.push(lexical.governors.len() as u32);
        }
        lexical.finish(words);
        lexical
    }

    /// Starts a context, after all those of earlier dependents and smaller keys.
    pub fn begin(&mut self, dependent: u32, key: u32) {
        self.starts.resize(dependent as usize + 1, self.keys.len() as u32);
        self.keys.push(key);
    }

    pub fn finish(&mut self, words: usize) {
        self.starts.resize(words + 1, self.keys.len() as u32);
    }

    /// The contexts of a dependent in a class of sizes, each with its label.
    pub fn contexts(&self, dependent: u32, class: usize) -> impl Iterator<Item = (usize, u32)> {
        let range = self.range(dependent);
        let keys = &self.keys[range.clone()];
        let from = keys.partition_point(|&other| other < key(class, 0));
        let to = keys.partition_point(|&other| other < key(class + 1, 0));
        let labels = keys[from..to].iter().map(|&key| label_of(key));
        (range.start + from..).zip(labels)
    }

    fn range(&self, dependent: u32) -> std::ops::Range<usize> {
        let start = |word: usize| self.starts.get(word).copied();
        let word = dependent as usize;
        match (start(word), start(word + 1)) {
            (Some(from), Some(to)) => from as usize..to as usize,
            _ => 0..0,
        }
    }

    /// P(outcome | label, dependent) or, where the pair was seen, P(outcome | label, governor,
    /// dependent), in a context that `contexts` answered.
    pub fn probability(
        &self,
        context: usize,
        governor: Option<u32>,
        outcome: usize,
        shorter: f64,
    ) -> f64 {
        let probability = self.dependents.probability(context, outcome, shorter);
        match governor.and_then(|governor| self.pair(context, governor)) {
            Some(pair) => self.pairs.probability(pair, outcome, probability),
            None => probability,
        }
    }

    fn pair(&self, context: usize, governor: u32) -> Option<usize> {
        let from = self.governor_starts[context] as usize;
        let to = self.governor_starts[context + 1] as usize;
        self.governors[from..to].binary_search(&governor).ok().map(|place| from + place)
    }
}

/// The counts of some events by outcome alone.
fn by_outcome(events: &[(Event, u32)]) -> Vec<(usize, u64)> {
    let mut counts: Vec<(usize, u64)> =
        events.iter().map(|(event, count)| (event.outcome(), u64::from(*count))).collect();
    counts.sort_unstable();
    counts.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        kept.1 += if same { next.1 } else { 0 };
        same
    });
    counts
}
