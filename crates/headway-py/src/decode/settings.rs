//! What the core declares about searches, their settings and their features.

use headway_core::Error;
use headway_core::decode::{self, FEATURES, SEARCHES, Search, builtin, setting_names};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::raise;

/// The value of a setting.
#[derive(FromPyObject)]
enum Value {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
}

impl From<Value> for decode::Value {
    fn from(value: Value) -> Self {
        match value {
            Value::Bool(value) => decode::Value::Bool(value),
            Value::Int(value) => decode::Value::Int(value),
            Value::Float(value) => decode::Value::Float(value),
            Value::Text(value) => decode::Value::Text(value),
        }
    }
}

/// The settings of `[search]`, from a mapping with all of them.
pub fn read(settings: &Bound<'_, PyDict>) -> PyResult<Search> {
    let mut values = Vec::new();
    for (name, value) in settings {
        let name: String = name.extract()?;
        let value: Value = value.extract().map_err(|_| {
            raise(Error::setting(format!("search.{name} is {value}; expected a single value")))
        })?;
        values.push((name, value.into()));
    }
    Search::read(&values).map_err(raise)
}

/// Says what is wrong with search settings, before there is anything to search.
#[pyfunction]
pub fn check_search(settings: &Bound<'_, PyDict>) -> PyResult<()> {
    read(settings).map(|_| ())
}

/// The names of all settings of `[search]`.
#[pyfunction]
pub fn search_settings() -> Vec<&'static str> {
    setting_names().collect()
}

/// Each search: its name, the settings that it reads, settings of which it has only one value
/// with that value and the reason, families of weights, what it calls putting parts side by side,
/// and whether it returns lattices.
#[pyfunction]
pub fn search_kinds(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let kind = |kind: &decode::SearchKind| {
        let table = PyDict::new(py);
        table.set_item("name", kind.name)?;
        table.set_item("settings", kind.settings().collect::<Vec<_>>())?;
        table.set_item("fixed", kind.fixed.to_vec())?;
        table.set_item("families", builtin::ALWAYS)?;
        table.set_item("joining", kind.joining)?;
        table.set_item("lattices", kind.lattices)?;
        Ok(table)
    };
    SEARCHES.iter().map(kind).collect()
}

/// Each feature with a state: the model it is computed with, the searches that use it, families of weights, the settings of
/// `[search]` that it reads, whether it makes trees, and whether its values in forests are exact.
#[pyfunction]
pub fn search_features(py: Python<'_>) -> PyResult<Vec<Bound<'_, PyDict>>> {
    let feature = |feature: &decode::Registered| {
        let table = PyDict::new(py);
        table.set_item("model", feature.model)?;
        table.set_item("searches", feature.searches.to_vec())?;
        table.set_item("families", feature.families.to_vec())?;
        table.set_item("settings", feature.settings.to_vec())?;
        table.set_item("joining", feature.joining)?;
        table.set_item("trees", feature.trees)?;
        table.set_item("exact", feature.exact)?;
        Ok(table)
    };
    FEATURES.iter().map(feature).collect()
}
