//! The features of an arc: Table 2 of Galley & Manning (2009).
//!
//! Each template has its own identifier. Every feature is conjoined with the direction of the
//! arc, and with direction and binned distance: one `Line` of weights holds all of these.

use crate::parse::hash::key;

use super::between::Between;

/// A sentence as numbers; place 0 is the root, word w stands at place w.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Input {
    pub words: Vec<u32>,
    pub tags: Vec<u32>,
}

/// Numbers of what is no word and no tag of a vocabulary, whose numbers start at `FIRST`.
pub const ROOT: u32 = 0;
pub const UNKNOWN: u32 = 1;
const OUTSIDE: u32 = 2;
pub const FIRST: u32 = 3;

impl Input {
    pub fn len(&self) -> usize {
        self.words.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn tag(&self, at: Option<usize>) -> u64 {
        u64::from(at.and_then(|at| self.tags.get(at)).copied().unwrap_or(OUTSIDE))
    }
}

/// Weights of one feature: by direction, then by direction and distance.
pub type Line = [f32; 16];

/// Bins of distance.
const BINS: usize = 7;

/// The two places of a line that speak for an arc.
#[inline]
pub fn slots(head: usize, modifier: usize) -> (usize, usize) {
    let right = usize::from(head < modifier);
    let bin = match head.abs_diff(modifier) {
        distance @ 0..=5 => distance.max(1) - 1,
        6..=10 => 5,
        _ => 6,
    };
    (right, 2 + right * BINS + bin)
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
pub fn adjacent_keys(input: &Input, head: usize, modifier: usize) -> [u64; 4] {
    let (hp, mp) = (input.tag(Some(head)), input.tag(Some(modifier)));
    let (before_h, after_h) = (input.tag(head.checked_sub(1)), input.tag(Some(head + 1)));
    let (before_m, after_m) = (input.tag(modifier.checked_sub(1)), input.tag(Some(modifier + 1)));
    [
        key(13, [hp, after_h, before_m, mp]),
        key(14, [hp, after_h, mp, after_m]),
        key(15, [before_h, hp, before_m, mp]),
        key(16, [before_h, hp, mp, after_m]),
    ]
}

/// The first template of in-between features; there are 11 places for each direction.
const BETWEEN: u64 = 17;

/// Calls `visit` with the key of each in-between feature.
#[inline]
pub fn between_keys(
    input: &Input,
    head: usize,
    modifier: usize,
    between: Between,
    seen: &mut Vec<u32>,
    mut visit: impl FnMut(u64),
) {
    let (hp, mp) = (u64::from(input.tags[head]), u64::from(input.tags[modifier]));
    let first = BETWEEN + if head < modifier { 0 } else { 11 };
    let (left, right) = (head.min(modifier), head.max(modifier));
    between.visit(&input.tags, left, right, seen, |place, tag| {
        visit(key(first + place as u64, [hp, u64::from(tag), mp]));
    });
}

/// All keys of an arc.
pub fn arc_keys(input: &Input, head: usize, modifier: usize, between: Between) -> Vec<u64> {
    let at = |place: usize| (input.words[place], input.tags[place]);
    let (h, m) = (at(head), at(modifier));
    let mut keys = Vec::with_capacity(32);
    keys.extend(head_keys(h.0, h.1));
    keys.extend(modifier_keys(m.0, m.1));
    keys.extend(pair_keys(h, m));
    keys.extend(adjacent_keys(input, head, modifier));
    between_keys(input, head, modifier, between, &mut Vec::new(), |key| keys.push(key));
    keys
}

/// The names of the templates before those in between, in the order of `arc_keys`.
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

/// One feature of an arc, for people: its name with its values, and what it adds to the score.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    pub name: String,
    pub weight: f64,
}

/// The places that the parts of a template's name stand for.
pub fn part(name: &str, head: usize, modifier: usize) -> (bool, Option<usize>) {
    let at = if name.starts_with('h') { head } else { modifier };
    let place = match name {
        _ if name.ends_with("-1") => at.checked_sub(1),
        _ if name.ends_with("+1") => Some(at + 1),
        _ => Some(at),
    };
    (name.contains("word"), place)
}

/// The name of the place of an in-between tag: `h+2` is two after the head.
pub fn between_place(place: usize, head: usize, modifier: usize) -> String {
    let (left, right) = if head < modifier { ("h", "m") } else { ("m", "h") };
    match place {
        0 => "between".to_string(),
        1..=5 => format!("{left}-pos+{place}"),
        _ => format!("{right}-pos-{}", place - 5),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_binned_on_either_side() {
        let (places, bins): (Vec<usize>, Vec<usize>) =
            [1, 2, 3, 4, 5, 6, 10, 11, 400].map(|far| slots(500 - far, 500)).into_iter().unzip();
        assert_eq!(places, [1; 9]);
        assert_eq!(bins, [9, 10, 11, 12, 13, 14, 14, 15, 15]);
        assert_eq!(slots(5, 3), (0, 3));
        assert!(slots(400, 1).1 < 16);
    }

    #[test]
    fn places_outside_the_sentence_have_a_tag_of_their_own() {
        let input = Input { words: vec![0, 3], tags: vec![0, 3] };
        assert_eq!(input.tag(None), u64::from(OUTSIDE));
        assert_eq!(input.tag(Some(2)), u64::from(OUTSIDE));
        assert_eq!(arc_keys(&input, 0, 1, Between::All).len(), 17);
    }
}
