//! Which spans of a source sentence may be translated as one phrase (Hunter & Resnik 2010, §3.3).
//!
//! A *licensed* span is a word together with the complete subtrees of some of its children,
//! without a gap. That is Shen's fixed structure (`Spans`): one word of the span has its head
//! outside, and every other word has its head and all its children inside. In a tree without
//! cycles the two definitions name the same spans, so the answer is his, in O(1).

use super::{Heads, Spans, Structure, Topology};

/// Prepared in O(n) from the heads of a sentence; answers for any span in O(1).
pub struct Licences {
    spans: Spans,
}

impl Licences {
    /// None if the heads run in a cycle, because words on a cycle have no complete subtrees.
    /// Several roots are several trees side by side; non-projective trees are trees.
    pub fn new(heads: &Heads) -> Option<Licences> {
        let cyclic = Topology::new(heads).has_cycle();
        (!cyclic).then(|| Licences { spans: Spans::new(heads) })
    }

    /// Whether the words `first..=last`, counted from 1, are a licensed span.
    pub fn is_licensed(&self, first: u32, last: u32) -> bool {
        self.head(first, last).is_some()
    }

    /// The word of a licensed span whose head is outside; None if the span is not licensed.
    pub fn head(&self, first: u32, last: u32) -> Option<u32> {
        match self.spans.structure(first, last) {
            Structure::Fixed(head) => Some(head),
            _ => None,
        }
    }

    /// The licensed spans `first..=last` of at most `longest` words, by first and then last word.
    pub fn spans(&self, longest: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let words = self.spans.heads().len() as u32;
        let ends = move |first: u32| first..=words.min((first - 1).saturating_add(longest));
        let all = (1..=words).flat_map(move |first| ends(first).map(move |last| (first, last)));
        all.filter(|&(first, last)| self.is_licensed(first, last))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::tree::random_tree;

    /// The spans of §3.3 as printed: for every word every set of its child subtrees, kept if the
    /// words are contiguous. Each with the word that heads it.
    fn literally(d: &[u32]) -> Vec<((u32, u32), u32)> {
        let topology = Topology::new(&Heads::new(d.to_vec()).unwrap());
        let mut found = Vec::new();
        for head in 1..=d.len() as u32 {
            let children = topology.children(head);
            for chosen in 0..1usize << children.len() {
                let mut words = vec![head];
                let squashed = children.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1);
                squashed.for_each(|(_, &child)| words.extend(topology.subtree(child)));
                words.sort_unstable();
                if words.windows(2).all(|pair| pair[0] + 1 == pair[1]) {
                    found.push(((words[0], words[words.len() - 1]), head));
                }
            }
        }
        found.sort_unstable();
        found
    }

    fn check(d: &[u32]) {
        let heads = Heads::new(d.to_vec()).unwrap();
        let Some(licences) = Licences::new(&heads) else {
            assert!(Topology::new(&heads).has_cycle(), "{d:?}");
            return;
        };
        assert!(!Topology::new(&heads).has_cycle(), "{d:?}");
        let expected = literally(d);
        let n = d.len() as u32;
        let all = licences.spans(n).map(|(i, j)| ((i, j), licences.head(i, j).unwrap()));
        assert_eq!(all.collect::<Vec<_>>(), expected, "{d:?}");
        for longest in 0..=n {
            let short = expected.iter().map(|(span, _)| *span).filter(|(i, j)| j - i < longest);
            let found: Vec<_> = licences.spans(longest).collect();
            assert_eq!(found, short.collect::<Vec<_>>(), "{d:?} {longest}");
        }
    }

    #[test]
    fn heads_with_complete_subtrees_on_every_head_array_of_up_to_five_words() {
        for n in 0..=5u32 {
            for code in 0..(n + 1).pow(n) {
                let d: Vec<u32> = (0..n).map(|k| code / (n + 1).pow(k) % (n + 1)).collect();
                check(&d);
            }
        }
    }

    #[test]
    fn heads_with_complete_subtrees_on_random_trees() {
        for seed in 0..500 {
            let mut random = Random::new(seed, 21);
            let words = 1 + random.below(12);
            check(&random_tree(words, &mut random, seed % 2 == 0));
        }
    }

    /// Two half-covered subtrees of which neither holds the other cannot be: what the search for
    /// contiguous subtrees relies on.
    #[test]
    fn a_licensed_span_and_a_complete_subtree_are_nested_or_disjoint() {
        for seed in 0..300 {
            let mut random = Random::new(seed, 22);
            let words = 1 + random.below(10);
            let d = Heads::new(random_tree(words, &mut random, seed % 2 == 0)).unwrap();
            let (licences, topology) = (Licences::new(&d).unwrap(), Topology::new(&d));
            for (first, last) in licences.spans(words as u32) {
                for word in 1..=words as u32 {
                    let subtree = topology.subtree(word);
                    let common = subtree.iter().filter(|w| (first..=last).contains(w)).count();
                    let smaller = subtree.len().min((last - first + 1) as usize);
                    assert!(common == 0 || common == smaller, "{d:?} {first}..={last} {word}");
                }
            }
        }
    }

    #[test]
    fn the_example_of_the_paper() {
        // MAN THE WOMAN TALL THE SAW (Figures 3 and 5)
        let licences = Licences::new(&Heads::new(vec![6, 1, 6, 3, 3, 0]).unwrap()).unwrap();
        let nodes: Vec<_> = licences.spans(4).filter(|(first, last)| first < last).collect();
        assert_eq!(nodes, [(1, 2), (3, 4), (3, 5), (3, 6)]);
        assert!((1..=6).all(|word| licences.is_licensed(word, word)));
        assert_eq!(licences.head(3, 6), Some(6));
        assert!(licences.is_licensed(1, 6), "the whole sentence, without the limit of four words");
        assert!(!licences.is_licensed(5, 6), "THE SAW (§3.5)");
    }

    #[test]
    fn what_is_no_span_is_not_licensed() {
        let licences = Licences::new(&Heads::new(vec![2, 0]).unwrap()).unwrap();
        for (first, last) in [(0, 1), (2, 1), (1, 3), (0, 0), (u32::MAX, u32::MAX)] {
            assert!(!licences.is_licensed(first, last));
        }
        assert_eq!(licences.spans(u32::MAX).count(), 3);
        assert_eq!(Licences::new(&Heads::default()).unwrap().spans(4).count(), 0);
    }
}
