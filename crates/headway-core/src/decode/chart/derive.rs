//! From items back to the rules that made them, and to a translation.

use std::sync::Arc;

use smallvec::SmallVec;

use super::arena::{BEGIN, GLUE, Item, JOIN, NONE, START};
use super::feature::Applied;
use super::rule::RuleSet;
use super::search::Searching;
use super::states::EMPTY;
use crate::decode::Model;
use crate::decode::translation::{By, Head, Joint, NO_STEP, Segment, Shown, Translation};
use crate::table::Symbol;
use crate::tree::structure::{Link, Partial};

/// One derivation: items, each with the places of those that it is made of.
pub struct Derived {
    steps: Vec<(u32, [u32; 2])>,
}

/// An item on the way through a derivation.
struct Frame {
    step: u32,
    /// Where each symbol of its target side begins, as far as they were said.
    places: SmallVec<[u32; 8]>,
}

/// What has been said of a translation: pieces of the sentence, one after the other.
#[derive(Clone)]
pub struct Said {
    translation: Translation,
    features: Vec<f64>,
    /// The structure of all words, where there are trees.
    tree: Option<Partial>,
    /// The number of the last step.
    step: u32,
}

impl Said {
    /// Nothing yet, of a model with this number of features.
    pub fn nothing(features: usize) -> Self {
        let (translation, features) = (Translation::default(), vec![0.0; features]);
        Said { translation, features, tree: None, step: NO_STEP }
    }
}

/// The items of a derivation that are finished, by their places in it.
struct Finished {
    trees: Vec<Option<Partial>>,
    /// The numbers of their steps.
    steps: Vec<u32>,
}

impl Derived {
    /// From items in the order of a forest: each before its tails, the first ones before.
    pub fn of_items(searching: &Searching<'_>, items: &[u32]) -> Self {
        let mut derived = Derived { steps: Vec::with_capacity(items.len()) };
        // Places of items whose tails are still to come, and how many these are.
        let mut open: Vec<(u32, usize)> = Vec::new();
        for &item in items {
            let place = derived.steps.len() as u32;
            if let Some((parent, tail)) = open.pop() {
                derived.steps[parent as usize].1[tail] = place;
            }
            derived.steps.push((item, [NONE; 2]));
            open.extend(searching.real_tails(item).rev().map(|(tail, _)| (place, tail)));
        }
        derived
    }

    /// The best one of an item.
    pub fn best(searching: &Searching<'_>, last: u32) -> Self {
        let (mut items, mut open) = (Vec::new(), vec![last]);
        while let Some(item) = open.pop() {
            items.push(item);
            open.extend(searching.real_tails(item).rev().map(|(_, tail)| tail));
        }
        Derived::of_items(searching, &items)
    }
}

