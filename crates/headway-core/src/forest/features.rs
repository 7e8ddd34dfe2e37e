//! The names of the features, shared by all forests of a run.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::error::snippet;
use crate::{Error, Result};

/// Names in their order. The first `dense` have a value on every edge; the others are stored
/// only where they are not 0.
#[derive(Debug)]
pub struct Features {
    names: Vec<String>,
    dense: usize,
    places: FxHashMap<String, u32>,
}

impl Features {
    pub fn new(names: Vec<String>, dense: usize) -> Result<Arc<Self>> {
        if dense > names.len() || u32::try_from(names.len()).is_err() {
            let message = format!("forest: {dense} dense features among {} names", names.len());
            return Err(Error::Setting(message));
        }
        let mut places = FxHashMap::default();
        for (place, name) in names.iter().enumerate() {
            if name.is_empty() || name.contains(char::is_whitespace) {
                let message = "is empty or holds white space; features are named by one word";
                return Err(feature_error(name, message));
            }
            if places.insert(name.clone(), place as u32).is_some() {
                return Err(feature_error(name, "is named twice"));
            }
        }
        Ok(Arc::new(Features { names, dense, places }))
    }

    /// Features that all have a value on every edge, as those of decoders.
    pub fn dense_only<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Result<Arc<Self>> {
        let names: Vec<String> = names.into_iter().map(Into::into).collect();
        let dense = names.len();
        Self::new(names, dense)
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    pub fn len(&self) -> usize {
        self.names.len()
    }

    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// How many, from the first, have a value on every edge.
    pub fn dense(&self) -> usize {
        self.dense
    }

    pub fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).map(|&place| place as usize)
    }
}

impl PartialEq for Features {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || (self.dense == other.dense && self.names == other.names)
    }
}

fn feature_error(name: &str, message: &str) -> Error {
    Error::Setting(format!("forest: feature {} {message}", snippet(name.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_and_differ() {
        let features = Features::dense_only(["lm", "p(e|f)"]).unwrap();
        assert_eq!((features.place("p(e|f)"), features.place("x")), (Some(1), None));
        assert!(Features::dense_only(["lm", "lm"]).unwrap_err().to_string().contains("twice"));
        assert!(Features::dense_only([""]).is_err());
        assert!(Features::new(vec!["a b".into()], 0).is_err());
        assert!(Features::new(vec!["a".into()], 2).is_err());
    }
}
