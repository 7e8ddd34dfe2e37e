//! What a rule scores on its own: the table's features, those added, and the penalties.

use super::limits::is_sound;
use super::model::Model;
use crate::table::Rule;
use crate::{Error, Result};

/// The value of `unknown-word` for one word, as Moses has it.
const UNKNOWN_VALUE: f32 = -100.0;

/// The features of a rule as the model sees them, then those added.
pub fn values_of(model: &Model, rule: &Rule, added: &[f32]) -> Vec<f32> {
    let features = rule.features.iter().zip(model.table().features());
    let mut values: Vec<f32> =
        features.map(|(&value, feature)| feature.scale.model_value(value)).collect();
    values.extend_from_slice(added);
    values.resize(value_count(model), 0.0);
    values
}

/// The features of what a constraint puts in place of words: the logarithm of its probability is
/// shared out evenly among those of the table that are no reordering, as Moses does it.
pub fn forced_values(model: &Model, score: f64) -> Vec<f32> {
    let mut values = vec![0.0; value_count(model)];
    let own = |column: &usize| model.is_local(*column);
    let columns: Vec<usize> = (0..model.columns().table).filter(own).collect();
    let share = (score / columns.len().max(1) as f64) as f32;
    columns.into_iter().for_each(|column| values[column] = share);
    values
}

/// Refuses a rule with a value that is not a number or out of range.
pub fn check(model: &Model, values: &[f32]) -> Result<()> {
    let Some(place) = values.iter().position(|&value| !is_sound(value)) else { return Ok(()) };
    let (name, value) = (&model.names()[column_of(model, place)], values[place]);
    let message = format!("a rule has the value {value} for {name}; the table is damaged");
    Err(Error::model(model.table().path(), format!("{message}, make it again")))
}

/// How many values a rule has.
pub fn value_count(model: &Model) -> usize {
    let columns = model.columns();
    columns.table + columns.stateful - columns.added
}

/// The model's column of one of a rule's values.
fn column_of(model: &Model, index: usize) -> usize {
    let columns = model.columns();
    if index < columns.table { index } else { index - columns.table + columns.added }
}

/// The weighted sum of all that needs no context, for so many target words.
pub fn weighted(model: &Model, values: &[f32], words: usize, unknown: bool) -> f32 {
    let (weights, columns) = (model.weights(), model.columns());
    let mut total = weights[columns.phrases] - weights[columns.words] * words as f32;
    for (index, &value) in values.iter().enumerate() {
        let column = column_of(model, index);
        if model.is_local(column) {
            total += value * weights[column];
        }
    }
    if unknown { total + UNKNOWN_VALUE * weights[columns.unknown] } else { total }
}

/// Adds the same, feature by feature.
pub fn add(model: &Model, values: &[f32], words: usize, unknown: bool, sums: &mut [f64]) {
    for (index, &value) in values.iter().enumerate() {
        let column = column_of(model, index);
        if model.is_local(column) {
            sums[column] += f64::from(value);
        }
    }
    let columns = model.columns();
    sums[columns.phrases] += 1.0;
    sums[columns.words] -= words as f64;
    if unknown {
        sums[columns.unknown] += f64::from(UNKNOWN_VALUE);
    }
}
