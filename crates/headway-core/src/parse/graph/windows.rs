//! Six tags in a row, as far arcs see them: from the left end on, or up to the right end.
//!
//! Each of the five tags between adds by itself, with its position and the tags of both ends. What
//! one adds is a row, by the tag of the other end, kept from sentence to sentence; six tags and the
//! tag of the other end are the sum of five of them, kept within a sentence.

use rustc_hash::FxHashMap;

use super::between::WINDOW;
use super::far::{BINS, Units, units};
use super::features::window_keys;
use super::model::GraphModel;

/// Sums of weights, as weights are stored.
type Sums = [i32; 2];
const UNKNOWN: Sums = [i32::MIN; 2];
const NONE: u32 = u32::MAX;

/// Places between two ends, from 1 on.
const PLACES: usize = 2 * WINDOW;

/// Six tags, the last lowest.
type Six = [u8; WINDOW + 1];

/// What windows of six tags add to far arcs, by the tag of the other end.
#[derive(Default)]
pub struct Windows {
    /// How many tags there are.
    tags: usize,
    ids: FxHashMap<u64, u32>,
    sixes: Vec<Six>,
    /// By bin of distance: from a left end on, up to a right end. As many as there are tags for
    /// each window.
    lefts: [Vec<Sums>; BINS],
    rights: [Vec<Sums>; BINS],
    rows: Rows,
}

/// What one tag adds: by bin, position, tag of the end it is counted from, and itself.
#[derive(Default)]
struct Rows {
    starts: Vec<u32>,
    units: Vec<Units>,
}

impl Rows {
    fn begin(&mut self, tags: usize) {
        self.starts.resize(BINS * PLACES * tags * tags, NONE);
    }

    fn get(
        &mut self,
        model: &GraphModel,
        bin: usize,
        at: (usize, [u8; 2]),
        tags: usize,
    ) -> &[Units] {
        let (place, [end, tag]) = at;
        let number = (bin * PLACES + place - 1) * tags + usize::from(end);
        let start = &mut self.starts[number * tags + usize::from(tag)];
        if *start == NONE {
            *start = self.units.len() as u32;
            let (end, tag) = (u64::from(end), u64::from(tag));
            self.units.extend((0..tags as u64).map(|other| {
                let [left, right] = if place > WINDOW { [other, end] } else { [end, other] };
                units(model, window_keys(place, [left, tag, right]), bin)
            }));
        }
        &self.units[*start as usize..][..tags]
    }
}

impl Windows {
    /// Starts a sentence, for which windows have to be asked for anew.
    pub fn begin(&mut self, tags: usize) {
        self.tags = tags;
        self.rows.begin(tags);
        self.ids.clear();
        self.sixes.clear();
        self.lefts.iter_mut().chain(&mut self.rights).for_each(Vec::clear);
    }

    /// The number of six tags, a byte each.
    pub fn of(&mut self, tags: u64) -> u32 {
        let next = self.sixes.len() as u32;
        let number = *self.ids.entry(tags).or_insert(next);
        if number == next {
            self.sixes.push(std::array::from_fn(|at| (tags >> (8 * (WINDOW - at))) as u8));
            for sums in self.lefts.iter_mut().chain(&mut self.rights) {
                sums.resize(sums.len() + self.tags, UNKNOWN);
            }
        }
        number
    }

    /// What windows behind left ends add with a tag at the right end, as far as it is known: for
    /// each window one of every `tags`.
    #[inline]
    pub fn lefts(&self, bin: usize, tag: u32) -> (&[Sums], usize) {
        (&self.lefts[bin][tag as usize..], self.tags)
    }

    /// What a window before a right end adds, by the tag of the left one, as far as it is known.
    #[inline]
    pub fn rights(&self, bin: usize, six: u32) -> &[Sums] {
        &self.rights[bin][six as usize * self.tags..][..self.tags]
    }

    /// What a window behind a left end adds.
    pub fn left(&mut self, model: &GraphModel, bin: usize, six: u32, tag: u32) -> Sums {
        let Windows { tags, rows, sixes, lefts, .. } = self;
        let known = &mut lefts[bin][six as usize * *tags + tag as usize];
        if *known == UNKNOWN {
            let six = sixes[six as usize];
            let row = |near: usize| (near, [six[0], six[near]]);
            *known = summed(model, rows, bin, row, tag, *tags);
        }
        *known
    }

    /// What a window before a right end adds.
    pub fn right(&mut self, model: &GraphModel, bin: usize, six: u32, tag: u32) -> Sums {
        let Windows { tags, rows, sixes, rights, .. } = self;
        let known = &mut rights[bin][six as usize * *tags + tag as usize];
        if *known == UNKNOWN {
            let six = sixes[six as usize];
            let row = |near: usize| (WINDOW + near, [six[WINDOW], six[WINDOW - near]]);
            *known = summed(model, rows, bin, row, tag, *tags);
        }
        *known
    }
}

/// What five tags add with a tag at the other end.
fn summed(
    model: &GraphModel,
    rows: &mut Rows,
    bin: usize,
    row: impl Fn(usize) -> (usize, [u8; 2]),
    other: u32,
    tags: usize,
) -> Sums {
    (1..=WINDOW).fold([0; 2], |[onward, back], near| {
        let units = rows.get(model, bin, row(near), tags)[other as usize];
        [onward + i32::from(units[0]), back + i32::from(units[1])]
    })
}
