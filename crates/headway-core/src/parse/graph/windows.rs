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

/// Where the rows of the five tags before a right end begin.
pub type Before = [u32; WINDOW];

/// What one tag adds: by bin, position, tag of the end it is counted from, and itself.
#[derive(Default)]
struct Rows {
    /// How many tags there are.
    tags: usize,
    starts: Vec<u32>,
    units: Vec<Units>,
}

impl Rows {
    /// Where the row of a tag begins: what it adds, by the tag of the other end.
    #[inline]
    fn start(&mut self, model: &GraphModel, bin: usize, at: (usize, [u8; 2])) -> u32 {
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
        *start
    }

    /// What five tags add with a tag at the other end.
    #[inline]
    fn sum(&self, starts: Before, other: LastTags) -> Sums {
        starts.iter().fold([0; 2], |[onward, back], &start| {
            let units = self.units[start as usize + other.last(1) as usize];
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

    /// What a left end and the five tags behind it add with a tag at the right end.
    #[inline]
    pub fn left(&mut self, model: &GraphModel, bin: usize, six: LastTags, right: LastTags) -> Sums {
        let known = self.recent.get(key(bin, six, right));
        known.unwrap_or_else(|| self.find_left(model, bin, six, right))
    }

    /// What `left` is, which is then known.
    #[cold]
    fn find_left(
        &mut self,
        model: &GraphModel,
        bin: usize,
        six: LastTags,
        right: LastTags,
    ) -> Sums {
        let starts = std::array::from_fn(|at| {
            let tags = [six.before(WINDOW), six.before(WINDOW - 1 - at)];
            self.rows.start(model, bin, (1 + at, tags))
        });
        let found = self.rows.sum(starts, right);
        self.recent.put(key(bin, six, right), found);
        found
    }

    /// The five tags before a right end, for `right`.
    #[inline]
    pub fn before(&mut self, model: &GraphModel, bin: usize, six: LastTags) -> Before {
        std::array::from_fn(|at| {
            let tags = [six.before(0), six.before(1 + at)];
            self.rows.start(model, bin, (WINDOW + 1 + at, tags))
        })
    }

    /// What a right end and the five tags before it add with the tag of a left end.
    #[inline]
    pub fn right(&self, before: Before, left: LastTags) -> Sums {
        self.rows.sum(before, left)
    }
}

#[inline]
fn key(bin: usize, six: LastTags, other: LastTags) -> u64 {
    (bin as u64) << 56 | other.last(1) << 48 | six.last(6)
}
