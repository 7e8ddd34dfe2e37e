//! Two tags at each end of an arc, in four ways, as the paper's features see them: what each way
//! adds is read from a row of the right end.

use rustc_hash::FxHashMap;

use super::features::{BINS, Slot, beside_keys};
use super::model::GraphModel;

/// The weights of a feature of the arc rightwards and of one of that leftwards, in units of the
/// model's scale.
pub type Units = [i16; 2];
pub const NO_UNITS: Units = [i16::MIN; 2];

/// Units by the numbers of two tags at the right end and of two at the left one. Rows reach as
/// far as was asked for; frequent pairs of tags come first, so that most rows stay short.
#[derive(Default)]
struct Table {
    rows: Vec<Vec<Units>>,
}

/// Rows grow by so many left ends at once.
const STEP: usize = 32;

/// What is known of pairs of tags at both ends; it serves one sentence after the other.
#[derive(Default)]
pub struct Beside {
    twos: FxHashMap<u64, u32>,
    two_tags: Vec<[u64; 2]>,
    /// By bin of distance, in each of the four ways.
    tables: [[Table; 4]; BINS],
    /// How many units the tables have room for.
    room: usize,
}

/// With more room than this tables begin anew with the next sentence: 16 MB.
const MOST_ROOM: usize = 1 << 22;

impl Beside {
    /// Starts a sentence, for which numbers have to be asked for anew.
    pub fn begin(&mut self) {
        if self.room > MOST_ROOM {
            *self = Beside::default();
        }
    }

    /// The number of two tags.
    pub fn two(&mut self, tags: u64) -> u32 {
        let next = self.two_tags.len() as u32;
        let number = *self.twos.entry(tags).or_insert(next);
        if number == next {
            self.two_tags.push([tags >> 8, tags & 0xFF]);
        }
        number
    }

    /// The four rows of a right end, by the number of the left one. What is not known is
    /// `NO_UNITS`, or beyond the end of its row.
    #[inline]
    pub fn rows(&self, bin: usize, rights: [u32; 4]) -> [&[Units]; 4] {
        let tables = &self.tables[bin];
        std::array::from_fn(|way| {
            tables[way].rows.get(rights[way] as usize).map_or(&[][..], |row| row)
        })
    }

    /// What one of the ways adds, which is then known.
    pub fn find(
        &mut self,
        model: &GraphModel,
        bin: usize,
        way: usize,
        [left, right]: [u32; 2],
    ) -> Units {
        let Beside { tables, two_tags, room, .. } = self;
        let row = tables[bin][way].row(right);
        if row.len() <= left as usize {
            let length = (left as usize + 1).next_multiple_of(STEP);
            *room += length - row.len();
            row.resize(length, NO_UNITS);
        }
        let known = &mut row[left as usize];
        if *known == NO_UNITS {
            let [left, right] = [left, right].map(|two| two_tags[two as usize]);
            *known = units(model, beside_keys(way, left, right), bin);
        }
        *known
    }
}

impl Table {
    fn row(&mut self, right: u32) -> &mut Vec<Units> {
        let right = right as usize;
        if self.rows.len() <= right {
            self.rows.resize_with(right + 1, Vec::new);
        }
        &mut self.rows[right]
    }
}

/// One of a row.
#[inline]
pub fn unit_of(row: &[Units], left: u32) -> Units {
    row.get(left as usize).copied().unwrap_or(NO_UNITS)
}

/// Which of the right end's pairs of tags each way sees: that ending there, that ending behind.
#[inline]
pub fn rights(here: u32, behind: u32) -> [u32; 4] {
    [here, behind, here, behind]
}

/// The same of the left end.
#[inline]
pub fn lefts(here: u32, behind: u32) -> [u32; 4] {
    [here, here, behind, behind]
}

/// The weights of a feature of the arc rightwards and of another of that leftwards.
pub fn units(model: &GraphModel, [onward, back]: [u64; 2], bin: usize) -> Units {
    let slots = Slot::of_bin(bin);
    [model.weights.units(onward, slots[0]), model.weights.units(back, slots[1])]
}
