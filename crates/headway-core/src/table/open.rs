//! A rule table at hand: mapped, shared between processes, walked symbol by symbol.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use super::alike::{Initials, initials};
use super::packed::{BitReader, Bytes, FieldReader, Words};
use super::store::{Coding, Facts, KIND, NodeId, Trie};
use super::{Feature, Header, Rule, RuleSink, Scale, Symbol};
use crate::container::Container;
use crate::weight::check_weight;
use crate::{Error, Monitor, Result, Vocabulary};

/// All rules of a system, looked up by source side.
///
/// Opening maps the file and reads a few kilobytes, whatever its size. A file that was damaged
/// since it was written gives errors or wrong rules, never a crash; `verify` tells.
#[derive(Debug)]
pub struct RuleTable {
    container: Arc<Container>,
    facts: Facts,
    features: Vec<Feature>,
    source: Words,
    target: Words,
    labels: Words,
    coding: Coding,
    trie: Trie,
    options: Bytes,
    initials: OnceLock<Initials>,
}

/// A rule and what a weight vector makes of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoredRule {
    pub score: f64,
    pub rule: Rule,
}

impl RuleTable {
    pub fn open(path: &Path) -> Result<Self> {
        let container = Arc::new(Container::open(path, KIND)?);
        container.verify_section("facts")?;
        let body = Bytes::section(&container, "body")?;
        let options = Bytes::section(&container, "options")?;
        let mut fields = FieldReader::new(container.section("facts")?, body);
        Self::read(&container, &mut fields, options).ok_or_else(|| damaged(path))
    }

    fn read(
        container: &Arc<Container>,
        fields: &mut FieldReader<'_>,
        options: Bytes,
    ) -> Option<Self> {
        let facts = Facts::read(fields)?;
        let many = fields.count()?;
        let features: Option<Vec<Feature>> = (0..many).map(|_| read_feature(fields)).collect();
        let [source, target, labels] =
            [Words::read(fields)?, Words::read(fields)?, Words::read(fields)?];
        let coding = Coding::read(fields, many, [target.len(), labels.len()])?;
        let trie = Trie::read(fields, source.len())?;
        let (container, features) = (Arc::clone(container), features?);
        Some(RuleTable {
            container,
            facts,
            features,
            source,
            target,
            labels,
            coding,
            trie,
            options,
            initials: OnceLock::new(),
        })
    }

    /// Reads the whole file and compares checksums.
    pub fn verify(&self) -> Result<()> {
        self.container.verify()
    }

    pub fn path(&self) -> &Path {
        self.container.path()
    }

    /// Bytes of the file.
    pub fn size(&self) -> u64 {
        self.container.size()
    }

    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Nodes of the trie.
    pub fn nodes(&self) -> u64 {
        self.trie.nodes()
    }

    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    pub fn source(&self) -> &Words {
        &self.source
    }

    /// Source words by their first letters, once they were needed.
    pub(super) fn initials(&self) -> &Initials {
        self.initials.get_or_init(|| initials(self.source()))
    }

    pub fn target(&self) -> &Words {
        &self.target
    }

    pub fn labels(&self) -> &Words {
        &self.labels
    }

    /// Where every walk begins.
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// The node that `symbol` leads to from `node`.
    pub fn child(&self, node: NodeId, symbol: Symbol) -> Option<NodeId> {
        self.trie.child(node, symbol)
    }

