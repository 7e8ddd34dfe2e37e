//! What a model consists of: labels, words, and probabilities by context.

use super::lexical::Lexical;
use super::links::LabelCounts;
use super::options::Options;
use super::smoothing::interpolate;
use super::tally::Event;
use crate::Vocabulary;

/// The content of a model file.
#[derive(Debug, Clone, PartialEq)]
pub struct Tables {
    pub options: Options,
    /// Labels of the target.
    pub labels: Vocabulary,
    /// How many dependencies with each were seen.
    pub seen: Vec<u64>,
    /// P_d(offset | label, class): a row for each label and, within it, each class of sizes.
    pub offsets: Vec<f64>,
    /// Labels of the source.
    pub sources: Vocabulary,
    /// P(label | source label): a row for each source label, and last one for unknown ones.
    pub mapping: Vec<f64>,
    /// Words of the target; none without lexical contexts.
    pub words: Vocabulary,
    pub lexical: Lexical,
}

impl Tables {
    pub fn estimate(
        options: Options,
        labels: Vocabulary,
        words: Vocabulary,
        events: &[(Event, u32)],
        links: LabelCounts,
    ) -> Self {
        let counts = dense(options, labels.len(), events);
        let per_label = options.classes() * options.outcomes();
        let seen: Vec<u64> = counts.chunks(per_label).map(|label| label.iter().sum()).collect();
        let (sources, mapping) = links.distributions(&labels, &seen);
        let (words, lexical) = if options.lexical {
            let lexical = Lexical::new(events, words.len());
            (words, lexical)
        } else {
            (Vocabulary::default(), Lexical::default())
        };
        let offsets = offsets(options, &counts);
        Tables { options, labels, seen, offsets, sources, mapping, words, lexical }
    }

    /// Where P_d(· | label, class) is in `offsets`.
    pub fn row(&self, label: u32, class: usize) -> std::ops::Range<usize> {
        let outcomes = self.options.outcomes();
        let start = (label as usize * self.options.classes() + class) * outcomes;
        start..start + outcomes
    }

    /// P(· | source label); the last source label is the unknown one.
    pub fn mapping_row(&self, source: u32) -> &[f64] {
        let labels = self.labels.len();
        &self.mapping[source as usize * labels..][..labels]
    }
}

/// Counts by label, class of sizes and offset.
fn dense(options: Options, labels: usize, events: &[(Event, u32)]) -> Vec<u64> {
    let (classes, outcomes) = (options.classes(), options.outcomes());
    let mut counts = vec![0; labels * classes * outcomes];
    for (event, count) in events {
        let row = event.label() as usize * classes + event.class();
        counts[row * outcomes + event.outcome()] += u64::from(*count);
    }
    counts
}

/// The chain (label, class) → label → all labels → all offsets alike.
fn offsets(options: Options, counts: &[u64]) -> Vec<f64> {
    let outcomes = options.outcomes();
    let sum = |rows: &[u64]| {
        let mut sums = vec![0; outcomes];
        rows.iter().enumerate().for_each(|(at, count)| sums[at % outcomes] += count);
        sums
    };
    let uniform = vec![1.0 / outcomes as f64; outcomes];
    let all = interpolate(&sum(counts), &uniform);
    let mut found = Vec::with_capacity(counts.len());
    for rows in counts.chunks(options.classes() * outcomes) {
        let label = interpolate(&sum(rows), &all);
        if options.sizes {
            rows.chunks(outcomes).for_each(|class| found.extend(interpolate(class, &label)));
        } else {
            found.extend(label);
        }
    }
    found
}
