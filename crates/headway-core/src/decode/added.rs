//! Features that a caller computes: their values for the rules that some sentences can use.

use super::cache::{Cache, Kept};
use crate::table::{NodeId, Rule};

/// A rule that some sentence can use: its node in the table and its place there.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub node: NodeId,
    pub place: u32,
    pub rule: Rule,
}

/// Values of added features for listed rules, and the options `T` prepared with them.
pub struct Added<T> {
    values: hashbrown::HashMap<(u32, u32), Box<[f32]>, rustc_hash::FxBuildHasher>,
    pub(super) cache: Cache<T>,
}

impl<T: Kept> Added<T> {
    /// `values` holds for each rule one number per added feature.
    pub fn new(listed: &[Listed], values: Vec<Box<[f32]>>) -> Self {
        let keys = listed.iter().map(|listed| (listed.node.0, listed.place));
        Added { values: keys.zip(values).collect(), cache: Cache::default() }
    }

    /// Those of a rule; None if it was not listed.
    pub fn values(&self, node: NodeId, place: u32) -> Option<&[f32]> {
        self.values.get(&(node.0, place)).map(AsRef::as_ref)
    }
}
