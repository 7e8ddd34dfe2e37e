//! The scores of all arcs of a sentence.

use std::borrow::Cow;

/// Scores of arcs between words 1 to n and the root, 0. Rows are modifiers: all arcs into a
/// word lie side by side, which is how spanning trees are searched.
#[derive(Debug, Clone, PartialEq)]
pub struct ArcScores {
    words: usize,
    scores: Vec<f64>,
}

impl ArcScores {
    /// Arcs of `words` words, all with score 0.
    pub fn new(words: usize) -> Self {
        ArcScores { words, scores: vec![0.0; words * (words + 1)] }
    }

    pub fn words(&self) -> usize {
        self.words
    }

    /// The score of the arc from `head` (0 is the root) to `modifier` (1 to n).
    #[inline]
    pub fn get(&self, head: usize, modifier: usize) -> f64 {
        self.scores[(modifier - 1) * (self.words + 1) + head]
    }

    #[inline]
    pub fn set(&mut self, head: usize, modifier: usize, score: f64) {
        self.scores[(modifier - 1) * (self.words + 1) + head] = score;
    }

    /// The scores of all heads of `modifier`; its own place means nothing.
    pub fn into_word(&self, modifier: usize) -> &[f64] {
        &self.scores[(modifier - 1) * (self.words + 1)..modifier * (self.words + 1)]
    }

    /// The sum of the arcs of a tree, `heads[w - 1]` for word w.
    pub fn sum(&self, heads: &[u32]) -> f64 {
        heads.iter().zip(1..).map(|(&head, word)| self.get(head as usize, word)).sum()
    }

    /// What a search works with: scores that are finite, with room for sums of them, and what
    /// each root is charged. With `single_root` that is more than any tree can gain by its arcs,
    /// so trees with the fewest roots are best, and one root is always enough.
    pub fn searchable(&self, single_root: bool) -> (Cow<'_, ArcScores>, f64) {
        let tame = self.scores.iter().all(|score| score.abs() <= LARGEST);
        let scores = if tame { Cow::Borrowed(self) } else { Cow::Owned(self.tamed()) };
        let charge = if single_root { scores.spread() } else { 0.0 };
        (scores, charge)
    }

    /// The same order of trees in finite numbers. A score that is none, as -inf, forbids its arc:
    /// any tree without such arcs is better than one with them.
    fn tamed(&self) -> Self {
        let huge = self.scores.iter().any(|score| score.is_finite() && score.abs() > LARGEST);
        let scale = if huge { SCALE } else { 1.0 };
        let finite = |&score: &f64| if score.is_finite() { score * scale } else { 0.0 };
        let mut tamed =
            ArcScores { words: self.words, scores: self.scores.iter().map(finite).collect() };
        let forbidden = -2.0 * tamed.spread();
        for (score, original) in tamed.scores.iter_mut().zip(&self.scores) {
            if !original.is_finite() {
                *score = forbidden;
            }
        }
        tamed
    }

    /// More than what parts the best of all trees from the worst.
    fn spread(&self) -> f64 {
        let (low, high) = self
            .scores
            .iter()
            .fold((0.0, 0.0), |(low, high): (f64, f64), &score| (low.min(score), high.max(score)));
        (high - low + 1.0) * (self.words + 1) as f64
    }
}

/// Scores farther from 0 are made smaller, for sums of charges and of many of them would overflow.
const LARGEST: f64 = 1e200;

/// A power of two, so that no digit of a score is lost.
const SCALE: f64 = 1.0 / (1_u128 << 127) as f64;

#[cfg(test)]
mod tests {
    use super::super::Search;
    use super::enumeration::{all_trees, forbidding_scores, is_tree, random_scores};
    use super::*;
    use crate::Monitor;

    /// Checks both searches for trees against all trees there are.
    fn check_best(scores: &ArcScores, tolerance: f64) {
        for (search, single_root) in [Search::Eisner, Search::Mst]
            .into_iter()
            .flat_map(|search| [(search, false), (search, true)])
        {
            let best = all_trees(scores, search == Search::Eisner, single_root).swap_remove(0).0;
            let found = search.best(scores, single_root);
            assert!(is_tree(&found, single_root), "{search:?} {single_root} {found:?} {scores:?}");
            let sum = scores.sum(&found);
            assert!(sum == best || (sum - best).abs() <= tolerance, "{sum} {best} {scores:?}");
            let ranked = search.kbest(scores, single_root, 1000, &Monitor::default()).unwrap();
            assert!(ranked.iter().all(|(_, heads)| is_tree(heads, single_root)));
            assert!(ranked.windows(2).all(|pair| pair[0].0 >= pair[1].0 - tolerance));
            assert_eq!(ranked[0].0, sum);
        }
    }

