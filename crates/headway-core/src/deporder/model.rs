//! A model at hand: what an offset is worth.

use std::path::Path;

use super::options::Options;
use super::tables::Tables;
use crate::{Result, Vocabulary, WordId};

/// Keeps logarithms finite where a table of a test says that something is impossible.
const SMALLEST: f64 = 1e-30;

/// P_d of a language, asked with the labels of another.
#[derive(Debug)]
pub struct OrderModel {
    tables: Tables,
    /// Σ_t P(t | source label) · P_d(offset | t, class), by source label, class and offset; the
    /// last source label is the unknown one.
    mixed: Vec<f64>,
    /// Their logarithms.
    scores: Vec<f32>,
    /// The best score from each offset outwards: down to −longest, and up to longest.
    outwards: Vec<f32>,
}

impl OrderModel {
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self::new(Tables::load(path)?))
    }

    pub(super) fn new(tables: Tables) -> Self {
        let options = tables.options;
        let (classes, outcomes) = (options.classes(), options.outcomes());
        let mut mixed = vec![0.0; (tables.sources.len() + 1) * classes * outcomes];
        for (number, row) in mixed.chunks_mut(outcomes).enumerate() {
            let (source, class) = ((number / classes) as u32, number % classes);
            for (label, weight) in (0..).zip(tables.mapping_row(source)) {
                let offsets = &tables.offsets[tables.row(label, class)];
                row.iter_mut().zip(offsets).for_each(|(sum, p)| *sum += weight * p);
            }
        }
        let scores: Vec<f32> = mixed.iter().map(|&p| log(p)).collect();
        let mut outwards = scores.clone();
        for row in outwards.chunks_mut(outcomes) {
            let (before, after) = row.split_at_mut(outcomes / 2);
            for outcome in 1..before.len() {
                before[outcome] = before[outcome].max(before[outcome - 1]);
                let inner = after.len() - 1 - outcome;
                after[inner] = after[inner].max(after[inner + 1]);
            }
        }
        OrderModel { tables, mixed, scores, outwards }
    }

    pub fn options(&self) -> Options {
        self.tables.options
    }

    /// Whether words count too.
    pub fn lexical(&self) -> bool {
        self.tables.options.lexical
    }

    /// Whether the sizes of dependents count.
    pub fn sizes(&self) -> bool {
        self.tables.options.sizes
    }

    /// Whether dependencies of punctuation are not scored, and offsets do not count it.
    pub fn punctuation_apart(&self) -> bool {
        self.tables.options.punctuation_apart
    }

    /// The labels of the target, and how many dependencies each was seen with.
    pub fn labels(&self) -> impl Iterator<Item = (&str, u64)> {
        self.tables.labels.words().zip(self.tables.seen.iter().copied())
    }

    /// The labels of the source.
    pub fn source_labels(&self) -> impl Iterator<Item = &str> {
        self.tables.sources.words()
    }

    pub fn words(&self) -> &Vocabulary {
        &self.tables.words
    }

    /// How many contexts (label, dependent) and (label, governor, dependent) there are.
    pub fn contexts(&self) -> [usize; 2] {
        let lexical = &self.tables.lexical;
        [lexical.dependents.len(), lexical.pairs.len()]
    }

    /// The number of a source label. A label that was not seen counts as what is before its colon
    /// (`nsubj:pass` as `nsubj`) or else as the unknown label.
    pub fn label(&self, source_label: &str) -> u32 {
        let sources = &self.tables.sources;
        let general = || sources.get(source_label.split(':').next().unwrap_or_default());
        let found = sources.get(source_label).or_else(general);
        found.map_or(sources.len() as u32, |id| id.0)
    }

    /// The number of a label of the target.
    pub fn target_label(&self, label: &str) -> Option<u32> {
        self.tables.labels.get(label).map(|id| id.0)
    }

    /// P(· | source label) over the labels of the target, in their order.
    pub fn mapping(&self, label: u32) -> &[f64] {
        self.tables.mapping_row(label)
    }

    /// The number of a word of the target, if there are contexts with it.
    pub fn word(&self, target_word: &str) -> Option<u32> {
        self.tables.words.get(target_word).map(|WordId(id)| id)
    }

    /// ln P_d(offset | label, governor, dependent), mixed over what the source label becomes.
    /// Words that are None are unknown; `size` counts words of the dependent's subtree.
    pub fn score(
        &self,
        label: u32,
        governor: Option<u32>,
        dependent: Option<u32>,
        size: u32,
        offset: i32,
    ) -> f32 {
        let options = self.options();
        let (class, outcome) = (options.class(size), options.outcome(offset));
        let place = self.row(label, class) + outcome;
        let Some(dependent) = dependent.filter(|_| options.lexical) else {
            return self.scores[place];
        };
        // Only labels that the dependent was seen with differ from the mixture without words.
        let weights = self.mapping(label);
        let mut sum = self.mixed[place];
        for (context, label) in self.tables.lexical.contexts(dependent, class) {
            let weight = weights[label as usize];
            if weight > 0.0 {
                let shorter = self.tables.offsets[self.tables.row(label, class)][outcome];
                let lexical = &self.tables.lexical;
                let own = lexical.probability(context, governor, outcome, shorter);
                sum += weight * (own - shorter);
            }
        }
        log(sum)
    }

    /// P_d(offset | label, governor, dependent) for a label of the target.
    pub fn probability(
        &self,
        label: u32,
        governor: Option<u32>,
        dependent: Option<u32>,
        size: u32,
        offset: i32,
    ) -> f64 {
        let options = self.options();
        let (class, outcome) = (options.class(size), options.outcome(offset));
        let general = self.tables.offsets[self.tables.row(label, class)][outcome];
        let Some(dependent) = dependent.filter(|_| options.lexical) else { return general };
        let mut contexts = self.tables.lexical.contexts(dependent, class);
        let context = contexts.find(|&(_, other)| other == label);
        context.map_or(general, |(context, _)| {
            self.tables.lexical.probability(context, governor, outcome, general)
        })
    }

    /// The best score of all offsets n ≤ −distance, without words: the governor is still to come.
    pub fn best_before(&self, label: u32, size: u32, distance: u32) -> f32 {
        self.best_outwards(label, size, -(distance.clamp(1, i32::MAX as u32) as i32))
    }

    /// The best score of all offsets n ≥ distance, without words: the dependent is still to come.
    pub fn best_after(&self, label: u32, size: u32, distance: u32) -> f32 {
        self.best_outwards(label, size, distance.clamp(1, i32::MAX as u32) as i32)
    }

    /// The best score of all offsets, without words.
    pub fn best(&self, label: u32, size: u32) -> f32 {
        self.best_before(label, size, 1).max(self.best_after(label, size, 1))
    }

    fn best_outwards(&self, label: u32, size: u32, offset: i32) -> f32 {
        let options = self.options();
        self.outwards[self.row(label, options.class(size)) + options.outcome(offset)]
    }

    /// Where the scores of a source label and a class begin.
    fn row(&self, label: u32, class: usize) -> usize {
        let options = self.options();
        (label as usize * options.classes() + class) * options.outcomes()
    }
}

fn log(probability: f64) -> f32 {
    probability.max(SMALLEST).ln() as f32
}
