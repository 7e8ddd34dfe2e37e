//! Arcs between words far apart, most of all arcs: a few numbers read and added for each.
//!
//! From six words on, with the paper's features, the score of an arc is a sum of parts that see
//! little of either end: the two words; two tags at each end, in four ways; the five tags behind
//! the left end with the tag of the right one; the tag of the left end with the five before the
//! right one. Each part is kept where it is read fast: in tables that fit into the processor's
//! caches, beside all that search itself keeps there.

use super::beside::{NO_UNITS, Units, lefts, rights, unit_of};
use super::between::WINDOW;
use super::input::Input;
use super::model::GraphModel;
use super::recent::Recent;
use super::scorer::{ItemId, Scorer, WINDOWED, slots};
use super::windows::Windows;

/// From this distance on an arc is far.
pub const FAR: usize = WINDOW + 1;

/// The last place of the nearer bin of far distances.
const NEARER: usize = 10;

/// Bins of far distances, and the first of them among all bins.
pub const BINS: usize = 2;
pub const FIRST_BIN: usize = super::features::BINS - BINS;

/// What far arcs know of a place.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub item: ItemId,
    /// The tags that end here.
    pub tags: LastTags,
    /// The number of the two tags that end here.
    pub two: u32,
}

/// The last eight tags, a byte each, the last of them lowest.
#[derive(Debug, Clone, Copy)]
pub struct LastTags(u64);

impl LastTags {
    /// Those of the root and of nothing before it.
    pub fn start() -> Self {
        use super::input::{OUTSIDE, ROOT};
        let outside = (0..8).fold(0, |tags, _| tags << 8 | u64::from(OUTSIDE));
        LastTags(outside).then(ROOT)
    }

    pub fn then(self, tag: u32) -> Self {
        LastTags(self.0 << 8 | u64::from(tag as u8))
    }

    #[inline]
    pub fn last(self, count: u32) -> u64 {
        self.0 & ((1 << (8 * count)) - 1)
    }
}

/// Scores of the arcs between two places, rightwards and leftwards.
type Scores = [f32; 2];
const UNKNOWN: Scores = [f32::NAN; 2];

/// All that is known of far arcs; it serves one sentence after the other.
#[derive(Default)]
pub struct Far {
    words: Recent<Scores>,
    windows: Windows,
}

const WORD_BITS: u32 = 16;

impl Far {
    /// Starts a sentence.
    pub fn begin(&mut self, model: &GraphModel) {
        if self.words.is_empty() || self.windows.is_full() {
            // Tags that are no bytes are never asked for here.
            let tags = model.numbering.tag_count().min(1 << u8::BITS);
            *self = Far { words: Recent::new(WORD_BITS), windows: Windows::new(tags) };
        }
    }

    /// Adds the scores of the arcs between a place, whose rows of `Beside` are given, and some
    /// places before it, all of one bin; five more places follow them. What is not known is no
    /// number.
    fn read(
        &self,
        rows: [&[Units]; 4],
        (bin, scale): (usize, f32),
        right: Place,
        places: &[Place],
        scores: &mut Vec<Scores>,
    ) {
        let Far { words, windows } = self;
        scores.extend(places.windows(FAR).map(|window| {
            let (place, next, fifth) = (window[0], window[1], window[WINDOW]);
            let lefts = lefts(place.two, next.two);
            let beside: [Units; 4] = std::array::from_fn(|way| unit_of(rows[way], lefts[way]));
            let own = words.get(words_key(bin, place.item, right.item));
            let left = windows.left(bin, fifth.tags, right.tags);
            let before = windows.right(bin, right.tags, place.tags);
            match (own, left, before) {
                (Some(own), Some(left), Some(before))
                    if beside.iter().all(|units| units[0] != NO_UNITS[0]) =>
                {
                    sum(own, beside, [left, before], scale)
                }
                _ => UNKNOWN,
            }
        }));
    }
}

