use super::super::binarise::{Binariser, Memory};
use super::super::binary::{BinaryTree, Step};
use super::super::chains::Chains;
use super::super::expect::{Model, expected_states};
use super::super::sample::{Rewrite, Sample};
use super::super::search::WordScores;
use super::super::symbols::Symbols;
use super::super::train;
use super::oracle::Oracle;
use super::{bank, close, training};
use crate::Monitor;
use crate::random::Random;

/// The treebank of the tests with a model of unsplit symbols, words scored by their counts alone.
fn start() -> (Vec<(BinaryTree, f64)>, Sample, Model) {
    let (mut symbols, mut chains) = (Symbols::default(), Chains::default());
    let memory = Memory { parent: false, sibling: false };
    let bank = bank();
    let mut binariser = Binariser { memory, symbols: &mut symbols, chains: &mut chains };
    let trees: Vec<(BinaryTree, f64)> = bank
        .trees
        .iter()
        .map(|(tree, weight)| (binariser.binarise(tree).unwrap(), *weight))
        .collect();
    let forms: Vec<Vec<String>> = bank.trees.iter().map(|(tree, _)| tree.words()).collect();
    let mut words = training(0).words;
    (words.class_weight, words.smoothing) = (0.0, 0.0);
    let (mut model, sample) = train::start(&trees, &forms, symbols.len(), words);
    model.step(&sample, &Monitor::default()).unwrap();
    (trees, sample, model)
}

#[test]
fn em_never_lowers_the_likelihood() {
    let (_, sample, mut model) = start();
    let monitor = Monitor::default();
    for cycle in 1..=3 {
        model.split(0.05, &mut Random::new(1, cycle));
        let mut before = f64::NEG_INFINITY;
        for _ in 0..15 {
            let likelihood = model.step(&sample, &monitor).unwrap();
            assert!(likelihood >= before - 1e-9, "{cycle}: {before} {likelihood}");
            before = likelihood;
        }
        model.merge_least(0.5, &sample, &monitor).unwrap();
    }
}

#[test]
fn inside_and_outside_of_trees_are_those_of_enumeration() {
    let (trees, sample, mut model) = start();
    model.split(0.5, &mut Random::new(2, 1));
    model.step(&sample, &Monitor::default()).unwrap();
    let charts = model.charts(&sample, &Monitor::default()).unwrap();
    let of_rows = model.lexicon.row_totals();
    for (((tree, _), known), chart) in trees.iter().zip(&sample.trees).zip(&charts) {
        if tree.nodes.len() > 14 {
            continue;
        }
        let mut words: WordScores = Vec::new();
        for (node, known) in tree.nodes.iter().zip(&known.nodes) {
            if let (Step::Word(word), Rewrite::Word { item }) = (node.step, known.rewrite) {
                let item = &sample.items[item as usize];
                let scores = model.lexicon.item_scores(item, &model.grammar, &of_rows);
                words.resize(words.len().max(word as usize + 1), Vec::new());
                words[word as usize] = vec![(node.symbol, scores)];
            }
        }
        let derivations = Oracle::new(&model.grammar, &words).derivations(tree);
        let total: f64 = derivations.iter().map(|(_, one)| one).sum();
        assert!(close(chart.log, total.ln()), "{} {}", chart.log, total.ln());
        for node in 0..tree.nodes.len() {
            for (x, share) in chart.shares(node).enumerate() {
                let chosen = derivations.iter().filter(|(choice, _)| choice[node] == x);
                assert!(close(share, chosen.map(|(_, one)| one / total).sum()));
            }
        }
    }
}

fn same(one: &Model, other: &Model) {
    assert_eq!(one.grammar.sizes, other.grammar.sizes);
    let pairs = [
        (&one.grammar.tables.binary, &other.grammar.tables.binary),
        (&one.grammar.tables.unary, &other.grammar.tables.unary),
        (&one.grammar.tables.root, &other.grammar.tables.root),
    ];
    for (one, other) in pairs {
        assert!(one.iter().zip(other).all(|(one, other)| close(*one, *other)));
    }
}

#[test]
fn all_merged_again_is_the_unsplit_grammar() {
    let (_, sample, unsplit) = start();
    let monitor = Monitor::default();
    let mut model = unsplit.clone();
    model.split(0.0, &mut Random::new(1, 1));
    model.merge_least(1.0, &sample, &monitor).unwrap();
    same(&model, &unsplit);
    // After EM too, once it has seen the treebank with what was merged.
    model.split(0.05, &mut Random::new(1, 1));
    for _ in 0..5 {
        model.step(&sample, &monitor).unwrap();
    }
    model.merge_least(1.0, &sample, &monitor).unwrap();
    model.step(&sample, &monitor).unwrap();
    same(&model, &unsplit);
}

#[test]
fn variants_occur_as_often_as_their_symbols() {
    let (_, sample, mut model) = start();
    let monitor = Monitor::default();
    let count = |model: &Model| {
        let charts = model.charts(&sample, &monitor).unwrap();
        expected_states(&sample, &charts, &model.grammar)
    };
    let unsplit = count(&model);
    model.split(0.3, &mut Random::new(3, 1));
    model.step(&sample, &monitor).unwrap();
    for (pair, whole) in count(&model).chunks(2).zip(&unsplit) {
        assert!(close(pair.iter().sum(), *whole));
    }
}

#[test]
fn learning_can_be_stopped() {
    let monitor = Monitor::default();
    monitor.stop();
    assert!(matches!(training(1).grow(&bank(), &monitor), Err(crate::Error::Interrupted)));
}
