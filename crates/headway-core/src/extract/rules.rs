//! Rules with slots: phrase pairs from which smaller ones have been taken out (Chiang 2007;
//! Shen, Xu & Weischedel 2010, section 5.2).

use std::ops::Range;

use super::code;
use super::options::RuleLimits;
use super::pair::{Aligned, Pair, Phrase, Place};
use super::shape::{self, Shape, Slot, Target};
use crate::tree::Heads;

const NO_SLOT: u32 = u32::MAX;

/// A phrase pair that may become a rule, or a slot of one.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    pub phrase: Phrase,
    /// What its target side is, where trees matter.
    pub shape: Option<Shape>,
    /// Number of links in it.
    pub links: usize,
}

/// Candidates to be slots, by number, in the order of the source side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice([u32; 2]);

impl Choice {
    pub const NONE: Choice = Choice([NO_SLOT; 2]);

    pub fn slots<'a>(
        &'a self,
        candidates: &'a [Candidate],
    ) -> impl Iterator<Item = &'a Candidate> + 'a {
        self.0.iter().filter_map(|&slot| candidates.get(slot as usize))
    }
}

/// Adds every way to make a rule of `whole`. Candidates are sorted by source start.
///
/// At least one linked word must remain. Links of a phrase pair never leave it, so what remains
/// is counted by subtracting.
pub fn choices(
    whole: &Candidate,
    candidates: &[Candidate],
    limits: &RuleLimits,
    inside: &mut Vec<u32>,
    found: &mut Vec<Choice>,
) {
    let length = whole.phrase.source_length();
    if length <= limits.source_symbols {
        found.push(Choice::NONE);
    }
    if limits.slots == 0 {
        return;
    }
    collect_inside(whole, candidates, limits, inside);
    for (number, &first) in inside.iter().enumerate() {
        let one = &candidates[first as usize];
        let left = length - one.phrase.source_length() + 1;
        if left <= limits.source_symbols && one.links < whole.links {
            found.push(Choice([first, NO_SLOT]));
        }
        if limits.slots == 1 {
            continue;
        }
        for &second in &inside[number + 1..] {
            let other = &candidates[second as usize];
            if are_apart(&one.phrase, &other.phrase, limits.adjacent_slots)
                && left - other.phrase.source_length() < limits.source_symbols
                && one.links + other.links < whole.links
            {
                found.push(Choice([first, second]));
            }
        }
    }
}

fn collect_inside(
    whole: &Candidate,
    candidates: &[Candidate],
    limits: &RuleLimits,
    inside: &mut Vec<u32>,
) {
    let phrase = &whole.phrase;
    let from = candidates.partition_point(|other| other.phrase.source.0 < phrase.source.0);
    let starting = candidates[from..].iter().take_while(|c| c.phrase.source.0 < phrase.source.1);
    inside.clear();
    inside.extend(
        starting
            .zip(from as u32..)
            .filter(|(other, _)| {
                phrase.contains(&other.phrase)
                    && other.phrase != *phrase
                    && other.phrase.source_length() >= limits.slot_words
            })
            .map(|(_, number)| number),
    );
}

/// `first` starts before `second` on the source side or with it.
fn are_apart(first: &Phrase, second: &Phrase, adjacent: bool) -> bool {
    let gap = Place::from(!adjacent);
    first.source.1 + gap <= second.source.0
        && (first.target.1 <= second.target.0 || second.target.1 <= first.target.0)
}

/// Writes rules as keys. Reused from rule to rule.
#[derive(Debug, Default)]
pub struct RuleCoder {
    slots: Vec<Candidate>,
    target_slots: Vec<(usize, Candidate)>,
    places: Vec<u8>,
}

