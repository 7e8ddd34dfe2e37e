//! The k best spanning trees in O(k·n²) (Camerini, Fratta & Maffioli 1980).
//!
//! All trees are kept as disjoint sets: those that hold some arcs and lack others. Of each set
//! its best and second best tree are known; taking the best second one splits its set in two,
//! by an arc of the best that the second lacks.

use crate::{Monitor, Result};

use super::matrix::ArcScores;
use super::mst::Contraction;

/// The k best trees, best first, with their scores.
pub fn spanning_kbest(
    scores: &ArcScores,
    single_root: bool,
    k: usize,
    monitor: &Monitor,
) -> Result<Vec<(f64, Vec<u32>)>> {
    let (searched, charge) = scores.searchable(single_root);
    let network = Network { scores: &searched, single_root, charge };
    let whole = network.whole()?;
    let mut found = vec![(scores.sum(&whole.best), whole.best.clone())];
    let mut sets = vec![whole];
    while found.len() < k {
        monitor.check()?;
        let Some((at, second)) = best_second(&sets) else { break };
        found.push((scores.sum(&second), second.clone()));
        let set = sets.swap_remove(at);
        sets.extend(network.split(set, second)?);
    }
    // Sums in another order than that of the search may differ in their last digits.
    found.sort_by(|one, other| other.0.total_cmp(&one.0));
    Ok(found)
}

/// The best of all second trees, and the set it is of.
fn best_second(sets: &[TreeSet]) -> Option<(usize, Vec<u32>)> {
    let mut best: Option<(usize, f64, &Vec<u32>)> = None;
    for (at, set) in sets.iter().enumerate() {
        if let Some((score, heads)) = &set.second {
            let better = best.is_none_or(|(_, known, other)| (*score, other) > (known, heads));
            if better {
                best = Some((at, *score, heads));
            }
        }
    }
    best.map(|(at, _, heads)| (at, heads.clone()))
}

/// The trees in which the words of `kept` have the heads of `best`, and that have none of the
/// arcs `banned`, each a head and a word.
struct TreeSet {
    kept: Vec<u32>,
    banned: Vec<(u32, u32)>,
    best: Vec<u32>,
    /// The best of the others, with its score.
    second: Option<(f64, Vec<u32>)>,
}

/// What trees are searched in.
struct Network<'a> {
    scores: &'a ArcScores,
    single_root: bool,
    charge: f64,
}

impl Network<'_> {
    /// The set of all trees.
    fn whole(&self) -> Result<TreeSet> {
        let mut contraction = Contraction::new(self.scores, self.charge);
        contraction.run();
        let best = contraction.expand().heads;
        self.set(Vec::new(), Vec::new(), best)
    }

    fn set(&self, kept: Vec<u32>, banned: Vec<(u32, u32)>, best: Vec<u32>) -> Result<TreeSet> {
        let mut set = TreeSet { kept, banned, best, second: None };
        let second = self.second_best(&set)?.filter(|heads| !self.single_root || one_root(heads));
        set.second = second.map(|heads| (self.scores.sum(&heads), heads));
        Ok(set)
    }

    fn second_best(&self, set: &TreeSet) -> Result<Option<Vec<u32>>> {
        let mut contraction = Contraction::new(self.scores, self.charge);
        set.kept.iter().for_each(|&word| contraction.require(set.best[word as usize - 1], word));
        set.banned.iter().for_each(|&(head, word)| contraction.exclude(head, word));
        contraction.run();
        let found = contraction.expand();
        // Of trees that are equally good, the search may meet another than the known one.
        if found.heads != set.best {
            return Ok(Some(found.heads));
        }
        contraction.second_best(&found)
    }

    /// The trees with an arc of the best that the second lacks, and those without it, whose best
    /// the second is.
    fn split(&self, set: TreeSet, second: Vec<u32>) -> Result<Vec<TreeSet>> {
        let differs = set.best.iter().zip(&second).position(|(one, other)| one != other);
        let Some(at) = differs else { return Ok(Vec::new()) };
        let (TreeSet { kept, banned, best, .. }, word) = (set, at as u32 + 1);
        let more_kept: Vec<u32> = kept.iter().copied().chain([word]).collect();
        let more_banned = banned.iter().copied().chain([(best[at], word)]).collect();
        let without = self.set(kept, more_banned, second)?;
        Ok(vec![self.set(more_kept, banned, best)?, without])
    }
}

fn one_root(heads: &[u32]) -> bool {
    heads.iter().filter(|&&head| head == 0).count() == 1
}

#[cfg(test)]
mod tests {
    use super::super::matrix::enumeration::{all_trees, is_tree, random_scores};
    use super::super::mst::spanning_tree;
    use super::*;
    use proptest::prelude::*;

    fn kbest(scores: &ArcScores, single_root: bool, k: usize) -> Vec<(f64, Vec<u32>)> {
        spanning_kbest(scores, single_root, k, &Monitor::default()).unwrap()
    }

