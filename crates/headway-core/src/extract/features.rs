//! The features of extracted rules, by name.

use super::options::{Options, Reordering};
use super::orientation::ORIENTATIONS;
use crate::table::{Feature, REORDERING_PREFIX, TRANSLATION_FEATURES};

/// Counts by orientation.
pub type Oriented = [u64; ORIENTATIONS];

const MSD: [&str; 3] = ["monotone", "swap", "discontinuous"];
const MSLR: [&str; 4] = ["monotone", "swap", "left", "right"];

/// Name and scale of every feature, in order.
pub fn features(options: &Options) -> Vec<Feature> {
    let translation = TRANSLATION_FEATURES.iter().map(|name| name.to_string());
    let reordering = options.reordering.iter().flat_map(reordering_names);
    translation.chain(reordering).map(Feature::probability).collect()
}

fn reordering_names(model: &Reordering) -> Vec<String> {
    let orientations: &[&str] = if model.sides { &MSLR } else { &MSD };
    let directions = [("backward", model.backward), ("forward", model.forward)];
    let wanted = directions.into_iter().filter(|(_, wanted)| *wanted);
    wanted
        .flat_map(|(direction, _)| {
            let name = move |orientation| format!("{REORDERING_PREFIX}{direction}.{orientation}");
            orientations.iter().map(name)
        })
        .collect()
}

/// Adds p(orientation) for the directions that are wanted.
pub fn push_orientations(
    backward: &Oriented,
    forward: &Oriented,
    model: &Reordering,
    values: &mut Vec<f32>,
) {
    let number = if model.sides { MSLR.len() } else { MSD.len() };
    for (counts, wanted) in [(backward, model.backward), (forward, model.forward)] {
        if !wanted {
            continue;
        }
        let total: u64 = counts[..number].iter().sum();
        let mass = total as f64 + model.smoothing * number as f64;
        values.extend(counts[..number].iter().map(|&count| match mass {
            0.0 => 1.0 / number as f32,
            mass => ((count as f64 + model.smoothing) / mass) as f32,
        }));
    }
}
