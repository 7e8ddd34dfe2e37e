//! The decoder: a model and settings, applied to sentences.

use std::any::Any;
use std::sync::Arc;

use super::drafts::Drafts;
use super::feature::{ChartFeature, MOST_FEATURES, Scorers};
use super::matching::Matcher;
use super::rule::RuleSet;
use super::search::Offers;
use super::sentence::Spoken;
use crate::decode::added::{self, Added, Listed, Nodes};
use crate::decode::cache::Cache;
use crate::decode::clock::Clock;
use crate::decode::constraint::Forced;
use crate::decode::feature::{Feature, Placed};
use crate::decode::interface::Decode;
use crate::decode::source::{Source, Used};
use crate::decode::translation::{Request, Translation};
use crate::decode::{Model, Search};
use crate::table::{NodeId, Rule, Symbol};
use crate::{Error, Monitor, Result};

/// The features of a model that have a state.
pub struct Features(Vec<Placed>);

impl Features {
    fn new(features: Vec<Box<dyn Feature>>, model: &Model) -> Result<Self> {
        if features.len() > MOST_FEATURES {
            let many = features.len();
            let message = format!("{many} features with a state; charts take {MOST_FEATURES}");
            return Err(Error::setting(message));
        }
        let place = |feature| Placed::new(feature, model, |it| it.chart().is_some(), "charts");
        let found = Features(features.into_iter().map(place).collect::<Result<_>>()?);
        found.only_one(|it| it.joins(), "decide how neighbours are joined")?;
        found.only_one(|it| it.builds_trees(), "build trees")?;
        Ok(found)
    }

    fn only_one(&self, says: fn(&dyn ChartFeature) -> bool, what: &str) -> Result<()> {
        let names = self.iter().filter(|it| says(it.chart()));
        let names: Vec<String> =
            names.flat_map(|it| it.feature.names().into_iter().take(1)).collect();
        if names.len() < 2 {
            return Ok(());
        }
        let message = format!("both {} {what}; leave one out", names.join(" and "));
        Err(Error::setting(message))
    }

    pub fn iter(&self) -> impl Iterator<Item = &Placed> {
        self.0.iter()
    }

    /// Whether some feature builds trees.
    pub fn build_trees(&self) -> bool {
        self.iter().any(|it| it.chart().builds_trees())
    }

    /// Starts a sentence.
    pub fn begin<'a>(&'a self, source: &'a Source) -> Scorers<'a> {
        let scorers = self.iter().map(|it| it.chart().begin(source, &it.weights)).collect();
        let columns = self.iter().map(|it| it.columns.clone()).collect();
        let joining = self.0.iter().position(|it| it.chart().joins());
        let builder = self.0.iter().position(|it| it.chart().builds_trees());
        Scorers::new(scorers, columns, joining, builder)
    }
}

/// Hierarchical search under one model.
pub struct Decoder {
    model: Model,
    search: Search,
    features: Features,
    cache: Cache<RuleSet>,
}

/// More slots than this have no place in a chart item.
const MOST_SLOTS: u64 = 2;

impl Decoder {
    pub fn new(model: Model, search: Search, features: Vec<Box<dyn Feature>>) -> Result<Self> {
        let slots = model.table().facts().most_slots;
        if slots > MOST_SLOTS {
            let message = format!("has rules with {slots} slots; chart search takes at most two");
            return Err(Error::model(model.table().path(), message));
        }
        let features = Features::new(features, &model)?;
        Ok(Decoder { model, search, features, cache: Cache::default() })
    }

    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The best rules of a source side; `all` is where those of it are put together.
    fn prepared(
        &self,
        node: NodeId,
        source: &[Symbol],
        added: Option<&Added>,
        all: &mut Drafts,
    ) -> Result<Arc<RuleSet>> {
        let cache = added.map_or(Ok(&self.cache), Added::cache)?;
        cache.get(node, || self.best_of(node, source, added, all, |_| true))
    }