    #[test]
    fn a_tree_avoids_forbidden_arcs_where_one_can() {
        for words in 1..=4 {
            (0..40).for_each(|seed| check_best(&forbidding_scores(words, seed), 1e-9));
        }
        let mut none = ArcScores::new(3);
        for (head, modifier) in (0..=3).flat_map(|head| (1..=3).map(move |word| (head, word))) {
            none.set(head, modifier, f64::NEG_INFINITY);
        }
        check_best(&none, 0.0);
    }

    #[test]
    fn numbers_of_any_size_give_trees() {
        for (seed, size) in [1e30, 1e199, 1e307].into_iter().enumerate() {
            let mut scores = random_scores(4, seed as u64);
            scores.scores.iter_mut().for_each(|score| *score *= size);
            check_best(&scores, size * 1e-9);
        }
        let mut scores = ArcScores::new(3);
        let odd = [f64::NAN, f64::INFINITY, f64::MAX, f64::MIN, 1.0, -1.0];
        for (at, (head, modifier)) in
            (0..=3).flat_map(|head| (1..=3).map(move |word| (head, word))).enumerate()
        {
            scores.set(head, modifier, odd[at % odd.len()]);
        }
        for single_root in [false, true] {
            assert!(is_tree(&Search::Mst.best(&scores, single_root), single_root));
            assert!(is_tree(&Search::Eisner.best(&scores, single_root), single_root));
        }
    }
}

/// Trees by brute force, for tests.
#[cfg(test)]
pub mod enumeration {
    use super::ArcScores;
    use crate::random::Random;

    /// Random scores with few equal sums.
    pub fn random_scores(words: usize, seed: u64) -> ArcScores {
        let mut random = Random::new(seed, words as u64);
        let mut scores = ArcScores::new(words);
        for modifier in 1..=words {
            for head in (0..=words).filter(|&head| head != modifier) {
                scores.set(head, modifier, 10.0 * random.next_f64() - 5.0);
            }
        }
        scores
    }

    /// The same where about a third of the arcs is forbidden.
    pub fn forbidding_scores(words: usize, seed: u64) -> ArcScores {
        let mut random = Random::new(seed, 99);
        let mut scores = random_scores(words, seed);
        for modifier in 1..=words {
            for head in (0..=words).filter(|&head| head != modifier) {
                if random.below(3) == 0 {
                    scores.set(head, modifier, f64::NEG_INFINITY);
                }
            }
        }
        scores
    }

    /// Whether heads are those of a tree, with one root if so wanted.
    pub fn is_tree(heads: &[u32], single_root: bool) -> bool {
        let roots = heads.iter().filter(|&&head| head == 0).count();
        acyclic(heads) && (!single_root || roots == 1 || heads.is_empty())
    }

    /// All trees, best first.
    pub fn all_trees(
        scores: &ArcScores,
        projective: bool,
        single_root: bool,
    ) -> Vec<(f64, Vec<u32>)> {
        let words = scores.words();
        let mut trees = Vec::new();
        for number in 0..(words + 1).pow(words as u32) {
            let digit = |at: usize| (number / (words + 1).pow(at as u32) % (words + 1)) as u32;
            let heads: Vec<u32> = (0..words).map(digit).collect();
            if is_tree(&heads, single_root) && (!projective || nested(&heads)) {
                trees.push((scores.sum(&heads), heads));
            }
        }
        trees.sort_by(|one, other| other.0.total_cmp(&one.0));
        trees
    }

    /// Every word reaches the root in as many steps as there are words.
    fn acyclic(heads: &[u32]) -> bool {
        let up = |at: u32| if at == 0 { 0 } else { heads[at as usize - 1] };
        (1..=heads.len() as u32).all(|word| (0..heads.len()).fold(word, |at, _| up(at)) == 0)
    }

    /// No two arcs cross, those from the root included.
    fn nested(heads: &[u32]) -> bool {
        let arcs: Vec<(u32, u32)> =
            heads.iter().zip(1..).map(|(&head, word)| (head.min(word), head.max(word))).collect();
        arcs.iter().all(|one| {
            arcs.iter().all(|other| !(one.0 < other.0 && other.0 < one.1 && one.1 < other.1))
        })
    }
}
