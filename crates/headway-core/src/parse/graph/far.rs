//! Arcs between words far apart, most of all arcs: a few numbers read and added for each.
//!
//! From six words on, with the paper's features, the score of an arc is a sum of parts that see
//! little of either end: the two words; two tags at each end, in four ways; the five tags behind
//! the left end with the tag of the right one; the tag of the left end with the five before the
//! right one. Each part is kept where it is read fast: in tables that fit into the processor's
//! caches, beside all that search itself keeps there.

use rustc_hash::FxHashMap;

use super::between::WINDOW;
use super::features::{Slot, beside_keys};
use super::input::Input;
use super::model::GraphModel;
use super::recent::Recent;
use super::scorer::{ItemId, Scorer, WINDOWED, slots};
use super::windows::Windows;

/// From this distance on an arc is far.
pub const FAR: usize = WINDOW + 1;

/// The last place of the nearer bin of far distances.
const NEARER: usize = 10;

/// Bins of far distances.
pub const BINS: usize = 2;

/// What far arcs know of a place.
#[derive(Debug, Clone, Copy)]
pub struct Place {
    pub item: ItemId,
    /// The tags that end here.
    pub tags: LastTags,
    /// The number of the two tags that end here.
    two: u32,
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

/// The weights of a feature of each, in units of the model's scale.
pub type Units = [i16; 2];
const NO_UNITS: Units = [i16::MIN; 2];

/// Units by the numbers of two tags at the left end and of two at the right one.
#[derive(Default)]
struct Table {
    rows: Vec<Vec<Units>>,
}

impl Table {
    /// Makes the row of a right end reach so many left ones.
    fn reach(&mut self, right: u32, lefts: usize) {
        let right = right as usize;
        if self.rows.len() <= right {
            self.rows.resize_with(right + 1, Vec::new);
        }
        if self.rows[right].len() < lefts {
            self.rows[right].resize(lefts, NO_UNITS);
        }
    }
}

/// All that is known of far arcs; it serves one sentence after the other.
#[derive(Default)]
pub struct Far {
    words: Recent<Scores>,
    twos: FxHashMap<u64, u32>,
    two_tags: Vec<[u64; 2]>,
    /// By bin of distance, in each of the four ways.
    beside: [[Table; 4]; BINS],
    windows: Windows,
}

/// More pairs of tags than this are not kept from sentence to sentence.
const MANY_TWOS: usize = 1_000;
const WORD_BITS: u32 = 16;

impl Far {
    /// Starts a sentence, for which places have to be asked for anew.
    pub fn begin(&mut self, model: &GraphModel) {
        if self.two_tags.is_empty() || self.two_tags.len() > MANY_TWOS {
            // Tags that are no bytes are never asked for here.
            let tags = model.numbering.tag_count().min(1 << u8::BITS);
            let (words, windows) = (Recent::new(WORD_BITS), Windows::new(tags));
            *self = Far { words, windows, ..Far::default() };
        }
    }

    fn place(&mut self, item: ItemId, tags: LastTags) -> Place {
        Place { item, tags, two: self.two(tags.last(2)) }
    }

    /// The number of two tags.
    fn two(&mut self, tags: u64) -> u32 {
        let next = self.two_tags.len() as u32;
        let number = *self.twos.entry(tags).or_insert(next);
        if number == next {
            self.two_tags.push([tags >> 8, tags & 0xFF]);
        }
        number
    }

    /// Adds the scores of the arcs between a place, known also by the two tags that end behind
    /// it, and some places before it, all of one bin; those of five more places follow them.
    /// What is not known is no number.
    fn read(
        &mut self,
        (bin, scale): (usize, f32),
        (right, behind): (Place, u32),
        places: &[Place],
        scores: &mut Vec<Scores>,
    ) {
        let Far { words, two_tags, beside, windows, .. } = self;
        for (table, two) in beside[bin].iter_mut().zip(ends(right.two, behind)) {
            table.reach(two, two_tags.len());
        }
        let mut rows = beside[bin].iter().zip(ends(right.two, behind));
        let rows: [&[Units]; 4] = std::array::from_fn(|_| {
            rows.next().map_or(&[][..], |(table, two)| &table.rows[two as usize])
        });
        scores.extend(places.windows(FAR).map(|window| {
            let (place, next, fifth) = (window[0], window[1], window[WINDOW]);
            let (ending, behind) = (place.two as usize, next.two as usize);
            let beside = [rows[0][ending], rows[1][ending], rows[2][behind], rows[3][behind]];
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

/// Which of a place's two tags each table of those beside sees: ending there, ending behind.
fn ends<T: Copy>(here: T, behind: T) -> [T; 4] {
    [here, behind, here, behind]
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
}

impl Scorer {
    /// What far arcs know of an item's place behind some tags, its own the last.
    pub fn place(&mut self, model: &GraphModel, item: ItemId, tags: LastTags) -> Place {
        match model.features == WINDOWED {
            true => self.far.place(item, tags),
            false => Place { item, tags, two: 0 },
        }
    }

    /// Puts the scores of the two arcs between place `new` and each far before it, in order,
    /// where nothing is yet.
    pub fn far_before(
        &mut self,
        model: &GraphModel,
        words: &Words,
        new: usize,
        scores: &mut Vec<Scores>,
    ) {
        if new < FAR {
            return;
        }
        let behind = self.far.two(words.input.tag(new) << 8 | words.input.tag(new + 1));
        let (right, scale) = ((words.places[new], behind), model.weights.scale());
        let middle = new.saturating_sub(NEARER);
        if middle > 0 {
            self.far.read((1, scale), right, &words.places[..middle + WINDOW], scores);
        }
        self.far.read((0, scale), right, &words.places[middle..new], scores);
        for (left, scores) in scores.iter_mut().enumerate() {
            if scores[0].is_nan() {
                *scores = self.far_arcs(model, words, left, new, behind);
            }
        }
    }

    /// The scores of the two arcs between places far apart, which are then known.
    fn far_arcs(
        &mut self,
        model: &GraphModel,
        words: &Words,
        left: usize,
        new: usize,
        behind: u32,
    ) -> Scores {
        let bin = usize::from(new - left > NEARER);
        let (place, next, right) = (words.places[left], words.places[left + 1], words.places[new]);
        let key = words_key(bin, place.item, right.item);
        let own = self.far.words.get(key).unwrap_or_else(|| {
            let own = self.of_words(model, [place.item, right.item], slots(left, new));
            self.far.words.put(key, own);
            own
        });
        let Far { beside, windows, two_tags, .. } = &mut self.far;
        let lefts = [place.two, place.two, next.two, next.two];
        let mut found = [NO_UNITS; 4];
        for (way, (two, other)) in lefts.into_iter().zip(ends(right.two, behind)).enumerate() {
            let known = &mut beside[bin][way].rows[other as usize][two as usize];
            if *known == NO_UNITS {
                let keys = beside_keys(way, two_tags[two as usize], two_tags[other as usize]);
                *known = units(model, keys, bin);
            }
            found[way] = *known;
        }
        let fifth = words.places[left + WINDOW];
        let window = [
            windows.find_left(model, bin, fifth.tags, right.tags),
            windows.find_right(model, bin, right.tags, place.tags),
        ];
        sum(own, found, window, model.weights.scale())
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

/// The weights of a feature of the arc rightwards and of another of that leftwards.
pub fn units(model: &GraphModel, [onward, back]: [u64; 2], bin: usize) -> Units {
    let far = NEARER + bin;
    [model.weights.units(onward, Slot::of(0, far)), model.weights.units(back, Slot::of(far, 0))]
}
