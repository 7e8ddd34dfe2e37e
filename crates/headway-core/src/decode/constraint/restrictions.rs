//! What constraints leave to the search of one piece of a sentence.
//!
//! Two checks are common to all searches: which spans may be parts of a derivation, and which
//! rules may be used there. Phrase-based search asks in addition which words may come next: no
//! hypothesis ever leaves a zone before all of it is covered, or goes beyond a wall before all
//! words are covered that stand before it. As zones nest, the first free word of the innermost
//! zone that was begun can always be next, so search never gets stuck.

use std::ops::Range;

use smallvec::SmallVec;

use super::{Constraint, Force, Forced, Shape, cross, holds, overlap};
use crate::WordId;
use crate::decode::coverage::Coverage;
use crate::decode::source::Source;
use crate::table::RuleTable;

/// A wall, and the words that it is a wall for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Wall {
    at: u32,
    around: Range<u32>,
}

/// Constraints on the words of a piece, counted from its first.
#[derive(Debug, Clone, PartialEq)]
pub struct Restrictions {
    zones: Vec<Range<u32>>,
    walls: Vec<Wall>,
    forced: Vec<Forced>,
    /// For each forced translation its words as the table numbers them, if it has them all.
    wanted: Vec<Option<Vec<WordId>>>,
}

/// Walls are numbered from here in signatures.
const FIRST_WALL: u16 = 1 << 15;

/// What a coverage leaves open: where the next phrase has to be.
#[derive(Debug)]
pub struct Open {
    zone: Range<u32>,
    /// The first free word before each wall that is not passed yet, and what lies behind it.
    walls: SmallVec<[(u32, Range<u32>); 4]>,
}

impl Restrictions {
    /// Those of a source on a piece of it; none if nothing is left of them.
    pub fn new(source: &Source, piece: &Range<usize>, table: &RuleTable) -> Option<Self> {
        if source.constraints().is_empty() {
            return None;
        }
        let (start, end) = (piece.start as u32, piece.end as u32);
        let clipped = |span: Range<u32>| span.start.max(start) - start..span.end.min(end) - start;
        let (all, whole) = (source.constraints(), 0..end - start);
        let inside = |span: &Range<u32>| overlap(span, &(start..end));
        let mut found = Restrictions {
            zones: Vec::new(),
            walls: Vec::new(),
            forced: Vec::new(),
            wanted: Vec::new(),
        };
        for constraint in all {
            match constraint {
                Constraint::Forced(one) if inside(&one.span) => {
                    let id = |word: &String| table.target().get(word);
                    found.wanted.push(one.target.iter().map(id).collect());
                    found.forced.push(Forced { span: clipped(one.span.clone()), ..one.clone() });
                }
                Constraint::Zone(zone) if inside(zone) => {
                    let zone = clipped(zone.clone());
                    if zone.len() > 1 && zone != whole && !found.zones.contains(&zone) {
                        found.zones.push(zone);
                    }
                }
                Constraint::Wall(at) if start < *at && *at < end => {
                    let around = clipped(around(all, *at, piece.start as u32..piece.end as u32));
                    found.walls.push(Wall { at: at - start, around });
                }
                _ => {}
            }
        }
        let empty = found.zones.is_empty() && found.walls.is_empty() && found.forced.is_empty();
        (!empty).then_some(found)
    }

    pub fn forced(&self) -> &[Forced] {
        &self.forced
    }

    /// The words that some translation is forced on, and nothing else is left.
    fn taken(&self) -> impl Iterator<Item = &Range<u32>> {
        let taken = self.forced.iter().filter(|forced| forced.force != Force::Inclusive);
        taken.map(|forced| &forced.span)
    }

    /// The longest span of a forced translation.
    pub fn longest(&self) -> usize {
        self.forced.iter().map(|forced| forced.span.len()).max().unwrap_or(0)
    }

    /// Whether no part of a derivation may cover just these words.
    pub fn bars(&self, start: u32, end: u32) -> bool {
        let span = start..end;
        let inside = |taken: &Range<u32>| overlap(taken, &span) && !holds(&span, taken);
        self.zones.iter().any(|zone| cross(zone, &span)) || self.taken().any(inside)
    }

    /// Whether a forced translation is all that may stand for just these words.
    pub fn settles(&self, start: u32, end: u32) -> bool {
        self.taken().any(|taken| *taken == (start..end))
    }

    /// Whether it matters what a rule over these words does with them.
    pub fn concerns(&self, start: u32, end: u32) -> bool {
        let span = start..end;
        let inside = |zone: &Range<u32>| holds(&span, zone) && *zone != span;
        self.taken().any(|taken| overlap(taken, &span))
            || self.zones.iter().any(inside)
            || self.walls.iter().any(|wall| start < wall.at && wall.at < end)
    }

