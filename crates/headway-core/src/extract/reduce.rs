//! From sorted keys to rules with counts: all keys of one source side at a time.
//!
//! What is found is written as bytes, one group after the other:
//! the source side, what is known of it, and its rules (see `Group::write`, `GroupReader`).

use xxhash_rust::xxh3::xxh3_128;

use super::choice::{Choice, LEVELS, Variant};
use super::code::{self, Decoder};
use super::features::{Oriented, push_orientations};
use super::lexicon::{Lexicon, Sums};
use super::merge::Merge;
use super::options::{Options, Structures};
use super::orientation::ORIENTATIONS;
use super::shape;
use super::significance::{Cooccurrence, Tally};
use super::smoothing::{self, Classes, CountsOfCounts};
use super::totals::TargetCount;
use super::worker::unit;
use crate::table::Symbol;
use crate::{Monitor, Result};

/// What a part of the keys comes to.
#[derive(Debug, Default)]
pub struct Reduced {
    /// Groups, written.
    pub bytes: Vec<u8>,
    /// One for each rule; their numbers start from 0, and rules left out have none.
    pub targets: Vec<TargetCount>,
    pub rules: u64,
    pub left_out: u64,
    pub seen: CountsOfCounts,
}

pub struct Reducer<'a> {
    pub options: &'a Options,
    pub lexicon: &'a Lexicon,
    pub cooccurrence: Option<&'a Cooccurrence>,
}

/// The parts of a key: the source side; what else tells rules apart; what of a rule was seen most
/// often, links and perhaps the structure before them.
struct Parts {
    source_end: usize,
    pair_end: usize,
    variant: Variant,
}

impl Reducer<'_> {
    pub fn reduce(&self, mut merge: Merge<'_>, monitor: &Monitor) -> Result<Reduced> {
        let mut reduced = Reduced::default();
        let mut group = Group::default();
        while merge.advance()? {
            let (key, parts) = (&merge.key, self.parts(&merge.key));
            let source = &key[..parts.source_end];
            if group.source != source {
                monitor.check()?;
                self.close(&mut group, &mut reduced);
                group.start(source);
            }
            group.add(key, &parts, merge.weight);
        }
        self.close(&mut group, &mut reduced);
        Ok(reduced)
    }

    fn parts(&self, key: &[u8]) -> Parts {
        let mut decoder = Decoder::new(key);
        decoder.skip_side();
        let source_end = decoder.position();
        let (symbols, slots) = decoder.skip_side();
        let links_end = key.len() - usize::from(self.options.reordering.is_some());
        if self.options.trees.structures == Structures::All {
            shape::skip_structure(&mut decoder, symbols, slots);
            let pair_end = decoder.position();
            let ends = [0, 0, links_end - pair_end];
            return Parts { source_end, pair_end, variant: Variant { ends, last_resort: false } };
        }
        let pair_end = decoder.position();
        let has_tree = shape::skip_tree(&mut decoder, symbols);
        let tree_end = decoder.position();
        if has_tree {
            decoder.skip_words(1 + slots);
        }
        let ends = [tree_end, decoder.position(), links_end].map(|end| end - pair_end);
        Parts { source_end, pair_end, variant: Variant { ends, last_resort: !has_tree } }
    }

    fn close(&self, group: &mut Group, reduced: &mut Reduced) {
        group.settle();
        if group.seen.is_empty() {
            return;
        }
        let unit = unit(self.options);
        let mut classes = Classes::default();
        for seen in &group.seen {
            classes[smoothing::class(seen.count, unit)] += 1;
            reduced.seen.add(seen.count, unit);
        }
        group.choose_kept(self.cooccurrence);
        for seen in &group.seen {
            let hash = xxh3_128(&group.bytes[seen.target.0..seen.target.1]);
            let rule = seen.kept.then_some(reduced.rules);
            reduced.targets.push(TargetCount::new(hash, rule, seen.count));
            reduced.rules += u64::from(seen.kept);
            reduced.left_out += u64::from(!seen.kept);
        }
        self.write(group, classes, &mut reduced.bytes);
    }

    fn write(&self, group: &mut Group, classes: Classes, bytes: &mut Vec<u8>) {
        let total: u64 = group.seen.iter().map(|seen| seen.count).sum();
        let together = group.orientations();
        code::push_number(bytes, group.source.len() as u64);
        bytes.extend_from_slice(&group.source);
        code::push_number(bytes, total);
        classes.iter().for_each(|&rules| code::push_number(bytes, u64::from(rules)));
        code::push_number(bytes, group.seen.iter().filter(|seen| seen.kept).count() as u64);
        group.source_symbols.clear();
        Decoder::new(&group.source).side(&mut group.source_symbols);
        for seen in group.seen.iter().filter(|seen| seen.kept) {
            let [target, links] =
                [seen.target, seen.links].map(|(start, end)| &group.bytes[start..end]);
            group.target_symbols.clear();
            Decoder::new(target).side(&mut group.target_symbols);
            let structure = self.structure_length(&group.target_symbols, links);
            group.links.clear();
            Decoder::new(&links[structure..]).links(&mut group.links);
            let (symbols, scratch) = (&group.source_symbols, &mut group.sums);
            let lexical =
                self.lexicon.weights(symbols, &group.target_symbols, &group.links, scratch);
            code::push_number(bytes, (target.len() + structure) as u64);
            bytes.extend_from_slice(target);
            bytes.extend_from_slice(links);
            code::push_number(bytes, seen.count);
            group.values.clear();
            group.values.extend([lexical.1 as f32, lexical.0 as f32]);
            if let Some(model) = &self.options.reordering {
                let (backward, forward) =
                    if model.source_only { together } else { (seen.backward, seen.forward) };
                push_orientations(&backward, &forward, model, &mut group.values);
            }
            bytes.extend(group.values.iter().flat_map(|value| value.to_le_bytes()));
        }
    }
}

