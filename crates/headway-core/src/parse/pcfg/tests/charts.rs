use rustc_hash::FxHashMap;

use super::super::binary::BinaryTree;
use super::super::coarse::{CoarseChart, CoarseRules};
use super::super::decode::{Objective, best_derivation, best_rules};
use super::super::fine::{Best, FineChart, Total};
use super::super::grammar::Grammar;
use super::super::grammar::tests::random_grammar;
use super::super::kept::Kept;
use super::super::level::{Level, View};
use super::super::search::{Search, WordScores};
use super::super::train::SearchSettings;
use super::oracle::{Anchored, Oracle, anchored, root};
use super::{bank, close, strings, training};
use crate::Monitor;
use crate::random::Random;

/// A grammar as a level of its own.
fn whole(grammar: &Grammar) -> Level {
    let symbols: Vec<u16> = (0..grammar.symbols() as u16).collect();
    let variants: Vec<Vec<u16>> =
        grammar.sizes.iter().map(|&size| (0..size as u16).collect()).collect();
    let view = View { sizes: grammar.sizes.clone(), symbol: &symbols, variant: &variants };
    Level::project(grammar, &vec![1.0; grammar.all_states()], &view)
}

/// Every variant of every symbol in every cell.
fn everything(grammar: &Grammar, words: usize) -> Kept {
    let mut kept = Kept::new(words);
    for cell in kept.cells.upwards() {
        for symbol in 0..grammar.symbols() as u16 {
            kept.add(cell, symbol, std::iter::repeat_n(true, grammar.size(symbol)));
        }
    }
    kept
}

fn random_words(random: &mut Random, grammar: &Grammar, tags: u16, words: usize) -> WordScores {
    (0..words)
        .map(|_| {
            let scores = |tag: u16| (0..grammar.size(tag)).map(|_| random.next_f64()).collect();
            (0..tags).map(scores).collect::<Vec<Vec<f64>>>()
        })
        .map(|scores| (0..tags).zip(scores).collect())
        .collect()
}

/// Small grammars with the scores of a few words.
fn cases() -> impl Iterator<Item = (Grammar, WordScores)> {
    (0..40).map(|seed| {
        let mut random = Random::new(seed, 7);
        let words = 1 + seed as usize % 3;
        let tags = if words < 3 { 2 } else { 1 };
        let grammar = random_grammar(&mut random, tags, 2, 2);
        let words = random_words(&mut random, &grammar, tags, words);
        (grammar, words)
    })
}

#[test]
fn charts_sum_and_choose_as_enumeration_does() {
    for (grammar, words) in cases() {
        let (level, oracle) = (whole(&grammar), Oracle::new(&grammar, &words));
        assert_eq!(level.grammar, grammar);
        let all: Vec<f64> = oracle
            .trees()
            .iter()
            .flat_map(|tree| oracle.derivations(tree))
            .map(|(_, probability)| probability)
            .collect();
        let kept = || everything(&grammar, words.len());
        let sum = FineChart::new::<Total>(&level, kept(), &words);
        assert!(close(sum.total, all.iter().sum()), "{} {:?}", sum.total, all.len());
        let best = FineChart::new::<Best>(&level, kept(), &words);
        let most = all.iter().copied().fold(0.0, f64::max);
        let (score, tree) = best_derivation(&best).unwrap();
        assert!(close(score, most.ln()));
        let told = oracle.derivations(&tree);
        assert!(close(told.iter().map(|(_, one)| *one).fold(0.0, f64::max), most));
    }
}

/// The probability of each rule in its place, and of each tree's root.
fn shares(oracle: &Oracle<'_>) -> (FxHashMap<Anchored, f64>, FxHashMap<u16, f64>, f64) {
    let (mut rules, mut roots, mut total) = (FxHashMap::default(), FxHashMap::default(), 0.0);
    for tree in oracle.trees() {
        let probability: f64 = oracle.derivations(&tree).iter().map(|(_, one)| one).sum();
        total += probability;
        *roots.entry(root(&tree)).or_insert(0.0) += probability;
        for rule in anchored(&tree) {
            *rules.entry(rule).or_insert(0.0) += probability;
        }
    }
    (rules, roots, total)
}

#[test]
fn the_most_probable_rules_are_those_of_enumeration() {
    for (grammar, words) in cases() {
        let (level, oracle) = (whole(&grammar), Oracle::new(&grammar, &words));
        let (rules, roots, total) = shares(&oracle);
        let score = |tree: &BinaryTree| -> f64 {
            let rules = anchored(tree).iter().map(|rule| (rules[rule] / total).ln()).sum::<f64>();
            rules + (roots[&root(tree)] / total).ln()
        };
        let best = oracle.trees().iter().map(score).fold(f64::NEG_INFINITY, f64::max);
        let mut chart = FineChart::new::<Total>(&level, everything(&grammar, words.len()), &words);
        chart.fill_outside();
        let (found, tree) = best_rules(&chart, Objective::MaxRule).unwrap();
        assert!(close(found, best) && close(score(&tree), best), "{found} {best}");
        let (_, tree) = best_rules(&chart, Objective::Variational).unwrap();
        assert!(score(&tree) <= best + 1e-9);
    }
}

