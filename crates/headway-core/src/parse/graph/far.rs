//! Arcs between words far apart, most of all arcs: a few numbers read and added for each.
//!
//! From six words on, with the paper's features, the score of an arc is a sum of parts that see
//! little of either end: the two words; two tags at each end, in four ways; the five tags behind
//! the left end with the tag of the right one; the tag of the left end with the five before the
//! right one. What a part sees of an end is a number, so a part is a table: a row for the right end,
//! which is read for all left ends. Numbers count up within a sentence and tables are small:
//! they stay in the processor's caches, where one for all sentences does not.

use rustc_hash::FxHashMap;

use super::between::WINDOW;
use super::features::{Slot, beside_keys};
use super::input::Input;
use super::model::GraphModel;
use super::scorer::{ItemId, Scorer, WINDOWED, slots};
use super::windows::Windows;

/// From this distance on an arc is far.
pub const FAR: usize = WINDOW + 1;

/// The last place of the nearer bin of far distances.
const NEARER: usize = 10;

/// Bins of far distances.
pub const BINS: usize = 2;

/// What far arcs know of a place.
#[derive(Debug, Clone, Copy, Default)]
pub struct Place {
    /// Numbers within a sentence: of the item, of the two tags that end here.
    item: u32,
    two: u32,
    /// The number of the six tags that end here, and the tag itself.
    six: u32,
    tag: u32,
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

    fn last(self, count: u32) -> u64 {
        self.0 & ((1 << (8 * count)) - 1)
    }
}

/// Scores of the arcs between two places, rightwards and leftwards; not numbers while unknown.
type Scores = [f32; 2];
const UNKNOWN: Scores = [f32::NAN; 2];

/// The weights of a feature of each, in units of the model's scale.
pub type Units = [i16; 2];
const NO_UNITS: Units = [i16::MIN; 2];

/// What is known by the numbers of both ends.
#[derive(Default)]
struct Table<T> {
    rows: Vec<Vec<T>>,
}

impl<T: Copy> Table<T> {
    /// Makes the row of a right end reach so many left ones.
    fn reach(&mut self, right: u32, lefts: usize, unknown: T) {
        let right = right as usize;
        if self.rows.len() <= right {
            self.rows.resize_with(right + 1, Vec::new);
        }
        if self.rows[right].len() < lefts {
            self.rows[right].resize(lefts, unknown);
        }
    }

    fn row(&self, right: u32) -> &[T] {
        &self.rows[right as usize]
    }

    fn place(&mut self, right: u32, left: u32) -> &mut T {
        &mut self.rows[right as usize][left as usize]
    }

    fn clear(&mut self) {
        self.rows.iter_mut().for_each(Vec::clear);
    }
}

/// The parts of arcs of one bin of distance, but for those of six tags.
#[derive(Default)]
struct Parts {
    words: Table<Scores>,
    /// By two tags at the left end and two at the right one, in each of the four ways. Kept from
    /// sentence to sentence.
    beside: [Table<Units>; 4],
}

/// Numbers of what occurs in a sentence.
#[derive(Default)]
struct Numbers(FxHashMap<u64, u32>);

impl Numbers {
    fn of(&mut self, key: u64) -> u32 {
        let next = self.0.len() as u32;
        *self.0.entry(key).or_insert(next)
    }
}

/// All that is known of far arcs.
#[derive(Default)]
pub struct Far {
    items: Numbers,
    twos: Numbers,
    two_tags: Vec<[u64; 2]>,
    bins: [Parts; BINS],
    windows: Windows,
}

/// Sentences with more items, or more pairs of tags that were seen, leave nothing behind.
const MANY_ITEMS: usize = 2_000;
const MANY_TWOS: usize = 1_000;

impl Far {
    /// Forgets the last sentence.
    pub fn begin(&mut self, model: &GraphModel) {
        if self.items.0.len() > MANY_ITEMS || self.two_tags.len() > MANY_TWOS {
            *self = Far::default();
        }
        self.bins.iter_mut().for_each(|parts| parts.words.clear());
        self.items.0.clear();
        self.windows.begin(model.numbering.tag_count());
    }

    fn place(&mut self, item: ItemId, tags: LastTags) -> Place {
        let item = self.items.of(u64::from(item.0));
        let six = self.windows.of(tags.last(6));
        Place { item, two: self.two(tags.last(2)), six, tag: tags.last(1) as u32 }
    }

    /// The number of two tags.
    fn two(&mut self, tags: u64) -> u32 {
        let number = self.twos.of(tags);
        if number as usize == self.two_tags.len() {
            self.two_tags.push([tags >> 8, tags & 0xFF]);
        }
        number
    }