impl Searching<'_> {
    /// The rule of an item, by its set and rank; none for glue.
    pub fn rule(&self, item: &Item) -> Option<(&RuleSet, u32)> {
        let set = self.sets.get(item.set as usize)?;
        (item.rule < set.count).then_some((&*set.options, item.rule))
    }

    /// The tails of an item that are items of spans, with their numbers: the beginning of the
    /// sentence is none.
    pub fn real_tails(&self, item: u32) -> impl DoubleEndedIterator<Item = (usize, u32)> {
        let tails = self.arena.items[item as usize].tails.into_iter().enumerate();
        let items = &self.arena.items;
        let real = |tail: u32| tail != NONE && items[tail as usize].set != BEGIN;
        tails.filter(move |&(_, tail)| real(tail))
    }

    /// For each source symbol of an item's rule, the words it stands for.
    pub fn source_spans(&self, item: &Item) -> SmallVec<[(u32, u32); 8]> {
        let Some(set) = self.sets.get(item.set as usize) else { return SmallVec::new() };
        let mut place = item.start;
        let span = |symbol: Symbol| {
            let start = place;
            place = match symbol {
                Symbol::Word(_) => place + 1,
                Symbol::Slot(slot) => self.arena.items[item.tails[usize::from(slot)] as usize].end,
            };
            (start, place)
        };
        set.options.source().map(span).collect()
    }

    /// Says a derivation of the piece behind what was said before. Features are those of the
    /// rules and of the tree.
    pub fn say(&self, derived: &Derived, said: &mut Said) {
        let mut finished = Finished {
            trees: derived.steps.iter().map(|_| None).collect(),
            steps: vec![NO_STEP; derived.steps.len()],
        };
        let mut open = vec![Frame { step: 0, places: SmallVec::new() }];
        while let Some(frame) = open.last_mut() {
            let (item, tails) = derived.steps[frame.step as usize];
            let item = self.arena.items[item as usize];
            let spoken = frame.places.len();
            frame.places.push(said.translation.words.len() as u32);
            match self.symbol(&item, spoken) {
                Some(Ok(word)) => said.translation.words.push(word.to_string()),
                Some(Err(tail)) if tails[tail] == NONE => {}
                Some(Err(tail)) => {
                    open.push(Frame { step: tails[tail], places: SmallVec::new() });
                }
                None => {
                    let (step, places) = (frame.step as usize, std::mem::take(&mut frame.places));
                    let before = &mut said.tree;
                    finished.trees[step] =
                        self.tree(&item, &places, tails, before, &mut finished.trees);
                    self.finish(&item, &places, said);
                    finished.steps[step] = self.add_step(&item, tails, &finished.steps, said);
                    open.pop();
                }
            }
        }
        if let Some(&(last, _)) = derived.steps.first().filter(|_| self.entry.last) {
            self.scorers.add_finish(self.state(last), &mut said.features);
        }
        said.tree = finished.trees.first_mut().and_then(Option::take);
        said.step = finished.steps.first().copied().unwrap_or(NO_STEP);
        said.translation.hurried |= self.hurried;
    }

    /// A symbol of an item's target side: a word, or the number of the tail that stands there.
    fn symbol(&self, item: &Item, index: usize) -> Option<Result<&str, usize>> {
        if matches!(item.set, GLUE | START | JOIN) {
            return item.tails.get(index).map(|_| Err(index));
        }
        let (set, rule) = self.rule(item)?;
        if let Some(spelled) = &set.spelled {
            return spelled.words.get(index).map(|word| Ok(word.as_str()));
        }
        set.target(rule).nth(index).map(|symbol| match symbol {
            Symbol::Word(word) => Ok(self.model.table().target().word(word).unwrap_or_default()),
            Symbol::Slot(slot) => Err(usize::from(slot)),
        })
    }

    /// Takes down an item all of whose words have been said.
    fn finish(&self, item: &Item, places: &[u32], said: &mut Said) {
        let Said { translation, features, .. } = said;
        let offset = self.entry.offset;
        self.add_scored(item, features);
        if matches!(item.set, GLUE | JOIN) {
            features[self.model.columns().joining] += 1.0;
        }
        let Some((set, rule)) = self.rule(item) else { return };
        set.add_local(self.model, rule, features);
        let spans = self.source_spans(item);
        for (source, target) in set.links(rule) {
            let places = (spans.get(usize::from(source)), places.get(usize::from(target)));
            if let (Some(&(source, _)), Some(&target)) = places {
                translation.links.push((offset + source, target));
            }
        }
        let is_word = |&index: &usize| matches!(self.symbol(item, index), Some(Ok(_)));
        let mut own = (0..places.len()).filter(is_word).map(|index| places[index]);
        let end = translation.segments.last().map_or(0, |segment| segment.target.1);
        let first = own.next();
        let target =
            first.map_or((end, end), |first| (first, own.next_back().unwrap_or(first) + 1));
        let source = self.own_source(item, &spans);
        translation.segments.push(Segment {
            source: (offset + source.0, offset + source.1),
            target,
            unknown: set.spelled.as_ref().and_then(|spelled| spelled.unknown),
            rule: Some(Arc::new(self.shown(item, &spans))),
        });
    }

    /// Takes down what a finished item is made of; answers the number of the step. The first
    /// part of a sentence with trees is joined to nothing: its step is that of the part.
    fn add_step(&self, item: &Item, tails: [u32; 2], finished: &[u32], said: &mut Said) -> u32 {
        let step = |tail: u32| finished.get(tail as usize).copied().unwrap_or(NO_STEP);
        let mut parts = tails.map(step);
        if item.set == GLUE && tails[0] == NONE {
            parts[0] = said.step;
        }
        if item.set == START {
            return parts[1];
        }
        let Translation { steps, segments, .. } = &mut said.translation;
        let by = match self.rule(item) {
            Some(_) => By::Rule(segments.len() as u32 - 1),
            None if !self.scorers.joins() => By::Glue,
            None => {
                let [left, right] = item.tails.map(|tail| self.state(tail));
                By::Join(self.scorers.operation(item.rule, left, right))
            }
        };
        let offset = self.entry.offset;
        let start = if item.set == GLUE { 0 } else { offset + item.start };
        steps.push(Joint { source: (start, offset + item.end), by, parts });
        steps.len() as u32 - 1
    }

    /// From the first to the last source word of an item's own rule.
    fn own_source(&self, item: &Item, spans: &[(u32, u32)]) -> (u32, u32) {
        let source = self.sets[item.set as usize].options.source();
        let words = source.zip(spans).filter(|(symbol, _)| matches!(symbol, Symbol::Word(_)));
        let mut words = words.map(|(_, span)| *span);
        let first = words.next().unwrap_or((item.start, item.start));
        (first.0, words.next_back().unwrap_or(first).1)
    }

    /// An item's rule as text.
    fn shown(&self, item: &Item, spans: &[(u32, u32)]) -> Shown {
        let slot = |number: u8| format!("[X{}]", number + 1);
        let set = &self.sets[item.set as usize];
        let source = set.options.source().zip(spans).map(|(symbol, span)| match symbol {
            Symbol::Word(_) => self.words[span.0 as usize].to_string(),
            Symbol::Slot(number) => slot(number),
        });
        let source: Vec<String> = source.collect();
        let mut target = Vec::new();
        while let Some(symbol) = self.symbol(item, target.len()) {
            target.push(match symbol {
                Ok(word) => word.to_string(),
                Err(tail) => slot(tail as u8),
            });
        }
        let place = self.rule(item).map(|(set, rule)| set.rule(rule).place);
        let place = place.filter(|&place| place != u32::MAX);
        Shown { source: source.join(" "), target: target.join(" "), place }
    }

    /// The structure of an item from those of its tails, where a feature builds trees; `before` is
    /// that of the pieces before.
    fn tree(
        &self,
        item: &Item,
        places: &[u32],
        tails: [u32; 2],
        before: &mut Option<Partial>,
        trees: &mut [Option<Partial>],
    ) -> Option<Partial> {
        let builder = self.scorers.builder()?;
        let first = places.first().copied().unwrap_or_default();
        let mut take = |tail: usize| {
            let tree = match (item.set, tails[tail]) {
                (GLUE, NONE) => before.take(),
                (_, place) => trees.get_mut(place as usize).and_then(Option::take),
            };
            tree.unwrap_or_else(|| Partial::null(first, 0))
        };
        let Some(_) = self.rule(item) else {
            let (one, two) = (take(0), take(1));
            return builder.join_tree(item.rule, &one, &two);
        };
        let symbols = (0..).map_while(|index| self.symbol(item, index)).zip(places);
        let symbols = symbols.map(|(symbol, &place)| match symbol {
            Ok(_) => Partial::word(place),
            Err(tail) => take(tail),
        });
        let symbols: Vec<Partial> = symbols.collect();
        builder.rule_tree(self.applied(item), first, symbols)
    }

    /// The rule of an item, as features see it.
    fn applied(&self, item: &Item) -> Applied {
        let offset = self.entry.offset;
        let span = (offset + item.start, offset + item.end);
        Applied { set: item.set, rule: item.rule, span }
    }

    /// The state of an item; that of no words if there is none.
    fn state(&self, item: u32) -> u32 {
        self.arena.items.get(item as usize).map_or(EMPTY, |item| item.state)
    }

    /// Adds what features with a state say of an item beyond what they said of its tails.
    pub fn add_scored(&self, item: &Item, values: &mut [f64]) {
        if item.set == BEGIN || self.scorers.is_empty() {
            return;
        }
        let slots = item.tails.map(|tail| self.state(tail));
        match self.rule(item) {
            Some(_) => self.scorers.add_rule(self.applied(item), slots, values),
            None => {
                let middle = self.arena.items[item.tails[0] as usize].end;
                let at = self.meeting(item.start, middle, item.end);
                self.scorers.add_join(item.rule, slots[0], slots[1], at, values);
            }
        }
    }
}

