//! Which spans of a sentence may be phrases.

use std::ops::Range;

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::guide::Guide;
use crate::decode::order::{OrderSettings, PhraseSpans};
use crate::decode::trees::UsableTrees;
use crate::random::Random;

/// The spans of several words that may be phrases; single words always may.
pub enum AllowedSpans {
    All,
    /// From the first word to before the last.
    These(HashSet<(u32, u32), FxBuildHasher>),
}

impl AllowedSpans {
    /// Of a piece of a sentence; all of them where there is no tree.
    pub fn new(
        words: &[&str],
        trees: &UsableTrees,
        piece: &Range<usize>,
        how: &OrderSettings,
    ) -> Self {
        if how.spans == PhraseSpans::All || trees.trees.is_empty() {
            return AllowedSpans::All;
        }
        let guide = Guide::new(trees, piece, how);
        let all: Vec<(u32, u32)> = several(piece.len() as u32, how.licensed_words).collect();
        let licensed = all.iter().copied().filter(|&(start, end)| guide.is_licensed(start, end));
        match how.spans {
            PhraseSpans::Random => {
                let many = licensed.count();
                AllowedSpans::These(drawn(all, many, &words[piece.clone()]).collect())
            }
            _ => AllowedSpans::These(licensed.collect()),
        }
    }

    #[inline]
    pub fn contains(&self, start: u32, end: u32) -> bool {
        match self {
            AllowedSpans::All => true,
            AllowedSpans::These(spans) => end == start + 1 || spans.contains(&(start, end)),
        }
    }
}

/// All spans of two to `longest` words.
fn several(length: u32, longest: usize) -> impl Iterator<Item = (u32, u32)> {
    let longest = u32::try_from(longest).unwrap_or(u32::MAX);
    (0..length).flat_map(move |start| {
        let last = start.saturating_add(longest).min(length);
        (start + 2..=last).map(move |end| (start, end))
    })
}

/// Some of the spans, drawn by a seed that the words make: a sentence always has the same ones.
fn drawn(
    mut spans: Vec<(u32, u32)>,
    many: usize,
    words: &[&str],
) -> impl Iterator<Item = (u32, u32)> {
    let bytes = words.iter().flat_map(|word| word.bytes().chain([b' ']));
    let seed = bytes.fold(0_u64, |seed, byte| seed.rotate_left(7) ^ u64::from(byte));
    let mut random = Random::new(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15), words.len() as u64);
    for place in 0..many.min(spans.len()) {
        let other = place + random.below(spans.len() - place);
        spans.swap(place, other);
    }
    spans.into_iter().take(many)
}
