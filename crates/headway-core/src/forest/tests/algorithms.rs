use std::collections::{BTreeMap, BTreeSet};

use super::oracle::{close, derivations, log_sum, say, score, target};
use super::*;

/// All scores, best first.
fn sorted_scores(weighted: &Weighted<'_>, all: &[Vec<EdgeId>]) -> Vec<f64> {
    let mut scores: Vec<f64> = all.iter().map(|edges| score(weighted, edges)).collect();
    scores.sort_by(|a, b| b.total_cmp(a));
    scores
}

proptest! {
    #[test]
    fn k_best_is_sorted_complete_and_without_repeats(forest in forests(3)) {
        let weighted = forest.weighted().unwrap();
        let all = derivations(&forest, forest.goal());
        let best = weighted.k_best(all.len() + 3).unwrap();
        let found: BTreeSet<_> = best.iter().map(|it| it.edges.clone()).collect();
        prop_assert_eq!(best.len(), all.len());
        prop_assert_eq!(found, all.iter().cloned().collect::<BTreeSet<_>>());
        for (derivation, expected) in best.iter().zip(sorted_scores(&weighted, &all)) {
            prop_assert!(close(derivation.score, expected));
            prop_assert!(close(score(&weighted, &derivation.edges), derivation.score));
        }
        prop_assert!(best.is_sorted_by(|a, b| a.score >= b.score));
        prop_assert_eq!(&weighted.k_best(2).unwrap()[..], &best[..best.len().min(2)]);
        prop_assert_eq!(weighted.viterbi().unwrap(), best.first().cloned());
        prop_assert_eq!(forest.is_barren(), all.is_empty());
        prop_assert!(close(forest.log_derivations(), (all.len() as f64).ln()));
    }

    #[test]
    fn distinct_k_best_has_the_best_derivation_of_each_target_side(forest in forests(3)) {
        let weighted = forest.weighted().unwrap();
        let mut sides: BTreeMap<Vec<u32>, f64> = BTreeMap::new();
        for derivation in derivations(&forest, forest.goal()) {
            let best = sides.entry(target(&forest, &derivation)).or_insert(f64::NEG_INFINITY);
            *best = best.max(score(&weighted, &derivation));
        }
        let best = weighted.distinct_k_best(sides.len() + 2, 10_000).unwrap();
        prop_assert_eq!(best.len(), sides.len());
        let found: BTreeSet<_> = best.iter().map(|it| target(&forest, &it.edges)).collect();
        prop_assert_eq!(found.len(), sides.len());
        for derivation in &best {
            prop_assert!(close(derivation.score, sides[&target(&forest, &derivation.edges)]));
        }
        prop_assert!(best.is_sorted_by(|a, b| a.score >= b.score));
        for k in 1..4 {
            prop_assert_eq!(&weighted.distinct_k_best(k, 10_000).unwrap()[..], &best[..k.min(best.len())]);
            // Little effort: perhaps fewer, never wrong ones.
            for derivation in weighted.distinct_k_best(k, 1).unwrap() {
                prop_assert!(derivations(&forest, forest.goal()).contains(&derivation.edges));
            }
        }
    }

    #[test]
    fn sums_and_expectations_are_those_of_all_derivations(forest in forests(3)) {
        let weighted = forest.weighted().unwrap();
        let inside = weighted.inside();
        for node in forest.nodes() {
            let all = derivations(&forest, node.id());
            let expected = log_sum(all.iter().map(|edges| score(&weighted, edges)));
            prop_assert!(close(inside[node.id().index()], expected));
        }
        let all = derivations(&forest, forest.goal());
        let total = log_sum(all.iter().map(|edges| score(&weighted, edges)));
        let (mut counts, mut expected) = (vec![0.0; forest.edge_count()], [0.0; 4]);
        for derivation in &all {
            let probability = (score(&weighted, derivation) - total).exp();
            derivation.iter().for_each(|edge| counts[edge.index()] += probability);
            for (place, value) in forest.feature_totals(derivation) {
                expected[place as usize] += probability * value;
            }
        }
        for (found, expected) in weighted.posteriors().into_iter().zip(counts) {
            prop_assert!(close(found, expected), "{found} {expected}");
        }
        for (found, expected) in weighted.expected_features().into_iter().zip(expected) {
            prop_assert!(close(found, expected), "{found} {expected}");
        }
    }

    #[test]
    fn outside_sums_over_what_stands_around_a_node(forest in forests(3)) {
        let weighted = forest.weighted().unwrap();
        let (inside, all) = (weighted.inside(), derivations(&forest, forest.goal()));
        let outside = weighted.outside(&inside);
        for node in forest.nodes() {
            // Each use of the node in a derivation: what stands before and after what is below.
            let mut around = BTreeSet::new();
            for derivation in &all {
                let uses = derivation.iter().enumerate();
                for (place, _) in uses.filter(|(_, edge)| forest.edge(**edge).head() == node.id()) {
                    let end = place + say(&forest, derivation, place).edges;
                    around.insert((&derivation[..place], &derivation[end..]));
                }
            }
            let sum = |(before, after)| score(&weighted, before) + score(&weighted, after);
            let expected = log_sum(around.into_iter().map(sum));
            if inside[node.id().index()] > f64::NEG_INFINITY {
                let found = outside[node.id().index()];
                prop_assert!(close(found, expected), "{found} {expected}");
            }
        }
    }

    #[test]
    fn pruning_keeps_exactly_the_edges_near_the_best(forest in forests(3), threshold in 0_u8..40) {
        let weighted = forest.weighted().unwrap();
        let all = derivations(&forest, forest.goal());
        let mut marginals = vec![f64::NEG_INFINITY; forest.edge_count()];
        for derivation in &all {
            let score = score(&weighted, derivation);
            for edge in derivation {
                marginals[edge.index()] = marginals[edge.index()].max(score);
            }
        }
        for (found, expected) in weighted.max_marginals().into_iter().zip(&marginals) {
            prop_assert!(close(found, *expected));
        }
        let best = marginals.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // A number that no difference of scores can come near to.
        let threshold = f64::from(threshold) / 4.0 + 1.0 / 77.0;
        let pruned = weighted.prune(threshold).unwrap();
        let kept = marginals.iter().filter(|&&it| it > f64::NEG_INFINITY && it >= best - threshold);
        prop_assert_eq!(pruned.edge_count(), kept.count());
        let expected = weighted.viterbi().unwrap().map(|it| (it.score, forest.text(&it.edges).unwrap()));
        let found = pruned.weighted().unwrap().viterbi().unwrap();
        prop_assert_eq!(found.map(|it| (it.score, pruned.text(&it.edges).unwrap())), expected);
    }

    #[test]
    fn pruning_to_a_number_takes_the_most_liberal_threshold(forest in forests(3), most in 0_usize..14) {
        let weighted = forest.weighted().unwrap();
        let pruned = weighted.prune_to(most).unwrap();
        let marginals = weighted.max_marginals();
        let at_least = |lowest: f64| marginals.iter().filter(|&&it| it >= lowest - 1e-9).count();
        let useful = marginals.iter().copied().filter(|&it| it > f64::NEG_INFINITY);
        let most_liberal = useful.map(at_least).filter(|&many| many <= most).max();
        match (most_liberal, weighted.viterbi().unwrap()) {
            (Some(many), _) => prop_assert_eq!(pruned.edge_count(), many),
            (None, Some(best)) => {
                let own: BTreeSet<_> = best.edges.into_iter().collect();
                prop_assert_eq!(pruned.edge_count(), own.len());
            }
            (None, None) => prop_assert_eq!(pruned.edge_count(), 0),
        }
        let score = |forest: &Forest| forest.weighted().unwrap().viterbi().unwrap().map(|it| it.score);
        prop_assert_eq!(score(&pruned), score(&forest));
    }

    #[test]
    fn trimming_changes_no_derivation(forest in forests(3)) {
        let trimmed = forest.trimmed().unwrap();
        let said = |forest: &Forest| {
            let best = forest.weighted().unwrap().k_best(2000).unwrap().into_iter();
            best.map(|it| (it.score, forest.text(&it.edges).unwrap())).collect::<Vec<_>>()
        };
        prop_assert_eq!(said(&trimmed), said(&forest));
        let all = derivations(&trimmed, trimmed.goal());
        let used: BTreeSet<EdgeId> = all.into_iter().flatten().collect();
        prop_assert_eq!(used.len(), trimmed.edge_count());
    }

    #[test]
    fn other_weights_are_the_same_as_new_weights(forest in forests(2), weights in prop::collection::vec(-2_i8..3, 4)) {
        let weights: Vec<f64> = weights.into_iter().map(f64::from).collect();
        let mut changed = forest.clone();
        changed.set_weights(weights.clone().into()).unwrap();
        let with = forest.weighted_with(&weights).unwrap();
        let changed = changed.weighted().unwrap();
        prop_assert_eq!(with.scores(), changed.scores());
        for derivation in with.k_best(20).unwrap() {
            let totals = forest.feature_totals(&derivation.edges);
            let sum: f64 = totals.iter().map(|&(place, sum)| sum * weights[place as usize]).sum();
            prop_assert!(close(sum, derivation.score));
        }
    }
}
