//! Arcs between words near each other, all of whose tags between count from both ends.
//!
//! With the paper's features such an arc is the sum of its two words, of two tags at each end in
//! four ways, and of each tag between with both ends and its place. There are few tags, so that
//! what one of them adds has a place of its own in a table.

use super::beside::{NO_UNITS, lefts, rights, unit_of, units};
use super::between::WINDOW;
use super::far::Words;
use super::features::window_keys;
use super::model::GraphModel;
use super::scorer::{Scorer, slots};

/// With more tags than this the tables would be too large.
const MOST_TAGS: usize = 64;

/// What a tag between adds: counted from the left end to the arcs rightwards and leftwards, then
/// counted from the right end. Kept as the distance from the lowest number, which no weight is,
/// so that a table begins as zeros, which cost nothing until they are touched.
type Kept = [u16; 4];
const NOT_KNOWN: Kept = [0; 4];

/// What is known of tags between near words; it serves one sentence after the other.
#[derive(Default)]
pub struct Near {
    tags: usize,
    /// By distance and place, then by the tags of both ends, then by the tag itself.
    between: Vec<Kept>,
}

impl Near {
    /// Starts a sentence.
    pub fn begin(&mut self, model: &GraphModel) {
        let tags = model.numbering.tag_count();
        if self.between.is_empty() && tags <= MOST_TAGS {
            self.tags = tags;
            self.between = vec![NOT_KNOWN; places_before(WINDOW + 1) * tags * tags * tags];
        }
    }

    /// Whether arcs can be scored here.
    #[inline]
    pub fn is_ready(&self) -> bool {
        !self.between.is_empty()
    }

    /// What a tag adds at some place between ends at some distance.
    #[inline]
    fn get(&mut self, model: &GraphModel, at: (usize, usize), tags: [u64; 3]) -> [i32; 2] {
        let (distance, place) = at;
        let [left, tag, right] = tags.map(|tag| tag as usize);
        let table = places_before(distance) + place - 1;
        let known =
            &mut self.between[((table * self.tags + left) * self.tags + right) * self.tags + tag];
        if *known == NOT_KNOWN {
            let counted = |place| units(model, window_keys(place, tags), distance - 1);
            let [[a, b], [c, d]] = [counted(place), counted(WINDOW + distance - place)];
            *known = [a, b, c, d].map(|units| units.wrapping_sub(i16::MIN) as u16);
        }
        let [a, b, c, d] = known.map(|kept| i32::from(kept) + i32::from(i16::MIN));
        [a + c, b + d]
    }
}

/// Pairs of distance and place between for all shorter distances.
const fn places_before(distance: usize) -> usize {
    (distance - 1) * (distance - 2) / 2
}

impl Scorer {
    /// Adds the scores of the two arcs between place `new` and each place before it that has none
    /// yet, all of them near. The number of the two tags that end behind `new` is given.
    pub fn near_before(
        &mut self,
        model: &GraphModel,
        words: &Words,
        (new, behind): (usize, u32),
        scores: &mut Vec<[f32; 2]>,
    ) {
        let scale = model.weights.scale();
        for old in scores.len()..new {
            let own = self.of_words(model, [words.item(old), words.item(new)], slots(old, new));
            let [onward, back] = self.near_units(model, words, old, (new, behind));
            scores.push([own[0] + onward as f32 * scale, own[1] + back as f32 * scale]);
        }
    }

    /// What tags add to the arcs between two places near each other.
    #[inline]
    fn near_units(
        &mut self,
        model: &GraphModel,
        words: &Words,
        left: usize,
        (right, behind): (usize, u32),
    ) -> [i32; 2] {
        let distance = right - left;
        let two = |at: usize| words.place(at).two;
        let lefts = lefts(two(left), two(left + 1));
        let rights = rights(two(right), behind);
        let rows = self.beside.rows(distance - 1, rights);
        let mut found: [_; 4] = std::array::from_fn(|way| unit_of(rows[way], lefts[way]));
        for way in 0..4 {
            if found[way][0] == NO_UNITS[0] {
                let ends = [lefts[way], rights[way]];
                found[way] = self.beside.find(model, distance - 1, way, ends);
            }
        }
        let mut sum = found.iter().fold([0_i32; 2], |[onward, back], units| {
            [onward + i32::from(units[0]), back + i32::from(units[1])]
        });
        let input = words.input();
        for place in 1..distance {
            let tags = [input.tag(left), input.tag(left + place), input.tag(right)];
            let [onward, back] = self.near.get(model, (distance, place), tags);
            sum = [sum[0] + onward, sum[1] + back];
        }
        sum
    }
}
