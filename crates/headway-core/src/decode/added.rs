//! Features that a caller computes: their values for the rules that some sentences can use.

use std::any::Any;
use std::collections::BTreeMap;

use super::cache::Cache;
use super::source::Source;
use crate::table::{NodeId, Rule, RuleTable, Symbol};
use crate::{Error, Monitor, Result};

/// A rule that some sentence can use: its node in the table and its place there.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub node: NodeId,
    pub place: u32,
    pub rule: Rule,
}

/// Nodes of a table, by number, with their source sides.
pub type Nodes = BTreeMap<u32, Vec<Symbol>>;

/// The rules that search would try for some sentence, each once, in the table's order: `find` adds
/// the nodes that fit a sentence, and `tried` answers the places of the rules of a node.
pub fn list(
    table: &RuleTable,
    sources: &[Source],
    monitor: &Monitor,
    find: impl Fn(&[&str], &mut Nodes) -> Result<()>,
    mut tried: impl FnMut(NodeId, &[Symbol]) -> Result<Vec<u32>>,
) -> Result<Vec<Listed>> {
    let (mut nodes, mut listed) = (Nodes::new(), Vec::new());
    monitor.expect(sources.len() as u64);
    for source in sources {
        find(&source.strs(), &mut nodes)?;
        monitor.advance(1)?;
    }
    for (node, source) in nodes {
        let node = NodeId(node);
        let (tried, mut place) = (tried(node, &source)?, 0);
        table.visit(node, &source, |rule| {
            if tried.contains(&place) {
                listed.push(Listed { node, place, rule: rule.clone() });
            }
            place += 1;
        })?;
    }
    Ok(listed)
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
