//! From an item back to the rules that made it, and to a translation.

use smallvec::SmallVec;

use super::arena::{GLUE, Item};
use super::rule::{ChartRule, RuleSet};
use super::search::Searching;
use crate::decode::translation::{Segment, Translation};
use crate::table::Symbol;

/// An item on the way through a derivation.
struct Frame {
    item: u32,
    /// Where each symbol of its target side begins, as far as they were said.
    places: SmallVec<[u32; 8]>,
}

impl Searching<'_> {
    /// The rule of an item; none for glue.
    pub fn rule(&self, item: &Item) -> Option<(&RuleSet, &ChartRule)> {
        let set = self.sets.get(item.set as usize)?;
        Some((&*set.options, set.options.rules.get(item.rule as usize)?))
    }

    /// For each source symbol of an item's rule, the words it stands for.
    pub fn source_spans(&self, item: &Item) -> SmallVec<[(u32, u32); 8]> {
        let Some(set) = self.sets.get(item.set as usize) else { return SmallVec::new() };
        let mut place = item.start;
        let span = |symbol: &Symbol| {
            let start = place;
            place = match symbol {
                Symbol::Word(_) => place + 1,
                Symbol::Slot(slot) => self.arena.items[item.tails[usize::from(*slot)] as usize].end,
            };
            (start, place)
        };
        set.options.source.iter().map(span).collect()
    }

    /// The translation of an item of the whole sentence, with features scored word by word.
    pub fn translation(&self, last: u32) -> Translation {
        let mut translation = Translation::default();
        let mut features = vec![0.0; self.model.names().len()];
        let mut open = vec![Frame { item: last, places: SmallVec::new() }];
        while let Some(frame) = open.last_mut() {
            let item = self.arena.items[frame.item as usize];
            let said = frame.places.len();
            frame.places.push(translation.words.len() as u32);
            match self.symbol(&item, said) {
                Some(Ok(word)) => translation.words.push(word.to_string()),
                Some(Err(tail)) => open.push(Frame { item: tail, places: SmallVec::new() }),
                None => {
                    self.finish(&item, &frame.places, &mut translation, &mut features);
                    open.pop();
                }
            }
        }
        translation.links.sort_unstable();
        translation.links.dedup();
        self.score_words(&translation.words, &mut features);
        translation.score = self.model.score(&features);
        translation.features = features;
        translation.hurried = self.hurried;
        translation
    }

    /// A symbol of an item's target side: a word, or the item that stands there.
    fn symbol(&self, item: &Item, index: usize) -> Option<Result<&str, u32>> {
        if item.set == GLUE {
            return item.tails.get(index).map(|&tail| Err(tail));
        }
        let (set, rule) = self.rule(item)?;
        if let Some(unknown) = &set.unknown {
            return unknown.word.as_deref().filter(|_| index == 0).map(Ok);
        }
        set.target(rule).get(index).map(|symbol| match symbol {
            Symbol::Word(word) => Ok(self.model.table().target().word(*word).unwrap_or_default()),
            Symbol::Slot(slot) => Err(item.tails[usize::from(*slot)]),
        })
    }

    /// Takes down an item all of whose words have been said.
    fn finish(
        &self,
        item: &Item,
        places: &[u32],
        translation: &mut Translation,
        features: &mut [f64],
    ) {
        if item.set == GLUE {
            features[self.model.columns().joining] += 1.0;
        }
        let Some((set, rule)) = self.rule(item) else { return };
        set.add_local(self.model, rule, features);
        let spans = self.source_spans(item);
        for &(source, target) in set.links(rule) {
            let places = (spans.get(usize::from(source)), places.get(usize::from(target)));
            if let (Some(&(source, _)), Some(&target)) = places {
                translation.links.push((source, target));
            }
        }
        let is_word = |&index: &usize| matches!(self.symbol(item, index), Some(Ok(_)));
        let mut own = (0..places.len()).filter(is_word).map(|index| places[index]);
        let end = translation.segments.last().map_or(0, |segment| segment.target.1);
        let first = own.next();
        let target =
            first.map_or((end, end), |first| (first, own.next_back().unwrap_or(first) + 1));
        translation.segments.push(Segment {
            source: self.own_source(item, &spans),
            target,
            unknown: set.unknown.as_ref().map(|unknown| unknown.treatment),
            rule: Some(self.sides(item, &spans)),
        });
    }

    /// From the first to the last source word of an item's own rule.
    fn own_source(&self, item: &Item, spans: &[(u32, u32)]) -> (u32, u32) {
        let source = &self.sets[item.set as usize].options.source;
        let words =
            source.iter().zip(spans).filter(|(symbol, _)| matches!(symbol, Symbol::Word(_)));
        let mut words = words.map(|(_, span)| *span);
        let first = words.next().unwrap_or((item.start, item.start));
        (first.0, words.next_back().unwrap_or(first).1)
    }

    /// Both sides of an item's rule as text, slots as `[X1]` and `[X2]`.
    fn sides(&self, item: &Item, spans: &[(u32, u32)]) -> (String, String) {
        let slot = |number: u8| format!("[X{}]", number + 1);
        let set = &self.sets[item.set as usize];
        let source = set.options.source.iter().zip(spans).map(|(symbol, span)| match symbol {
            Symbol::Word(_) => self.words[span.0 as usize].to_string(),
            Symbol::Slot(number) => slot(*number),
        });
        let source: Vec<String> = source.collect();
        let mut target = Vec::new();
        while let Some(symbol) = self.symbol(item, target.len()) {
            target.push(match symbol {
                Ok(word) => word.to_string(),
                Err(tail) => slot(u8::from(item.tails[0] != tail)),
            });
        }
        (source.join(" "), target.join(" "))
    }

    fn score_words(&self, words: &[String], features: &mut [f64]) {
        let first = self.model.columns().lms;
        for (index, (_, lm)) in self.model.lms().iter().enumerate() {
            let mut state = lm.begin_state();
            let ids = words.iter().map(|word| lm.word_id(word)).chain([lm.end()]);
            features[first + index] +=
                ids.map(|word| lm.score(&mut state, word).log_prob()).sum::<f64>();
        }
    }
}