impl RuleCoder {
    /// Adds source side, target side, structure (with `heads`, if there are shapes) and links.
    pub fn push(
        &mut self,
        key: &mut Vec<u8>,
        pair: &Pair,
        aligned: &Aligned,
        heads: Option<&Heads>,
        whole: &Candidate,
        slots: impl Iterator<Item = Candidate>,
    ) {
        self.slots.clear();
        self.slots.extend(slots);
        self.push_source(key, aligned, &whole.phrase);
        self.push_target(key, aligned, &whole.phrase);
        match (heads, whole.shape) {
            (Some(heads), Some(shape)) => self.push_structure(key, heads, whole, shape),
            _ => shape::push_no_structure(key),
        }
        self.push_links(key, pair, aligned, &whole.phrase);
    }

    fn push_source(&self, key: &mut Vec<u8>, aligned: &Aligned, phrase: &Phrase) {
        let mut from = phrase.source_range().start;
        for (number, slot) in self.slots.iter().enumerate() {
            let slot = slot.phrase.source_range();
            key.extend_from_slice(aligned.source.words(from..slot.start));
            code::push_slot(key, number);
            from = slot.end;
        }
        key.extend_from_slice(aligned.source.words(from..phrase.source_range().end));
        code::push_end(key);
    }

    fn push_target(&mut self, key: &mut Vec<u8>, aligned: &Aligned, phrase: &Phrase) {
        self.target_slots.clear();
        self.target_slots.extend(self.slots.iter().copied().enumerate());
        self.target_slots.sort_unstable_by_key(|(_, slot)| slot.phrase.target.0);
        self.places.clear();
        let mut place = 0;
        let mut from = phrase.target_range().start;
        for &(number, slot) in &self.target_slots {
            let slot = slot.phrase.target_range();
            key.extend_from_slice(aligned.target.words(from..slot.start));
            code::push_slot(key, number);
            self.places.extend((from..slot.start).map(|word| place + (word - from) as u8));
            place += (slot.start - from) as u8;
            self.places.extend(slot.clone().map(|_| place));
            place += 1;
            from = slot.end;
        }
        let end = phrase.target_range().end;
        key.extend_from_slice(aligned.target.words(from..end));
        self.places.extend((from..end).map(|word| place + (word - from) as u8));
        code::push_end(key);
    }

    fn push_structure(&self, key: &mut Vec<u8>, heads: &Heads, whole: &Candidate, shape: Shape) {
        let slot =
            |slot: &Candidate| slot.shape.map(|shape| Slot { span: slot.phrase.target, shape });
        let slots: Vec<Slot> = self.slots.iter().filter_map(slot).collect();
        let span = whole.phrase.target;
        Target { heads, span, shape, places: &self.places, slots: &slots }.push(key);
    }

    fn push_links(&self, key: &mut Vec<u8>, pair: &Pair, aligned: &Aligned, phrase: &Phrase) {
        let Range { start, end } = phrase.source_range();
        let target = phrase.target_range().start;
        // `shift` is what to subtract from a word's place for its place in the rule.
        let mut push = |words: Range<usize>, shift: usize| {
            for &(s, t) in &pair.links[aligned.links(words)] {
                let place = self.places[usize::from(t) - target];
                code::push_link(key, (usize::from(s) - shift) as u8, place);
            }
        };
        let (mut from, mut shift) = (start, start);
        for slot in self.slots.iter().map(|slot| slot.phrase.source_range()) {
            push(from..slot.start, shift);
            from = slot.end;
            shift += slot.len() - 1;
        }
        push(from..end, shift);
        code::push_links_end(key);
    }
}

#[cfg(test)]
mod tests {
    use super::super::code::Decoder;
    use super::super::options::{Edges, PhraseLimits};
    use super::super::pair::Tree;
    use super::super::phrases::phrases;
    use super::super::phrases::tests::pairs;
    use super::super::shape::{Shapes, structure};
    use super::*;
    use crate::WordId;
    use crate::table::{Structure, StructureKind, Symbol};
    use proptest::prelude::*;