    /// All that lead on from `node`, slots first, then words by id.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = (Symbol, NodeId)> + '_ {
        self.trie.children(node)
    }

    /// The node of a whole source side, if some source side begins like that.
    pub fn find(&self, source: &[Symbol]) -> Option<NodeId> {
        source.iter().try_fold(self.root(), |node, &symbol| self.child(node, symbol))
    }

    /// True if rules end at this node.
    pub fn has_rules(&self, node: NodeId) -> bool {
        self.trie.options(node).is_some()
    }

    /// The symbols on the way to a node.
    pub fn source_of(&self, node: NodeId) -> Result<Vec<Symbol>> {
        self.trie.path(node).ok_or_else(|| damaged(self.path()))
    }

    /// The rules that end at a node, in the order they were written.
    pub fn rules(&self, node: NodeId) -> Result<Vec<Rule>> {
        let mut rules = Vec::new();
        if self.has_rules(node) {
            self.visit(node, &self.source_of(node)?, |rule| rules.push(rule.clone()))?;
        }
        Ok(rules)
    }

    /// The same without copies, for those who know the way to the node.
    pub fn visit(
        &self,
        node: NodeId,
        source: &[Symbol],
        mut take: impl FnMut(&Rule),
    ) -> Result<()> {
        let Some((start, end)) = self.trie.options(node) else { return Ok(()) };
        let mut bits = BitReader::new(&self.options, start, end);
        let read = self.coding.rules(source, &mut bits, self.facts.rules, &mut take);
        read.ok_or_else(|| damaged(self.path()))
    }

    /// The rules that end at a node, the best first; ties stay as they were written. At most
    /// `top` of them.
    pub fn best(
        &self,
        node: NodeId,
        weights: &[f32],
        top: Option<usize>,
    ) -> Result<Vec<ScoredRule>> {
        self.check_weights(weights)?;
        let mut rules: Vec<ScoredRule> = self
            .rules(node)?
            .into_iter()
            .map(|rule| ScoredRule { score: self.score(&rule, weights), rule })
            .collect();
        rules.sort_by(|a, b| b.score.total_cmp(&a.score));
        rules.truncate(top.unwrap_or(usize::MAX));
        Ok(rules)
    }

    pub fn check_weights(&self, weights: &[f32]) -> Result<()> {
        if weights.len() == self.features.len() {
            let mut named = self.features.iter().zip(weights);
            return named
                .try_for_each(|(feature, &weight)| check_weight(&feature.name, weight.into()));
        }
        let (found, expected) = (weights.len(), self.features.len());
        Err(Error::setting(format!("{found} weights for {expected} features; give one for each")))
    }

    /// The weighted sum of a rule's features as the model sees them.
    pub fn score(&self, rule: &Rule, weights: &[f32]) -> f64 {
        let values = rule.features.iter().zip(&self.features).zip(weights);
        values.fold(0.0, |score, ((&value, feature), &weight)| {
            score + f64::from(feature.scale.model_value(value)) * f64::from(weight)
        })
    }

    /// What all rules share, in memory: for those who write tables.
    pub fn header(&self) -> Result<Header> {
        Ok(Header {
            features: self.features.clone(),
            source: self.vocabulary(&self.source)?,
            target: self.vocabulary(&self.target)?,
            labels: self.vocabulary(&self.labels)?,
        })
    }

    fn vocabulary(&self, words: &Words) -> Result<Vocabulary> {
        let mut vocabulary = Vocabulary::default();
        for (id, word) in words.iter().enumerate() {
            let word = word.ok_or_else(|| damaged(self.path()))?;
            if vocabulary.add(word).index() != id {
                return Err(damaged(self.path()));
            }
        }
        Ok(vocabulary)
    }

    /// All nodes with rules and their source sides, in the order of these.
    pub fn sources(&self) -> Sources {
        Sources { open: vec![(0, None, self.root())], path: Vec::new() }
    }

    /// The symbols of a source side as a person writes it: words between spaces, and `[X]` for
    /// a slot (or `[X1]`, `[X2]`, as derivations have them) where the table has slots. None if a
    /// word is unknown.
    pub fn query(&self, text: &str) -> Option<Vec<Symbol>> {
        let mut slots = 0..self.facts.most_slots.min(256) as u16;
        let symbol = |word: &str| {
            if self.facts.most_slots > 0 && matches!(word, "[X]" | "[X][X]" | "[X1]" | "[X2]") {
                return slots.next().map(|slot| Symbol::Slot(slot as u8));
            }
            self.source.get(word).map(Symbol::Word)
        };
        text.split_ascii_whitespace().map(symbol).collect()
    }

    /// Hands the whole table to `sink`: those source sides that `keep` wants, and of each at
    /// most `top` rules, the best by `weights`.
    pub fn copy(
        &self,
        sink: &mut dyn RuleSink,
        keep: impl Fn(NodeId) -> bool,
        best: Option<(&[f32], usize)>,
        monitor: &Monitor,
    ) -> Result<u64> {
        monitor.expect(self.facts.rules);
        sink.begin(&self.header()?)?;
        let (mut kept, mut sources) = (0, self.sources());
        while let Some((node, source)) = sources.next(self) {
            if !keep(node) {
                monitor.check()?;
                continue;
            }
            let mut rules = Vec::new();
            self.visit(node, source, |rule| rules.push(rule.clone()))?;
            monitor.advance(rules.len() as u64)?;
            if let Some((weights, top)) = best {
                rules = self.shortlist(rules, weights, top);
            }
            kept += rules.len() as u64;
            rules.iter().try_for_each(|rule| sink.rule(rule))?;
        }
        sink.finish()?;
        Ok(kept)
    }

    /// The best rules, in the order they were in.
    fn shortlist(&self, rules: Vec<Rule>, weights: &[f32], top: usize) -> Vec<Rule> {
        let scores: Vec<f64> = rules.iter().map(|rule| self.score(rule, weights)).collect();
        let mut order: Vec<usize> = (0..rules.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        order.truncate(top);
        order.sort_unstable();
        order.into_iter().map(|index| rules[index].clone()).collect()
    }
}

/// A walk through all source sides of a table.
#[derive(Debug, Clone)]
pub struct Sources {
    /// Nodes still to be seen: depth, symbol that leads there, node.
    open: Vec<(usize, Option<Symbol>, NodeId)>,
    path: Vec<Symbol>,
}

impl Sources {
    /// The next node with rules; `table` is the one the walk was started in.
    pub fn next(&mut self, table: &RuleTable) -> Option<(NodeId, &[Symbol])> {
        while let Some((depth, symbol, node)) = self.open.pop() {
            self.path.truncate(depth.saturating_sub(1));
            self.path.extend(symbol);
            let start = self.open.len();
            let children = table.children(node);
            self.open.extend(children.map(|(symbol, child)| (depth + 1, Some(symbol), child)));
            self.open[start..].reverse();
            if table.has_rules(node) {
                return Some((node, &self.path));
            }
        }
        None
    }
}

fn read_feature(fields: &mut FieldReader<'_>) -> Option<Feature> {
    let name = fields.text()?;
    let scale = if fields.number()? == 0 { Scale::Probability } else { Scale::Value };
    Some(Feature { name, scale })
}

fn damaged(path: &Path) -> Error {
    Error::model(path, "the rule table is damaged; build it again")
}

#[cfg(test)]
mod tests;