    /// The best rules of a source side among those that `allowed` lets through.
    fn best_of(
        &self,
        node: NodeId,
        source: &[Symbol],
        added: Option<&Added>,
        all: &mut Drafts,
        allowed: impl Fn(&Rule) -> bool,
    ) -> Result<Arc<RuleSet>> {
        all.start(source);
        let (mut place, mut checked) = (0, Ok(()));
        self.model.table().visit(node, source, |rule| {
            let values = added.map(|added| added.values(node, place));
            if values != Some(None) && allowed(rule) {
                let values = values.flatten().unwrap_or_default();
                let pushed = all.push(&self.model, &self.features, rule, place, values);
                checked = std::mem::replace(&mut checked, Ok(())).and(pushed);
            }
            place += 1;
        })?;
        checked?;
        Ok(Arc::new(all.ranked(&self.model, &self.search)))
    }

    /// The source sides that fit somewhere in a sentence.
    fn list_nodes(&self, words: &[&str], nodes: &mut Nodes) {
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

impl Decode for Decoder {
    fn model(&self) -> &Model {
        &self.model
    }

    fn search(&self) -> &Search {
        &self.search
    }

    fn uses(&self) -> Used {
        let used = self.features.iter().map(|it| it.feature.uses());
        used.fold(Used { constraints: true, ..Used::default() }, Used::or)
    }

    fn translate(
        &self,
        source: &Source,
        request: Request,
        added: Option<&Added>,
        monitor: &Monitor,
    ) -> Result<Translation> {
        let clock = Clock::new(self.search.time_limit, monitor);
        let words = source.strs();
        let mut spoken = Spoken::new(self, source, &words, request, clock)?;
        let pieces = self.pieces(source);
        let mut offered = Offered { decoder: self, added, all: Drafts::new(&self.features) };
        for piece in pieces.iter().filter(|piece| !piece.is_empty()) {
            spoken.piece(piece.clone(), &mut offered)?;
        }
        let mut translation = spoken.finish()?;
        translation.split = pieces.len() > 1;
        Ok(translation)
    }

    fn list(&self, sources: &[Source], monitor: &Monitor) -> Result<Vec<Listed>> {
        let mut all = Drafts::new(&self.features);
        let find = |words: &[&str], nodes: &mut Nodes| {
            self.list_nodes(words, nodes);
            Ok(())
        };
        added::list(self.model.table(), sources, monitor, find, |node, source| {
            let options = self.prepared(node, source, None, &mut all)?;
            Ok((0..options.count).map(|rank| options.rule(rank).place).collect())
        })
    }

    fn options(&self) -> Box<dyn Any + Send + Sync> {
        Box::new(Cache::<RuleSet>::default())
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        self.features.iter().flat_map(|it| it.feature.counters()).collect()
    }
}

/// The rules that search is offered.
struct Offered<'d> {
    decoder: &'d Decoder,
    added: Option<&'d Added>,
    /// Where the rules of a source side are put together.
    all: Drafts,
}

impl Offers for Offered<'_> {
    fn known(&mut self, node: NodeId, source: &[Symbol]) -> Result<Arc<RuleSet>> {
        self.decoder.prepared(node, source, self.added, &mut self.all)
    }

    fn allowed(
        &mut self,
        node: NodeId,
        source: &[Symbol],
        allowed: &dyn Fn(&Rule) -> bool,
    ) -> Result<Arc<RuleSet>> {
        self.decoder.best_of(node, source, self.added, &mut self.all, allowed)
    }

    fn forced(&mut self, forced: &Forced) -> Arc<RuleSet> {
        let Decoder { model, search, features, .. } = self.decoder;
        Drafts::of_forced(model, features, search, forced)
    }

    fn unknown(&mut self, word: &str) -> Arc<RuleSet> {
        let Decoder { model, search, features, .. } = self.decoder;
        Drafts::of_unknown(model, features, search, word)
    }
}