impl Reducer<'_> {
    /// The bytes of a structure that stands before links.
    fn structure_length(&self, target: &[Symbol], links: &[u8]) -> usize {
        if self.options.trees.structures == Structures::All {
            return 0;
        }
        let slots = target.iter().filter(|symbol| matches!(symbol, Symbol::Slot(_))).count();
        let mut decoder = Decoder::new(links);
        shape::skip_structure(&mut decoder, target.len(), slots);
        decoder.position()
    }
}

/// All rules of one source side. Reused from group to group.
#[derive(Debug, Default)]
struct Group {
    source: Vec<u8>,
    /// Target sides with structures, and links.
    bytes: Vec<u8>,
    seen: Vec<Seen>,
    /// Of the rule that was seen last.
    choice: Choice,
    source_symbols: Vec<Symbol>,
    target_symbols: Vec<Symbol>,
    links: Vec<(u8, u8)>,
    sums: Sums,
    tally: Tally,
    values: Vec<f32>,
}

/// A rule being counted; ranges are of the group's bytes.
#[derive(Debug)]
struct Seen {
    target: (usize, usize),
    count: u64,
    /// What was chosen of it, once all of it was seen.
    links: (usize, usize),
    backward: Oriented,
    forward: Oriented,
    kept: bool,
}

impl Group {
    fn start(&mut self, source: &[u8]) {
        self.source.clear();
        self.source.extend_from_slice(source);
        self.bytes.clear();
        self.seen.clear();
    }

    /// Keys come sorted: all of one target together, among them all with the same links.
    fn add(&mut self, key: &[u8], parts: &Parts, weight: u64) {
        let target = &key[parts.source_end..parts.pair_end];
        let links_end = parts.pair_end + parts.variant.ends[LEVELS - 1];
        let variant = &key[parts.pair_end..links_end];
        let same = self.seen.last().is_some_and(|seen| self.bytes[range(seen.target)] == *target);
        if !same {
            self.settle();
            self.seen.push(Seen {
                target: keep(&mut self.bytes, target),
                count: 0,
                links: (0, 0),
                backward: Oriented::default(),
                forward: Oriented::default(),
                kept: true,
            });
        }
        self.choice.add(&mut self.bytes, variant, parts.variant, weight);
        let Some(seen) = self.seen.last_mut() else { return };
        seen.count += weight;
        if let Some(&both) = key.get(links_end) {
            seen.backward[usize::from(both) / ORIENTATIONS] += weight;
            seen.forward[usize::from(both) % ORIENTATIONS] += weight;
        }
    }

    /// Chooses for the rule that was seen last.
    fn settle(&mut self) {
        if let (Some(seen), Some(chosen)) = (self.seen.last_mut(), self.choice.take()) {
            seen.links = chosen;
        }
    }

    fn orientations(&self) -> (Oriented, Oriented) {
        let mut sums = (Oriented::default(), Oriented::default());
        for seen in &self.seen {
            for orientation in 0..ORIENTATIONS {
                sums.0[orientation] += seen.backward[orientation];
                sums.1[orientation] += seen.forward[orientation];
            }
        }
        sums
    }

    fn choose_kept(&mut self, cooccurrence: Option<&Cooccurrence>) {
        let Some(cooccurrence) = cooccurrence else { return };
        self.source_symbols.clear();
        Decoder::new(&self.source).side(&mut self.source_symbols);
        cooccurrence.set_source(&self.source_symbols, &mut self.tally);
        for seen in &mut self.seen {
            self.target_symbols.clear();
            Decoder::new(&self.bytes[range(seen.target)]).side(&mut self.target_symbols);
            seen.kept = cooccurrence.is_significant(&self.target_symbols, &mut self.tally);
        }
    }
}

fn range((start, end): (usize, usize)) -> std::ops::Range<usize> {
    start..end
}

fn keep(bytes: &mut Vec<u8>, more: &[u8]) -> (usize, usize) {
    let start = bytes.len();
    bytes.extend_from_slice(more);
    (start, bytes.len())
}
