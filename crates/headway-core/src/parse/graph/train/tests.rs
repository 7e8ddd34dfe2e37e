use super::super::between::Between;
use super::super::features::Templates;
use super::super::{ItemId, LastTags, Scorer, Words};
use super::*;
use crate::parse::treebank::Example;
use crate::tree::DependencyTree;

fn treebank() -> Treebank {
    let sentences = [
        ("the dog barks", "D N V", [2, 3, 0].as_slice()),
        ("dogs bark", "N V", &[2, 0]),
        ("the cat sees the dog", "D N V D N", &[2, 3, 0, 5, 3]),
        ("see the cat", "V D N", &[0, 3, 1]),
    ];
    let strings = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
    let example = |&(forms, tags, heads): &(&str, &str, &[u32])| {
        let labels = vec!["_".to_string(); heads.len()];
        let tree = DependencyTree::new(strings(forms), heads.to_vec(), strings(tags), labels);
        Example { tree: tree.unwrap(), weight: 1.0 }
    };
    Treebank { examples: sentences.iter().map(example).collect(), ..Treebank::default() }
}

fn training(search: Search, k: usize) -> GraphTraining {
    GraphTraining {
        search,
        update: Update::Trees,
        features: FeatureSet { templates: Templates::Rich, between: Between::Window },
        lowercase: false,
        single_root: true,
        rounds: 10,
        k,
        step: 1.0,
        batch: 2,
        bits: 16,
        blanking: 0.0,
        seed: 1,
    }
}

#[test]
fn a_small_treebank_is_learnt_by_heart() {
    let treebank = treebank();
    let tags: Vec<Vec<String>> =
        treebank.examples.iter().map(|example| example.tree.tags().to_vec()).collect();
    for (search, k) in [
        (Search::Eisner, 1),
        (Search::Mst, 1),
        (Search::Local, 1),
        (Search::Eisner, 3),
        (Search::Mst, 3),
    ] {
        for (_, update) in Update::ALL {
            let how = GraphTraining { update, ..training(search, k) };
            let learnt = how.train(&treebank, &tags, &Monitor::default());
            if k > 1 && update == Update::Heads {
                let message = learnt.unwrap_err().to_string();
                assert!(message.starts_with("parse.k: 3 trees are for parse.update=trees"));
                continue;
            }
            let model = learnt.unwrap();
            for example in &treebank.examples {
                let input = model.numbering().input(example.tree.forms(), example.tree.tags());
                let found = search.best(&model.scores(&input), true);
                assert_eq!(found, &example.tree.heads()[..], "{search:?} {k} {update:?}");
            }
        }
    }
}

/// What a decoder does: words pushed one by one, and both arcs between each and those before.
fn check_hypothesis(
    model: &GraphModel,
    scorer: &mut Scorer,
    items: &[ItemId],
    expected: &ArcScores,
) {
    let mut last = scorer.place(model, Scorer::ROOT, LastTags::start());
    let mut words = Words::start(last);
    for &item in &items[1..] {
        last = scorer.place(model, item, last.tags.then(scorer.token(item).tag));
        words.push(scorer, last);
    }
    let mut arcs = Vec::new();
    for new in 1..items.len() {
        scorer.arcs_before(model, &words, new, &mut arcs);
        for (old, [onward, back]) in arcs.iter().enumerate() {
            assert!((f64::from(*onward) - expected.get(old, new)).abs() < 1e-4);
            assert!(old == 0 || (f64::from(*back) - expected.get(new, old)).abs() < 1e-4);
        }
    }
}

/// The score of a tree, arc by arc, and its wrong arcs.
fn score_and_loss(scores: &ArcScores, heads: &[u32], gold: &[u32]) -> (f64, f64) {
    let wrong = heads.iter().zip(gold).filter(|(head, right)| head != right).count();
    (scores.sum(heads), wrong as f64)
}

#[test]
fn a_step_gives_the_tree_its_margin_over_what_was_found() {
    let (treebank, monitor) = (treebank(), Monitor::default());
    let trees: Vec<&DependencyTree> = treebank.examples.iter().map(|one| &one.tree).collect();
    let words = trees.iter().flat_map(|tree| tree.forms());
    let tags = trees.iter().flat_map(|tree| tree.tags());
    let numbering = Numbering::new(words, tags, false);
    for (search, k) in [(Search::Eisner, 1), (Search::Mst, 1), (Search::Mst, 4)] {
        let how = GraphTraining { step: 1e6, batch: 1, ..training(search, k) };
        let mut weights = Weights::new(how.bits);
        let mut missed = 0;
        for tree in trees.iter().cycle().take(12) {
            let (input, gold) = (numbering.input(tree.forms(), tree.tags()), tree.heads());
            let before = arc_scores(&weights, how.features, &input);
            let mut easier = before.clone();
            for (word, head) in (1..=gold.len())
                .flat_map(|word| (0..=gold.len()).map(move |head| (word, head)))
                .filter(|&(word, head)| gold[word - 1] as usize != head)
            {
                easier.set(head, word, before.get(head, word) + 1.0);
            }
            let rivals = search.kbest(&easier, true, k, &monitor).unwrap();
            for (place, change) in how.changes(&weights, &input, gold, &monitor).unwrap() {
                weights.add(place, change);
            }
            let after = arc_scores(&weights, how.features, &input);
            for (_, rival) in &rivals {
                let (old, loss) = score_and_loss(&before, rival, gold);
                missed += usize::from(before.sum(gold) < old + loss - 1e-3);
                let (score, loss) = score_and_loss(&after, rival, gold);
                let margin = after.sum(gold) - score;
                assert!(margin >= loss - 1e-3, "{search:?} {k}: {margin} {loss}");
            }
        }
        assert!(missed > 3, "margins that hold before a step prove nothing");
    }
}

#[test]
fn an_explained_arc_and_a_scorer_agree_with_the_matrix() {
    let treebank = treebank();
    let tags: Vec<Vec<String>> =
        treebank.examples.iter().map(|example| example.tree.tags().to_vec()).collect();
    for (templates, between) in Templates::ALL.into_iter().flat_map(|(_, templates)| {
        Between::ALL.into_iter().map(move |(_, between)| (templates, between))
    }) {
        let features = FeatureSet { templates, between };
        let how = GraphTraining { features, ..training(Search::Mst, 1) };
        let model = how.train(&treebank, &tags, &Monitor::default()).unwrap();
        let tree = &treebank.examples[2].tree;
        let input = model.numbering().input(tree.forms(), tree.tags());
        let scores = model.scores(&input);
        let mut scorer = Scorer::default();
        scorer.begin(&model);
        let (mut words, mut items) = (Input::start(), vec![Scorer::ROOT]);
        for (form, tag) in tree.forms().iter().zip(tree.tags()) {
            let item = scorer.item(&model, form, tag);
            words.push(scorer.token(item));
            items.push(item);
        }
        assert_eq!(words, input);
        check_hypothesis(&model, &mut scorer, &items, &scores);
        for modifier in 1..=5 {
            for head in (0..=5).filter(|&head| head != modifier) {
                let expected = scores.get(head, modifier);
                let named = model.explain(tree.forms(), tree.tags(), head, modifier).unwrap();
                let sum: f64 = named.iter().map(|feature| feature.weight).sum();
                assert!((sum - expected).abs() < 1e-4);
                let arc = [head, modifier].map(|place| (place, items[place]));
                let found = scorer.score(&model, &words, arc[0], arc[1]);
                assert!((found - expected).abs() < 1e-4);
            }
        }
    }
}
