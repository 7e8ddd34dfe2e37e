//! How objects look in a notebook: the package draws, the classes only say that they can be drawn.

use pyo3::PyClass;
use pyo3::prelude::*;

/// What `headway.notebook` makes of an object; nothing where there is nothing to draw.
pub fn drawn<T: PyClass>(object: &Bound<'_, T>, how: &str) -> PyResult<Option<String>> {
    let module = object.py().import("headway.notebook")?;
    module.call_method1(how, (object,))?.extract()
}
