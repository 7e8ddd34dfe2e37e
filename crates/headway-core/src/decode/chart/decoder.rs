//! The decoder: a model and settings, applied to sentences.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::matching::Matcher;
use super::rule::RuleSet;
use super::search::Source;
use super::sentence::Spoken;
use super::trees::TreeModel;
use crate::decode::added::{Added, Listed};
use crate::decode::batch::{translate_all, visible};
use crate::decode::cache::Cache;
use crate::decode::clock::Clock;
use crate::decode::cut::cuts;
use crate::decode::translation::{Request, Translation};
use crate::decode::{Model, Search};
use crate::table::{NodeId, Symbol};
use crate::{Error, Monitor, Result};

/// Hierarchical search under one model.
pub struct Decoder {
    model: Model,
    search: Search,
    trees: Option<TreeModel>,
    cache: Cache<RuleSet>,
}

/// More slots than this have no place in a chart item.
const MOST_SLOTS: u64 = 2;

impl Decoder {
    /// With `trees`, target structures are built and scored, for tables that have them.
    pub fn new(model: Model, search: Search, trees: Option<TreeModel>) -> Result<Self> {
        search.check()?;
        let slots = model.table().facts().most_slots;
        if slots > MOST_SLOTS {
            let message = format!("has rules with {slots} slots; chart search takes at most two");
            return Err(Error::model(model.table().path(), message));
        }
        Ok(Decoder { model, search, trees, cache: Cache::default() })
    }

    pub fn model(&self) -> &Model {
        &self.model
    }

    pub fn search(&self) -> &Search {
        &self.search
    }

    /// Translates sentences, as many at a time as there are threads.
    pub fn translate_all(
        &self,
        sentences: &[Vec<String>],
        request: Request,
        added: Option<&Added<RuleSet>>,
        monitor: &Monitor,
    ) -> Result<Vec<Translation>> {
        translate_all(sentences, request, monitor, |words| {
            self.translate(words, request, added, monitor)
        })
    }

    fn translate(
        &self,
        words: &[&str],
        request: Request,
        added: Option<&Added<RuleSet>>,
        monitor: &Monitor,
    ) -> Result<Translation> {
        let clock = Clock::new(self.search.time_limit, monitor);
        let mut spoken = Spoken::new(self, words, request, clock)?;
        let pieces = cuts(words, self.search.max_words);
        let mut offered = Offered { decoder: self, added, all: RuleSet::default() };
        for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
            spoken.piece(piece.clone(), &mut offered)?;
        }
        let mut translation = spoken.finish()?;
        translation.split = pieces.len() > 1;
        Ok(translation)
    }

    pub fn trees(&self) -> Option<&TreeModel> {
        self.trees.as_ref()
    }

    /// The best rules of a source side; `all` is where those of it are put together.
    fn options(
        &self,
        node: NodeId,
        source: &[Symbol],
        added: Option<&Added<RuleSet>>,
        all: &mut RuleSet,
    ) -> Result<Arc<RuleSet>> {
        let cache = added.map_or(&self.cache, |added| &added.cache);
        cache.get(node, || {
            all.start(source);
            let (mut place, mut checked) = (0, Ok(()));
            self.model.table().visit(node, source, |rule| {
                let values = added.map(|added| added.values(node, place));
                if values != Some(None) {
                    let values = values.flatten().unwrap_or_default();
                    let pushed = all.push(&self.model, self.trees.as_ref(), rule, place, values);
                    checked = std::mem::replace(&mut checked, Ok(())).and(pushed);
                }
                place += 1;
            })?;
            checked?;
            Ok(Arc::new(all.ranked(&self.model, &self.search)))
        })
    }

    /// The rules that search would try for some sentence, each once, in the table's order.
    pub fn list(&self, sentences: &[Vec<String>], monitor: &Monitor) -> Result<Vec<Listed>> {
        let mut nodes: BTreeMap<u32, Vec<Symbol>> = BTreeMap::new();
        monitor.expect(sentences.len() as u64);
        for sentence in sentences {
            self.list_nodes(&visible(sentence), &mut nodes);
            monitor.advance(1)?;
        }
        let (mut listed, mut all) = (Vec::new(), RuleSet::default());
        for (node, source) in nodes {
            let node = NodeId(node);
            let options = self.options(node, &source, None, &mut all)?;
            let mut place = 0;
            self.model.table().visit(node, &source, |rule| {
                if options.rules.iter().any(|kept| kept.place == place) {
                    listed.push(Listed { node, place, rule: rule.clone() });
                }
                place += 1;
            })?;
        }
        Ok(listed)
    }

    /// The source sides that fit somewhere in a sentence.
    fn list_nodes(&self, words: &[&str], nodes: &mut BTreeMap<u32, Vec<Symbol>>) {
        let mut matcher = Matcher::new(self.model.table(), words);
        for start in (0..words.len()).rev() {
            matcher.begin(start as u32);
            for end in start + 1..=(start + self.search.span_limit).min(words.len()) {
                for one in matcher.advance(end as u32, |_| true).to_vec() {
                    if matcher.has_rules(one.node) {
                        let source = || matcher.source(one.node).to_vec();
                        nodes.entry(matcher.node(one.node).0).or_insert_with(source);
                    }
                }
                matcher.fill(end as u32);
            }
        }
    }
}

/// The rules that search is offered.
struct Offered<'d> {
    decoder: &'d Decoder,
    added: Option<&'d Added<RuleSet>>,
    /// Where the rules of a source side are put together.
    all: RuleSet,
}

impl Source for Offered<'_> {
    fn known(&mut self, node: NodeId, source: &[Symbol]) -> Result<Arc<RuleSet>> {
        self.decoder.options(node, source, self.added, &mut self.all)
    }

    fn unknown(&mut self, word: &str) -> Arc<RuleSet> {
        let Decoder { model, search, trees, .. } = self.decoder;
        RuleSet::of_unknown(model, trees.as_ref(), search, word)
    }
}
