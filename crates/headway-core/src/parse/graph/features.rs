//! The features of an arc: Table 2 of Galley & Manning (2009), and more that cost as little.
//!
//! Each template has its own identifier. Every feature is conjoined with the direction of the
//! arc, and with direction and binned distance: one `Line` of weights holds all of these.

use crate::parse::hash::key;

use super::between::{Between, WINDOW};
use super::input::Input;
use super::rich;

/// Which templates there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Templates {
    /// Table 2 of the paper, no more.
    Paper,
    /// Table 2 and what `rich` adds to it.
    Rich,
}

impl Templates {
    pub const ALL: [(&'static str, Templates); 2] =
        [("paper", Templates::Paper), ("rich", Templates::Rich)];
}

/// The features of a model: its templates, and how it looks between head and modifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeatureSet {
    pub templates: Templates,
    pub between: Between,
}

/// Bins of distance.
pub const BINS: usize = 7;

/// Pairs of direction and bin of distance.
pub const SLOTS: usize = 2 * BINS;

/// Which weights of a feature speak for an arc: those of its direction, and of direction and
/// distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    pub side: usize,
    pub distance: usize,
}

impl Slot {
    #[inline]
    pub fn of(head: usize, modifier: usize) -> Self {
        let side = usize::from(head < modifier);
        let bin = match head.abs_diff(modifier) {
            distance @ 0..=5 => distance.max(1) - 1,
            6..=10 => 5,
            _ => 6,
        };
        Slot { side, distance: side * BINS + bin }
    }

    /// Those of the arcs rightwards and leftwards over a distance of some bin.
    #[inline]
    pub fn of_bin(bin: usize) -> [Self; 2] {
        [Slot { side: 1, distance: BINS + bin }, Slot { side: 0, distance: bin }]
    }
}

/// Keys of the features of a word as head.
pub fn head_keys(word: u32, tag: u32) -> [u64; 3] {
    let (word, tag) = (u64::from(word), u64::from(tag));
    [key(0, [word]), key(1, [tag]), key(2, [word, tag])]
}

/// Keys of the features of a word as modifier.
pub fn modifier_keys(word: u32, tag: u32) -> [u64; 3] {
    let (word, tag) = (u64::from(word), u64::from(tag));
    [key(3, [word]), key(4, [tag]), key(5, [word, tag])]
}

/// Keys of the features of two words with their tags.
#[inline]
pub fn pair_keys(head: (u32, u32), modifier: (u32, u32)) -> [u64; 7] {
    let (h, hp) = (u64::from(head.0), u64::from(head.1));
    let (m, mp) = (u64::from(modifier.0), u64::from(modifier.1));
    [
        key(6, [h, m]),
        key(7, [hp, mp]),
        key(8, [h, hp, m]),
        key(9, [h, hp, mp]),
        key(10, [m, mp, h]),
        key(11, [m, mp, hp]),
        key(12, [h, hp, m, mp]),
    ]
}

/// Keys of the features of the tags beside head and modifier.
#[inline]
fn adjacent_keys(input: &Input, head: usize, modifier: usize) -> [u64; 4] {
    let (hp, mp) = (input.tag(head), input.tag(modifier));
    let (before_h, after_h) = (input.tag_before(head), input.tag(head + 1));
    let (before_m, after_m) = (input.tag_before(modifier), input.tag(modifier + 1));
    [
        key(13, [hp, after_h, before_m, mp]),
        key(14, [hp, after_h, mp, after_m]),
        key(15, [before_h, hp, before_m, mp]),
        key(16, [before_h, hp, mp, after_m]),
    ]
}

/// The first template of in-between features; there are 11 places for each direction.
const BETWEEN: u64 = 17;

/// Keys of the features of tags between head and modifier.
#[inline]
fn between_keys(
    input: &Input,
    head: usize,
    modifier: usize,
    between: Between,
    seen: &mut Vec<u32>,
    keys: &mut Vec<u64>,
) {
    let (hp, mp) = (input.tag(head), input.tag(modifier));
    let first = BETWEEN + if head < modifier { 0 } else { 11 };
    let (left, right) = (head.min(modifier), head.max(modifier));
    between.visit(input.tags(), left, right, seen, |place, tag| {
        keys.push(key(first + place as u64, [hp, u64::from(tag), mp]));
    });
}

/// Keys of the features of one tag between two ends: of the arc rightwards, of that leftwards. Its
/// place is 1 to 5 counted from the left end, 6 to 10 from the right.
pub fn window_keys(place: usize, [left, tag, right]: [u64; 3]) -> [u64; 2] {
    let first = BETWEEN + place as u64;
    [key(first, [left, tag, right]), key(first + 11, [right, tag, left])]
}

/// Keys of a feature of two tags at the left end and two at the right one: of the arc rightwards,
/// of that leftwards. In the first two ways the left end is the second of its tags, else the
/// first; in the even ones the right end is the second of its tags, else the first.
pub fn beside_keys(way: usize, [l, ll]: [u64; 2], [r, rr]: [u64; 2]) -> [u64; 2] {
    const ONWARD: [u64; 4] = [15, 16, 13, 14];
    const BACK: [u64; 4] = [15, 13, 16, 14];
    [key(ONWARD[way], [l, ll, r, rr]), key(BACK[way], [r, rr, l, ll])]
}

