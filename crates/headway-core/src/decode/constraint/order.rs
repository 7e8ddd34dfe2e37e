//! Whether a rule keeps zones together and walls upright, as its word links and slots tell.

use std::ops::Range;

use smallvec::SmallVec;

use super::{holds, overlap};
use crate::WordId;
use crate::table::Symbol;

/// A symbol of the source side of a rule in a sentence: a word, or what fills a slot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    pub span: Range<u32>,
    pub is_slot: bool,
    /// The places of the target side that stand for it.
    pub places: SmallVec<[u8; 4]>,
}

/// A rule in a sentence: its parts in the order of the source, and the words of its target side,
/// none in place of a slot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shape {
    pub parts: SmallVec<[Part; 8]>,
    pub target: SmallVec<[Option<WordId>; 8]>,
}

impl Shape {
    /// Of a rule, with the span of each source symbol.
    pub fn new(
        source: impl Iterator<Item = (Symbol, Range<u32>)>,
        target: impl Iterator<Item = Symbol>,
        links: impl Iterator<Item = (u8, u8)> + Clone,
    ) -> Self {
        let target: SmallVec<[Symbol; 8]> = target.collect();
        let parts = source.enumerate().map(|(number, (symbol, span))| {
            let places = match symbol {
                Symbol::Slot(_) => {
                    let same = (0..target.len()).filter(|&place| target[place] == symbol);
                    same.map(|place| place as u8).collect()
                }
                Symbol::Word(_) => {
                    let is_word = |place: &u8| {
                        matches!(target.get(usize::from(*place)), Some(Symbol::Word(_)))
                    };
                    let own = links.clone().filter(|link| usize::from(link.0) == number);
                    own.map(|link| link.1).filter(is_word).collect()
                }
            };
            Part { span, is_slot: matches!(symbol, Symbol::Slot(_)), places }
        });
        let parts = parts.collect();
        let words = target.iter().map(|symbol| match symbol {
            Symbol::Word(word) => Some(*word),
            Symbol::Slot(_) => None,
        });
        Shape { parts, target: words.collect() }
    }

    /// Whether nothing stands between the words of a zone. A rule within the zone says nothing of
    /// it, nor does one with a slot that holds all of it.
    pub fn keeps(&self, zone: &Range<u32>) -> bool {
        let within = |part: &&Part| holds(zone, &part.span);
        let places = |part: &Part| part.places.clone();
        let inside: SmallVec<[u8; 8]> = self.parts.iter().filter(within).flat_map(places).collect();
        let (Some(&first), Some(&last)) = (inside.iter().min(), inside.iter().max()) else {
            return true;
        };
        let others = self.parts.iter().filter(|part| !holds(zone, &part.span));
        let mut others = others.flat_map(places);
        others.all(|place| place < first || place > last || inside.contains(&place))
    }

    /// Whether the words of `around` before a wall stay before those behind it.
    pub fn respects(&self, wall: u32, around: &Range<u32>) -> bool {
        let concerned = || self.parts.iter().filter(|part| overlap(around, &part.span));
        let places = |part: &Part| part.places.clone();
        let before: SmallVec<[u8; 8]> =
            concerned().filter(|part| part.span.end <= wall).flat_map(places).collect();
        let behind: SmallVec<[u8; 8]> =
            concerned().filter(|part| part.span.start >= wall).flat_map(places).collect();
        let over = concerned().filter(|part| part.span.start < wall && wall < part.span.end);
        let mut over = over.flat_map(places);
        // One target word may stand for words on both sides.
        before.iter().all(|left| behind.iter().all(|right| left <= right))
            && over.all(|place| {
                before.iter().all(|&left| left < place) && behind.iter().all(|&it| place < it)
            })
    }

    /// Whether its own words are all of a span, and its target side has these words.
    pub fn says(&self, span: &Range<u32>, wanted: Option<&[WordId]>) -> bool {
        let own = self.parts.iter().filter(|part| !part.is_slot && overlap(span, &part.span));
        let whole = own.map(|part| part.span.len()).sum::<usize>() == span.len();
        let Some(wanted) = wanted.filter(|_| whole) else { return false };
        let is_said = |words: &[Option<WordId>]| {
            words.iter().zip(wanted).all(|(word, wanted)| *word == Some(*wanted))
        };
        wanted.is_empty() || self.target.windows(wanted.len()).any(is_said)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Symbol::{Slot, Word};

    fn shape(source: &[Symbol], ends: &[u32], target: &[Symbol], links: &[(u8, u8)]) -> Shape {
        let starts = [0].into_iter().chain(ends.iter().copied());
        let spans = starts.zip(ends).map(|(start, &end)| start..end);
        Shape::new(source.iter().copied().zip(spans), target.iter().copied(), links.iter().copied())
    }

    #[test]
    fn zones_and_walls_are_seen_in_links_and_slots() {
        let [a, b, x] = [Word(WordId(1)), Word(WordId(2)), Slot(0)];
        // a X b, where X has the words 1 to 3, becomes b X a.
        let turned = shape(&[a, x, b], &[1, 4, 5], &[b, x, a], &[(0, 2), (2, 0)]);
        assert!(turned.keeps(&(1..4)) && turned.keeps(&(1..3)), "it is all in the slot");
        assert!(turned.keeps(&(0..4)) && turned.keeps(&(1..5)) && turned.keeps(&(0..5)));
        for wall in 1..5 {
            assert!(!turned.respects(wall, &(0..5)));
        }
        assert!(turned.respects(2, &(1..4)), "a wall for the words of the slot alone");
        // a b X becomes a X b.
        let split = shape(&[a, b, x], &[1, 2, 4], &[a, x, b], &[(0, 0), (1, 2)]);
        assert!(!split.keeps(&(0..2)) && split.keeps(&(1..4)) && split.respects(1, &(0..4)));
        assert!(!split.respects(2, &(0..4)) && !split.respects(3, &(0..4)));
        // One word for both.
        let merged = shape(&[a, b], &[1, 2], &[a], &[(0, 0), (1, 0)]);
        assert!(merged.respects(1, &(0..2)));
    }

    #[test]
    fn a_rule_says_words_only_next_to_each_other() {
        let [a, b, x] = [Word(WordId(1)), Word(WordId(2)), Slot(0)];
        let rule = shape(&[a, b, x], &[1, 2, 4], &[a, x, b], &[]);
        let (one, both) = ([WordId(2)], [WordId(1), WordId(2)]);
        assert!(rule.says(&(0..2), Some(&one)) && !rule.says(&(0..2), Some(&both)));
        assert!(!rule.says(&(0..3), Some(&one)) && !rule.says(&(0..2), None));
        assert!(rule.says(&(1..2), Some(&[])));
    }
}
