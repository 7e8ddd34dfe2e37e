//! The decoder: a model and settings, applied to sentences.

use std::time::Instant;

use rayon::prelude::*;

use super::derive::{Steps, Translation};
use super::input::{self, Input};
use super::literal::{self, Given, Walk};
use super::nbest::n_best;
use super::search::{Entry, Extras, Searching};
use crate::decode::cache::{Cache, Options, Prepared};
use crate::decode::feature::{Feature, SourceSpan, Step};
use crate::decode::lm::LmStates;
use crate::decode::{Model, Phrase, Search};
use crate::forest::{EdgeParts, Flags, Forest, ForestBuilder};
use crate::table::{NodeId, Rule, Symbol};
use crate::{Error, Monitor, Result};

/// Phrase-based search under one model.
pub struct Decoder {
    model: Model,
    search: Search,
    features: Vec<Box<dyn Feature>>,
    cache: Cache,
}

/// What is wanted beside the best translation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Request {
    pub forest: bool,
    /// So many of the best translations; 0 is none.
    pub n_best: usize,
    /// Whether these must differ in their words.
    pub distinct: bool,
}

/// A rule that some sentence can use: its node in the table and its place there.
#[derive(Debug, Clone, PartialEq)]
pub struct Listed {
    pub node: NodeId,
    pub place: u32,
    pub rule: Rule,
}

/// Values of added features for listed rules.
#[derive(Default)]
pub struct Added {
    values: hashbrown::HashMap<(u32, u32), Box<[f32]>, rustc_hash::FxBuildHasher>,
    cache: Cache,
}

impl Added {
    /// `values` holds for each rule one number per added feature.
    pub fn new(listed: &[Listed], values: Vec<Box<[f32]>>) -> Self {
        let keys = listed.iter().map(|listed| (listed.node.0, listed.place));
        Added { values: keys.zip(values).collect(), cache: Cache::default() }
    }
}

impl Decoder {
    pub fn new(model: Model, search: Search, features: Vec<Box<dyn Feature>>) -> Result<Self> {
        search.check()?;
        if model.table().facts().most_slots > 0 {
            let path = model.table().path();
            return Err(Error::model(
                path,
                "has rules with slots; stack search needs phrase pairs",
            ));
        }
        Ok(Decoder { model, search, features, cache: Cache::default() })
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
        added: Option<&Added>,
        monitor: &Monitor,
    ) -> Result<Vec<Translation>> {
        monitor.expect(sentences.len() as u64);
        let translate = |sentence: &Vec<String>| {
            monitor.check()?;
            let words: Vec<&str> = sentence.iter().map(String::as_str).collect();
            let translation = self.translate(&words, request, added)?;
            monitor.advance(1)?;
            Ok(translation)
        };
        sentences.par_iter().with_max_len(1).map(translate).collect()
    }

    pub fn translate(
        &self,
        words: &[&str],
        request: Request,
        added: Option<&Added>,
    ) -> Result<Translation> {
        let deadline = self.search.time_limit.map(|limit| Instant::now() + limit);
        let mut extras = self.extras(words);
        let pieces = pieces(words, self.search.max_words);
        let inputs: Result<Vec<Input>> =
            pieces.iter().map(|piece| self.input(&words[piece.clone()], added, &extras)).collect();
        let inputs = inputs?;
        let mut found = Found::new(self, words, request)?;
        for (index, (piece, input)) in pieces.iter().zip(&inputs).enumerate() {
            let last = index + 1 == pieces.len();
            found.piece(input, piece.start as u32, last, &mut extras, deadline)?;
        }
        let mut translation = found.finish(&mut extras)?;
        if let Some(forest) = translation.forest.as_ref().filter(|_| request.n_best > 0) {
            translation.n_best = n_best(forest, request.n_best, request.distinct)?;
        }
        translation.forest = translation.forest.filter(|_| request.forest);
        translation.split = pieces.len() > 1;
        Ok(translation)
    }

