//! The phrase dependencies of one sentence (§4.1).

use crate::extract::pair::{Aligned, Pair, Place};
use crate::extract::phrases::blocks;
use crate::tree::Heads;

/// The head of a word that hangs on a cycle, which is none.
const LOOSE: u32 = u32::MAX;

/// Two phrases by number, and the longest link between their words, counted from 0. Without a
/// parent and a governor they are the root `$`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dependency {
    pub parent: Option<usize>,
    pub child: usize,
    pub governor: Option<usize>,
    pub dependent: usize,
    /// Whether the child is left of its parent; never of the root, which is left of all words.
    pub left: bool,
}

/// A sentence with its phrases and the part of its tree that is well-formed.
#[derive(Debug, Default)]
pub struct Sentence {
    /// Spans, ends not in them, sorted.
    pub spans: Vec<(Place, Place)>,
    /// Heads by word, counted from 1; 0 is the root.
    heads: Vec<u32>,
}

impl Sentence {
    /// The target spans of the phrase pairs that agree with the links, each once.
    pub fn phrases(pair: &Pair, aligned: &mut Aligned, longest: usize) -> Vec<(Place, Place)> {
        let mut spans = Vec::new();
        aligned.set(pair);
        blocks(aligned, longest, |block| spans.push(block.target));
        spans.sort_unstable();
        spans
    }

    pub fn new(spans: Vec<(Place, Place)>, heads: &Heads) -> Self {
        Sentence { spans, heads: well_formed(heads) }
    }

    /// The dependencies between words: governor (None is the root) and dependent.
    pub fn links(&self) -> impl Iterator<Item = (Option<usize>, usize)> {
        let governed = self.heads.iter().enumerate().filter(|&(_, &head)| head != LOOSE);
        governed.map(|(word, &head)| ((head as usize).checked_sub(1), word))
    }

    /// Whether words hang on cycles.
    pub fn is_cyclic(&self) -> bool {
        self.heads.contains(&LOOSE)
    }

    /// Calls `found` with every dependency between two phrases that do not overlap, and between
    /// the root and a phrase.
    pub fn dependencies(&self, mut found: impl FnMut(Dependency)) {
        for (child, &span) in self.spans.iter().enumerate() {
            // Where there are several roots, the first one in the phrase links it.
            if let Some(dependent) = range(span).find(|&word| self.heads[word] == 0) {
                found(Dependency { parent: None, child, governor: None, dependent, left: false });
            }
            let after = child + self.spans[child..].partition_point(|other| other.0 < span.1);
            for (number, &other) in self.spans.iter().enumerate().skip(after) {
                if let Some((governor, dependent)) = self.longest(span, other) {
                    let left = dependent < governor;
                    let (parent, child) = if left { (number, child) } else { (child, number) };
                    let (parent, governor) = (Some(parent), Some(governor));
                    found(Dependency { parent, child, governor, dependent, left });
                }
            }
        }
    }

    /// The longest link between words of two spans, one before the other, as governor and
    /// dependent. In a projective tree there is one; else the first dependent decides.
    fn longest(&self, before: (Place, Place), after: (Place, Place)) -> Option<(usize, usize)> {
        let mut best = None;
        let mut most = 0;
        for (own, other) in [(before, after), (after, before)] {
            for dependent in range(own) {
                let head = self.heads[dependent];
                if head != 0 && range(other).contains(&(head as usize - 1)) {
                    let governor = head as usize - 1;
                    if governor.abs_diff(dependent) > most {
                        most = governor.abs_diff(dependent);
                        best = Some((governor, dependent));
                    }
                }
            }
        }
        best
    }
}

fn range(span: (Place, Place)) -> std::ops::Range<usize> {
    usize::from(span.0)..usize::from(span.1)
}

/// The heads of words from which the way up ends at a root; that of other words is `LOOSE`.
fn well_formed(heads: &Heads) -> Vec<u32> {
    // Of each word: 0 is not known yet, 1 is good, 2 is loose, 3 is on the way at hand.
    let mut states = vec![0u8; heads.len()];
    let mut way = Vec::new();
    for start in 0..heads.len() {
        let mut word = start;
        let state = loop {
            if states[word] != 0 {
                // A word of the way itself closes a cycle.
                break states[word].min(2);
            }
            states[word] = 3;
            way.push(word);
            match heads[word] {
                0 => break 1,
                head => word = head as usize - 1,
            }
        };
        way.drain(..).for_each(|word| states[word] = state);
    }
    let kept = heads.iter().zip(states);
    kept.map(|(&head, state)| if state == 1 { head } else { LOOSE }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(spans: &[(Place, Place)], heads: &[u32]) -> Vec<(Option<usize>, usize, bool, usize)> {
        let sentence = Sentence::new(spans.to_vec(), &Heads::new(heads.to_vec()).unwrap());
        let mut all = Vec::new();
        sentence.dependencies(|one| all.push((one.parent, one.child, one.left, one.dependent)));
        all
    }

    #[test]
    fn the_longest_link_decides_the_direction() {
        // 1 ← 4 is longer than 2 → 3.
        let all = found(&[(0, 2), (2, 4)], &[4, 1, 2, 0]);
        assert_eq!(all, [(Some(1), 0, true, 0), (None, 1, false, 3)]);
        // Overlapping phrases do not depend on each other.
        assert_eq!(
            found(&[(0, 2), (1, 3)], &[2, 0, 2]),
            [(None, 0, false, 1), (None, 1, false, 1)]
        );
    }

    #[test]
    fn words_below_cycles_have_no_head() {
        let heads = |heads: &[u32]| well_formed(&Heads::new(heads.to_vec()).unwrap());
        assert_eq!(heads(&[2, 1, 2, 0, 4, 6]), [LOOSE, LOOSE, LOOSE, 0, 4, LOOSE]);
        assert_eq!(heads(&[0, 0, 1]), [0, 0, 1]);
        assert_eq!(found(&[(0, 1), (1, 2)], &[2, 1]), []);
        assert_eq!(found(&[(0, 2)], &[0, 0]), [(None, 0, false, 0)]);
    }
}
