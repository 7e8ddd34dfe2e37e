//! Values that settings name.

use headway_core::{Error, Result};

/// The value that a name stands for.
pub fn chosen<T: Copy>(what: &str, name: &str, known: &[(&str, T)]) -> Result<T> {
    let found = known.iter().find(|(known, _)| *known == name);
    found.map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
        let names = names.join(", ");
        Error::setting(format!("{what}: unknown choice {name:?}; expected one of {names}"))
    })
}

/// The name of a value.
pub fn name_of<T: PartialEq>(value: T, known: &[(&'static str, T)]) -> &'static str {
    known.iter().find(|(_, one)| *one == value).map_or("", |(name, _)| name)
}
