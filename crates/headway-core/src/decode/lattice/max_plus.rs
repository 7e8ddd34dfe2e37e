//! Sums and maxima over rows, written so that they become vector instructions.

const LANES: usize = 16;

#[inline]
fn larger(one: f32, other: f32) -> f32 {
    if one > other { one } else { other }
}

/// The largest sum of two numbers at the same place; −∞ without any. The rows are equally long.
#[inline]
pub fn best_sum(one: &[f32], other: &[f32]) -> f32 {
    let mut best = [f32::NEG_INFINITY; LANES];
    let (ones, others) = (one.chunks_exact(LANES), other.chunks_exact(LANES));
    let rest = ones.remainder().iter().zip(others.remainder());
    let last = rest.fold(f32::NEG_INFINITY, |best, (a, b)| larger(a + b, best));
    for (a, b) in ones.zip(others) {
        for lane in 0..LANES {
            best[lane] = larger(a[lane] + b[lane], best[lane]);
        }
    }
    best.into_iter().fold(last, larger)
}

/// Raises a row to another one plus a number.
#[inline]
pub fn raise(row: &mut [f32], other: &[f32], by: f32) {
    for (value, &other) in row.iter_mut().zip(other) {
        *value = larger(other + by, *value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn rows_of_any_length_are_as_in_a_plain_loop() {
        let mut random = Random::new(1, 1);
        for length in 0..70 {
            let mut row =
                || (0..length).map(|_| random.next_f64() as f32 - 0.5).collect::<Vec<_>>();
            let (one, other) = (row(), row());
            let sums = one.iter().zip(&other).map(|(a, b)| a + b);
            assert_eq!(best_sum(&one, &other), sums.fold(f32::NEG_INFINITY, f32::max));
            let mut raised = one.clone();
            raise(&mut raised, &other, 0.25);
            let expected: Vec<f32> = one.iter().zip(&other).map(|(a, b)| a.max(b + 0.25)).collect();
            assert_eq!(raised, expected);
        }
    }
}
