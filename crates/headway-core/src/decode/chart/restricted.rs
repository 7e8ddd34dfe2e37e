//! Which rules fit which spans under constraints.
//!
//! Nothing is made of spans that cross a zone or lie within words for which a translation is
//! forced, so that such words are always one part of a derivation; rules that would turn a wall or
//! tear a zone apart are left out. Words can always be put side by side in their order.

use std::ops::Range;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::matching::{Match, Matcher};
use super::search::{HURRIED_SPAN, Offers, Pattern, Searching};
use crate::Result;
use crate::decode::constraint::{Forced, Restrictions, Shape};
use crate::table::{Rule, Symbol};

/// Rule sets of the sentence by their source side and how it lies among the constraints.
type Sets = HashMap<(u32, SmallVec<[u16; 16]>), u32, FxBuildHasher>;

impl Searching<'_> {
    /// Finds what fits every span, first words from the last to the first.
    pub fn find_restricted(
        &mut self,
        offers: &mut impl Offers,
        restrictions: &Restrictions,
    ) -> Result<()> {
        let mut matcher = Matcher::new(self.model.table(), self.words);
        let (length, mut sets) = (self.words.len() as u32, Sets::default());
        let joins = self.scorers.joins();
        for start in (0..length).rev() {
            matcher.begin(start);
            self.check_time();
            let usual = self.span_limit();
            let usual = start + if self.hurried { usual.min(HURRIED_SPAN) } else { usual };
            let forced = restrictions.forced().iter().filter(|it| it.span.start == start);
            let last = forced.map(|it| it.span.end).max().unwrap_or(0).max(usual).min(length);
            for end in start + 1..=last {
                let filled = |from: u32| self.is_filled(restrictions, from, end);
                let found = matcher.advance(end, filled).to_vec();
                let first = self.patterns.len();
                if end <= usual && !restrictions.bars(start, end) {
                    for one in found {
                        self.add_allowed(&matcher, &mut sets, offers, restrictions, one, start)?;
                    }
                }
                let alone = end == start + 1 && self.patterns.len() == first;
                if alone && !restrictions.bars(start, end) && !restrictions.settles(start, end) {
                    let set = self.add_set(offers.unknown(self.words[start as usize]));
                    self.patterns.push(Pattern { set, slots: [(0, 0); 2] });
                }
                let own = |it: &&Forced| it.span == (start..end);
                for forced in restrictions.forced().iter().filter(own) {
                    let set = self.add_set(offers.forced(forced));
                    self.patterns.push(Pattern { set, slots: [(0, 0); 2] });
                }
                let many = self.patterns.len() - first;
                let place = self.place(start, end);
                self.spans[place] = (first as u32, many as u32);
                if many > 0 || (joins && self.joins_within(restrictions, start, end)) {
                    matcher.fill(end);
                }
            }
        }
        Ok(())
    }

    /// Whether there is something over some words.
    fn is_filled(&self, restrictions: &Restrictions, start: u32, end: u32) -> bool {
        let joined = self.scorers.joins() && self.joins_within(restrictions, start, end);
        joined || self.spans[self.place(start, end)].1 > 0
    }

    fn joins_within(&self, restrictions: &Restrictions, start: u32, end: u32) -> bool {
        end - start <= self.span_limit()
            && !restrictions.bars(start, end)
            && (end - start > 1 && !restrictions.settles(start, end))
    }

    /// Whether neighbours may be joined to cover just these words.
    pub fn may_join(&self, start: u32, end: u32) -> bool {
        self.restrictions.as_ref().is_none_or(|it| self.joins_within(it, start, end))
    }

    /// Adds the rules of a source side that constraints allow where it is.
    fn add_allowed(
        &mut self,
        matcher: &Matcher<'_>,
        sets: &mut Sets,
        offers: &mut impl Offers,
        restrictions: &Restrictions,
        one: Match,
        start: u32,
    ) -> Result<()> {
        if !matcher.has_rules(one.node) {
            return Ok(());
        }
        let source = matcher.source(one.node);
        let spans = spans(&source, &one, start);
        let end = spans.last().map_or(start, |span| span.end);
        let concerned = restrictions.concerns(start, end);
        let signature = if concerned { restrictions.signature(&spans) } else { SmallVec::new() };
        let key = (one.node, signature);
        let set = match sets.get(&key) {
            Some(&set) => set,
            None => {
                let node = matcher.node(one.node);
                let is_allowed = |rule: &Rule| restrictions.allow(&shape(rule, &spans));
                let options = match concerned {
                    true => offers.allowed(node, &source, &is_allowed)?,
                    false => offers.known(node, &source)?,
                };
                let set = self.add_set(options);
                sets.insert(key, set);
                set
            }
        };
        if self.sets[set as usize].count > 0 {
            self.patterns.push(Pattern { set, slots: one.slots });
        }
        Ok(())
    }
}

/// The words that each symbol of a source side stands for.
fn spans(source: &[Symbol], one: &Match, start: u32) -> SmallVec<[Range<u32>; 8]> {
    let mut place = start;
    let span = |symbol: &Symbol| {
        let first = place;
        place = match symbol {
            Symbol::Word(_) => first + 1,
            Symbol::Slot(slot) => one.slots[usize::from(*slot)].1,
        };
        first..place
    };
    source.iter().map(span).collect()
}

fn shape(rule: &Rule, spans: &[Range<u32>]) -> Shape {
    let source = rule.source.iter().copied().zip(spans.iter().cloned());
    Shape::new(source, rule.target.iter().copied(), rule.links.iter().copied())
}
