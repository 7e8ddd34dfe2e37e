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

/// The spans of a piece that some tree licenses, with single words, as spans of the sentence: of
/// any length, unless phrases over other spans are not used.
pub fn licensed(trees: &UsableTrees, piece: &Range<usize>, how: &OrderSettings) -> Vec<(u32, u32)> {
    let guide = Guide::new(trees, piece, how);
    let (length, offset) = (piece.len() as u32, piece.start as u32);
    let longest = if how.spans == PhraseSpans::Licensed { how.licensed_words } else { piece.len() };
    let singles = (0..length).map(|start| (start, start + 1));
    let several = several(length, longest).filter(|&(start, end)| guide.is_licensed(start, end));
    let mut found: Vec<(u32, u32)> = singles.chain(several).collect();
    found.sort_unstable();
    found.into_iter().map(|(start, end)| (start + offset, end + offset)).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::OrderScoring;
    use crate::decode::source::{Source, WeightedTree};
    use crate::tree::DependencyTree;

    fn trees(words: &[&str], heads: &[u32]) -> UsableTrees {
        let forms: Vec<String> = words.iter().map(ToString::to_string).collect();
        let empty = vec![String::new(); words.len()];
        let tree =
            DependencyTree::new(forms.clone(), heads.to_vec(), empty.clone(), empty).unwrap();
        let tree = WeightedTree { tree, weight: 1.0 };
        let source = Source::new(forms).with_trees(vec![tree]).unwrap();
        UsableTrees::new(&source, 1, false)
    }

    fn allowed(words: &[&str], heads: &[u32], spans: PhraseSpans) -> Vec<(u32, u32)> {
        let how = OrderSettings {
            spans,
            licensed_words: 3,
            scoring: OrderScoring::None,
            ..OrderSettings::default()
        };
        let trees = trees(words, heads);
        let found = AllowedSpans::new(words, &trees, &(0..words.len()), &how);
        let length = words.len() as u32;
        let all = (0..length).flat_map(|start| (start + 1..=length).map(move |end| (start, end)));
        all.filter(|&(start, end)| found.contains(start, end)).collect()
    }

    #[test]
    fn random_spans_are_as_many_as_licensed_ones_and_no_longer() {
        let (heads, words) = ([6, 1, 6, 3, 3, 0], ["man", "the", "woman", "tall", "the", "saw"]);
        let licensed = allowed(&words, &heads, PhraseSpans::Licensed);
        let several = |spans: &[(u32, u32)]| -> Vec<(u32, u32)> {
            spans.iter().copied().filter(|(start, end)| end - start > 1).collect()
        };
        assert_eq!(several(&licensed), [(0, 2), (2, 4), (2, 5)]);
        let trees = trees(&words, &heads);
        let shown = |spans, licensed_words| {
            let how = OrderSettings { spans, licensed_words, ..OrderSettings::default() };
            super::licensed(&trees, &(0..words.len()), &how)
        };
        assert_eq!(shown(PhraseSpans::Licensed, 3), licensed);
        let longer = [(0, 2), (0, 6), (2, 4), (2, 5), (2, 6)];
        assert_eq!(several(&shown(PhraseSpans::All, 3)), longer);
        let random = allowed(&words, &heads, PhraseSpans::Random);
        assert_eq!(random.len(), licensed.len());
        assert!(random.iter().all(|(start, end)| end - start <= 3));
        assert_eq!(random, allowed(&words, &heads, PhraseSpans::Random));
        assert_eq!(allowed(&words, &heads, PhraseSpans::All).len(), 21);
        let drawn: HashSet<_> = ["a", "b", "c", "d", "e", "f"]
            .iter()
            .map(|first| {
                let words = [first, "the", "woman", "tall", "the", "saw"];
                several(&allowed(&words, &heads, PhraseSpans::Random))
            })
            .collect();
        assert!(drawn.len() > 2, "other words, other spans");
    }
}
