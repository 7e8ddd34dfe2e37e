//! The decoder: a model and settings, applied to sentences.

use std::any::Any;
use std::ops::Range;

use super::extras::Extras;
use super::guide::Guide;
use super::input::{self, Input};
use super::literal::Manner;
use super::restricted::restricted;
use super::sentence::Found;
use super::spans::{self, AllowedSpans};
use crate::decode::added::{self, Added, Listed, Nodes};
use crate::decode::cache::{Cache, Options, Prepared};
use crate::decode::clock::{Clock, ListClock};
use crate::decode::constraint::Restrictions;
use crate::decode::feature::{Feature, Placed, Restate, SourceSpan};
use crate::decode::interface::{Decode, Given};
use crate::decode::local;
use crate::decode::nbest::n_best;
use crate::decode::order::PhraseSpans;
use crate::decode::source::{Source, Used};
use crate::decode::translation::{Request, Translation};
use crate::decode::trees::UsableTrees;
use crate::decode::{Model, Phrase, Search};
use crate::forest::Forest;
use crate::table::{NodeId, Symbol};
use crate::tree::DependencyTree;
use crate::{Error, Monitor, Result};

/// Phrase-based search under one model.
pub struct Decoder {
    model: Model,
    search: Search,
    features: Vec<Placed>,
    /// Whether punctuation is no part of source trees.
    apart: bool,
    cache: Cache<Prepared>,
}

impl Decoder {
    /// `apart` says whether punctuation is to be left out of source trees.
    pub fn new(
        model: Model,
        search: Search,
        features: Vec<Box<dyn Feature>>,
        apart: bool,
    ) -> Result<Self> {
        if model.table().facts().most_slots > 0 {
            let path = model.table().path();
            return Err(Error::model(
                path,
                "has rules with slots; stack search needs phrase pairs",
            ));
        }
        let place = |feature| Placed::new(feature, &model, |it| it.stack().is_some(), "stacks");
        let features = features.into_iter().map(place).collect::<Result<_>>()?;
        Ok(Decoder { model, search, features, apart, cache: Cache::default() })
    }

    /// The best translations of a forest; fewer once time is up.
    fn listed(
        &self,
        forest: &Forest,
        request: Request,
        clock: Clock<'_>,
    ) -> Result<Vec<Translation>> {
        let time = ListClock::new(clock);
        let go_on = |found| time.goes_on(found);
        let mut entries = n_best(forest, request, go_on)?;
        for placed in &self.features {
            if let Some(mut restate) = placed.stack().restate() {
                self.restate(&mut *restate, &placed.columns, &mut entries, &time);
            }
        }
        if time.was_cut() {
            entries.iter_mut().for_each(|entry| entry.hurried = true);
        }
        Ok(entries)
    }

    /// Gives entries the values that a feature would have had, had nothing been recombined, and
    /// puts them in the order of their scores.
    fn restate(
        &self,
        restate: &mut Restate<'_>,
        columns: &[usize],
        entries: &mut Vec<Translation>,
        time: &ListClock<'_>,
    ) {
        for number in 0..entries.len() {
            if !time.goes_on(number) {
                entries.truncate(number);
                break;
            }
            let entry = &mut entries[number];
            for (&column, value) in columns.iter().zip(restate(&entry.words)) {
                entry.features[column] = value;
            }
            entry.score = self.model.score(&entry.features);
        }
        entries.sort_by(|a, b| b.score.total_cmp(&a.score));
    }

    /// The tree that some feature makes of a translation.
    fn tree(&self, words: &[String]) -> Result<Option<DependencyTree>> {
        self.features.iter().find_map(|it| it.feature.tree(words)).transpose()
    }

    pub fn extras<'f>(&'f self, source: &'f Source) -> Extras<'f> {
        let scorers = self.features.iter().map(|it| it.stack().begin(source)).collect();
        let columns = self.features.iter().map(|it| it.columns.clone()).collect();
        let look_at_source = self.features.iter().any(|it| it.stack().looks_at_source());
        let slow = self.features.iter().any(|it| it.stack().is_slow());
        let look_ahead = self.features.iter().any(|it| it.stack().looks_ahead());
        let look_back = self.features.iter().any(|it| it.stack().looks_back());
        Extras::new(scorers, columns, look_at_source, slow, look_ahead, look_back)
    }

    /// A piece of a sentence, prepared.
    fn input(
        &self,
        source: &Source,
        piece: &Range<usize>,
        trees: &UsableTrees,
        added: Option<&Added>,
        extras: &Extras<'_>,
    ) -> Result<Input> {
        let (model, search, words) = (&self.model, &self.search, &source.strs()[..]);
        let allowed = AllowedSpans::new(words, trees, piece, &search.order);
        let guide = Guide::wanted(trees, piece, &search.order);
        let (words, offset) = (&words[piece.clone()], piece.start as i32);
        let mut offers = Offered { decoder: self, added };
        let spans = input::spans(model.table(), search.max_phrase, words, &allowed, &mut offers)?;
        let restrictions = Restrictions::new(source, piece, model.table());
        let spans = match &restrictions {
            Some(restrictions) => restricted(spans, restrictions, model, search),
            None => spans,
        };
        let mut estimate = |start: u32, end: u32, phrase: &Phrase| {
            if extras.is_empty() {
                return 0.0;
            }
            let [start, end] = [start, end].map(|word| word as i32 + offset);
            extras.estimate(SourceSpan { start, end }, phrase, model.weights())
        };
        Ok(Input::new(words.len(), spans, guide, restrictions, search, &mut estimate))
    }

