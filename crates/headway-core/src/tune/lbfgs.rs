//! Minimising smooth convex functions: limited-memory BFGS (Liu & Nocedal 1989).

use std::collections::VecDeque;

use crate::Result;

/// Past steps that shape the next one.
const MEMORY: usize = 8;
const MOST_STEPS: usize = 100;
const MOST_HALVINGS: usize = 30;

/// The minimum near `start` of a function that answers its value and gradient.
pub fn minimise(
    start: Vec<f64>,
    mut value: impl FnMut(&[f64]) -> Result<(f64, Vec<f64>)>,
) -> Result<Vec<f64>> {
    let mut point = start;
    let (mut lowest, mut gradient) = value(&point)?;
    let mut past: VecDeque<Past> = VecDeque::new();
    for _ in 0..MOST_STEPS {
        let steepest = dot(&gradient, &gradient).sqrt();
        if steepest < 1e-9 {
            break;
        }
        let mut way = direction(&gradient, &past);
        if dot(&way, &gradient) >= 0.0 {
            past.clear();
            way = gradient.iter().map(|slope| -slope).collect();
        }
        let first = if past.is_empty() { 1.0 / steepest.max(1.0) } else { 1.0 };
        let Some((next, next_value, next_gradient)) =
            search(&point, lowest, &gradient, &way, first, &mut value)?
        else {
            break;
        };
        let gain = lowest - next_value;
        remember(&mut past, &point, &next, &gradient, &next_gradient);
        (point, lowest, gradient) = (next, next_value, next_gradient);
        if gain <= 1e-10 * lowest.abs().max(1e-10) {
            break;
        }
    }
    Ok(point)
}

struct Past {
    step: Vec<f64>,
    change: Vec<f64>,
    product: f64,
}

fn remember(past: &mut VecDeque<Past>, old: &[f64], new: &[f64], from: &[f64], to: &[f64]) {
    let difference = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a - b).collect();
    let (step, change): (Vec<f64>, Vec<f64>) = (difference(new, old), difference(to, from));
    let product = dot(&step, &change);
    if product > 1e-12 {
        past.push_back(Past { step, change, product });
        if past.len() > MEMORY {
            past.pop_front();
        }
    }
}

/// Against the gradient, as curved as past steps say.
fn direction(gradient: &[f64], past: &VecDeque<Past>) -> Vec<f64> {
    let mut way = gradient.to_vec();
    let mut shares = Vec::with_capacity(past.len());
    for old in past.iter().rev() {
        let share = dot(&old.step, &way) / old.product;
        add(&mut way, -share, &old.change);
        shares.push(share);
    }
    if let Some(last) = past.back() {
        let scale = last.product / dot(&last.change, &last.change);
        way.iter_mut().for_each(|value| *value *= scale);
    }
    for (old, share) in past.iter().zip(shares.iter().rev()) {
        let back = dot(&old.change, &way) / old.product;
        add(&mut way, share - back, &old.step);
    }
    way.iter_mut().for_each(|value| *value = -*value);
    way
}

type Place = (Vec<f64>, f64, Vec<f64>);

/// The first of ever shorter steps that gains enough (Armijo).
fn search(
    point: &[f64],
    lowest: f64,
    gradient: &[f64],
    way: &[f64],
    first: f64,
    value: &mut impl FnMut(&[f64]) -> Result<(f64, Vec<f64>)>,
) -> Result<Option<Place>> {
    let slope = dot(gradient, way);
    let mut length = first;
    for _ in 0..MOST_HALVINGS {
        let mut next = point.to_vec();
        add(&mut next, length, way);
        let (found, there) = value(&next)?;
        if found.is_finite() && found <= lowest + 1e-4 * length * slope {
            return Ok(Some((next, found, there)));
        }
        length /= 2.0;
    }
    Ok(None)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(sum: &mut [f64], share: f64, other: &[f64]) {
    for (sum, value) in sum.iter_mut().zip(other) {
        *sum += share * value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_badly_scaled_bowl_is_descended() {
        let bowl = |x: &[f64]| {
            let (a, b) = (x[0] - 3.0, x[1] + 2.0);
            Ok((1000.0 * a * a + b * b, vec![2000.0 * a, 2.0 * b]))
        };
        let found = minimise(vec![0.0, 0.0], bowl).unwrap();
        assert!((found[0] - 3.0).abs() < 1e-4 && (found[1] + 2.0).abs() < 1e-3, "{found:?}");
    }
}