    fn extras<'f>(&'f self, words: &[&str]) -> Extras<'f> {
        let columns = self.features.iter().map(|feature| {
            let names = feature.names();
            names.iter().filter_map(|name| self.model.column(name)).collect()
        });
        let scorers = self.features.iter().map(|feature| feature.begin(words));
        Extras::new(scorers.collect(), columns.collect())
    }

    fn input(&self, words: &[&str], added: Option<&Added>, extras: &Extras<'_>) -> Result<Input> {
        let (model, search) = (&self.model, &self.search);
        let mut options = |node: NodeId, path: &[Symbol]| self.options(node, path, added);
        let mut unknown =
            |word: &str| Prepared::new(vec![Phrase::of_unknown(model, search, word)], 1);
        let spans = input::spans(model, search, words, &mut options, &mut unknown)?;
        let mut estimate = |phrase: &Phrase| match extras.is_empty() {
            true => 0.0,
            false => extras.estimate(phrase, model.weights()),
        };
        Ok(Input::new(words.len(), spans, search, &mut estimate))
    }

    /// The best options of a source phrase.
    fn options(&self, node: NodeId, path: &[Symbol], added: Option<&Added>) -> Result<Options> {
        let cache = added.map_or(&self.cache, |added| &added.cache);
        cache.get(node, || {
            let (mut phrases, mut place) = (Vec::new(), 0);
            self.model.table().visit(node, path, |rule| {
                let values = added.and_then(|added| added.values.get(&(node.0, place)));
                if added.is_none() || values.is_some() {
                    let values = values.map_or(&[][..], |values| values);
                    phrases.push(Phrase::of_rule(&self.model, &self.search, rule, place, values));
                }
                place += 1;
            })?;
            Ok(Prepared::new(phrases, self.search.options))
        })
    }

    /// The rules that search would try for some sentence, each once, in the table's order.
    pub fn list(&self, sentences: &[Vec<String>], monitor: &Monitor) -> Result<Vec<Listed>> {
        let mut nodes = std::collections::BTreeMap::new();
        monitor.expect(sentences.len() as u64);
        for sentence in sentences {
            let words: Vec<&str> = sentence.iter().map(String::as_str).collect();
            let mut options = |node: NodeId, path: &[Symbol]| {
                let found = self.options(node, path, None)?;
                nodes.entry(node.0).or_insert_with(|| (path.to_vec(), found.clone()));
                Ok(found)
            };
            let mut unknown = |_: &str| Prepared::new(Vec::new(), 1);
            input::spans(&self.model, &self.search, &words, &mut options, &mut unknown)?;
            monitor.advance(1)?;
        }
        let mut listed = Vec::new();
        for (node, (path, options)) in nodes {
            let mut place = 0;
            self.model.table().visit(NodeId(node), &path, |rule| {
                if options.phrases.iter().any(|phrase| phrase.place == place) {
                    listed.push(Listed { node: NodeId(node), place, rule: rule.clone() });
                }
                place += 1;
            })?;
        }
        Ok(listed)
    }

    /// All features of a derivation that the caller states, phrase by phrase in the order of
    /// the translation.
    pub fn score(&self, words: &[&str], given: &[Given]) -> Result<Vec<f64>> {
        let mut phrases = Vec::new();
        for phrase in given {
            phrases.push((self.span_of(words, phrase)?, self.find(words, phrase)?));
        }
        let steps: Steps<'_> = phrases.iter().map(|(span, phrase)| (*span, phrase)).collect();
        let mut extras = self.extras(words);
        Ok(literal::features(&self.model, self.search.orienting, &mut extras, &steps))
    }

    fn span_of(&self, words: &[&str], given: &Given) -> Result<SourceSpan> {
        let (start, end) = (given.start, given.end);
        if start >= end || end as usize > words.len() {
            let length = words.len();
            let message = format!("{start}–{end} is no span of a sentence of {length} words");
            return Err(Error::setting(message));
        }
        Ok(SourceSpan { start: start as i32, end: end as i32 })
    }

    /// The rule with these sides, or the fallback for a word.
    fn find(&self, words: &[&str], given: &Given) -> Result<Phrase> {
        let (model, search) = (&self.model, &self.search);
        let source = &words[given.start as usize..given.end as usize];
        let ids: Option<Vec<Symbol>> =
            source.iter().map(|word| model.table().source().get(word).map(Symbol::Word)).collect();
        let target: Option<Vec<Symbol>> = given
            .target
            .iter()
            .map(|word| model.table().target().get(word).map(Symbol::Word))
            .collect();
        let node = ids.as_ref().and_then(|ids| model.table().find(ids));
        if let (Some(node), Some(ids), Some(target)) = (node, ids, target) {
            let (mut found, mut place) = (None, 0);
            model.table().visit(node, &ids, |rule| {
                if found.is_none() && rule.target == target {
                    found = Some(Phrase::of_rule(model, search, rule, place, &[]));
                }
                place += 1;
            })?;
            if let Some(found) = found {
                return Ok(found);
            }
        }
        let unknown = (source.len() == 1).then(|| Phrase::of_unknown(model, search, source[0]));
        let unknown = unknown.filter(|phrase| phrase.words(model).eq(given.target.iter()));
        unknown.ok_or_else(|| {
            let (source, target) = (source.join(" "), given.target.join(" "));
            Error::setting(format!("the table has no rule \"{source}\" → \"{target}\""))
        })
    }
}

