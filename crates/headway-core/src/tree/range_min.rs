//! Where the smallest value of a range is, in O(1) after O(n) preparation.
//!
//! The values are cut into blocks of 64. Inside a block, `stack[i]` has a bit for every
//! position up to i that is smaller than all after it up to i (a monotone stack as a word), so
//! the first such position from `from` on is the minimum. Whole blocks between are answered by
//! a sparse table, which holds (n/64)·log2(n/64) < n entries for any n that fits in memory.

const BLOCK: usize = 64;

pub(super) struct RangeMin {
    values: Vec<u32>,
    stack: Vec<u64>,
    /// `table[k][b]`: position of the minimum of blocks b to b + 2^k.
    table: Vec<Vec<u32>>,
}

impl RangeMin {
    pub(super) fn new(values: Vec<u32>) -> Self {
        let stack = stacks(&values);
        let mut ranges = RangeMin { values, stack, table: Vec::new() };
        let mut row = ranges.block_minima();
        let mut width = 1;
        while row.len() > 1 {
            let pairs = 0..row.len().saturating_sub(width);
            let next = pairs.map(|at| ranges.smaller(row[at], row[at + width])).collect();
            ranges.table.push(row);
            row = next;
            width *= 2;
        }
        ranges.table.push(row);
        ranges
    }

    pub(super) fn value(&self, at: usize) -> u32 {
        self.values[at]
    }

    /// The leftmost position of the smallest value in `first..=last`.
    pub(super) fn position(&self, first: usize, last: usize) -> usize {
        debug_assert!(first <= last && last < self.values.len());
        let (from, to) = (first / BLOCK, last / BLOCK);
        if from == to {
            return self.in_block(first, last) as usize;
        }
        let mut best = self.in_block(first, from * BLOCK + BLOCK - 1);
        if from + 1 < to {
            best = self.smaller(best, self.of_blocks(from + 1, to - 1));
        }
        self.smaller(best, self.in_block(to * BLOCK, last)) as usize
    }

    /// The smallest value in `first..=last`.
    pub(super) fn min(&self, first: usize, last: usize) -> u32 {
        self.values[self.position(first, last)]
    }

    /// How many numbers are stored: the preparation's time and space.
    #[cfg(test)]
    fn size(&self) -> usize {
        self.values.len() + self.stack.len() + self.table.iter().map(Vec::len).sum::<usize>()
    }

    fn in_block(&self, first: usize, last: usize) -> u32 {
        let from_first = self.stack[last] >> (first % BLOCK);
        first as u32 + from_first.trailing_zeros()
    }

    fn of_blocks(&self, first: usize, last: usize) -> u32 {
        let power = (last - first + 1).ilog2() as usize;
        let row = &self.table[power];
        self.smaller(row[first], row[last + 1 - (1 << power)])
    }

    /// Of two positions, `left` before `right`, the one with the smaller value.
    fn smaller(&self, left: u32, right: u32) -> u32 {
        if self.values[right as usize] < self.values[left as usize] { right } else { left }
    }

    fn block_minima(&self) -> Vec<u32> {
        let starts = (0..self.values.len()).step_by(BLOCK);
        starts
            .map(|start| self.in_block(start, (start + BLOCK).min(self.values.len()) - 1))
            .collect()
    }
}

fn stacks(values: &[u32]) -> Vec<u64> {
    let mut stack = 0u64;
    let mut stacks = Vec::with_capacity(values.len());
    for (at, &value) in values.iter().enumerate() {
        let offset = at % BLOCK;
        if offset == 0 {
            stack = 0;
        }
        // Each position is pushed once and popped at most once.
        while stack != 0 {
            let top = 63 - stack.leading_zeros() as usize;
            if values[at - offset + top] <= value {
                break;
            }
            stack ^= 1 << top;
        }
        stack |= 1 << offset;
        stacks.push(stack);
    }
    stacks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn leftmost(values: &[u32], first: usize, last: usize) -> usize {
        (first..=last).min_by_key(|&at| (values[at], at)).unwrap()
    }

    #[test]
    fn every_range_of_a_long_array() {
        let values: Vec<u32> = (0..700u32).map(|at| at.wrapping_mul(2_654_435_761) >> 25).collect();
        let ranges = RangeMin::new(values.clone());
        for first in 0..values.len() {
            for last in first..values.len() {
                assert_eq!(ranges.position(first, last), leftmost(&values, first, last));
            }
        }
    }

    #[test]
    fn preparation_is_linear() {
        for power in 0..21 {
            let length = 1usize << power;
            let values = (0..length as u32).map(|at| at.wrapping_mul(2_654_435_761)).collect();
            assert!(RangeMin::new(values).size() <= 3 * length, "{length} values");
        }
    }

    proptest! {
        #[test]
        fn ranges_of_random_arrays(values in proptest::collection::vec(0u32..9, 1..300),
                                   a in 0usize..300, b in 0usize..300) {
            let (a, b) = (a % values.len(), b % values.len());
            let (first, last) = (a.min(b), a.max(b));
            let ranges = RangeMin::new(values.clone());
            prop_assert_eq!(ranges.position(first, last), leftmost(&values, first, last));
        }
    }
}
