//! MIRA: the smallest change of the weights that gives the gold tree its margin over each of
//! some other trees (Crammer & Singer 2003; McDonald et al. 2005).

/// One demand: the gold tree must beat another by `loss`. `difference` are the features of gold
/// minus those of the other, sorted by place; `margin` is what it beats it by now.
#[derive(Debug, Clone, Default)]
pub struct Constraint {
    pub difference: Vec<(u32, f32)>,
    pub margin: f64,
    pub loss: f64,
}

impl Constraint {
    /// A demand from features of the gold tree and of the other, in any order, with repeats.
    pub fn new(gold: &[u32], other: &[u32], loss: f64, weight: impl Fn(u32) -> f32) -> Self {
        let mut changes: Vec<(u32, f32)> = gold.iter().map(|&place| (place, 1.0)).collect();
        changes.extend(other.iter().map(|&place| (place, -1.0)));
        changes.sort_unstable_by_key(|&(place, _)| place);
        let mut difference: Vec<(u32, f32)> = Vec::with_capacity(changes.len());
        for (place, change) in changes {
            match difference.last_mut() {
                Some((last, sum)) if *last == place => *sum += change,
                _ => difference.push((place, change)),
            }
        }
        difference.retain(|&(_, change)| change != 0.0);
        let score = |&(place, change): &(u32, f32)| f64::from(change * weight(place));
        let margin = difference.iter().map(score).sum();
        Constraint { difference, margin, loss }
    }
}

/// Rounds of Hildreth's algorithm at most, for each constraint.
const ROUNDS: usize = 100;

/// How far to move along each difference, each step from 0 to `most`. One constraint has its
/// exact answer; several are met together by Hildreth's algorithm.
pub fn hildreth(constraints: &[Constraint], most: f64) -> Vec<f64> {
    let products: Vec<Vec<f64>> = constraints
        .iter()
        .map(|one| constraints.iter().map(|other| product(one, other)).collect())
        .collect();
    let mut steps = vec![0.0; constraints.len()];
    let mut missing: Vec<f64> = constraints.iter().map(|one| one.loss - one.margin).collect();
    for _ in 0..ROUNDS * constraints.len() {
        let mut worst: Option<(f64, usize, f64)> = None;
        for (at, &short) in missing.iter().enumerate() {
            let norm = products[at][at];
            let step = (steps[at] + short / norm).clamp(0.0, most) - steps[at];
            let moved = (step * norm).abs();
            if norm > 0.0 && worst.is_none_or(|(known, ..)| moved > known) {
                worst = Some((moved, at, step));
            }
        }
        let Some((moved, at, step)) = worst else { break };
        if moved < 1e-8 {
            break;
        }
        steps[at] += step;
        for (other, short) in missing.iter_mut().enumerate() {
            *short -= step * products[at][other];
        }
    }
    steps
}

/// The product of two sorted sparse vectors.
fn product(one: &Constraint, other: &Constraint) -> f64 {
    let (mut a, mut b) = (one.difference.iter().peekable(), other.difference.iter().peekable());
    let mut sum = 0.0;
    while let (Some(&&(place, value)), Some(&&(there, change))) = (a.peek(), b.peek()) {
        if place == there {
            sum += f64::from(value * change);
        }
        if place <= there {
            a.next();
        }
        if there <= place {
            b.next();
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn moved(constraints: &[Constraint], steps: &[f64], of: &Constraint) -> f64 {
        let gain = constraints.iter().zip(steps).map(|(one, step)| step * product(one, of));
        of.margin + gain.sum::<f64>()
    }

    proptest! {
        #[test]
        fn every_margin_is_met_where_steps_may_be_long(
            trees in prop::collection::vec(
                (prop::collection::vec(0..1000_u32, 1..9), 1..6_u8), 1..5),
        ) {
            // Each tree has a feature of its own, so all demands can be met together.
            let constraints: Vec<Constraint> = trees.iter().enumerate().map(|(at, (other, loss))| {
                let mut other = other.clone();
                other.push(5000 + at as u32);
                Constraint::new(&[1, 2, 3], &other, f64::from(*loss), |place| (place % 7) as f32 * 0.1)
            }).collect();
            let steps = hildreth(&constraints, f64::INFINITY);
            for one in &constraints {
                prop_assert!(moved(&constraints, &steps, one) >= one.loss - 1e-3);
            }
            prop_assert!(steps.iter().all(|&step| step >= 0.0));
        }

        #[test]
        fn a_single_step_is_the_shortest_one(other in prop::collection::vec(0..30_u32, 1..9)) {
            let one = Constraint::new(&[40, 41], &other, 3.0, |_| 0.5);
            let norm: f64 = one.difference.iter().map(|d| f64::from(d.1 * d.1)).sum();
            let expected = ((one.loss - one.margin) / norm).max(0.0);
            let found = hildreth(std::slice::from_ref(&one), f64::INFINITY)[0];
            prop_assert!((found - expected).abs() < 1e-6);
            prop_assert!(hildreth(&[one], 0.01)[0] <= 0.01);
        }
    }

    #[test]
    fn features_that_both_trees_have_cancel_out() {
        let one = Constraint::new(&[3, 1, 1], &[1, 2], 1.0, |_| 1.0);
        assert_eq!(one.difference, [(1, 1.0), (2, -1.0), (3, 1.0)]);
        assert_eq!(one.margin, 1.0);
    }
}
