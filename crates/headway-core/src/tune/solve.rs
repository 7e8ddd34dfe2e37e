//! Small systems of linear equations.

/// Pivots smaller than this, beside the largest number of the matrix, are rounding.
const LEAST_PIVOT: f64 = 1e-10;

/// The x of A x = b by Gaussian elimination with pivoting; unknowns that the equations leave open
/// are 0.
pub(super) fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    let largest = rows.iter().flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
    let mut pivots: Vec<(usize, usize)> = Vec::new();
    for column in 0..size {
        let from = pivots.len();
        let Some(best) =
            (from..size).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))
        else {
            break;
        };
        if rows[best][column].abs() <= LEAST_PIVOT * largest {
            continue;
        }
        rows.swap(from, best);
        right.swap(from, best);
        let (pivot, value) = (rows[from].clone(), right[from]);
        for row in 0..size {
            if row != from {
                let share = rows[row][column] / pivot[column];
                rows[row].iter_mut().zip(&pivot).for_each(|(own, other)| *own -= share * other);
                right[row] -= share * value;
            }
        }
        pivots.push((from, column));
    }
    let mut found = vec![0.0; size];
    for (row, column) in pivots {
        found[column] = right[row] / rows[row][column];
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn what_is_found_solves_the_equations() {
        let mut random = Random::new(4, 4);
        for size in 1..8 {
            let mut number = || random.next_f64() * 2.0 - 1.0;
            let rows: Vec<Vec<f64>> =
                (0..size).map(|_| (0..size).map(|_| number()).collect()).collect();
            let right: Vec<f64> = (0..size).map(|_| number()).collect();
            let found = solve(rows.clone(), right.clone());
            for (row, wanted) in rows.iter().zip(right) {
                let sum: f64 = row.iter().zip(&found).map(|(a, x)| a * x).sum();
                assert!((sum - wanted).abs() < 1e-9, "{sum} {wanted}");
            }
        }
    }

    #[test]
    fn open_unknowns_are_0() {
        let rows = vec![vec![2.0, 2.0, 0.0], vec![2.0, 2.0, 0.0], vec![0.0, 0.0, 0.0]];
        assert_eq!(solve(rows, vec![4.0, 4.0, 0.0]), [2.0, 0.0, 0.0]);
        assert!(solve(vec![], vec![]).is_empty());
    }
}
