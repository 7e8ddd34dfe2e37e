//! Phrase pairs that are consistent with the links (Och, Tillmann & Ney 1999; Koehn, Och &
//! Marcu 2003): at least one link inside, and none that leaves.

use super::options::{Edges, PhraseLimits};
use super::pair::{Aligned, Phrase, Place};

/// The smallest source span with all counterparts of a target span, and how far unaligned
/// words let it grow: it may start at `first_start..=start` and end at `end..=last_end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Block {
    pub target: (Place, Place),
    pub start: Place,
    pub end: Place,
    pub first_start: Place,
    pub last_end: Place,
}

/// Calls `found` with the block of every target span that has one, of up to `longest` words.
pub fn blocks(aligned: &Aligned, longest: usize, mut found: impl FnMut(Block)) {
    let words = aligned.target_reach.len();
    for first in 0..words {
        let mut growing = Growing::default();
        for last in first..words.min(first.saturating_add(longest)) {
            if let Some(reach) = aligned.target_reach[last] {
                growing.add(reach, &aligned.source_reach);
            }
            // Source spans only grow with the target span, so what reaches left stays so.
            let Some((start, end)) = growing.span else { continue };
            if growing.reach.0 < first || end - start > longest {
                break;
            }
            if growing.reach.1 <= last {
                found(block(aligned, (first, last + 1), (start, end), longest));
            }
        }
    }
}

fn block(
    aligned: &Aligned,
    target: (usize, usize),
    (start, end): (usize, usize),
    longest: usize,
) -> Block {
    let unaligned = |&place: &usize| aligned.source_reach[place].is_none();
    let room = longest - (end - start);
    let before = (start.saturating_sub(room)..start).rev().take_while(unaligned).count();
    let words = aligned.source_reach.len();
    let after = (end..words.min(end.saturating_add(room))).take_while(unaligned).count();
    let [first_start, start, end, last_end] =
        [start - before, start, end, end + after].map(|place| place as Place);
    Block { target: (target.0 as Place, target.1 as Place), start, end, first_start, last_end }
}

/// The counterparts of a target span that grows to the right.
#[derive(Default)]
struct Growing {
    /// Their span, end not in it.
    span: Option<(usize, usize)>,
    /// The first and the last counterpart of all words in that span.
    reach: (usize, usize),
}

impl Growing {
    fn add(&mut self, (first, last): (Place, Place), source_reach: &[Option<(Place, Place)>]) {
        let (first, end) = (usize::from(first), usize::from(last) + 1);
        let (old_start, old_end) = self.span.unwrap_or((first, first));
        if self.span.is_none() {
            self.reach = (usize::MAX, 0);
        }
        let (start, end) = (old_start.min(first), old_end.max(end));
        let new = (start..old_start).chain(old_end..end);
        for (first, last) in new.filter_map(|place| source_reach[place]) {
            self.reach.0 = self.reach.0.min(usize::from(first));
            self.reach.1 = self.reach.1.max(usize::from(last));
        }
        self.span = Some((start, end));
    }
}

/// Adds all phrase pairs within the limits.
pub fn phrases(aligned: &Aligned, limits: PhraseLimits, all: &mut Vec<Phrase>) {
    let longest = limits.length;
    blocks(aligned, longest, |block| match limits.edges {
        Edges::Tight if is_tight(aligned, &block) => {
            all.push(Phrase { source: (block.start, block.end), target: block.target });
        }
        Edges::Tight => {}
        Edges::Loose => grow(&block, longest, all),
    });
}

/// The source edges of a block have links; do its target edges?
fn is_tight(aligned: &Aligned, block: &Block) -> bool {
    let (first, last) = (usize::from(block.target.0), usize::from(block.target.1) - 1);
    aligned.target_reach[first].is_some() && aligned.target_reach[last].is_some()
}

fn grow(block: &Block, longest: usize, all: &mut Vec<Phrase>) {
    for start in (block.first_start..=block.start).rev() {
        let farthest = block.last_end.min(start.saturating_add(longest as Place));
        for end in block.end..=farthest {
            all.push(Phrase { source: (start, end), target: block.target });
        }
    }
}

#[cfg(test)]
pub mod tests {
    use super::super::pair::Pair;
    use super::*;
    use proptest::prelude::*;

    /// Small random pairs, aligned sparsely or densely.
    pub fn pairs(longest: usize) -> impl Strategy<Value = Pair> {
        (1..=longest, 1..=longest, 1usize..12).prop_flat_map(|(source, target, links)| {
            let link = (0..source as Place, 0..target as Place);
            let words = |length| proptest::collection::vec(0u32..4, length);
            let links = proptest::collection::vec(link, 0..links);
            (words(source), words(target), links).prop_map(|(source, target, mut links)| {
                links.sort_unstable();
                links.dedup();
                Pair { source, target, links, tree: None }
            })
        })
    }

    /// The definition, tried on every pair of spans.
    pub fn literal(pair: &Pair, limits: PhraseLimits) -> Vec<Phrase> {
        let spans = |words: usize| {
            let starts = 0..words as Place;
            starts.flat_map(move |start| (start + 1..=words as Place).map(move |end| (start, end)))
        };
        let inside = |place: Place, span: (Place, Place)| span.0 <= place && place < span.1;
        let mut all = Vec::new();
        for source in spans(pair.source.len()) {
            for target in spans(pair.target.len()) {
                let phrase = Phrase { source, target };
                let has = |side: fn(&(Place, Place)) -> Place, place| {
                    pair.links.iter().any(|link| side(link) == place)
                };
                let consistent =
                    pair.links.iter().all(|&(s, t)| inside(s, source) == inside(t, target));
                let linked = pair.links.iter().any(|&(s, _)| inside(s, source));
                let lengths = [phrase.source_range().len(), phrase.target_range().len()];
                let short = lengths.iter().all(|&length| length <= limits.length);
                let tight = has(|link| link.0, source.0)
                    && has(|link| link.0, source.1 - 1)
                    && has(|link| link.1, target.0)
                    && has(|link| link.1, target.1 - 1);
                if consistent && linked && short && (tight || limits.edges == Edges::Loose) {
                    all.push(phrase);
                }
            }
        }
        all
    }

    proptest! {
        #[test]
        fn phrase_pairs_are_those_of_the_definition(
            pair in pairs(8),
            length in 1usize..9,
            loose: bool,
        ) {
            let edges = if loose { Edges::Loose } else { Edges::Tight };
            let limits = PhraseLimits { length, edges };
            let mut aligned = Aligned::default();
            aligned.set(&pair);
            let mut found = Vec::new();
            phrases(&aligned, limits, &mut found);
            found.sort_unstable();
            prop_assert_eq!(found, literal(&pair, limits));
        }
    }
}
