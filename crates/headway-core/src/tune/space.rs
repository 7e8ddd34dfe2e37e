//! What error surfaces are drawn over: k-best lists here, forests elsewhere.

use super::envelope::upper;
use super::pool::{Candidates, Pool};
use crate::Result;
use crate::metric::Metric;

/// A direction: features with their shares, others stay as they are.
pub type Direction = [(usize, f64)];

/// One sentence along a line: from where on which statistics hold.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Segments {
    pub from: Vec<f64>,
    /// As many numbers for each segment as the metric has.
    pub statistics: Vec<f32>,
}

pub trait Space: Sync {
    /// What is worked out once for a point, for all lines through it.
    type Point: Send + Sync;

    fn features(&self) -> usize;
    fn sentences(&self) -> usize;
    fn metric(&self) -> &dyn Metric;
    fn at(&self, weights: &[f64]) -> Result<Self::Point>;
    /// The segments of a sentence along weights + t · direction; none without candidates.
    fn segments(
        &self,
        sentence: usize,
        point: &Self::Point,
        direction: &Direction,
    ) -> Result<Segments>;
}

/// Beyond this many features columns would take more memory than they save time.
const COLUMNS: usize = 128;

/// k-best lists with a column of values for each feature, where there are not too many.
pub struct KBest<'a> {
    pub(super) pool: &'a Pool,
    columns: Vec<Vec<f32>>,
}

impl<'a> KBest<'a> {
    pub fn new(pool: &'a Pool) -> Self {
        use rayon::prelude::*;
        let columns = if pool.features() <= COLUMNS {
            pool.sentences.par_iter().map(|list| columns(list, pool.features())).collect()
        } else {
            Vec::new()
        };
        KBest { pool, columns }
    }

    pub(super) fn slopes(&self, sentence: usize, direction: &Direction) -> Vec<f64> {
        let list = &self.pool.sentences[sentence];
        let mut slopes = vec![0.0; list.len()];
        let Some(columns) = self.columns.get(sentence) else {
            let mut weights = vec![0.0; self.pool.features()];
            for &(feature, share) in direction {
                weights[feature] = share;
            }
            return (0..list.len()).map(|candidate| list.dot(candidate, &weights)).collect();
        };
        for &(feature, share) in direction {
            let column = &columns[feature * list.len()..(feature + 1) * list.len()];
            for (slope, &value) in slopes.iter_mut().zip(column) {
                *slope += share * f64::from(value);
            }
        }
        slopes
    }
}

fn columns(list: &Candidates, features: usize) -> Vec<f32> {
    let mut columns = vec![0.0; features * list.len()];
    for candidate in 0..list.len() {
        for &(feature, value) in list.features_of(candidate) {
            columns[feature as usize * list.len() + candidate] = value;
        }
    }
    columns
}

impl Space for KBest<'_> {
    type Point = Vec<Vec<f64>>;

    fn features(&self) -> usize {
        self.pool.features()
    }

    fn sentences(&self) -> usize {
        self.pool.len()
    }

    fn metric(&self) -> &dyn Metric {
        self.pool.metric()
    }

    /// The score of each candidate of each sentence.
    fn at(&self, weights: &[f64]) -> Result<Self::Point> {
        let direction: Vec<(usize, f64)> = weights.iter().copied().enumerate().collect();
        let sentences = 0..self.pool.len();
        Ok(sentences.map(|sentence| self.slopes(sentence, &direction)).collect())
    }

    fn segments(
        &self,
        sentence: usize,
        point: &Self::Point,
        direction: &Direction,
    ) -> Result<Segments> {
        let list = &self.pool.sentences[sentence];
        let envelope = upper(&point[sentence], &self.slopes(sentence, direction));
        let mut segments = Segments::default();
        let mut before: &[f32] = &[];
        for (from, candidate) in envelope {
            let numbers = list.raw_statistics(list.text(candidate), self.metric().width());
            // Another derivation of the same words, or one that is as good, changes nothing.
            if before != numbers {
                segments.from.push(from);
                segments.statistics.extend_from_slice(numbers);
            }
            before = numbers;
        }
        Ok(segments)
    }
}
