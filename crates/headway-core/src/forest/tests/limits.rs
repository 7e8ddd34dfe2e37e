use super::*;

/// Nodes one above the other, each made of `times` times the one below and a word.
fn tower(height: u32, times: usize) -> Forest {
    tower_of(height, times, [1.0, 1.5])
}

/// The same with these values of the feature, of two edges for each node.
fn tower_of(height: u32, times: usize, values: [f32; 2]) -> Forest {
    let features = Features::dense_only(["words"]).unwrap();
    let mut builder = ForestBuilder::new(features, &["x"]).unwrap();
    builder.weights([-1.0].into()).unwrap();
    let word = Symbol::Word(builder.word("a").unwrap());
    let mut below = Vec::new();
    for _ in 0..height {
        let head = builder.span_node(0, 1, None).unwrap();
        let slots = (0..below.len() as u32).map(Symbol::Slot);
        let symbols: Vec<Symbol> = slots.chain([word]).collect();
        for dense in values.map(|value| [value]) {
            let parts = EdgeParts {
                head,
                tails: &below,
                symbols: &symbols,
                dense: &dense,
                ..Default::default()
            };
            builder.edge(&parts).unwrap();
        }
        below = vec![head; times];
    }
    builder.finish(NodeId(height - 1)).unwrap()
}

#[test]
fn depth_is_no_matter() {
    let forest = tower(50_000, 1);
    let weighted = forest.weighted().unwrap();
    let best = weighted.k_best(3).unwrap();
    assert_eq!(best[0].score, -50_000.0);
    assert_eq!(best[2].score, -50_000.5);
    assert_eq!(forest.target(&best[0].edges).unwrap().len(), 50_000);
    assert_eq!(weighted.distinct_k_best(2, 3).unwrap().len(), 1);
    assert_eq!(forest.segments(&best[2].edges).unwrap().len(), 50_000);
    assert_eq!(weighted.prune_to(10).unwrap().edge_count(), 50_000);
    assert!((forest.log_derivations() - 50_000.0 * 2.0_f64.ln()).abs() < 1e-6);
}

#[test]
fn derivations_beyond_memory_are_refused() {
    let forest = tower(60, 2);
    let weighted = forest.weighted().unwrap();
    assert!(weighted.viterbi().unwrap_err().to_string().contains("derivation of more than"));
    assert!(weighted.k_best(1).is_err());
    assert!(weighted.expected_features()[0] > 1e17);
}

#[test]
fn distinct_search_ends_where_sides_are_few() {
    // 2⁶⁰ derivations of one target side.
    let forest = tower(60, 1);
    let best = forest.weighted().unwrap().distinct_k_best(100, 20).unwrap();
    assert_eq!(best.len(), 1);
    assert_eq!(best[0].score, -60.0);
}

#[test]
fn equal_edges_whose_scores_are_zeros_of_either_sign_come_once_each() {
    let mut builder = ForestBuilder::new(features(), &[] as &[&str]).unwrap();
    let node = builder.span_node(0, 0, None).unwrap();
    for value in [-1.0, 1.0] {
        let parts = EdgeParts { head: node, dense: &[value, value], ..Default::default() };
        builder.edge(&parts).unwrap();
    }
    let forest = builder.finish(node).unwrap();
    let best = forest.weighted_with(&[0.0; 4]).unwrap().k_best(3).unwrap();
    let edges: Vec<_> = best.iter().map(|it| it.edges[0].index()).collect();
    assert_eq!(edges, [0, 1]);
}

#[test]
fn weights_that_are_no_numbers_are_refused() {
    let forest = tower(3, 1);
    for weights in [&[f64::NAN][..], &[f64::INFINITY], &[-1_000_001.0], &[], &[1.0, 1.0]] {
        assert!(forest.weighted_with(weights).is_err());
        assert!(forest.clone().set_weights(weights.into()).is_err());
    }
    // The largest weight keeps the scores of the largest values in range.
    assert!(tower_of(1, 1, [1.0, f32::MAX]).weighted_with(&[1e6]).is_ok());
    assert!(forest.weighted().unwrap().prune(f64::NAN).is_err());
    assert!(forest.weighted().unwrap().prune(-1.0).is_err());
    assert_eq!(forest.weighted().unwrap().prune(f64::INFINITY).unwrap(), forest);
}

