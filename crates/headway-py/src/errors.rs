//! Each core error becomes one class of `headway.errors`.

use headway_core::Error;
use headway_core::error::Place;
use pyo3::exceptions::{PyBrokenPipeError, PyKeyboardInterrupt};
use pyo3::prelude::*;

pyo3::import_exception!(headway.errors, ConfigError);
pyo3::import_exception!(headway.errors, FormatError);
pyo3::import_exception!(headway.errors, HeadwayError);
pyo3::import_exception!(headway.errors, InputError);
pyo3::import_exception!(headway.errors, InternalError);
pyo3::import_exception!(headway.errors, ModelError);
pyo3::import_exception!(headway.errors, OutputError);

/// For `.map_err(raise)` at the end of every call into the core.
pub fn raise(error: Error) -> PyErr {
    let message = error.to_string();
    raise_as(error, message)
}

/// An error at a sentence is of the class of its cause.
fn raise_as(error: Error, message: String) -> PyErr {
    match error {
        Error::Input { place: Place { path, line }, .. } => {
            InputError::new_err((message, path, line))
        }
        Error::Format { place: Place { path, line }, .. } => {
            FormatError::new_err((message, path, line))
        }
        Error::Model { path, .. } => ModelError::new_err((message, path)),
        Error::Output { path, .. } => OutputError::new_err((message, path)),
        Error::Setting(_) => ConfigError::new_err(message),
        Error::Internal(_) => InternalError::new_err(message),
        Error::Failure(_) => HeadwayError::new_err(message),
        Error::Sentence { cause, .. } => raise_as(*cause, message),
        Error::BrokenPipe => PyBrokenPipeError::new_err(message),
        Error::Interrupted => PyKeyboardInterrupt::new_err(()),
    }
}
