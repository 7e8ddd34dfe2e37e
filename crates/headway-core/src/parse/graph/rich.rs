//! Templates beyond Table 2: each takes constant time and looks no farther than one place
//! beside head and modifier, so a decoder can use them as it uses those of the paper.

use crate::parse::hash::key;

use super::input::{Input, Token};

/// Head, modifier and the tokens beside them.
struct Around {
    h: Token,
    before_h: Token,
    after_h: Token,
    m: Token,
    before_m: Token,
    after_m: Token,
    /// Verbs, conjunctions, marks and nouns between.
    between: [u64; 4],
}

/// Templates of tokens: a name, the parts that fill it, in the order of `keys`.
macro_rules! templates {
    ($around:ident; $($number:literal: $($name:literal = $value:expr),+;)+) => {
        /// The names of the parts of the templates, in the order of `keys`.
        pub const NAMES: &[&[&str]] = &[$(&[$($name),+]),+];

        #[inline]
        fn fill($around: &Around, keys: &mut Vec<u64>) {
            keys.extend([$(key($number, [$(u64::from($value)),+])),+]);
        }
    };
}

templates! { a;
    // A word and tags beside it or beside the other.
    60: "h-word" = a.h.word, "m-pos" = a.m.tag, "m-pos+1" = a.after_m.tag;
    61: "h-word" = a.h.word, "m-pos-1" = a.before_m.tag, "m-pos" = a.m.tag;
    62: "m-word" = a.m.word, "h-pos" = a.h.tag, "h-pos+1" = a.after_h.tag;
    63: "m-word" = a.m.word, "h-pos-1" = a.before_h.tag, "h-pos" = a.h.tag;
    // Coarse tags.
    70: "h-coarse" = a.h.coarse, "m-coarse" = a.m.coarse;
    71: "h-word" = a.h.word, "m-coarse" = a.m.coarse;
    72: "h-coarse" = a.h.coarse, "m-word" = a.m.word;
    73: "h-coarse" = a.h.coarse, "h-coarse+1" = a.after_h.coarse,
        "m-coarse-1" = a.before_m.coarse, "m-coarse" = a.m.coarse;
    74: "h-coarse" = a.h.coarse, "h-coarse+1" = a.after_h.coarse,
        "m-coarse" = a.m.coarse, "m-coarse+1" = a.after_m.coarse;
    75: "h-coarse-1" = a.before_h.coarse, "h-coarse" = a.h.coarse,
        "m-coarse-1" = a.before_m.coarse, "m-coarse" = a.m.coarse;
    76: "h-coarse-1" = a.before_h.coarse, "h-coarse" = a.h.coarse,
        "m-coarse" = a.m.coarse, "m-coarse+1" = a.after_m.coarse;
    // Words in small letters, and those beside head and modifier.
    82: "h-lower" = a.h.lower, "m-pos" = a.m.tag;
    83: "m-lower" = a.m.lower, "h-pos" = a.h.tag;
    84: "h-lower" = a.h.lower, "m-lower" = a.m.lower;
    110: "m-lower-1" = a.before_m.lower, "m-pos" = a.m.tag, "h-pos" = a.h.tag;
    111: "m-lower+1" = a.after_m.lower, "m-pos" = a.m.tag, "h-pos" = a.h.tag;
    112: "h-lower-1" = a.before_h.lower, "m-pos" = a.m.tag, "h-pos" = a.h.tag;
    113: "h-lower+1" = a.after_h.lower, "m-pos" = a.m.tag, "h-pos" = a.h.tag;
    // How many verbs, conjunctions, marks and nouns stand between.
    130: "h-pos" = a.h.tag, "m-pos" = a.m.tag, "verbs" = a.between[0],
        "conjunctions" = a.between[1], "marks" = a.between[2];
    131: "h-pos" = a.h.tag, "m-pos" = a.m.tag, "verbs" = a.between[0];
    134: "h-pos" = a.h.tag, "m-pos" = a.m.tag, "nouns" = a.between[3], "verbs" = a.between[0];
    135: "m-word" = a.m.word, "h-pos" = a.h.tag, "verbs" = a.between[0], "marks" = a.between[2];
    136: "h-word" = a.h.word, "m-pos" = a.m.tag, "verbs" = a.between[0], "marks" = a.between[2];
}

/// The names of the templates of `head_keys`, then of `modifier_keys`.
pub const OWN_NAMES: [&[&str]; 4] = [
    &["h-word", "h-pos", "h-pos+1"],
    &["h-word", "h-pos-1", "h-pos"],
    &["m-word", "m-pos", "m-pos+1"],
    &["m-word", "m-pos-1", "m-pos"],
];

/// Keys of features of a head and the tags beside it.
#[inline]
pub fn head_keys(input: &Input, at: usize) -> [u64; 2] {
    own_keys(input, at, 64)
}

/// Keys of features of a modifier and the tags beside it.
#[inline]
pub fn modifier_keys(input: &Input, at: usize) -> [u64; 2] {
    own_keys(input, at, 66)
}

#[inline]
fn own_keys(input: &Input, at: usize, template: u64) -> [u64; 2] {
    let (word, tag) = (u64::from(input.token(at).word), input.tag(at));
    let (before, after) = (input.tag_before(at), input.tag(at + 1));
    [key(template, [word, tag, after]), key(template + 1, [word, before, tag])]
}

/// Keys of the features of head and modifier together that the paper does not have.
#[inline]
pub fn keys(input: &Input, head: usize, modifier: usize, keys: &mut Vec<u64>) {
    let around = Around {
        h: input.token(head),
        before_h: input.before(head),
        after_h: input.token(head + 1),
        m: input.token(modifier),
        before_m: input.before(modifier),
        after_m: input.token(modifier + 1),
        between: input.between(head.min(modifier), head.max(modifier)),
    };
    fill(&around, keys);
}
