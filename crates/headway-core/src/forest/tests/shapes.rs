use std::collections::BTreeSet;

use super::oracle::{close, derivations, say, score};
use super::*;

proptest! {
    #[test]
    fn words_links_and_segments_are_those_of_the_edges(forest in forests(3)) {
        for derivation in derivations(&forest, forest.goal()).iter().take(30) {
            let words = say(&forest, derivation, 0).words;
            let found = forest.target(derivation).unwrap();
            prop_assert_eq!(&found, &words.iter().map(|it| it.0).collect::<Vec<_>>());
            let text: Vec<&str> = found.iter().map(|&word| forest.word(word)).collect();
            prop_assert_eq!(forest.text(derivation).unwrap(), text.join(" "));

            let mut links = BTreeSet::new();
            for (target, &(_, place, symbol)) in words.iter().enumerate() {
                let own = forest.edge(derivation[place]).links().iter();
                let own = own.filter(|link| link.1 as usize == symbol);
                links.extend(own.map(|link| (link.0, target as u32)));
            }
            prop_assert_eq!(forest.alignment(derivation).unwrap(), links.into_iter().collect::<Vec<_>>());

            let mut covered = vec![0; words.len()];
            for segment in forest.segments(derivation).unwrap() {
                prop_assert_eq!(&segment.source[..], forest.edge(segment.edge).spans());
                for place in segment.target.iter().flat_map(|span| span.start..span.end) {
                    prop_assert_eq!(derivation[words[place as usize].1], segment.edge);
                    covered[place as usize] += 1;
                }
                prop_assert!(segment.target.is_sorted_by(|a, b| a.end < b.start));
            }
            prop_assert!(covered.iter().all(|&times| times == 1));
        }
    }

    #[test]
    fn what_is_no_derivation_is_refused(forest in forests(3), edges in prop::collection::vec(0_u32..15, 0..6)) {
        let edges: Vec<EdgeId> = edges.into_iter().map(EdgeId).collect();
        let real = forest.nodes().any(|node| derivations(&forest, node.id()).contains(&edges));
        prop_assert_eq!(forest.text(&edges).is_ok(), real);
        prop_assert_eq!(forest.alignment(&edges).is_ok(), real);
        prop_assert_eq!(forest.segments(&edges).is_ok(), real);
    }

    #[test]
    fn paths_of_the_lattice_are_the_derivations(forest in forests(1)) {
        let weighted = forest.weighted().unwrap();
        let Ok(lattice) = weighted.lattice() else {
            let appends = |edge: Edge<'_>| edge.tails().is_empty() || edge.symbols().next() == Some(Symbol::Slot(0));
            prop_assert!(!forest.edges().all(appends));
            return Ok(());
        };
        prop_assert!(lattice.arcs.iter().all(|arc| arc.from < arc.to && arc.to < lattice.states));
        let mut paths: Vec<(Vec<u32>, f64)> = Vec::new();
        walk(&lattice, 0, &mut (Vec::new(), 0.0), &mut paths);
        let all = derivations(&forest, forest.goal());
        let mut expected: Vec<(Vec<u32>, f64)> =
            all.iter().map(|it| (forest.target(it).unwrap(), score(&weighted, it))).collect();
        let order = |a: &(Vec<u32>, f64), b: &(Vec<u32>, f64)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1));
        paths.sort_by(order);
        expected.sort_by(order);
        prop_assert_eq!(paths.len(), expected.len());
        for (path, expected) in paths.iter().zip(&expected) {
            prop_assert_eq!(&path.0, &expected.0);
            prop_assert!(close(path.1, expected.1));
        }
        let plf = lattice.to_plf(&forest);
        prop_assert_eq!(plf.matches("('").count(), lattice.arcs.len());
    }

    #[test]
    fn drawings_show_every_edge(forest in forests(3)) {
        let dot = forest.weighted().unwrap().to_dot().unwrap();
        prop_assert_eq!(dot.matches("[shape=point]").count() + dot.matches("-> n").count(), {
            let several = forest.edges().filter(|edge| edge.tails().len() != 1).count();
            forest.edge_count() + several
        });
    }
}

fn walk(
    lattice: &Lattice,
    state: u32,
    path: &mut (Vec<u32>, f64),
    paths: &mut Vec<(Vec<u32>, f64)>,
) {
    if state == lattice.end {
        paths.push(path.clone());
    }
    for arc in lattice.arcs.iter().filter(|arc| arc.from == state) {
        let before = path.clone();
        path.0.extend(arc.word);
        path.1 += arc.score;
        walk(lattice, arc.to, path, paths);
        *path = before;
    }
}

/// Two ways to say two words, as the phrase decoder would hand them over.
fn small() -> Forest {
    let features = Features::dense_only(["lm"]).unwrap();
    let mut builder = ForestBuilder::new(features, &["ein", "Haus"]).unwrap();
    builder.weights([1.0].into()).unwrap();
    let nodes = [0b00, 0b01, 0b11].map(|bits| builder.bits_node(&[bits], None).unwrap());
    builder.edge(&EdgeParts { head: nodes[0], dense: &[0.0], ..Default::default() }).unwrap();
    let mut edge = |head: usize, tail: usize, words: &[&str], lm: f32| {
        let words = words.iter().map(|word| Symbol::Word(builder.word(word).unwrap()));
        let symbols: Vec<Symbol> = [Symbol::Slot(0)].into_iter().chain(words).collect();
        let span = Span { start: tail as u32, end: head as u32 };
        let (head, tails) = (nodes[head], &[nodes[tail]]);
        let parts = EdgeParts {
            head,
            tails,
            symbols: &symbols,
            spans: &[span],
            dense: &[lm],
            ..Default::default()
        };
        builder.edge(&parts).unwrap();
    };
    edge(2, 0, &["a", "house"], -1.5);
    edge(1, 0, &["o'a"], -0.5);
    edge(2, 1, &["house"], -2.0);
    builder.finish(nodes[2]).unwrap()
}

#[test]
fn lattices_are_written_as_moses_reads_them() {
    let forest = small();
    let lattice = forest.weighted().unwrap().lattice().unwrap();
    assert_eq!(
        lattice.to_plf(&forest),
        "((('*EPS*',0,1),),(('o\\'a',-0.5,1),('a',-1.5,2),),(('house',-2,2),),(('house',0,1),),)"
    );
}

#[test]
fn search_graphs_name_hypotheses_as_moses_does() {
    let graph = small().weighted().unwrap().to_search_graph(7).unwrap();
    assert_eq!(
        graph.lines().collect::<Vec<_>>(),
        [
            "7 hyp=0 stack=0 score=0 transition=0 fscore=-1.5 out=",
            "7 hyp=1 stack=1 back=0 score=-0.5 transition=-0.5 fscore=-2.5 covered=0-0 out=o'a",
            "7 hyp=2 stack=2 back=0 score=-1.5 transition=-1.5 fscore=-1.5 covered=0-1 out=a house",
            "7 hyp=3 stack=2 back=1 score=-2.5 transition=-2 recombined=2 fscore=-2.5 covered=1-1 out=house",
        ]
    );
}

#[test]
fn drawings_quote_what_graphviz_would_read() {
    let dot = small().weighted().unwrap().to_dot().unwrap();
    assert!(dot.contains("n0 -> n2 [label=\"[0] a house -1.500\", style=bold];"), "{dot}");
    assert!(dot.contains("n2 [label=\"0–2\", peripheries=2];"), "{dot}");
}
