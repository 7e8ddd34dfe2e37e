//! Consensus against full enumeration of the derivations of small random forests.

mod oracle;
mod votes;

use std::collections::BTreeMap;

use proptest::prelude::*;

use self::oracle::{Told, count, grams, linear_gain, told};
use super::*;
use crate::forest::tests::{forests, oracle::close};

const ALL: usize = 100_000;

proptest! {
    #[test]
    fn expected_counts_are_those_of_all_derivations(
        forest in forests(3), order in 2_usize..5, scale in 0_u8..12,
    ) {
        let scale = f64::from(scale) / 4.0;
        let mut numbers = Numbers::default();
        let lean = Lean::of_forest(&forest, scale, ALL, &mut numbers).unwrap();
        let expected = Expected::of(&lean, order, 0.0);
        let all = told(&forest, scale, &numbers);
        agree(&expected, &all, order)?;
        let letters = Expected::of(&lean.spelt(&numbers), order + 2, 0.0);
        let spell = |one: &Told| Told { words: numbers.spelt(&one.words), ..one.clone() };
        agree(&letters, &all.iter().map(spell).collect::<Vec<_>>(), order + 2)?;
    }

    #[test]
    fn counts_of_a_union_are_the_mean_of_its_systems(one in forests(3), two in forests(2)) {
        let mut numbers = Numbers::default();
        let leans = [&one, &two].map(|it| Lean::of_forest(it, 1.0, ALL, &mut numbers).unwrap());
        let own = leans.each_ref().map(|lean| Expected::of(lean, 4, 0.0));
        let union = Expected::mean(&[&own[0], &own[1]]);
        let mut all = Vec::new();
        for forest in [&one, &two] {
            let halved = |it: Told| Told { chance: it.chance / 2.0, ..it };
            all.extend(told(forest, 1.0, &numbers).into_iter().map(halved));
        }
        agree(&union, &all, 4)?;
    }

    #[test]
    fn chances_of_n_grams_are_those_of_all_derivations(
        forest in forests(3), places in prop::collection::vec(0_usize..4, 1..4), most in 1_usize..4,
    ) {
        let mut numbers = Numbers::default();
        let lean = Lean::of_forest(&forest, 1.0, ALL, &mut numbers).unwrap();
        let gram = places.iter().map(|&it| numbers.word(["a", "b", "c", "ein"][it]));
        let gram: Vec<u32> = gram.collect();
        let all = told(&forest, 1.0, &numbers);
        for (times, found) in (1..).zip(chances(&lean, &gram, most)) {
            let often = all.iter().filter(|one| count(&one.words, &gram) >= times);
            let expected: f64 = often.map(|one| one.chance).sum();
            prop_assert!(close(found, expected), "{found} {expected}");
        }
    }

    #[test]
    fn the_safest_derivation_has_the_highest_linear_gain(
        forest in forests(2), values in prop::collection::vec(-4_i8..8, 6), other in forests(2),
    ) {
        let mut numbers = Numbers::default();
        let lean = Lean::of_forest(&forest, 1.0, ALL, &mut numbers).unwrap();
        // The gains may come from another system's forest.
        let others = Lean::of_forest(&other, 1.0, ALL, &mut numbers).unwrap();
        let expected = Expected::mean(&[&Expected::of(&lean, 3, 0.0), &Expected::of(&others, 3, 0.0)]);
        let value = |place: usize| f64::from(values[place]) / 4.0;
        let gains = LinearGains {
            expected: &expected,
            per_unit: value(0),
            per_match: vec![value(1), value(2), value(3)],
            per_score: value(4),
        };
        let all = told(&forest, 1.0, &numbers);
        let highest = all.iter().map(|one| linear_gain(one, &gains)).fold(f64::NEG_INFINITY, f64::max);
        match safest(&lean, &gains, ALL) {
            None => prop_assert!(all.is_empty()),
            Some((gain, edges)) => {
                prop_assert!(close(gain, highest), "{gain} {highest}");
                let own = all.iter().find(|one| one.edges == edges).expect("a derivation");
                prop_assert!(close(linear_gain(own, &gains), highest));
                // With fewer states it may be another one, never worse than it says.
                let (gain, edges) = safest(&lean, &gains, 1).expect("one is left");
                let own = all.iter().find(|one| one.edges == edges).expect("a derivation");
                prop_assert!(close(linear_gain(own, &gains), gain) && gain <= highest + 1e-6);
            }
        }
    }

    #[test]
    fn a_lean_forest_keeps_its_best_derivation(forest in forests(3), edges in 1_usize..6) {
        let mut numbers = Numbers::default();
        let lean = Lean::of_forest(&forest, 1.0, edges, &mut numbers).unwrap();
        let whole = Lean::of_forest(&forest, 1.0, ALL, &mut numbers).unwrap();
        prop_assert!(lean.edge_count() <= whole.edge_count());
        let best = forest.weighted().unwrap().viterbi().unwrap();
        prop_assert_eq!(lean.is_empty(), best.is_none());
        if let Some(best) = best {
            // It is what counts where nothing but scores does.
            let nothing = Expected::default();
            let gains = LinearGains {
                expected: &nothing, per_unit: 0.0, per_match: vec![0.0; 2], per_score: 1.0,
            };
            let (gain, _) = safest(&lean, &gains, 1).expect("a derivation");
            prop_assert!(close(gain, best.score), "{gain} {}", best.score);
        }
    }
}

fn agree(expected: &Expected, all: &[Told], order: usize) -> Result<(), TestCaseError> {
    let mut counts: BTreeMap<Vec<u32>, f64> = BTreeMap::new();
    let mut totals = vec![0.0; order];
    for one in all {
        for gram in grams(&one.words, order) {
            totals[gram.len() - 1] += one.chance;
            *counts.entry(gram.to_vec()).or_insert(0.0) += one.chance;
        }
    }
    for (gram, &count) in &counts {
        prop_assert!(
            close(expected.count(gram), count),
            "{:?} {} {count}",
            gram,
            expected.count(gram)
        );
    }
    prop_assert!(expected.len() == counts.len(), "{} {}", expected.len(), counts.len());
    for (length, &total) in (1..).zip(&totals) {
        prop_assert!(close(expected.total(length), total));
    }
    Ok(())
}

#[test]
fn scales_that_mean_nothing_are_refused() {
    for scale in [f64::NAN, f64::INFINITY, -1.0, 1e7] {
        let message = Lean::of_list(&[(vec![1], 0.0)], scale).unwrap_err().to_string();
        assert!(message.contains("expected 0 to 1e6"), "{message}");
    }
    assert!(Gain::named("blue").unwrap_err().to_string().contains("expected bleu or chrf"));
}
