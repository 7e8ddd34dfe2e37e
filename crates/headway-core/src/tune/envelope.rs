//! The upper envelope of lines: which candidate is best at each step along a direction.

/// The lines that are highest somewhere: from where on (−∞ first), and which. Of lines that are
/// equal the first is taken.
pub fn upper(scores: &[f64], slopes: &[f64]) -> Vec<(f64, usize)> {
    let Some(mut current) = leftmost(scores, slopes) else { return Vec::new() };
    let mut envelope = vec![(f64::NEG_INFINITY, current)];
    if slopes.iter().all(|&slope| slope == slopes[current]) {
        return envelope;
    }
    // What is not steeper than the current line can never be higher again.
    let mut left: Vec<(f64, f64, u32)> = (0..scores.len())
        .filter(|&line| slopes[line] > slopes[current])
        .map(|line| (slopes[line], scores[line], line as u32))
        .collect();
    while !left.is_empty() {
        let (score, slope) = (scores[current], slopes[current]);
        let mut next = (f64::INFINITY, slope, current);
        for &(steeper, other, line) in &left {
            let crossing = (score - other) / (steeper - slope);
            if crossing < next.0 || (crossing == next.0 && steeper > next.1) {
                next = (crossing, steeper, line as usize);
            }
        }
        if next.2 == current {
            break;
        }
        current = next.2;
        push(&mut envelope, next.0, current);
        left.retain(|&(steeper, _, _)| steeper > next.1);
    }
    envelope
}

/// Adds a line; rounding must not let the envelope go back.
pub fn push(envelope: &mut Vec<(f64, usize)>, from: f64, line: usize) {
    let before = envelope.last().map_or(f64::NEG_INFINITY, |&(from, _)| from);
    envelope.push((from.max(before), line));
}

/// The line that is highest far to the left: the least slope, then the highest score.
fn leftmost(scores: &[f64], slopes: &[f64]) -> Option<usize> {
    let mut found: Option<usize> = None;
    for line in 0..scores.len() {
        let better = found.is_none_or(|best| {
            slopes[line] < slopes[best]
                || (slopes[line] == slopes[best] && scores[line] > scores[best])
        });
        if better {
            found = Some(line);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_envelope_is_the_highest_line_everywhere(
            lines in prop::collection::vec((-20_i32..20, -6_i32..6), 1..30)
        ) {
            let scores: Vec<f64> = lines.iter().map(|line| f64::from(line.0) / 3.0).collect();
            let slopes: Vec<f64> = lines.iter().map(|line| f64::from(line.1)).collect();
            let envelope = upper(&scores, &slopes);
            for step in -200..200 {
                let at = f64::from(step) / 7.0 + 0.001;
                let here = envelope.iter().rev().find(|&&(from, _)| from <= at).unwrap().1;
                let value = |line: usize| scores[line] + at * slopes[line];
                let highest = (0..lines.len()).map(value).fold(f64::NEG_INFINITY, f64::max);
                prop_assert!((value(here) - highest).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn no_lines_have_no_envelope() {
        assert!(upper(&[], &[]).is_empty());
    }
}
