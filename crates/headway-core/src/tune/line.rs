//! The exact line search of Och (2003): the score of a whole text along a line is constant
//! between the places where some sentence changes its best candidate.

use super::space::{Direction, Space};
use crate::Result;
use crate::metric::add;

/// The best place on a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Optimum {
    pub step: f64,
    pub score: f64,
}

/// A gain smaller than this is rounding.
const LEAST_GAIN: f64 = 1e-7;
/// Narrower intervals are made by rounding, or hold by chance.
const NARROWEST: f64 = 1e-5;

/// A place where one sentence changes, and what it changes.
struct Change {
    at: f64,
    place: usize,
}

/// The score of the whole text from each place on, in order; the first from −∞.
fn surface<S: Space>(
    space: &S,
    point: &S::Point,
    direction: &Direction,
) -> Result<Vec<(f64, f64)>> {
    let metric = space.metric();
    let width = metric.width();
    let mut sums = vec![0.0; width];
    let (mut changes, mut deltas): (Vec<Change>, Vec<f64>) = (Vec::new(), Vec::new());
    for sentence in 0..space.sentences() {
        let segments = space.segments(sentence, point, direction)?;
        let mut numbers = segments.statistics.chunks_exact(width);
        let Some(mut before) = numbers.next() else { continue };
        let first: Vec<f64> = before.iter().map(|&number| f64::from(number)).collect();
        add(&mut sums, &first);
        for (&at, after) in segments.from.iter().skip(1).zip(numbers) {
            changes.push(Change { at, place: deltas.len() });
            deltas.extend(after.iter().zip(before).map(|(a, b)| f64::from(*a) - f64::from(*b)));
            before = after;
        }
    }
    // Stable, so that equal places are passed in the order of sentences.
    changes.sort_by(|a, b| a.at.total_cmp(&b.at));
    let mut surface = vec![(f64::NEG_INFINITY, metric.score(&sums))];
    for (number, change) in changes.iter().enumerate() {
        add(&mut sums, &deltas[change.place..change.place + width]);
        if changes.get(number + 1).is_none_or(|next| next.at > change.at) {
            surface.push((change.at, metric.score(&sums)));
        }
    }
    Ok(surface)
}

/// The best place along `direction` through `point`; 0 unless another place is better.
pub fn line_search<S: Space>(
    space: &S,
    point: &S::Point,
    direction: &Direction,
) -> Result<Optimum> {
    let surface = surface(space, point, direction)?;
    let end = |number: usize| surface.get(number + 1).map_or(f64::INFINITY, |&(from, _)| from);
    let here = surface.iter().rposition(|&(from, _)| from <= 0.0).unwrap_or(0);
    let mut best = Optimum { step: 0.0, score: surface[here].1 };
    let mut widest = 0.0;
    for (number, &(from, score)) in surface.iter().enumerate() {
        let (to, start) = (end(number), best.score);
        let width = to - from;
        let gain = score > start + LEAST_GAIN && width > NARROWEST;
        let wider = score > start - LEAST_GAIN && best.step != 0.0 && width > widest;
        if number != here && (gain || wider) {
            best = Optimum { step: inside(from, to), score: score.max(start) };
            widest = width;
        }
    }
    Ok(best)
}

/// Whether no sentence changes its choice anywhere along a line.
pub fn is_flat<S: Space>(space: &S, point: &S::Point, direction: &Direction) -> Result<bool> {
    Ok(surface(space, point, direction)?.len() == 1)
}

/// A place in an interval that 0 is not in: its middle, but not farther in than it is away,
/// so that wide intervals do not make weights huge.
fn inside(from: f64, to: f64) -> f64 {
    let (near, sign) = if from >= 0.0 { (from, 1.0) } else { (-to, -1.0) };
    let half = (to - from) / 2.0;
    let margin = if near > 0.0 { near } else { 0.01 };
    sign * (near + half.min(margin))
}

#[cfg(test)]
mod tests {
    use super::super::space::KBest;
    use super::super::testing::random_pool;
    use super::*;

    #[test]
    fn the_line_search_equals_a_dense_scan() {
        for (number, metric) in crate::metric::NAMES.iter().enumerate() {
            for seed in 0..8 {
                let pool = random_pool(metric, 6, 12, seed * 10 + number as u64);
                let (space, weights) = (KBest::new(&pool), [0.3, -0.2, 0.5]);
                let direction = [(0, 1.0), (2, -0.7)];
                let point = space.at(&weights).unwrap();
                let found = line_search(&space, &point, &direction).unwrap();
                let at = |step: f64| pool.score(&[0.3 + step, -0.2, 0.5 - 0.7 * step]);
                let scan = (-4000..4000).map(|step| at(f64::from(step) / 100.0 + 1e-5));
                let highest = scan.fold(f64::NEG_INFINITY, f64::max);
                assert!(found.score >= highest - 1e-6, "{metric} {seed}: {found:?} {highest}");
                assert!((at(found.step) - found.score).abs() < 1e-6, "{metric} {seed}: {found:?}");
            }
        }
    }

    #[test]
    fn places_lie_inside_and_near() {
        assert_eq!(inside(2.0, 4.0), 3.0);
        assert_eq!(inside(2.0, f64::INFINITY), 4.0);
        assert_eq!(inside(f64::NEG_INFINITY, -3.0), -6.0);
        assert_eq!(inside(0.0, f64::INFINITY), 0.01);
    }
}