fn words_key(bin: usize, left: ItemId, right: ItemId) -> u64 {
    u64::from(left.0) << 32 | u64::from(right.0) << 1 | bin as u64
}

/// The words of a hypothesis, as arcs know them; place 0 is the root.
pub struct Words {
    input: Input,
    places: Vec<Place>,
}

impl Words {
    pub fn start(root: Place) -> Self {
        Words { input: Input::start(), places: vec![root] }
    }

    pub fn len(&self) -> usize {
        self.places.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn push(&mut self, scorer: &Scorer, place: Place) {
        self.input.push(scorer.token(place.item));
        self.places.push(place);
    }

    /// Takes words away from the end until `words` are left.
    pub fn truncate(&mut self, words: usize) {
        self.input.truncate(words);
        self.places.truncate(words + 1);
    }

    pub fn input(&self) -> &Input {
        &self.input
    }

    pub fn item(&self, at: usize) -> ItemId {
        self.places[at].item
    }

    #[inline]
    pub fn place(&self, at: usize) -> Place {
        self.places[at]
    }
}

impl Scorer {
    /// What arcs know of an item's place behind some tags, its own the last.
    pub fn place(&mut self, model: &GraphModel, item: ItemId, tags: LastTags) -> Place {
        let windowed = model.features == WINDOWED;
        Place { item, tags, two: if windowed { self.beside.two(tags.last(2)) } else { 0 } }
    }

    /// Puts the scores of the two arcs between place `new` and each far before it, in order,
    /// where nothing is yet. The number of the two tags that end behind `new` is given.
    pub fn far_before(
        &mut self,
        model: &GraphModel,
        words: &Words,
        (new, behind): (usize, u32),
        scores: &mut Vec<Scores>,
    ) {
        if new < FAR {
            return;
        }
        let (right, scale) = (words.places[new], model.weights.scale());
        let middle = new.saturating_sub(NEARER);
        for (bin, places) in [(1, ..middle + WINDOW), (0, ..new)] {
            let places = &words.places[scores.len()..places.end];
            if places.len() > WINDOW {
                let rows = self.beside.rows(FIRST_BIN + bin, rights(right.two, behind));
                self.far.read(rows, (bin, scale), right, places, scores);
            }
        }
        for (left, scores) in scores.iter_mut().enumerate() {
            if scores[0].is_nan() {
                *scores = self.far_arcs(model, words, left, (new, behind));
            }
        }
    }

    /// The scores of the two arcs between places far apart, which are then known.
    fn far_arcs(
        &mut self,
        model: &GraphModel,
        words: &Words,
        left: usize,
        (new, behind): (usize, u32),
    ) -> Scores {
        let bin = usize::from(new - left > NEARER);
        let (place, next, right) = (words.places[left], words.places[left + 1], words.places[new]);
        let key = words_key(bin, place.item, right.item);
        let own = self.far.words.get(key).unwrap_or_else(|| {
            let own = self.of_words(model, [place.item, right.item], slots(left, new));
            self.far.words.put(key, own);
            own
        });
        let (lefts, rights) = (lefts(place.two, next.two), rights(right.two, behind));
        let beside = std::array::from_fn(|way| {
            self.beside.find(model, FIRST_BIN + bin, way, [lefts[way], rights[way]])
        });
        let (windows, fifth) = (&mut self.far.windows, words.places[left + WINDOW]);
        let window = [
            windows.find_left(model, bin, fifth.tags, right.tags),
            windows.find_right(model, bin, right.tags, place.tags),
        ];
        sum(own, beside, window, model.weights.scale())
    }
}

/// The sum of all parts.
#[inline]
fn sum(own: Scores, beside: [Units; 4], window: [[i32; 2]; 2], scale: f32) -> Scores {
    std::array::from_fn(|way| {
        let beside: i32 = beside.iter().map(|units| i32::from(units[way])).sum();
        own[way] + (beside + window[0][way] + window[1][way]) as f32 * scale
    })
}
