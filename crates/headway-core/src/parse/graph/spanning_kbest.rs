//! The k best spanning trees (Camerini, Fratta & Maffioli 1980).
//!
//! All trees are kept as disjoint sets: those that hold some arcs and lack others. Of each set
//! its best and second best tree are known; taking the best second one splits its set in two,
//! by the arc of the best that the second lacks.

use super::matrix::ArcScores;
use super::mst::spanning_tree;

/// The k best trees, best first, with their scores.
pub fn spanning_kbest(scores: &ArcScores, single_root: bool, k: usize) -> Vec<(f64, Vec<u32>)> {
    let words = scores.words();
    let best = spanning_tree(scores, single_root);
    let mut found = vec![(scores.sum(&best), best.clone())];
    let mut sets =
        vec![TreeSet::new(scores, single_root, best, vec![false; words], vec![Vec::new(); words])];
    while found.len() < k {
        let Some(at) = best_set(&sets) else { break };
        let Some(second) = sets[at].second.take() else { break };
        found.push((second.score, second.heads.clone()));
        let (with, without) = sets.swap_remove(at).split(scores, single_root, &second);
        sets.extend([with, without]);
    }
    found
}

fn best_set(sets: &[TreeSet]) -> Option<usize> {
    let mut best: Option<(usize, &Second)> = None;
    for (at, set) in sets.iter().enumerate() {
        if let Some(second) = &set.second {
            let better = best.is_none_or(|(_, known)| {
                (second.score, &known.heads) > (known.score, &second.heads)
            });
            if better {
                best = Some((at, second));
            }
        }
    }
    best.map(|(at, _)| at)
}

/// A tree that differs from the best of its set, and the word whose head makes the difference.
struct Second {
    score: f64,
    heads: Vec<u32>,
    word: usize,
}

/// The trees in which the words of `fixed` have the heads of `best` and no word has a head
/// that is `banned` for it.
struct TreeSet {
    best: Vec<u32>,
    fixed: Vec<bool>,
    banned: Vec<Vec<u32>>,
    second: Option<Second>,
}

impl TreeSet {
    fn new(
        scores: &ArcScores,
        single_root: bool,
        best: Vec<u32>,
        fixed: Vec<bool>,
        banned: Vec<Vec<u32>>,
    ) -> Self {
        let mut set = TreeSet { best, fixed, banned, second: None };
        set.second = set.second_best(scores, single_root);
        set
    }

    /// The best tree without one of the free arcs of the best tree.
    fn second_best(&mut self, scores: &ArcScores, single_root: bool) -> Option<Second> {
        let (allowed, forbidden) = self.constrained(scores);
        let mut second: Option<Second> = None;
        for word in (1..=self.best.len()).filter(|&word| !self.fixed[word - 1]) {
            let mut allowed = allowed.clone();
            allowed.set(self.best[word - 1] as usize, word, forbidden);
            let heads = spanning_tree(&allowed, single_root);
            let legal = allowed.sum(&heads) > forbidden / 2.0;
            let single = !single_root || heads.iter().filter(|&&head| head == 0).count() == 1;
            let score = scores.sum(&heads);
            if legal && single && second.as_ref().is_none_or(|known| score > known.score) {
                second = Some(Second { score, heads, word });
            }
        }
        second
    }

    /// The scores with what is not allowed made worse than any tree is, and how bad that is.
    fn constrained(&self, scores: &ArcScores) -> (ArcScores, f64) {
        let words = scores.words();
        let forbidden = -4.0 * scores.root_charge();
        let mut allowed = scores.clone();
        for word in 1..=words {
            let fixed = self.fixed[word - 1].then(|| self.best[word - 1] as usize);
            for head in (0..=words).filter(|&head| head != word) {
                let out = fixed.is_some_and(|fixed| fixed != head)
                    || self.banned[word - 1].contains(&(head as u32));
                if out {
                    allowed.set(head, word, forbidden);
                }
            }
        }
        (allowed, forbidden)
    }

    /// Those with the arc that the second tree lacks, and those without, whose best it is.
    fn split(mut self, scores: &ArcScores, single_root: bool, second: &Second) -> (Self, Self) {
        let at = second.word - 1;
        let (fixed, mut banned) = (self.fixed.clone(), self.banned.clone());
        banned[at].push(self.best[at]);
        let without = TreeSet::new(scores, single_root, second.heads.clone(), fixed, banned);
        self.fixed[at] = true;
        (TreeSet::new(scores, single_root, self.best, self.fixed, self.banned), without)
    }
}

#[cfg(test)]
mod tests {
    use super::super::matrix::enumeration::{all_trees, random_scores};
    use super::*;

    #[test]
    fn the_list_is_the_head_of_all_trees_in_order() {
        for words in 0..=6 {
            for seed in 0..if words == 6 { 1 } else { 6 } {
                let scores = random_scores(words, seed);
                for (single_root, k) in [(false, 15), (true, 15), (false, 130)] {
                    let mut all = all_trees(&scores, false, single_root);
                    all.truncate(k);
                    let found = spanning_kbest(&scores, single_root, k);
                    assert_eq!(found.len(), all.len());
                    for (found, expected) in found.iter().zip(&all) {
                        assert!((found.0 - expected.0).abs() < 1e-9);
                        assert_eq!(found.1, expected.1);
                    }
                }
            }
        }
    }
}