    /// A tree with the words whose heads are settled, and the heads that are ruled out.
    type Known = (f64, Vec<u32>, Vec<bool>, Vec<(u32, u32)>);

    /// The same list by a whole search for each arc that a tree could lack (Lawler 1972): every
    /// tree stands for a set of trees, parted by the first word at which they differ from it.
    fn by_many_searches(scores: &ArcScores, single_root: bool, k: usize) -> Vec<f64> {
        let words = scores.words();
        let best = spanning_tree(scores, single_root);
        let mut open: Vec<Known> = vec![(scores.sum(&best), best, vec![false; words], Vec::new())];
        let mut found = Vec::new();
        while found.len() < k && !open.is_empty() {
            open.sort_by(|one, other| one.0.total_cmp(&other.0));
            let (score, heads, mut settled, banned) = open.pop().unwrap();
            found.push(score);
            for word in (0..words).filter(|&word| !settled[word]).collect::<Vec<_>>() {
                let mut banned = banned.clone();
                banned.push((heads[word], word as u32 + 1));
                let mut allowed = scores.clone();
                for at in (0..words).filter(|&at| settled[at]) {
                    (0..=words as u32)
                        .filter(|&head| head != heads[at])
                        .for_each(|head| allowed.set(head as usize, at + 1, f64::NEG_INFINITY));
                }
                for &(head, word) in &banned {
                    allowed.set(head as usize, word as usize, f64::NEG_INFINITY);
                }
                let other = spanning_tree(&allowed, single_root);
                if allowed.sum(&other) > f64::NEG_INFINITY {
                    open.push((scores.sum(&other), other, settled.clone(), banned));
                }
                settled[word] = true;
            }
        }
        found
    }

    fn check(found: &[(f64, Vec<u32>)], expected: &[f64], single_root: bool) {
        assert_eq!(found.len(), expected.len());
        for ((score, heads), expected) in found.iter().zip(expected) {
            assert!((score - expected).abs() < 1e-9, "{found:?} {expected:?}");
            assert!(is_tree(heads, single_root));
        }
        let mut trees: Vec<&Vec<u32>> = found.iter().map(|(_, heads)| heads).collect();
        trees.sort();
        assert!(trees.windows(2).all(|pair| pair[0] != pair[1]), "a tree comes twice: {found:?}");
    }

    fn scores_of(words: usize, numbers: &[f64]) -> ArcScores {
        let mut scores = ArcScores::new(words);
        let arcs = (1..=words).flat_map(|word| (0..=words).map(move |head| (head, word)));
        for ((head, word), &number) in arcs.zip(numbers) {
            if head != word {
                scores.set(head, word, number);
            }
        }
        scores
    }

    #[test]
    fn the_list_is_the_head_of_all_trees_in_order() {
        for words in 0..=6 {
            for seed in 0..if words == 6 { 1 } else { 6 } {
                let scores = random_scores(words, seed);
                for (single_root, k) in [(false, 15), (true, 15), (false, 130)] {
                    let mut all = all_trees(&scores, false, single_root);
                    all.truncate(k);
                    let found = kbest(&scores, single_root, k);
                    assert_eq!(found.len(), all.len());
                    for (found, expected) in found.iter().zip(&all) {
                        assert!((found.0 - expected.0).abs() < 1e-9);
                        assert_eq!(found.1, expected.1);
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn trees_are_as_good_as_the_best_of_all_where_many_are_equal(
            words in 1..5_usize,
            numbers in prop::collection::vec((-2..3_i8).prop_map(f64::from), 20),
            k in 1..300_usize,
            single_root: bool,
        ) {
            let scores = scores_of(words, &numbers);
            let all: Vec<f64> =
                all_trees(&scores, false, single_root).iter().take(k).map(|one| one.0).collect();
            check(&kbest(&scores, single_root, k), &all, single_root);
        }

        #[test]
        fn many_searches_find_the_same(
            words in 2..10_usize,
            numbers in prop_oneof![
                prop::collection::vec((-3..4_i8).prop_map(f64::from), 90),
                prop::collection::vec(-5.0..5.0_f64, 90),
            ],
            k in 1..51_usize,
            single_root: bool,
        ) {
            let scores = scores_of(words, &numbers);
            let expected = by_many_searches(&scores, single_root, k);
            check(&kbest(&scores, single_root, k), &expected, single_root);
        }
    }

    #[test]
    fn seven_words_have_the_best_of_all_trees() {
        let scores = random_scores(7, 3);
        for single_root in [false, true] {
            let all = all_trees(&scores, false, single_root);
            let expected: Vec<f64> = all.iter().take(50).map(|one| one.0).collect();
            check(&kbest(&scores, single_root, 50), &expected, single_root);
        }
    }

    #[test]
    fn a_stop_is_obeyed() {
        let monitor = Monitor::default();
        monitor.stop();
        assert!(spanning_kbest(&random_scores(5, 1), true, 9, &monitor).is_err());
    }
}
