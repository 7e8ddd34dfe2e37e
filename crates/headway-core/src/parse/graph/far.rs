//! Arcs between words far apart, most of all arcs: a few numbers read and added for each.
//!
//! From six words on, with the paper's features, the score of an arc is a sum of parts that see
//! little of either end: the two words; two tags at each end, in four ways; the five tags behind
//! the left end with the tag of the right one; the tag of the left end with the five before the
//! right one. Each part is kept where it is read fast: in tables that fit into the processor's
//! caches, beside all that search itself keeps there. In the last bin of distances `blocks` knows
//! four words at once.

use super::beside::RightPair;
use super::between::WINDOW;
use super::blocks::{BLOCK, Blocks};
use super::input::Input;
use super::model::GraphModel;
use super::scorer::{ItemId, Scorer, WINDOWED};
use super::windows::{Before, Windows};

/// From this distance on an arc is far.
pub const FAR: usize = WINDOW + 1;

/// The last place of the nearer bin of far distances.
const NEARER: usize = 10;

/// Bins of far distances, the last of these, and the first of them among all bins.
pub const BINS: usize = 2;
pub const FARTHEST: usize = BINS - 1;
pub const FIRST_BIN: usize = super::features::BINS - BINS;

/// What far arcs know of a place.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub item: ItemId,
    /// The tags that end here.
    pub tags: LastTags,
    /// The number of the two tags that end here.
    pub two: u32,
    /// No other place of the scorer has this number, so that it stands for all up to here.
    pub number: u32,
}

/// The right end of arcs.
#[derive(Debug, Clone, Copy)]
pub struct RightEnd {
    pub place: Place,
    /// The number of the two tags that end behind it.
    pub behind: u32,
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

    /// Up to seven of them.
    #[inline]
    pub fn last(self, count: u32) -> u64 {
        self.0 & ((1 << (8 * count)) - 1)
    }

    /// The one so many places before the last.
    #[inline]
    pub fn before(self, places: usize) -> u8 {
        (self.0 >> (8 * places)) as u8
    }
}

/// Scores of the arcs between two places, rightwards and leftwards.
pub type Scores = [f32; 2];

/// All that is known of far arcs; it serves one sentence after the other.
#[derive(Default)]
pub struct Far {
    pub windows: Windows,
    pub blocks: Blocks,
}

impl Far {
    /// Starts a sentence.
    pub fn begin(&mut self, model: &GraphModel) {
        if self.blocks.is_empty() || self.windows.is_full() {
            // Tags that are no bytes are never asked for here.
            let tags = model.numbering.tag_count().min(1 << u8::BITS);
            *self = Far { windows: Windows::new(tags), blocks: Blocks::new() };
        }
    }
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
    pub fn places(&self) -> &[Place] {
        &self.places
    }
}

impl Scorer {
    /// What arcs know of an item's place behind some tags, its own the last.
    pub fn place(&mut self, model: &GraphModel, item: ItemId, tags: LastTags) -> Place {
        let windowed = model.features == WINDOWED;
        let two = if windowed { self.beside.two(tags.last(2)) } else { 0 };
        self.places += 1;
        Place { item, tags, two, number: self.places }
    }

    /// Puts the scores of the two arcs between a right end and each place far before it, in order,
    /// where nothing is yet. `places` are all before it.
    pub fn far_before(
        &mut self,
        model: &GraphModel,
        places: &[Place],
        right: RightEnd,
        scores: &mut Vec<Scores>,
    ) {
        if places.len() < FAR {
            return;
        }
        let middle = places.len().saturating_sub(NEARER);
        if middle > 0 {
            let before = self.far.windows.before(model, FARTHEST, right.place.tags);
            for first in (0..middle / BLOCK).map(|block| block * BLOCK) {
                let block = &places[first..][..BLOCK + WINDOW];
                scores.extend(self.block_arcs(model, block, right, before));
            }
            for window in places[scores.len()..middle + WINDOW].windows(FAR) {
                scores.push(self.far_arcs(model, FARTHEST, window, (right, before)));
            }
        }
        let before = self.far.windows.before(model, 0, right.place.tags);
        for window in places[middle..].windows(FAR) {
            scores.push(self.far_arcs(model, 0, window, (right, before)));
        }
    }

    /// The scores of the two arcs between a place, with those behind it, and a right end.
    #[inline]
    fn far_arcs(
        &mut self,
        model: &GraphModel,
        bin: usize,
        window: &[Place],
        (right, before): (RightEnd, Before),
    ) -> Scores {
        let own = self.own(model, FIRST_BIN + bin, [window[0].item, right.place.item]);
        let here = self.here_units(model, bin, window, right.place);
        let behind = self.behind_units(model, bin, window, right.behind);
        let before = self.far.windows.right(before, window[0].tags);
        let scale = model.weights.scale();
        std::array::from_fn(|arc| own[arc] + (here[arc] + behind[arc] + before[arc]) as f32 * scale)
    }

    /// What the two tags that end at the right end add, and its tag with those behind the left one.
    #[inline]
    pub fn here_units(
        &mut self,
        model: &GraphModel,
        bin: usize,
        window: &[Place],
        right: Place,
    ) -> [i32; 2] {
        let (pair, lefts) = ((RightPair::Here, right.two), [window[0].two, window[1].two]);
        let beside = self.beside.sum(model, FIRST_BIN + bin, pair, lefts);
        let left = self.far.windows.left(model, bin, window[WINDOW].tags, right.tags);
        [beside[0] + left[0], beside[1] + left[1]]
    }

    /// What the right end's tag and the one behind it add.
    #[inline]
    pub fn behind_units(
        &mut self,
        model: &GraphModel,
        bin: usize,
        window: &[Place],
        behind: u32,
    ) -> [i32; 2] {
        let (pair, lefts) = ((RightPair::Behind, behind), [window[0].two, window[1].two]);
        self.beside.sum(model, FIRST_BIN + bin, pair, lefts)
    }
}
