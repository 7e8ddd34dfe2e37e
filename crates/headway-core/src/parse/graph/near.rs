//! Arcs between words near each other, all of whose tags between count from both ends.
//!
//! With the paper's features such an arc is the sum of its two words, of two tags at each end in
//! four ways, and of each tag between with both ends and its place. There are few tags, so that
//! what one of them adds has a place of its own in a table.

use super::beside::{RightPair, units};
use super::between::WINDOW;
use super::far::{Place, RightEnd};
use super::features::window_keys;
use super::model::GraphModel;
use super::recent::Recent;
use super::scorer::Scorer;

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
    /// What the last seven tags add to the arcs between the last of their places and each before
    /// it, the nearest first, whatever stands behind.
    sums: Recent<[[i32; 2]; WINDOW]>,
}

/// Tags that the nearest arcs of a place see up to it.
const SEEN: u32 = WINDOW as u32 + 2;

const SUM_BITS: u32 = 13;

impl Near {
    /// Starts a sentence.
    pub fn begin(&mut self, model: &GraphModel) {
        let tags = model.numbering.tag_count();
        if self.between.is_empty() && tags <= MOST_TAGS {
            self.tags = tags;
            self.between = vec![NOT_KNOWN; places_before(WINDOW + 1) * tags * tags * tags];
            self.sums = Recent::new(SUM_BITS);
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
    /// Adds the scores of the two arcs between a place, whose right end is given, and each place
    /// before it that has none yet, all of them near.
    pub fn near_before(
        &mut self,
        model: &GraphModel,
        before: &[Place],
        right: RightEnd,
        scores: &mut Vec<[f32; 2]>,
    ) {
        let (scale, pair) = (model.weights.scale(), (RightPair::Behind, right.behind));
        let sums = self.near_sums(model, before, right.place);
        for old in scores.len()..before.len() {
            let bin = before.len() - old - 1;
            let own = self.own(model, bin, [before[old].item, right.place.item]);
            let next = before.get(old + 1).unwrap_or(&right.place);
            let behind = self.beside.sum(model, bin, pair, [before[old].two, next.two]);
            let score = |arc: usize| own[arc] + (sums[bin][arc] + behind[arc]) as f32 * scale;
            scores.push([score(0), score(1)]);
        }
    }

    /// What tags up to a place add to the arcs between it and each near before it, the nearest
    /// first.
    #[inline]
    fn near_sums(
        &mut self,
        model: &GraphModel,
        before: &[Place],
        right: Place,
    ) -> [[i32; 2]; WINDOW] {
        let tags = right.tags.last(SEEN);
        self.near.sums.get(tags).unwrap_or_else(|| {
            let (mut sums, mut next) = ([[0; 2]; WINDOW], right);
            for ((sum, distance), &left) in sums.iter_mut().zip(1..).zip(before.iter().rev()) {
                *sum = self.near_units(model, distance, [left.two, next.two], right);
                next = left;
            }
            self.near.sums.put(tags, sums);
            sums
        })
    }

    /// What tags up to a place add to the arcs between it and one at some distance before it,
    /// whose pairs of tags are given.
    fn near_units(
        &mut self,
        model: &GraphModel,
        distance: usize,
        lefts: [u32; 2],
        right: Place,
    ) -> [i32; 2] {
        let pair = (RightPair::Here, right.two);
        let mut sum = self.beside.sum(model, distance - 1, pair, lefts);
        for place in 1..distance {
            let tags = [distance, distance - place, 0].map(|at| u64::from(right.tags.before(at)));
            let [onward, back] = self.near.get(model, (distance, place), tags);
            sum = [sum[0] + onward, sum[1] + back];
        }
        sum
    }
}
