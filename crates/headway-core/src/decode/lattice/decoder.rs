//! The decoder: a coarse search, and lattice parsing of what it kept.

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::arcs::Scorers;
use super::clean::clean;
use super::derive::{Translating, word_tree};
use super::extract::{Extract, Wanted};
use super::forest::{Attachment, Parses};
use super::graph::Lattice;
use super::sentence::{Memory, Parsed, parse};
use super::settings::{LatticeSettings, Parsing};
use super::units::units;
use crate::decode::added::{Added, Listed};
use crate::decode::clock::{Clock, ListClock};
use crate::decode::feature::{Feature, Placed};
use crate::decode::interface::Decode;
use crate::decode::nbest::derivations;
use crate::decode::registry::Models;
use crate::decode::source::{Source, Used};
use crate::decode::translation::{Request, Translation};
use crate::decode::{Model, Search, stack};
use crate::forest::{Derivation, EdgeId, Forest};
use crate::{Error, Monitor, Result};

/// Weights of the coarse search by feature.
pub type CoarseWeights = BTreeMap<String, f64>;

/// Under this name models hold the weights of the coarse search.
pub const COARSE: &str = "coarse";

/// Items of a forest that somebody asked for, besides those of the best tree.
const FOREST_ITEMS: usize = 10_000;
/// Items for each entry of an n-best list, and further ones.
const ITEMS_PER_ENTRY: usize = 50;
const ITEMS: usize = 500;
/// Derivations looked at for each different translation: the words of one have many trees.
const EFFORT: usize = 200;
/// Lists that have too few different entries are not made of more items than four times these.
const MOST_ITEMS: usize = 20_000;
/// Of one translation, trees that are worse by more than rounding are not looked at.
const ROUNDING: f64 = 1e-3;
/// Longer paths get no tree if the lattice cannot be parsed.
const LONGEST: usize = 500;

/// What it took, over all sentences so far.
#[derive(Debug, Default)]
struct Counters {
    nodes: AtomicU64,
    edges: AtomicU64,
    units: AtomicU64,
    popped: AtomicU64,
    fallbacks: AtomicU64,
}

/// Lattice parsing under one model.
pub struct Decoder {
    model: Model,
    search: Search,
    coarse: stack::Decoder,
    /// For each feature of the coarse model its column in this one.
    columns: Vec<usize>,
    features: Vec<Placed>,
    pool: Mutex<Vec<Memory>>,
    counters: Counters,
}

impl Decoder {
    /// The coarse search has the weights that `models` hold as `coarse`; where these are silent,
    /// and without them, the model's own.
    pub fn new(
        models: &Models,
        model: Model,
        search: Search,
        features: Vec<Box<dyn Feature>>,
    ) -> Result<Self> {
        let (of_arcs, others): (Vec<_>, Vec<_>) =
            features.into_iter().partition(|feature| feature.arcs().is_some());
        let place = |feature| Placed::new(feature, &model, |it| it.arcs().is_some(), "lattices");
        let features = of_arcs.into_iter().map(place).collect::<Result<Vec<_>>>()?;
        let weights = models.get::<CoarseWeights>(COARSE, "weights")?;
        let coarse = coarse_model(models, &model, &others, weights.as_deref())?;
        let column = |name: &String| model.column(name).ok_or_else(|| Error::internal("columns"));
        let columns = coarse.names().iter().map(column).collect::<Result<_>>()?;
        let coarse = stack::Decoder::new(coarse, search.clone(), others, false)?;
        let (pool, counters) = (Mutex::default(), Counters::default());
        Ok(Decoder { model, search, coarse, columns, features, pool, counters })
    }

    /// The forest of the coarse search, pruned by its own weights.
    fn lattice(
        &self,
        source: &Source,
        added: Option<&Added>,
        monitor: &Monitor,
    ) -> Result<(Forest, Translation)> {
        let request = Request { forest: true, ..Request::default() };
        let mut coarse = self.coarse.translate(source, request, added, monitor)?;
        let forest = coarse.forest.take().ok_or_else(|| Error::internal("no coarse forest"))?;
        Ok((forest.weighted()?.prune_to(self.search.lattice.edges - 1)?, coarse))
    }

    /// The model's weights of the coarse features.
    fn fine_weights(&self) -> Vec<f64> {
        self.columns.iter().map(|&column| f64::from(self.model.weights()[column])).collect()
    }

    fn memory(&self) -> Memory {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        pool.pop().unwrap_or_default()
    }