#[test]
fn an_empty_sentence_has_an_empty_translation() {
    let mut builder = ForestBuilder::new(Features::new(Vec::new(), 0).unwrap(), &[""; 0]).unwrap();
    let goal = builder.bits_node(&[], None).unwrap();
    builder.edge(&EdgeParts { head: goal, ..Default::default() }).unwrap();
    let forest = builder.finish(goal).unwrap();
    let weighted = forest.weighted().unwrap();
    let best = weighted.viterbi().unwrap().unwrap();
    assert_eq!((best.score, forest.text(&best.edges).unwrap()), (0.0, String::new()));
    assert_eq!(weighted.distinct_k_best(5, 5).unwrap(), [best]);
    assert_eq!(weighted.lattice().unwrap().arcs.len(), 1);
    assert_eq!(Forest::from_json(&forest.to_json().unwrap()).unwrap(), forest);
}

#[test]
fn a_goal_without_derivations_answers_nothing() {
    let mut builder = ForestBuilder::new(features(), &["x"]).unwrap();
    let goal = builder.span_node(0, 1, None).unwrap();
    let forest = builder.finish(goal).unwrap();
    let weighted = forest.weighted().unwrap();
    assert!(forest.is_barren());
    assert_eq!(weighted.viterbi().unwrap(), None);
    assert!(weighted.k_best(3).unwrap().is_empty());
    assert!(weighted.distinct_k_best(3, 3).unwrap().is_empty());
    assert_eq!(weighted.expected_features(), [0.0; 4]);
    assert_eq!(weighted.prune_to(3).unwrap(), forest);
    assert_eq!(weighted.prune(3.0).unwrap(), forest);
    assert_eq!(weighted.lattice().unwrap().arcs.len(), 0);
    assert_eq!(forest.log_derivations(), f64::NEG_INFINITY);
}

#[test]
fn the_builder_refuses_what_does_not_fit() {
    let mut builder = ForestBuilder::new(features(), &["x"]).unwrap();
    assert!(builder.bits_node(&[], None).is_err());
    assert!(builder.bits_node(&[0b10], None).is_err());
    assert!(builder.span_node(0, 2, None).is_err());
    assert!(builder.span_node(0, 1, Some(7)).is_err());
    let node = builder.span_node(0, 1, None).unwrap();
    let head = builder.bits_node(&[0b1], None).unwrap();
    let dense = &[0.0, 0.0];
    let good = EdgeParts { head, tails: &[node, node], dense, ..Default::default() };
    let mut refused = |parts: EdgeParts<'_>| builder.edge(&parts).unwrap_err().to_string();
    assert!(refused(EdgeParts { dense: &[0.0], ..good }).contains("1 values for 2"));
    assert!(refused(EdgeParts { dense: &[0.0, f32::NAN], ..good }).contains("words is NaN"));
    let twice = [Symbol::Slot(1), Symbol::Slot(1)];
    assert!(refused(EdgeParts { symbols: &twice, ..good }).contains("twice"));
    assert!(refused(EdgeParts { symbols: &[Symbol::Word(9)], ..good }).contains("word 9 of 1"));
    assert!(refused(EdgeParts { sparse: &[(3, 1.0), (2, 1.0)], ..good }).contains("sparse"));
    assert!(refused(EdgeParts { sparse: &[(0, 1.0)], ..good }).contains("sparse"));
    assert!(refused(EdgeParts { tails: &[head], ..good }).contains("does not stand before"));
    let words = [Symbol::Word(0)];
    assert!(refused(EdgeParts { symbols: &words, heads: &[1], ..good }).contains("head 1"));
    builder.edge(&good).unwrap();
    assert!(builder.finish(NodeId(2)).is_err());
}

#[test]
fn edges_may_come_in_any_order() {
    let mut builder = ForestBuilder::new(features(), &["x"]).unwrap();
    let nodes = [0, 1].map(|_| builder.span_node(0, 1, None).unwrap());
    let dense = &[1.0, 0.0];
    for head in [1, 0, 1, 0] {
        let tails = &nodes[..head];
        builder.edge(&EdgeParts { head: nodes[head], tails, dense, ..Default::default() }).unwrap();
    }
    let forest = builder.finish(nodes[1]).unwrap();
    assert_eq!(forest.edges().map(|edge| edge.head().0).collect::<Vec<_>>(), [0, 0, 1, 1]);
    assert_eq!(forest.weighted().unwrap().k_best(9).unwrap().len(), 4);
}