/// A part of what tags around two places add to the arcs between them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// The tags beside head and modifier.
    Beside,
    /// Those between, counted from the left end.
    Left,
    /// Those between, counted from the right end.
    Right,
}

impl Part {
    /// The parts of a context at some distance: near ones are known as wholes.
    #[inline]
    pub fn of(distance: usize) -> &'static [Part] {
        if distance < WINDOW { &[Part::Whole] } else { &[Part::Beside, Part::Left, Part::Right] }
    }
}

/// The keys of a part of the features of `Between::Window`.
pub fn part_keys(input: &Input, head: usize, modifier: usize, part: Part, keys: &mut Vec<u64>) {
    if part == Part::Beside {
        keys.extend(adjacent_keys(input, head, modifier));
        return;
    }
    let wanted = |place: usize| (place > WINDOW) == (part == Part::Right);
    let (hp, mp) = (input.tag(head), input.tag(modifier));
    let first = BETWEEN + if head < modifier { 0 } else { 11 };
    let (left, right) = (head.min(modifier), head.max(modifier));
    Between::Window.visit(input.tags(), left, right, &mut Vec::new(), |place, tag| {
        if wanted(place) {
            keys.push(key(first + place as u64, [hp, u64::from(tag), mp]));
        }
    });
}

impl FeatureSet {
    /// The keys of a head whatever its modifier is, and of a modifier whatever its head is, that
    /// tags beside it take part in.
    #[inline]
    pub fn own_keys(self, input: &Input, at: usize) -> Option<([u64; 2], [u64; 2])> {
        let rich = self.templates == Templates::Rich;
        rich.then(|| (rich::head_keys(input, at), rich::modifier_keys(input, at)))
    }

    /// The keys of head and modifier together but for those of `pair_keys`: what the words around
    /// both make, and those between them.
    #[inline]
    pub fn context_keys(
        self,
        input: &Input,
        head: usize,
        modifier: usize,
        seen: &mut Vec<u32>,
        keys: &mut Vec<u64>,
    ) {
        keys.extend(adjacent_keys(input, head, modifier));
        between_keys(input, head, modifier, self.between, seen, keys);
        if self.templates == Templates::Rich {
            rich::keys(input, head, modifier, keys);
        }
    }

    /// All keys of an arc.
    pub fn arc_keys(self, input: &Input, head: usize, modifier: usize, keys: &mut Vec<u64>) {
        let (h, m) = (input.word_and_tag(head), input.word_and_tag(modifier));
        keys.clear();
        keys.extend(head_keys(h.0, h.1));
        keys.extend(modifier_keys(m.0, m.1));
        keys.extend(pair_keys(h, m));
        self.context_keys(input, head, modifier, &mut Vec::new(), keys);
        keys.extend(self.own_keys(input, head).iter().flat_map(|keys| keys.0));
        keys.extend(self.own_keys(input, modifier).iter().flat_map(|keys| keys.1));
    }
}

/// The names of the templates of the paper before those in between, in the order of `arc_keys`.
pub const NAMES: [&[&str]; 17] = [
    &["h-word"],
    &["h-pos"],
    &["h-word", "h-pos"],
    &["m-word"],
    &["m-pos"],
    &["m-word", "m-pos"],
    &["h-word", "m-word"],
    &["h-pos", "m-pos"],
    &["h-word", "h-pos", "m-word"],
    &["h-word", "h-pos", "m-pos"],
    &["m-word", "m-pos", "h-word"],
    &["m-word", "m-pos", "h-pos"],
    &["h-word", "h-pos", "m-word", "m-pos"],
    &["h-pos", "h-pos+1", "m-pos-1", "m-pos"],
    &["h-pos", "h-pos+1", "m-pos", "m-pos+1"],
    &["h-pos-1", "h-pos", "m-pos-1", "m-pos"],
    &["h-pos-1", "h-pos", "m-pos", "m-pos+1"],
];

#[cfg(test)]
mod tests {
    use super::super::input::{OUTSIDE, Token};
    use super::*;

    #[test]
    fn distances_are_binned_on_either_side() {
        let slots = [1, 2, 3, 4, 5, 6, 10, 11, 400].map(|far| Slot::of(500 - far, 500));
        assert!(slots.iter().all(|slot| slot.side == 1));
        assert_eq!(slots.map(|slot| slot.distance), [7, 8, 9, 10, 11, 12, 12, 13, 13]);
        assert_eq!(Slot::of(5, 3), Slot { side: 0, distance: 1 });
        assert!(Slot::of(1, 400).distance < SLOTS);
    }

    #[test]
    fn places_outside_the_sentence_have_a_tag_of_their_own() {
        let mut input = Input::start();
        input.push(Token { word: 3, tag: 3, ..Token::default() });
        assert_eq!(input.tag_before(0), u64::from(OUTSIDE));
        assert_eq!(input.tag(2), u64::from(OUTSIDE));
        let paper = FeatureSet { templates: Templates::Paper, between: Between::All };
        let mut keys = Vec::new();
        paper.arc_keys(&input, 0, 1, &mut keys);
        assert_eq!(keys.len(), NAMES.len());
    }
}