/// Where long sentences are cut: into equal pieces.
fn pieces(words: &[&str], most: usize) -> Vec<std::ops::Range<usize>> {
    let many = words.len().div_ceil(most).max(1);
    let mut start = 0;
    let mut pieces = Vec::with_capacity(many);
    for piece in 1..=many {
        let mut end = words.len() * piece / many;
        // A little earlier behind a mark, if there is one.
        let early = (end.saturating_sub(most / 4).max(start + 1)..end).rev();
        if piece < many {
            end = early.clone().find(|&end| is_mark(words[end - 1])).unwrap_or(end);
        }
        pieces.push(start..end);
        start = end;
    }
    pieces
}

fn is_mark(word: &str) -> bool {
    word.chars()
        .all(|c| matches!(c, '.' | '!' | '?' | ';' | ':' | ',' | '。' | '、' | '，' | '！' | '？'))
}

/// A sentence on its way, piece by piece.
struct Found<'d> {
    decoder: &'d Decoder,
    steps: Vec<(SourceSpan, Phrase)>,
    entry: Entry,
    hurried: bool,
    builder: Option<ForestBuilder>,
    /// The node behind the pieces so far.
    node: crate::forest::NodeId,
    words: usize,
}

impl<'d> Found<'d> {
    fn new(decoder: &'d Decoder, words: &[&str], request: Request) -> Result<Self> {
        let lm = LmStates::begin(&decoder.model).to_vec();
        let last = SourceSpan { start: -1, end: 0 };
        let entry = Entry { lm, last, phrase: None, extra: 0 };
        let (mut builder, mut node) = (None, crate::forest::NodeId(0));
        if request.forest || request.n_best > 0 {
            let model = &decoder.model;
            let mut new = ForestBuilder::new(model.features().clone(), words)?;
            new.weights(model.weights().iter().map(|&weight| f64::from(weight)).collect())?;
            node = new.bits_node(&vec![0; words.len().div_ceil(64)], None)?;
            let dense = vec![0.0; model.names().len()];
            new.edge(&EdgeParts { head: node, dense: &dense, ..EdgeParts::default() })?;
            builder = Some(new);
        }
        let words = words.len();
        Ok(Found { decoder, steps: Vec::new(), entry, hurried: false, builder, node, words })
    }