    fn give_back(&self, memory: Memory) {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).push(memory);
    }

    fn count(&self, lattice: &Lattice, units: usize) {
        let Counters { nodes, edges, units: all_units, .. } = &self.counters;
        nodes.fetch_add(lattice.nodes() as u64, Relaxed);
        edges.fetch_add(lattice.edges.len() as u64, Relaxed);
        all_units.fetch_add(units as u64, Relaxed);
    }

    /// The place of a phrase's head word, as the first feature that knows it says.
    fn head_word(&self, words: &[&str]) -> Option<usize> {
        self.features.iter().find_map(|it| it.arcs().head_word(words))
    }

    /// Scores, and trees over words where they are wanted.
    fn finished(&self, mut translation: Translation, trees: bool) -> Result<Translation> {
        translation.score = self.model.score(&translation.features);
        if trees {
            let head_word = |words: &[&str]| self.head_word(words);
            translation.tree = word_tree(&translation, head_word).transpose()?;
        }
        Ok(translation)
    }
}

/// The model of the coarse search: that of the fine one without the features of arcs.
fn coarse_model(
    models: &Models,
    model: &Model,
    others: &[Box<dyn Feature>],
    weights: Option<&CoarseWeights>,
) -> Result<Model> {
    let columns = model.columns();
    let added = &model.names()[columns.added..columns.stateful];
    let stateful: Vec<String> = others.iter().flat_map(|feature| feature.names()).collect();
    let (table, joining) = (models.table.clone(), model.names()[columns.joining].clone());
    let lms = models.lms.iter().map(|(name, _)| name.as_str());
    let (names, _) = Model::feature_names(&joining, &table, lms, added, &stateful);
    let own = |name: &String| {
        let weight = model.column(name).map_or(0.0, |column| model.weights()[column]);
        (name.clone(), f64::from(weight))
    };
    let mut all: BTreeMap<String, f64> = names.iter().map(own).collect();
    all.extend(weights.into_iter().flatten().map(|(name, &weight)| (name.clone(), weight)));
    let all: Vec<(String, f64)> = all.into_iter().collect();
    Model::new(&joining, table, models.lms.clone(), added, &stateful, &all)
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
        used.fold(self.coarse.uses(), Used::or)
    }

    fn translate(
        &self,
        source: &Source,
        request: Request,
        added: Option<&Added>,
        monitor: &Monitor,
    ) -> Result<Translation> {
        let clock = Clock::new(self.search.time_limit, monitor);
        let (forest, coarse) = self.lattice(source, added, monitor)?;
        let weighted = forest.weighted_with(&self.fine_weights())?;
        let mut lattice = clean(&forest, weighted.scores());
        let units = units(&mut lattice, &forest);
        self.count(&lattice, units.len());
        let scorers = Scorers::new(&self.features, source, &units);
        let (columns, width) = (&self.columns[..], self.model.names().len());
        let translating = Translating { forest: &forest, columns, width, scorers };
        let hurried = coarse.hurried;
        let mut sentence =
            Sentence { decoder: self, translating, request, clock, monitor, hurried };
        let mut translation = if lattice.edges.is_empty() {
            let best = weighted.viterbi()?.map(|best| best.edges).unwrap_or_default();
            sentence.flat(best.into_iter().rev().collect())?
        } else {
            sentence.parsed(lattice, units.len())?
        };
        translation.split = coarse.split;
        translation.hurried |= sentence.hurried;
        Ok(translation)
    }

    fn list(&self, sources: &[Source], monitor: &Monitor) -> Result<Vec<Listed>> {
        self.coarse.list(sources, monitor)
    }

    fn options(&self) -> Box<dyn Any + Send + Sync> {
        self.coarse.options()
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        let Counters { nodes, edges, units, popped, fallbacks } = &self.counters;
        let own = [
            ("lattice-nodes", nodes),
            ("lattice-edges", edges),
            ("lattice-phrases", units),
            ("agenda-items", popped),
            ("best-paths", fallbacks),
        ];
        own.into_iter().map(|(name, count)| (name, count.load(Relaxed))).collect()
    }
}

/// A sentence whose lattice is there.
struct Sentence<'d> {
    decoder: &'d Decoder,
    translating: Translating<'d>,
    request: Request,
    clock: Clock<'d>,
    monitor: &'d Monitor,
    hurried: bool,
}

