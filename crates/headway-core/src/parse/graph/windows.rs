//! Six tags in a row, as far arcs see them: from the left end on, or up to the right end.
//!
//! Each of the five tags between adds by itself, with its position and the tags of both ends. What
//! one adds is a row, by the tag of the other end; six tags and the tag of the other end are the
//! sum of five of them.

use super::beside::{Units, units};
use super::between::WINDOW;
use super::far::{BINS, FIRST_BIN, LastTags};
use super::features::window_keys;
use super::model::GraphModel;
use super::recent::Recent;

/// Sums of weights, as weights are stored.
type Sums = [i32; 2];
const NONE: u32 = u32::MAX;

/// Places between two ends, from 1 on.
const PLACES: usize = 2 * WINDOW;

const BITS: u32 = 15;

/// 32 MB: more than 64 tags ever take.
const MOST_UNITS: usize = 1 << 23;

/// What windows of six tags add to far arcs, with the tag of the other end.
#[derive(Default)]
pub struct Windows {
    recent: Recent<Sums>,
    rows: Rows,
}

/// What one tag adds: by bin, position, tag of the end it is counted from, and itself.
#[derive(Default)]
struct Rows {
    /// How many tags there are.
    tags: usize,
    starts: Vec<u32>,
    units: Vec<Units>,
}

impl Rows {
    fn get(&mut self, model: &GraphModel, bin: usize, at: (usize, [u8; 2])) -> &[Units] {
        let tags = self.tags;
        let (place, [end, tag]) = at;
        let number = (bin * PLACES + place - 1) * tags + usize::from(end);
        let start = &mut self.starts[number * tags + usize::from(tag)];
        if *start == NONE {
            *start = self.units.len() as u32;
            let (end, tag) = (u64::from(end), u64::from(tag));
            self.units.extend((0..tags as u64).map(|other| {
                let [left, right] = if place > WINDOW { [other, end] } else { [end, other] };
                units(model, window_keys(place, [left, tag, right]), FIRST_BIN + bin)
            }));
        }
        &self.units[*start as usize..][..tags]
    }

    /// What five tags add with a tag at the other end.
    fn sum(
        &mut self,
        model: &GraphModel,
        bin: usize,
        row: impl Fn(usize) -> (usize, [u8; 2]),
        other: LastTags,
    ) -> Sums {
        (1..=WINDOW).fold([0; 2], |[onward, back], near| {
            let units = self.get(model, bin, row(near))[other.last(1) as usize];
            [onward + i32::from(units[0]), back + i32::from(units[1])]
        })
    }
}

impl Windows {
    pub fn new(tags: usize) -> Self {
        let starts = vec![NONE; BINS * PLACES * tags * tags];
        Windows { recent: Recent::new(BITS), rows: Rows { tags, starts, units: Vec::new() } }
    }

    /// Whether there is more than should be kept from sentence to sentence.
    pub fn is_full(&self) -> bool {
        self.rows.units.len() > MOST_UNITS
    }

    /// What a left end and the five tags behind it add with a tag at the right end, if known.
    #[inline]
    pub fn left(&self, bin: usize, six: LastTags, right: LastTags) -> Option<Sums> {
        self.recent.get(key(bin, six, right))
    }

    /// What a right end and the five tags before it add with a tag at the left end, if known.
    #[inline]
    pub fn right(&self, bin: usize, six: LastTags, left: LastTags) -> Option<Sums> {
        self.recent.get(key(BINS + bin, six, left))
    }

    /// What `left` is, which is then known.
    pub fn find_left(
        &mut self,
        model: &GraphModel,
        bin: usize,
        six: LastTags,
        right: LastTags,
    ) -> Sums {
        self.left(bin, six, right).unwrap_or_else(|| {
            let row = |near| (near, [tag(six, WINDOW), tag(six, WINDOW - near)]);
            let found = self.rows.sum(model, bin, row, right);
            self.recent.put(key(bin, six, right), found);
            found
        })
    }

    /// What `right` is, which is then known.
    pub fn find_right(
        &mut self,
        model: &GraphModel,
        bin: usize,
        six: LastTags,
        left: LastTags,
    ) -> Sums {
        self.right(bin, six, left).unwrap_or_else(|| {
            let row = |near| (WINDOW + near, [tag(six, 0), tag(six, near)]);
            let found = self.rows.sum(model, bin, row, left);
            self.recent.put(key(BINS + bin, six, left), found);
            found
        })
    }
}

#[inline]
fn key(part: usize, six: LastTags, other: LastTags) -> u64 {
    (part as u64) << 56 | other.last(1) << 48 | six.last(6)
}

/// The tag that stands so many places before the last.
fn tag(tags: LastTags, before: usize) -> u8 {
    (tags.last(6) >> (8 * before)) as u8
}