    struct Decoded {
        source: Vec<Symbol>,
        target: Vec<Symbol>,
        structure: Option<Structure>,
        links: Vec<(u8, u8)>,
    }

    fn decoded(key: &[u8], slots: usize) -> Decoded {
        let (mut source, mut target, mut links) = (Vec::new(), Vec::new(), Vec::new());
        let mut decoder = Decoder::new(key);
        decoder.side(&mut source);
        decoder.side(&mut target);
        let structure = structure(&mut decoder, target.len(), slots);
        decoder.links(&mut links);
        assert!(decoder.is_done());
        Decoded { source, target, structure, links }
    }

    /// For each word of the span, the place in the rule that it came from.
    fn spread(side: &[Symbol], start: Place, slots: &[(Place, Place)]) -> Vec<(Place, usize)> {
        let mut word = start;
        let mut all = Vec::new();
        for (place, symbol) in side.iter().enumerate() {
            let end = match symbol {
                Symbol::Word(_) => word + 1,
                Symbol::Slot(slot) => {
                    assert_eq!(slots[usize::from(*slot)].0, word);
                    slots[usize::from(*slot)].1
                }
            };
            all.extend((word..end).map(|word| (word, place)));
            word = end;
        }
        all
    }

    struct Rebuilding<'a> {
        pair: &'a Pair,
        aligned: &'a Aligned,
        heads: &'a Heads,
    }

    impl Rebuilding<'_> {
        fn code(&self, whole: &Candidate, slots: &[Candidate]) -> Decoded {
            let mut key = Vec::new();
            RuleCoder::default().push(
                &mut key,
                self.pair,
                self.aligned,
                Some(self.heads),
                whole,
                slots.iter().copied(),
            );
            decoded(&key, slots.len())
        }

        /// Puts the slots' own phrase pairs back, and finds the words, links and heads of the
        /// sentence pair again.
        fn check(&self, whole: &Candidate, slots: &[Candidate]) {
            let rule = self.code(whole, slots);
            let (source_spans, target_spans): (Vec<_>, Vec<_>) =
                slots.iter().map(|slot| (slot.phrase.source, slot.phrase.target)).unzip();
            let source = spread(&rule.source, whole.phrase.source.0, &source_spans);
            let target = spread(&rule.target, whole.phrase.target.0, &target_spans);
            assert_eq!(source.len(), whole.phrase.source_range().len());
            assert_eq!(target.len(), whole.phrase.target_range().len());
            for (side, places, words) in [
                (&rule.source, &source, &self.pair.source),
                (&rule.target, &target, &self.pair.target),
            ] {
                for &(word, place) in places {
                    if let Symbol::Word(found) = side[place] {
                        assert_eq!(found, WordId(words[usize::from(word)]));
                    }
                }
            }
            self.check_links(&rule, &source, &target, whole, slots);
            if let Some(structure) = &rule.structure {
                self.check_heads(structure, &target, slots);
            }
        }

        fn check_links(
            &self,
            rule: &Decoded,
            source: &[(Place, usize)],
            target: &[(Place, usize)],
            whole: &Candidate,
            slots: &[Candidate],
        ) {
            let at = |places: &[(Place, usize)], place: u8| {
                places.iter().find(|(_, found)| *found == usize::from(place)).unwrap().0
            };
            let mut links: Vec<(Place, Place)> =
                rule.links.iter().map(|&(s, t)| (at(source, s), at(target, t))).collect();
            assert!(!links.is_empty());
            for slot in slots {
                let words = self.aligned.links(slot.phrase.source_range());
                links.extend(&self.pair.links[words]);
            }
            links.sort_unstable();
            assert_eq!(links, self.pair.links[self.aligned.links(whole.phrase.source_range())]);
        }

        fn check_heads(
            &self,
            structure: &Structure,
            target: &[(Place, usize)],
            slots: &[Candidate],
        ) {
            let slot_at = |word: Place| {
                slots.iter().find(|slot| slot.phrase.target_range().contains(&usize::from(word)))
            };
            // The word that a place in the rule stands for when it is a head.
            let word_of = |place: usize| {
                let word = target.iter().find(|(_, found)| *found == place).unwrap().0;
                let Some(slot) = slot_at(word) else { return u32::from(word) + 1 };
                match self.code(slot, &[]).structure.unwrap().kind {
                    StructureKind::Fixed(head) => {
                        u32::from(slot.phrase.target.0 + u16::from(head)) + 1
                    }
                    floating => panic!("a {floating:?} structure cannot be a head"),
                }
            };
            let span = target[0].0..=target[target.len() - 1].0;
            for &(word, place) in target {
                let own = self.heads.of(u32::from(word) + 1);
                let expected = if own > 0 && span.contains(&(own as Place - 1)) { own } else { 0 };
                let inner = slot_at(word).and_then(|slot| {
                    let heads = self.code(slot, &[]).structure.unwrap().heads;
                    match heads[usize::from(word - slot.phrase.target.0)] {
                        0 => None,
                        head => Some(u32::from(slot.phrase.target.0) + u32::from(head)),
                    }
                });
                let found = inner.unwrap_or_else(|| match structure.heads[place] {
                    0 => 0,
                    head => word_of(usize::from(head) - 1),
                });
                assert_eq!(found, expected, "word {word} of {:?}", self.heads);
            }
            if let StructureKind::Fixed(place) = structure.kind {
                assert_eq!(structure.heads[usize::from(place)], 0);
            }
        }
    }

    /// Heads near their words, so that many spans are well-formed.
    fn with_heads(longest: usize) -> impl Strategy<Value = (Pair, Heads)> {
        (pairs(longest), proptest::collection::vec((0u32..6, -2i64..=2), longest)).prop_map(
            |(pair, random)| {
                let words = pair.target.len() as i64;
                let head = |(at, &(kind, offset)): (usize, &(u32, i64))| match kind {
                    0 => 0,
                    _ => (at as i64 + 1 + offset).clamp(0, words) as u32,
                };
                let heads = random.iter().take(pair.target.len()).enumerate().map(head).collect();
                (pair, Heads::new(heads).unwrap())
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn rules_rebuild_what_they_came_from(
            (pair, heads) in with_heads(7),
            trees: bool,
            loose: bool,
            adjacent_slots: bool,
        ) {
            let mut aligned = Aligned::default();
            aligned.set(&pair);
            let edges = if loose { Edges::Loose } else { Edges::Tight };
            let initial = PhraseLimits { length: 7, edges };
            let limits = RuleLimits {
                initial,
                slots: 2,
                source_symbols: 7,
                slot_words: 1,
                adjacent_slots,
                fractional_counts: false,
            };
            let mut found = Vec::new();
            phrases(&aligned, initial, &mut found);
            found.sort_unstable();
            let labels = vec![1; pair.target.len()];
            let tree = Tree { heads, labels };
            let shapes = Shapes::new(&tree);
            let candidates: Vec<Candidate> = found
                .into_iter()
                .map(|phrase| Candidate {
                    phrase,
                    shape: shapes.shape(phrase.target).filter(|_| trees),
                    links: aligned.link_count(phrase.source_range()),
                })
                .filter(|candidate| candidate.shape.is_some() || !trees)
                .collect();
            let rebuilding = Rebuilding { pair: &pair, aligned: &aligned, heads: &tree.heads };
            let (mut inside, mut choices) = (Vec::new(), Vec::new());
            for whole in &candidates {
                choices.clear();
                super::choices(whole, &candidates, &limits, &mut inside, &mut choices);
                for choice in &choices {
                    let slots: Vec<Candidate> = choice.slots(&candidates).copied().collect();
                    rebuilding.check(whole, &slots);
                }
            }
        }
    }
}