    /// Whether a rule of the table may be used.
    pub fn allow(&self, rule: &Shape) -> bool {
        let end = rule.parts.last().map_or(0, |part| part.span.end);
        let span = rule.parts.first().map_or(0, |part| part.span.start)..end;
        let own = |taken: &Range<u32>| {
            rule.parts.iter().any(|part| !part.is_slot && overlap(taken, &part.span))
        };
        let is_free = |(forced, wanted): (&Forced, &Option<Vec<WordId>>)| match forced.force {
            Force::Inclusive => true,
            _ if !own(&forced.span) => true,
            Force::Exclusive => false,
            Force::Within => {
                self.forced
                    .iter()
                    .zip(&self.wanted)
                    .filter(|(other, _)| other.span == forced.span)
                    .any(|(_, other)| rule.says(&forced.span, other.as_deref()))
                    || rule.says(&forced.span, wanted.as_deref())
            }
        };
        let zone_inside = |zone: &&Range<u32>| holds(&span, zone) && **zone != span;
        self.forced.iter().zip(&self.wanted).all(is_free)
            && self.zones.iter().filter(zone_inside).all(|zone| rule.keeps(zone))
            && self.walls.iter().all(|wall| rule.respects(wall.at, &wall.around))
    }

    /// Where each symbol of a rule lies, seen from all that concerns it: rules with equal sides
    /// and equal signatures are allowed alike.
    pub fn signature(&self, spans: &[Range<u32>]) -> SmallVec<[u16; 16]> {
        let (start, end) = match spans {
            [first, .., last] => (first.start, last.end),
            [only] => (only.start, only.end),
            [] => (0, 0),
        };
        let mut found = SmallVec::new();
        let places = |span: &Range<u32>, of: &Range<u32>| match () {
            () if holds(of, span) => 1,
            () if overlap(of, span) => 2,
            () => 0,
        };
        for (number, of) in self.zones.iter().chain(self.taken()).enumerate() {
            if overlap(of, &(start..end)) {
                found.push(number as u16);
                found.extend(spans.iter().map(|span| places(span, of)));
            }
        }
        for (number, wall) in self.walls.iter().enumerate() {
            if start < wall.at && wall.at < end {
                found.push(FIRST_WALL | number as u16);
                found.extend(spans.iter().map(|span| match () {
                    () if !overlap(&wall.around, span) => 0,
                    () if span.end <= wall.at => 1,
                    () if span.start >= wall.at => 2,
                    () => 3,
                }));
            }
        }
        found
    }

    /// What may come next.
    pub fn open(&self, set: &Coverage, length: u32) -> Open {
        let begun = |zone: &&Range<u32>| {
            let covered = (zone.start..zone.end).filter(|&word| set.contains(word)).count();
            0 < covered && covered < zone.len()
        };
        let smallest = self.zones.iter().filter(begun).min_by_key(|zone| zone.len());
        let walls = self.walls.iter().filter_map(|wall| {
            let free = (wall.around.start..wall.at).find(|&word| !set.contains(word))?;
            Some((free, wall.at..wall.around.end))
        });
        Open { zone: smallest.cloned().unwrap_or(0..length), walls: walls.collect() }
    }

    /// The last word that has to be covered before the first free one can be, once a phrase ends
    /// with `end`: zones that it is in are finished first.
    pub fn reach(&self, start: u32, end: u32, first_free: u32) -> u32 {
        let span = start..end;
        let entered = self.zones.iter().filter(|zone| holds(zone, &span));
        let others = entered.filter(|zone| !zone.contains(&first_free));
        others.map(|zone| zone.end).max().unwrap_or(end).max(end)
    }
}

impl Open {
    /// Whether the next phrase may be one over these words.
    pub fn admits(&self, start: u32, end: u32) -> bool {
        let beyond =
            |(free, behind): &(u32, Range<u32>)| overlap(behind, &(start..end)) && start > *free;
        holds(&self.zone, &(start..end)) && !self.walls.iter().any(beyond)
    }
}

/// The words that a wall is a wall for: the smallest zone that it is inside of, or all.
fn around(all: &[Constraint], at: u32, whole: Range<u32>) -> Range<u32> {
    let zones = all.iter().filter_map(|constraint| match constraint {
        Constraint::Zone(zone) if zone.start < at && at < zone.end => Some(zone.clone()),
        _ => None,
    });
    zones.min_by_key(ExactSizeIterator::len).unwrap_or(whole)
}
