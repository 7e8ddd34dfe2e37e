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
