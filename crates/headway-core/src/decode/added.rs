//! Features that a caller computes: their values for the rules that some sentences can use.

use std::any::Any;

use super::cache::Cache;
use crate::table::{NodeId, Rule};
use crate::{Error, Result};

/// A rule that some sentence can use: its node in the table and its place there.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub node: NodeId,
    pub place: u32,
    pub rule: Rule,
}

/// Values of added features for listed rules, and the options that a decoder prepared with them.
pub struct Added {
    values: hashbrown::HashMap<(u32, u32), Box<[f32]>, rustc_hash::FxBuildHasher>,
    options: Box<dyn Any + Send + Sync>,
}

impl Added {
    /// `columns` holds for each added feature one number per rule; `options` is where the
    /// decoder keeps what it prepares.
    pub(super) fn new(
        listed: &[Listed],
        columns: &[Vec<f32>],
        options: Box<dyn Any + Send + Sync>,
    ) -> Self {
        let row = |rule: usize| columns.iter().map(|column| column[rule]).collect();
        let rules = listed.iter().enumerate();
        let values = rules.map(|(rule, listed)| ((listed.node.0, listed.place), row(rule)));
        Added { values: values.collect(), options }
    }

    /// Those of a rule; None if it was not listed.
    pub fn values(&self, node: NodeId, place: u32) -> Option<&[f32]> {
        self.values.get(&(node.0, place)).map(AsRef::as_ref)
    }

    /// The options of the kind of search that listed the rules.
    pub(super) fn cache<T: 'static>(&self) -> Result<&Cache<T>> {
        let message = "the added features are of another search; ask this decoder for options";
        self.options.downcast_ref().ok_or_else(|| Error::setting(message))
    }
}