    /// Adds the scores of the arcs between a place, known also by the two tags that end behind
    /// it, and some places before it, all of one bin; those of five more places follow them.
    fn read(
        &mut self,
        (bin, scale): (usize, f32),
        (right, behind): (Place, u32),
        places: &[Place],
        scores: &mut Vec<Scores>,
    ) {
        let Far { items, two_tags, bins, windows, .. } = self;
        let Parts { words, beside } = &mut bins[bin];
        words.reach(right.item, items.0.len(), UNKNOWN);
        for (table, two) in beside.iter_mut().zip(ends(right.two, behind)) {
            table.reach(two, two_tags.len(), NO_UNITS);
        }
        let words = words.row(right.item);
        let [one, two, three, four] = &*beside;
        let (one, three) = (one.row(right.two), three.row(right.two));
        let (two, four) = (two.row(behind), four.row(behind));
        let ((lefts, tags), rights) =
            (windows.lefts(bin, right.tag), windows.rights(bin, right.six));
        scores.extend(places.windows(FAR).map(|window| {
            let (place, next, fifth) = (window[0], window[1], window[WINDOW]);
            let (ending, behind) = (place.two as usize, next.two as usize);
            let beside = [one[ending], two[ending], three[behind], four[behind]];
            let window = [lefts[fifth.six as usize * tags], rights[place.tag as usize]];
            let known = beside.iter().all(|units| units[0] != NO_UNITS[0])
                && window.iter().all(|sums| sums[0] != i32::MIN);
            let own = if known { words[place.item as usize] } else { UNKNOWN };
            sum(own, beside, window, scale)
        }));
    }
}

/// Which of a place's two tags each table of those beside sees: ending there, ending behind.
fn ends<T: Copy>(here: T, behind: T) -> [T; 4] {
    [here, behind, here, behind]
}

/// The words of a hypothesis, as arcs know them; place 0 is the root.
pub struct Words {
    input: Input,
    items: Vec<ItemId>,
    places: Vec<Place>,
}

impl Words {
    pub fn start(root: Place) -> Self {
        Words { input: Input::start(), items: vec![Scorer::ROOT], places: vec![root] }
    }

    pub fn len(&self) -> usize {
        self.items.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn push(&mut self, scorer: &Scorer, item: ItemId, place: Place) {
        self.input.push(scorer.token(item));
        self.items.push(item);
        self.places.push(place);
    }

    /// Takes words away from the end until `words` are left.
    pub fn truncate(&mut self, words: usize) {
        self.input.truncate(words);
        self.items.truncate(words + 1);
        self.places.truncate(words + 1);
    }

    pub fn input(&self) -> &Input {
        &self.input
    }

    pub fn items(&self) -> &[ItemId] {
        &self.items
    }
}

impl Scorer {
    /// What far arcs know of an item's place behind some tags, its own the last.
    pub fn place(&mut self, model: &GraphModel, item: ItemId, tags: LastTags) -> Place {
        match model.features == WINDOWED {
            true => self.far.place(item, tags),
            false => Place::default(),
        }
    }

    /// Adds the scores of the two arcs between place `new` and each far before it, in order.
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
        for left in 0..=new - FAR {
            if scores[left][0].is_nan() {
                scores[left] = self.far_arcs(model, words, left, new, behind);
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
        let mut own = *self.far.bins[bin].words.place(right.item, place.item);
        if own[0].is_nan() {
            own = self.of_words(model, [words.items[left], words.items[new]], slots(left, new));
            *self.far.bins[bin].words.place(right.item, place.item) = own;
        }
        let Far { bins, windows, two_tags, .. } = &mut self.far;
        let lefts = [place.two, place.two, next.two, next.two];
        let mut beside = [NO_UNITS; 4];
        for (way, (two, other)) in lefts.into_iter().zip(ends(right.two, behind)).enumerate() {
            let known = bins[bin].beside[way].place(other, two);
            if *known == NO_UNITS {
                let keys = beside_keys(way, two_tags[two as usize], two_tags[other as usize]);
                *known = units(model, keys, bin);
            }
            beside[way] = *known;
        }
        let fifth = words.places[left + WINDOW];
        let window = [
            windows.left(model, bin, fifth.six, right.tag),
            windows.right(model, bin, right.six, place.tag),
        ];
        sum(own, beside, window, model.weights.scale())
    }
}

/// The sum of all parts.
#[inline]
fn sum(own: Scores, beside: [Units; 4], window: [[i32; 2]; 2], scale: f32) -> Scores {
    std::array::from_fn(|way| {
        let beside: i32 = beside.iter().map(|units| i32::from(units[way])).sum();
        own[way] + (beside.wrapping_add(window[0][way]).wrapping_add(window[1][way])) as f32 * scale
    })
}

/// The weights of a feature of the arc rightwards and of another of that leftwards.
pub fn units(model: &GraphModel, [onward, back]: [u64; 2], bin: usize) -> Units {
    let far = NEARER + bin;
    [model.weights.units(onward, Slot::of(0, far)), model.weights.units(back, Slot::of(far, 0))]
}