    /// The best options of a source phrase.
    fn prepared(&self, node: NodeId, path: &[Symbol], added: Option<&Added>) -> Result<Options> {
        let cache = added.map_or(Ok(&self.cache), Added::cache)?;
        cache.get(node, || {
            let (mut phrases, mut place, mut checked) = (Vec::new(), 0, Ok(()));
            self.model.table().visit(node, path, |rule| {
                let values = added.and_then(|added| added.values(node, place));
                if added.is_none() || values.is_some() {
                    let values = values.unwrap_or_default();
                    let phrase = Phrase::of_rule(&self.model, &self.search, rule, place, values);
                    let sound = local::check(&self.model, &phrase.values);
                    checked = std::mem::replace(&mut checked, Ok(())).and(sound);
                    phrases.push(phrase);
                }
                place += 1;
            })?;
            checked?;
            Ok(Prepared::new(phrases, &self.search))
        })
    }

    /// The source trees that it can use.
    pub fn trees(&self, source: &Source) -> UsableTrees {
        match self.uses().trees {
            true => UsableTrees::new(source, self.search.order.trees, self.apart),
            false => UsableTrees::default(),
        }
    }

    /// How a sentence with these trees is scored.
    pub fn manner(&self, trees: &UsableTrees) -> Manner {
        let linear = self.search.order.linear_distortion || trees.trees.is_empty();
        Manner { orienting: self.search.orienting, linear }
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
        let trees = self.search.order.spans != PhraseSpans::All;
        used.fold(Used { trees, constraints: true, ..Used::default() }, Used::or)
    }

    fn translate(
        &self,
        source: &Source,
        request: Request,
        added: Option<&Added>,
        monitor: &Monitor,
    ) -> Result<Translation> {
        let clock = Clock::new(self.search.time_limit, monitor);
        let (mut extras, words) = (self.extras(source), source.strs());
        let (pieces, trees) = (self.pieces(source), self.trees(source));
        let inputs: Result<Vec<Input>> =
            pieces.iter().map(|piece| self.input(source, piece, &trees, added, &extras)).collect();
        let inputs = inputs?;
        let mut found = Found::new(self, &words, self.manner(&trees), trees.all(), request)?;
        for (index, (piece, input)) in pieces.iter().zip(&inputs).enumerate() {
            let last = index + 1 == pieces.len();
            found.piece(input, piece.start as u32, last, &mut extras, clock)?;
        }
        let mut translation = found.finish(&mut extras)?;
        if let Some(forest) = translation.forest.as_ref().filter(|_| request.n_best > 0) {
            translation.n_best = self.listed(forest, request, clock)?;
            translation.hurried |= translation.n_best.iter().any(|entry| entry.hurried);
        }
        if request.trees {
            translation.tree = self.tree(&translation.words)?;
            for entry in &mut translation.n_best {
                monitor.check()?;
                entry.tree = self.tree(&entry.words)?;
            }
        }
        translation.forest = translation.forest.filter(|_| request.forest);
        translation.split = pieces.len() > 1;
        Ok(translation)
    }

    fn licensed(&self, source: &Source) -> Option<Vec<(u32, u32)>> {
        let (trees, pieces) = (self.trees(source), self.pieces(source));
        let of_piece = |piece| spans::licensed(&trees, piece, &self.search.order);
        (!trees.trees.is_empty()).then(|| pieces.iter().flat_map(of_piece).collect())
    }

    fn list(&self, sources: &[Source], monitor: &Monitor) -> Result<Vec<Listed>> {
        let find = |words: &[&str], nodes: &mut Nodes| {
            let (table, longest) = (self.model.table(), self.search.max_phrase);
            let mut offers = Listing { decoder: self, nodes };
            input::spans(table, longest, words, &AllowedSpans::All, &mut offers).map(drop)
        };
        added::list(self.model.table(), sources, monitor, find, |node, source| {
            let options = self.prepared(node, source, None)?;
            Ok(options.phrases.iter().map(|phrase| phrase.place).collect())
        })
    }

    fn options(&self) -> Box<dyn Any + Send + Sync> {
        Box::new(Cache::<Prepared>::default())
    }

    fn score(&self, source: &Source, given: &[Given]) -> Result<Vec<f64>> {
        self.stated(source, given)
    }

    fn counters(&self) -> Vec<(&'static str, u64)> {
        self.features.iter().flat_map(|it| it.feature.counters()).collect()
    }
}

/// The options that search is offered.
struct Offered<'d> {
    decoder: &'d Decoder,
    added: Option<&'d Added>,
}

impl input::Offers for Offered<'_> {
    fn known(&mut self, node: NodeId, path: &[Symbol]) -> Result<Options> {
        self.decoder.prepared(node, path, self.added)
    }

    fn unknown(&mut self, word: &str) -> Options {
        let Decoder { model, search, .. } = self.decoder;
        Prepared::new(vec![Phrase::of_unknown(model, search, word)], search)
    }
}

/// The same, taking down what was asked for.
struct Listing<'d> {
    decoder: &'d Decoder,
    nodes: &'d mut Nodes,
}

impl input::Offers for Listing<'_> {
    fn known(&mut self, node: NodeId, path: &[Symbol]) -> Result<Options> {
        self.nodes.entry(node.0).or_insert_with(|| path.to_vec());
        self.decoder.prepared(node, path, None)
    }

    fn unknown(&mut self, _: &str) -> Options {
        Prepared::new(Vec::new(), &self.decoder.search)
    }
}