impl Sentence<'_> {
    /// The best path and tree of a lattice with edges.
    fn parsed(&mut self, lattice: Lattice, units: usize) -> Result<Translation> {
        let (decoder, clock) = (self.decoder, self.clock);
        let settings = &decoder.search.lattice;
        let mut memory = decoder.memory();
        let scorers = &mut self.translating.scorers;
        let found = parse(lattice, units, settings, scorers, &mut memory, clock);
        let found = match found {
            Ok(parsed) => Ok(parsed),
            Err(lattice) => self.best_path(&lattice, units, &mut memory),
        };
        let translation = match found {
            Ok(parsed) => self.found(&parsed, &memory),
            Err(parts) => self.flat(parts),
        };
        decoder.give_back(memory);
        translation
    }

    /// The best path without arcs, parsed alone; its edges of the forest if it is too long.
    fn best_path(
        &mut self,
        lattice: &Lattice,
        units: usize,
        memory: &mut Memory,
    ) -> std::result::Result<Parsed, Vec<EdgeId>> {
        self.hurried = true;
        self.decoder.counters.fallbacks.fetch_add(1, Relaxed);
        let path = lattice.best_path(|edge| lattice.score(edge));
        let parts = || path.iter().flat_map(|&edge| lattice.edges[edge].parts.clone()).collect();
        if path.len() > LONGEST {
            return Err(parts());
        }
        let settings = LatticeSettings {
            parsing: Parsing::Exact,
            parents_mean: 0,
            ..self.decoder.search.lattice
        };
        let clock = Clock::new(None, self.monitor);
        let scorers = &mut self.translating.scorers;
        parse(lattice.only(&path), units, &settings, scorers, memory, clock).map_err(|_| parts())
    }

    /// Translations from a chart.
    fn found(&mut self, parsed: &Parsed, memory: &Memory) -> Result<Translation> {
        let (decoder, request, problem) = (self.decoder, self.request, parsed.problem());
        decoder.counters.popped.fetch_add(parsed.work.popped, Relaxed);
        self.hurried |= parsed.work.cut;
        let (features, weights) = (decoder.model.features(), decoder.model.weights());
        let mut wanted = wanted(request);
        // Trees over the same words use up items: a list that they leave short is made of more.
        let (parses, list) = loop {
            let extract = Extract::new(problem, &memory.chart, wanted);
            let (hurried, translating) = (self.hurried, &mut self.translating);
            let parses = Parses::new(&problem, &extract, translating, features, weights, hurried)?;
            let time = ListClock::new(self.clock);
            let list = listed(&parses.forest, request, &time)?;
            self.hurried |= time.was_cut();
            let cut = extract.items.len() >= wanted.items && wanted.items < MOST_ITEMS;
            if list.len() >= request.n_best || !cut || self.hurried {
                break (parses, list);
            }
            wanted.items *= 4;
        };
        let best = parses.forest.weighted()?.viterbi()?;
        let best = best.ok_or_else(|| Error::internal("a lattice without a tree"))?;
        let mut translation = self.translation(parsed, &parses, &best)?;
        for one in list {
            translation.n_best.push(self.translation(parsed, &parses, &one)?);
        }
        translation.forest = Some(parses.forest).filter(|_| request.forest);
        Ok(translation)
    }

    fn translation(
        &mut self,
        parsed: &Parsed,
        parses: &Parses,
        derivation: &Derivation,
    ) -> Result<Translation> {
        let attachments = derivation.edges.iter().filter_map(|it| parses.attachments[it.index()]);
        let attachments: Vec<Attachment> = attachments.collect();
        let mut translation = self.translating.parsed(&parsed.problem(), attachments);
        translation.hurried = self.hurried;
        self.decoder.finished(translation, self.request.trees)
    }

    /// A path without a tree.
    fn flat(&mut self, parts: Vec<EdgeId>) -> Result<Translation> {
        let mut translation = self.decoder.finished(self.translating.flat(&parts), false)?;
        translation.hurried = self.hurried;
        if self.request.n_best > 0 {
            translation.n_best = vec![translation.clone()];
        }
        if self.request.forest {
            let forest = self.translating.flat_forest(&parts, &self.decoder.model)?;
            translation.forest = Some(forest);
        }
        Ok(translation)
    }
}

/// The best derivations that a request asks for; none without a list.
fn listed(forest: &Forest, request: Request, time: &ListClock<'_>) -> Result<Vec<Derivation>> {
    match request.n_best {
        0 => Ok(Vec::new()),
        _ => derivations(forest, request, EFFORT, |found| time.goes_on(found)),
    }
}

/// How much of a chart a request needs.
fn wanted(request: Request) -> Wanted {
    let of_list = request.n_best.saturating_mul(ITEMS_PER_ENTRY).saturating_add(ITEMS);
    match request {
        Request { forest: false, n_best: 0, .. } => Wanted { items: of_list, window: ROUNDING },
        Request { forest: false, .. } => Wanted { items: of_list, window: f64::INFINITY },
        _ => Wanted { items: of_list.max(FOREST_ITEMS), window: f64::INFINITY },
    }
}
