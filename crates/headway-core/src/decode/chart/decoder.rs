//! The decoder: a model and settings, applied to sentences.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::derive::Derived;
use super::matching::Matcher;
use super::rule::RuleSet;
use super::search::{Searching, Source};
use super::trees::TreeModel;
use crate::decode::added::{Added, Listed};
use crate::decode::batch::{translate_all, visible};
use crate::decode::cache::Cache;
use crate::decode::clock::{Clock, ListClock};
use crate::decode::nbest::derivations;
use crate::decode::translation::{Request, Translation};
use crate::decode::{Model, Search};
use crate::forest::{Derivation, Forest};
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
        translate_all(sentences, monitor, |words| self.translate(words, request, added, monitor))
    }

    fn translate(
        &self,
        words: &[&str],
        request: Request,
        added: Option<&Added<RuleSet>>,
        monitor: &Monitor,
    ) -> Result<Translation> {
        let clock = Clock::new(self.search.time_limit, monitor);
        let keep = request.forest || request.n_best > 0;
        let trees = self.trees.as_ref();
        let mut searching = Searching::new(&self.model, trees, &self.search, words, keep, clock);
        if words.is_empty() {
            return self.nothing(&searching, request);
        }
        let finals =
            searching.run(&mut Offered { decoder: self, added, all: RuleSet::default() })?;
        let finals: Vec<u32> = finals.into_iter().map(|(item, _)| item).collect();
        let Some(&best) = finals.first() else {
            return Err(Error::internal("search found no translation"));
        };
        let mut translation = searching.translation(&Derived::best(&searching, best));
        if keep {
            let (forest, items) = searching.forest(&finals)?;
            if request.n_best > 0 {
                translation.n_best = listed(&searching, &forest, &items, request)?;
                translation.hurried |= translation.n_best.iter().any(|entry| entry.hurried);
            }
            translation.forest = request.forest.then_some(forest);
        }
        Ok(translation)
    }

    /// The translation of no words.
    fn nothing(&self, searching: &Searching<'_>, request: Request) -> Result<Translation> {
        let features = vec![0.0; self.model.names().len()];
        let heads = self.trees.is_some().then(Vec::new);
        let mut nothing = Translation { features, heads, ..Translation::default() };
        if request.n_best > 0 {
            nothing.n_best = vec![nothing.clone()];
        }
        if request.forest {
            nothing.forest = Some(searching.empty_forest()?);
        }
        Ok(nothing)
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
            let mut place = 0;
            self.model.table().visit(node, source, |rule| {
                let values = added.map(|added| added.values(node, place));
                if values != Some(None) {
                    let values = values.flatten().unwrap_or_default();
                    all.push(&self.model, self.trees.as_ref(), rule, place, values);
                }
                place += 1;
            })?;
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

/// The best derivations of a forest whose edges come from these items, with the features that
/// search summed; fewer once time is up.
fn listed(
    searching: &Searching<'_>,
    forest: &Forest,
    items: &[u32],
    request: Request,
) -> Result<Vec<Translation>> {
    let translation = |derivation: &Derivation| {
        let edges = derivation.edges.iter();
        let chosen: Vec<u32> = edges.filter_map(|edge| items.get(edge.index()).copied()).collect();
        let mut translation = searching.translation(&Derived::of_items(searching, &chosen));
        translation.features.fill(0.0);
        for (place, value) in forest.feature_totals(&derivation.edges) {
            translation.features[place as usize] = value;
        }
        translation.score = derivation.score;
        translation
    };
    let time = ListClock::new(searching.clock);
    let go_on = |found: usize| time.goes_on(found);
    let found = derivations(forest, request.n_best, request.distinct, go_on)?;
    let going = found.iter().enumerate().take_while(|&(number, _)| go_on(number));
    let mut list: Vec<Translation> = going.map(|(_, one)| translation(one)).collect();
    if time.was_cut() {
        list.iter_mut().for_each(|entry| entry.hurried = true);
    }
    Ok(list)
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