    fn piece(
        &mut self,
        input: &Input,
        offset: u32,
        last: bool,
        extras: &mut Extras<'_>,
        deadline: Option<Instant>,
    ) -> Result<()> {
        if input.length == 0 {
            return Ok(());
        }
        let (model, search) = (&self.decoder.model, &self.decoder.search);
        let bits = 9 + (input.length * 2).ilog2().min(8);
        let entry = self.entry.clone();
        let mut searching = Searching {
            model,
            search,
            input,
            entry: &entry,
            offset,
            words: self.words,
            extras,
            lm: LmStates::new(model, input.choices.len(), bits),
            coverages: Default::default(),
            arena: Vec::new(),
            deadline,
            hurried: self.hurried,
            keep: self.builder.is_some(),
            last,
        };
        let finals = searching.run();
        let Some(&best) = finals.first() else {
            return Err(Error::setting("search found no translation; please report this"));
        };
        self.hurried = searching.hurried;
        let path = searching.path(best);
        if let Some(builder) = &mut self.builder {
            let wanted = if last { &finals[..] } else { &finals[..1] };
            let nodes = searching.add_to(builder, self.node, wanted)?;
            self.node = if last { goal(builder, &nodes, model, self.words)? } else { nodes[0] };
        }
        for id in path {
            let choice = searching.arena[id as usize].choice;
            self.steps.push((searching.source_span(choice), input.phrase(choice).clone()));
        }
        self.enter_next(offset + input.length, extras);
        Ok(())
    }

    /// Walks through all that was found, to where the next piece begins.
    fn enter_next(&mut self, offset: u32, extras: &mut Extras<'_>) {
        if offset as usize == self.words {
            return;
        }
        let model = &self.decoder.model;
        let mut walk = Walk::new(model, self.decoder.search.orienting);
        let mut values = vec![0.0; model.names().len()];
        let mut extra = 0;
        for (index, (span, phrase)) in self.steps.iter().enumerate() {
            let previous = walk.phrase.map(|phrase| (walk.last, phrase));
            walk.step(*span, phrase, &mut values);
            if !extras.is_empty() {
                let done = &self.steps[..=index];
                let covered =
                    |word: i32| done.iter().any(|(span, _)| (span.start..span.end).contains(&word));
                let step = Step { span: *span, phrase, previous, covered: &covered };
                extra = extras.extend(extra, &step, |_, _| ());
            }
        }
        self.entry = literal::entry_behind(&walk, extra, offset);
    }

    fn finish(self, extras: &mut Extras<'_>) -> Result<Translation> {
        let (model, orienting) = (&self.decoder.model, self.decoder.search.orienting);
        let steps: Steps<'_> = self.steps.iter().map(|(span, phrase)| (*span, phrase)).collect();
        let mut translation = Translation::of_steps(model, &steps);
        translation.features = literal::features(model, orienting, extras, &steps);
        translation.score = model.score(&translation.features);
        translation.hurried = self.hurried;
        let node = self.node;
        let forest: Option<Result<Forest>> = self.builder.map(|builder| builder.finish(node));
        translation.forest = forest.transpose()?;
        Ok(translation)
    }
}

/// One node behind all complete hypotheses.
fn goal(
    builder: &mut ForestBuilder,
    nodes: &[crate::forest::NodeId],
    model: &Model,
    words: usize,
) -> Result<crate::forest::NodeId> {
    let mut bits = vec![0; words.div_ceil(64)];
    (0..words).for_each(|word| bits[word / 64] |= 1 << (word % 64));
    let goal = builder.bits_node(&bits, None)?;
    let dense = vec![0.0; model.names().len()];
    for &node in nodes {
        builder.edge(&EdgeParts {
            head: goal,
            tails: &[node],
            symbols: &[crate::forest::Symbol::Slot(0)],
            dense: &dense,
            flags: Flags::default(),
            ..EdgeParts::default()
        })?;
    }
    Ok(goal)
}