impl Said {
    /// All that was said, as a translation. The features of language models are as they score
    /// the words one by one.
    pub fn complete(self, model: &Model) -> Translation {
        let Said { mut translation, mut features, tree, .. } = self;
        translation.links.sort_unstable();
        translation.links.dedup();
        score_words(model, &translation.words, &mut features);
        translation.heads = tree.map(heads);
        translation.score = model.score(&features);
        translation.features = features;
        translation
    }
}

/// Heads of a finished structure: of one without a single head, all open words are in none.
fn heads(whole: Partial) -> Vec<Head> {
    let open = whole.links().iter().filter(|link| **link == Link::Open).count();
    let whole = if open == 1 { whole } else { whole.closed() };
    let head = |link: &Link| match *link {
        Link::To(head) => Head::Word(head),
        Link::Open => Head::Root,
        Link::Null => Head::Null,
    };
    whole.links().iter().map(head).collect()
}

fn score_words(model: &Model, words: &[String], features: &mut [f64]) {
    let first = model.columns().lms;
    for (index, (_, lm)) in model.lms().iter().enumerate() {
        let mut state = lm.begin_state();
        let ids = words.iter().map(|word| lm.word_id(word)).chain([lm.end()]);
        features[first + index] +=
            ids.map(|word| lm.score(&mut state, word).log_prob()).sum::<f64>();
    }
}