#[test]
fn inside_times_outside_is_the_share_of_trees_with_a_variant() {
    for (grammar, words) in cases() {
        let (level, oracle) = (whole(&grammar), Oracle::new(&grammar, &words));
        let mut expected: FxHashMap<(usize, usize, u16, usize), f64> = FxHashMap::default();
        for tree in oracle.trees() {
            let places = anchored(&tree);
            for (choice, probability) in oracle.derivations(&tree) {
                // What unary steps are above stands below them.
                for (((symbol, below, places), node), &x) in
                    places.iter().zip(&tree.nodes).zip(&choice)
                {
                    if below.len() != 1 {
                        let (first, last) = (places[0], places[places.len() - 1]);
                        let end = if below.is_empty() { first + 1 } else { last };
                        *expected.entry((first, end, node.symbol, x)).or_insert(0.0) += probability;
                        assert_eq!(*symbol, node.symbol);
                    }
                }
            }
        }
        let mut chart = FineChart::new::<Total>(&level, everything(&grammar, words.len()), &words);
        chart.fill_outside();
        for (start, end) in chart.cells().upwards() {
            for entry in chart.kept.entries(start, end) {
                for x in 0..grammar.size(entry.symbol) {
                    let at = entry.at as usize + x;
                    let found = chart.lower[at] * chart.out_lower[at];
                    let expected = expected.get(&(start, end, entry.symbol, x)).copied();
                    assert!(close(found, expected.unwrap_or(0.0)), "{start} {end} {found}");
                }
            }
        }
    }
}

#[test]
fn the_coarsest_chart_is_the_same_faster() {
    for seed in 0..30 {
        let mut random = Random::new(seed, 8);
        let grammar = random_grammar(&mut random, 2, 3, 1);
        let words = 1 + seed as usize % 7;
        let words = random_words(&mut random, &grammar, 2, words);
        let level = whole(&grammar);
        let rules = CoarseRules::new(&level);
        let coarse = CoarseChart::new(&level, &rules, &words);
        let mut fine = FineChart::new::<Total>(&level, everything(&grammar, words.len()), &words);
        assert!(close(coarse.total, fine.total));
        fine.fill_outside();
        let mut same = whole(&grammar);
        same.set_coarser(&level, (0..grammar.symbols() as u16).collect());
        for threshold in [0.0, 1e-3, 0.1] {
            let (one, other) = (coarse.prune(threshold), fine.prune(&same, threshold));
            for (start, end) in one.cells.upwards() {
                let symbols = |kept: &Kept| -> Vec<u16> {
                    kept.entries(start, end).iter().map(|entry| entry.symbol).collect()
                };
                assert_eq!(symbols(&one), symbols(&other), "{seed} {threshold}");
            }
        }
    }
}

#[test]
fn with_threshold_0_pruning_changes_nothing() {
    for (cycles, parent, sibling) in
        [(0, false, false), (2, false, false), (2, true, false), (1, true, true)]
    {
        let mut how = training(cycles);
        (how.memory.parent, how.memory.sibling) = (parent, sibling);
        let grown = how.grow(&bank(), &Monitor::default()).unwrap();
        let search = Search::new(&grown.learnt, &grown.symbols);
        let model = &grown.learnt.model;
        let level = whole(&model.grammar);
        for text in ["the dog sees it .", "it sleeps with the small man", "unheard cats , dogs ."] {
            let forms = strings(text);
            let scores = forms.iter().enumerate();
            let words: WordScores = scores
                .map(|(at, form)| model.lexicon.scores(form, at == 0, &model.grammar))
                .collect();
            let kept = || everything(&model.grammar, words.len());
            let mut chart = FineChart::new::<Total>(&level, kept(), &words);
            chart.fill_outside();
            let best = FineChart::new::<Best>(&level, kept(), &words);
            for (objective, expected) in [
                (Objective::MaxRule, best_rules(&chart, Objective::MaxRule)),
                (Objective::Variational, best_rules(&chart, Objective::Variational)),
                (Objective::Viterbi, best_derivation(&best)),
            ] {
                let how = SearchSettings { objective, ..how.search };
                let (found, expected) = (search.best(&words, &how), expected);
                match (&found, &expected) {
                    (Some((one, _)), Some((other, _))) => assert!(close(*one, *other), "{text}"),
                    _ => assert!(found.is_none() && expected.is_none(), "{text}"),
                }
            }
        }
    }
}

#[test]
fn projected_rules_sum_to_one() {
    let grown = training(2).grow(&bank(), &Monitor::default()).unwrap();
    let (bare, symbols) = grown.symbols.bare();
    let learnt = &grown.learnt;
    let view = View { sizes: vec![1; bare], symbol: &symbols, variant: &learnt.origins[0] };
    let level = Level::project(&learnt.model.grammar, &learnt.states, &view);
    let totals = level.grammar.row_totals(&level.grammar.tables);
    for total in totals {
        assert!(total == 0.0 || close(total, 1.0), "{total}");
    }
    assert!(close(level.grammar.tables.root.iter().sum(), 1.0));
}
