//! Scores of the best heads of words, in rows that share what is the same.
//!
//! A new word becomes the head of few words before it, mostly of near ones. So a row is a list of
//! blocks, and a row that grows out of another copies only the blocks that change.

use super::worth::{Candidates, HeadScore, Worth};

/// Words of a block: one line of the processor's cache.
const WORDS: usize = 16;

type Block = [f32; WORDS];

/// The best heads of a beginning's words.
#[derive(Debug, Clone, Copy, Default)]
pub struct Row {
    /// Where its blocks begin.
    start: u32,
    words: u32,
}

/// All rows of a sentence.
#[derive(Debug, Default)]
pub struct Heads {
    /// The blocks of each row, in order.
    rows: Vec<u32>,
    blocks: Vec<Block>,
    /// What the best heads of each block are compared with, if they are.
    others: Vec<Block>,
}

impl Heads {
    /// A row with one more word, and by how much it is worth more. Given are the arcs between the
    /// new word and the root, then all others: to the new word, from it.
    pub fn then(&mut self, row: Row, arcs: &[[f32; 2]], worth: Worth) -> (f32, Row) {
        match worth.score {
            HeadScore::Raw => self.then_scores(row, arcs),
            _ => self.then_compared(row, arcs, worth),
        }
    }

    /// The same where heads are compared with the others of the same word, of which there is one
    /// more now: no block stays as it is.
    fn then_compared(&mut self, row: Row, arcs: &[[f32; 2]], worth: Worth) -> (f32, Row) {
        let (first, words) = (self.rows.len(), row.words as usize);
        let (mut new, mut gain) = (worth.with(Candidates::NONE, arcs[0][0]), 0.0);
        for (number, arcs) in arcs[1..].chunks(WORDS).enumerate() {
            let before = self.rows[row.start as usize + number] as usize;
            let (mut best, mut other) = (self.blocks[before], self.others[before]);
            for ((best, other), &[onward, back]) in best.iter_mut().zip(&mut other).zip(arcs) {
                new = worth.with(new, onward);
                let old = Candidates { best: *best, other: *other };
                let grown = worth.with(old, back);
                gain += f64::from(worth.of_best(grown)) - f64::from(worth.of_best(old));
                (*best, *other) = (grown.best, grown.other);
            }
            let block = self.push(best);
            self.others.push(other);
            self.rows.push(block);
        }
        self.put(first, words, new.best);
        // The block that `put` made is a copy of the last one, or the first of its words.
        let copied = if words % WORDS > 0 { self.others.last().copied() } else { None };
        let mut other = copied.unwrap_or([0.0; WORDS]);
        other[words % WORDS] = new.other;
        self.others.push(other);
        let new_row = Row { start: first as u32, words: row.words + 1 };
        ((gain + f64::from(worth.of_best(new))) as f32, new_row)
    }

    fn then_scores(&mut self, row: Row, arcs: &[[f32; 2]]) -> (f32, Row) {
        let (first, words) = (self.rows.len(), row.words as usize);
        let (mut best, mut gain) = (arcs[0][0], 0.0);
        for (number, arcs) in arcs[1..].chunks(WORDS).enumerate() {
            let shared = self.rows[row.start as usize + number];
            let mut block = self.blocks[shared as usize];
            let mut change = 0.0;
            for (head, &[onward, back]) in block.iter_mut().zip(arcs) {
                best = best.max(onward);
                change += f64::from((back - *head).max(0.0));
                *head = head.max(back);
            }
            gain += change;
            let block = if change > 0.0 { self.push(block) } else { shared };
            self.rows.push(block);
        }
        self.put(first, words, best);
        let new = Row { start: first as u32, words: row.words + 1 };
        ((gain + f64::from(best)) as f32, new)
    }

    /// Puts the score of a word behind the others of the row that was begun last.
    fn put(&mut self, first: usize, word: usize, score: f32) {
        let (number, place) = (word / WORDS, word % WORDS);
        let mut block = match self.rows.get(first + number) {
            Some(&block) => self.blocks[block as usize],
            None => [0.0; WORDS],
        };
        block[place] = score;
        let block = self.push(block);
        self.rows.truncate(first + number);
        self.rows.push(block);
    }

    fn push(&mut self, block: Block) -> u32 {
        self.blocks.push(block);
        self.blocks.len() as u32 - 1
    }

    /// How much there is, for `back_to`.
    pub fn mark(&self) -> [usize; 2] {
        [self.rows.len(), self.blocks.len()]
    }

    /// Forgets rows that came later.
    pub fn back_to(&mut self, [rows, blocks]: [usize; 2]) {
        self.rows.truncate(rows);
        self.blocks.truncate(blocks);
        self.others.truncate(blocks);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Rows grow from any row before; each is compared with a row that is copied whole.
        #[test]
        fn shared_rows_are_those_copied(
            steps in proptest::collection::vec((any::<usize>(), any::<u64>()), 1..60),
        ) {
            let mut heads = Heads::default();
            let mut rows: Vec<(Row, Vec<f32>)> = vec![(Row::default(), Vec::new())];
            for (from, seed) in steps {
                // Late rows grow most, so that some are longer than a block.
                let (row, old) = rows[rows.len() - 1 - from % rows.len().min(3)].clone();
                let mut random = crate::random::Random::new(seed, 1);
                let mut arc = || (random.next_f64() * 8.0 - 6.0) as f32;
                let arcs: Vec<[f32; 2]> = (0..=old.len()).map(|_| [arc(), arc()]).collect();
                let (gain, row) = heads.then(row, &arcs, Worth::default());
                let mut new: Vec<f32> =
                    old.iter().zip(&arcs[1..]).map(|(&head, arc)| head.max(arc[1])).collect();
                new.push(arcs.iter().fold(f32::NEG_INFINITY, |best, arc| best.max(arc[0])));
                let sum = |row: &[f32]| row.iter().map(|&it| f64::from(it)).sum::<f64>();
                prop_assert!((f64::from(gain) - sum(&new) + sum(&old)).abs() < 1e-4);
                let found: Vec<f32> = (0..new.len())
                    .map(|word| {
                        let block = heads.rows[row.start as usize + word / WORDS];
                        heads.blocks[block as usize][word % WORDS]
                    })
                    .collect();
                prop_assert_eq!(&found, &new);
                rows.push((row, new));
            }
        }
    }
}
