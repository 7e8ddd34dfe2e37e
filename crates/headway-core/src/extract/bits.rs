//! Yes or no for every row and column.

#[derive(Debug, Default)]
pub struct BitMatrix {
    words: Vec<u64>,
    words_per_row: usize,
}

impl BitMatrix {
    /// All no, and of this size.
    pub fn reset(&mut self, rows: usize, columns: usize) {
        self.words_per_row = columns.div_ceil(64);
        self.words.clear();
        self.words.resize(rows * self.words_per_row, 0);
    }

    pub fn set(&mut self, row: usize, column: usize) {
        self.words[row * self.words_per_row + column / 64] |= 1 << (column % 64);
    }

    pub fn set_range(&mut self, row: usize, first: usize, last: usize) {
        for (word, mask) in self.masks(row, first, last) {
            self.words[word] |= mask;
        }
    }

    pub fn get(&self, row: usize, column: usize) -> bool {
        self.words[row * self.words_per_row + column / 64] >> (column % 64) & 1 == 1
    }

    /// Is any of these columns set? An empty range (`last` before `first`) has none.
    pub fn any(&self, row: usize, first: usize, last: usize) -> bool {
        self.masks(row, first, last).any(|(word, mask)| self.words[word] & mask != 0)
    }

    /// The words that hold columns `first..=last` of a row, with the bits in question.
    fn masks(
        &self,
        row: usize,
        first: usize,
        last: usize,
    ) -> impl Iterator<Item = (usize, u64)> + use<> {
        let start = row * self.words_per_row;
        let words = if first <= last { first / 64..last / 64 + 1 } else { 0..0 };
        words.map(move |word| {
            let low = first.saturating_sub(word * 64);
            let high = (last - word * 64).min(63);
            (start + word, u64::MAX << low & u64::MAX >> (63 - high))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranges_are_their_columns(
            ranges in proptest::collection::vec((0usize..3, 0usize..200, 0usize..200), 0..4),
            question in (0usize..3, 0usize..200, 0usize..200),
        ) {
            let mut by_range = BitMatrix::default();
            by_range.reset(3, 200);
            let mut by_column = BitMatrix::default();
            by_column.reset(3, 200);
            for &(row, first, last) in &ranges {
                by_range.set_range(row, first, last);
                (first..=last).for_each(|column| by_column.set(row, column));
            }
            prop_assert_eq!(&by_range.words, &by_column.words);
            let (row, first, last) = question;
            let expected = (first..=last).any(|column| by_column.get(row, column));
            prop_assert_eq!(by_range.any(row, first, last), expected);
        }
    }
}
