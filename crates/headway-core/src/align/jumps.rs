//! How far apart the generators of neighbouring words are (Vogel, Ney & Tillmann 1996), for
//! frequent given words each on its own (He 2007): a verb that stands for an auxiliary and a
//! participle is stayed at, an article is left for the word after it.

use std::cmp::Reverse;

use super::bitext::Side;
use super::lexicon::Counts;

/// Longer jumps count as this long.
const LONGEST: usize = 100;
/// Jump lengths −100 … 100.
const LENGTHS: usize = 2 * LONGEST + 1;

/// Rows of weights: for words without a row of their own, for the start, then words.
const GENERAL: u32 = 0;
const START: u32 = 1;
const FIRST_WORD: u32 = 2;

/// Which given words have jumps of their own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct JumpRows {
    words: Vec<u32>,
    /// The row of each word; words beyond the end are in no row of their own.
    rows: Vec<u32>,
}

impl JumpRows {
    /// The most frequent words of a side, this many.
    pub fn most_frequent(side: &Side, many: usize) -> Self {
        let mut counts = vec![0_u32; side.vocabulary.len()];
        for sentence in (0..side.len()).map(|number| side.sentence(number)) {
            sentence.iter().for_each(|&word| counts[word as usize] += 1);
        }
        let mut words: Vec<u32> = (0..counts.len() as u32).collect();
        words.sort_unstable_by_key(|&word| (Reverse(counts[word as usize]), word));
        words.truncate(many);
        JumpRows::new(words)
    }

    pub fn new(words: Vec<u32>) -> Self {
        let last = words.iter().max().map_or(0, |&word| word as usize + 1);
        let mut rows = vec![GENERAL; last];
        for (row, &word) in (FIRST_WORD..).zip(&words) {
            rows[word as usize] = row;
        }
        JumpRows { words, rows }
    }

    pub fn words(&self) -> &[u32] {
        &self.words
    }

    fn len(&self) -> usize {
        FIRST_WORD as usize + self.words.len()
    }

    /// The row of each position of a sentence, 0 being the start.
    fn of<'a>(&'a self, given: &'a [u32]) -> impl Iterator<Item = usize> + 'a {
        (0..=given.len()).map(|position| self.at(given, position))
    }

    fn at(&self, given: &[u32], position: usize) -> usize {
        let row = match position.checked_sub(1) {
            None => START,
            Some(place) => self.rows.get(given[place] as usize).copied().unwrap_or(GENERAL),
        };
        row as usize
    }
}

/// Weights of jump lengths.
#[derive(Debug, Clone)]
pub struct Jumps {
    rows: JumpRows,
    weights: Vec<f32>,
}

impl Jumps {
    /// A start for EM: short forward jumps are the likelier ones.
    pub fn initial(rows: JumpRows) -> Self {
        let weight = |index: usize| {
            let distance = (index as f64 - LONGEST as f64 - 1.0).abs();
            (1.0 / (1.0 + distance)) as f32
        };
        let row: Vec<f32> = (0..LENGTHS).map(weight).collect();
        Jumps { weights: row.repeat(rows.len()), rows }
    }

    /// None if there are not as many weights as the rows need.
    pub fn new(rows: JumpRows, weights: Vec<f32>) -> Option<Self> {
        (weights.len() == rows.len() * LENGTHS).then_some(Jumps { rows, weights })
    }

    /// Re-estimates from expected counts; each row is drawn towards the jumps of all words by
    /// `prior` counts, and a little is added so that no jump is impossible.
    pub fn maximise(&mut self, counts: &JumpCounts, prior: f64) {
        let mut general = vec![0.0; LENGTHS];
        for row in 0..self.rows.len() {
            for (length, cell) in general.iter_mut().enumerate() {
                *cell += counts.0.get(row * LENGTHS + length);
            }
        }
        let total = general.iter().sum::<f64>().max(1.0);
        general.iter_mut().for_each(|cell| *cell = *cell / total + 1e-6);
        self.weights.clear();
        self.weights.extend(general.iter().map(|&cell| cell as f32));
        for row in START as usize..self.rows.len() {
            let count = |length| counts.0.get(row * LENGTHS + length);
            let total = (0..LENGTHS).map(count).sum::<f64>() + prior;
            let cells = general.iter().enumerate();
            self.weights.extend(
                cells.map(|(length, cell)| ((count(length) + prior * cell) / total) as f32),
            );
        }
    }

    pub fn rows(&self) -> &JumpRows {
        &self.rows
    }

    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    pub fn counts(&self) -> JumpCounts {
        JumpCounts(Counts::zero(self.weights.len()))
    }

    /// The transition matrix of a given sentence: row by position before (0 is the start),
    /// column by position after (1 … length; the last column, length + 1, is the end);
    /// `length + 2` columns, of which column 0 is zero.
    pub fn matrix(&self, given: &[u32], matrix: &mut Vec<f32>) {
        let width = given.len() + 2;
        matrix.clear();
        matrix.resize((given.len() + 1) * width, 0.0);
        let rows = matrix.chunks_exact_mut(width).zip(self.rows.of(given));
        for (before, (cells, row)) in rows.enumerate() {
            let weights = &self.weights[row * LENGTHS..][..LENGTHS];
            for (after, cell) in cells.iter_mut().enumerate().skip(1) {
                *cell = weights[slot(before, after)];
            }
            let total: f32 = cells.iter().sum();
            let scale = 1.0 / total;
            cells.iter_mut().for_each(|cell| *cell *= scale);
        }
    }
}

fn slot(before: usize, after: usize) -> usize {
    let jump = after as i64 - before as i64;
    (jump.clamp(-(LONGEST as i64), LONGEST as i64) + LONGEST as i64) as usize
}

/// Expected counts of jump lengths, by row; added to from any thread.
pub struct JumpCounts(Counts);

impl JumpCounts {
    /// Adds a matrix of expected jumps, shaped as those of `Jumps::matrix`.
    pub fn add_matrix(&self, rows: &JumpRows, given: &[u32], expected: &[f32]) {
        let matrix = expected.chunks_exact(given.len() + 2).zip(rows.of(given));
        for (before, (cells, row)) in matrix.enumerate() {
            for (after, &amount) in cells.iter().enumerate() {
                if amount > NEGLIGIBLE {
                    self.0.add((row * LENGTHS + slot(before, after)) as u32, amount);
                }
            }
        }
    }

    /// Adds the jumps of a state: for each word its generator, 0 being NULL.
    pub fn add_state(&self, rows: &JumpRows, given: &[u32], state: &[u32]) {
        let mut before = 0;
        let end = given.len() + 1;
        let real = state.iter().filter(|&&generator| generator > 0);
        for after in real.map(|&generator| generator as usize).chain([end]) {
            let row = rows.at(given, before);
            self.0.add((row * LENGTHS + slot(before, after)) as u32, 1.0);
            before = after;
        }
    }
}

/// Expected jumps below this are left out, to save time.
const NEGLIGIBLE: f32 = 1e-5;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_distributions_over_positions_and_the_end() {
        let jumps = Jumps::initial(JumpRows::new(vec![2]));
        let mut matrix = Vec::new();
        for length in [1, 2, 7, 150, 300] {
            let given: Vec<u32> = (0..length as u32).collect();
            jumps.matrix(&given, &mut matrix);
            assert_eq!(matrix.len(), (length + 1) * (length + 2));
            for row in matrix.chunks_exact(length + 2) {
                assert_eq!(row[0], 0.0);
                assert!((row.iter().sum::<f32>() - 1.0).abs() < 1e-4);
            }
        }
    }

    #[test]
    fn counted_jumps_become_likelier_from_the_word_they_were_counted_at() {
        // Word 7 is always stayed at, others are left for the next position but one.
        let mut jumps = Jumps::initial(JumpRows::new(vec![7]));
        let counts = jumps.counts();
        let rows = jumps.rows().clone();
        for _ in 0..50 {
            counts.add_state(&rows, &[7, 8, 9], &[1, 0, 1, 1, 3]);
        }
        jumps.maximise(&counts, 1.0);
        let mut matrix = Vec::new();
        jumps.matrix(&[8, 7, 9, u32::MAX - 1], &mut matrix);
        let row = |before: usize| &matrix[before * 6..][..6];
        assert!(row(0)[1] > 0.9, "{matrix:?}");
        assert!(row(2)[2] > 0.6 && row(2)[4] > 0.25, "{matrix:?}");
        assert_eq!(row(4)[5], row(4)[5].max(row(4)[2]), "{matrix:?}");
    }

    #[test]
    fn frequent_words_have_rows() {
        let mut side = Side::default();
        side.push("a b b c c".split_whitespace());
        side.push("c d".split_whitespace());
        assert_eq!(JumpRows::most_frequent(&side, 2).words(), [2, 1]);
        assert_eq!(JumpRows::most_frequent(&side, 9).words(), [2, 1, 0, 3]);
    }
}
