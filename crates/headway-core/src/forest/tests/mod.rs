//! Everything against full enumeration of the derivations of small random forests.

mod algorithms;
mod files;
mod limits;
pub(crate) mod oracle;
mod shapes;

use std::sync::Arc;

use proptest::prelude::*;

use super::*;

/// An edge as chance gives it: numbers that become valid ones in `build`.
type RawEdge = (u8, Vec<u8>, Vec<u8>, [i8; 4], u8);

fn features() -> Arc<Features> {
    let names = ["lm", "words", "s1", "s2"].map(String::from);
    Features::new(names.to_vec(), 2).unwrap()
}

/// Forests of up to 7 nodes and 12 edges with up to `tails` tails, in which nodes may repeat.
pub(crate) fn forests(tails: usize) -> impl Strategy<Value = Forest> {
    let tails = prop::collection::vec(any::<u8>(), 0..=tails);
    let words = prop::collection::vec(any::<u8>(), 0..4);
    let edge = (any::<u8>(), tails, words, any::<[i8; 4]>(), any::<u8>());
    let edges = prop::collection::vec(edge, 0..13);
    let weights = prop::collection::vec(-3_i8..4, 4);
    (0_usize..5, 1_u8..8, edges, weights, any::<bool>())
        .prop_map(|(source, nodes, edges, weights, chain)| {
            build(source, nodes, &edges, &weights, chain)
        })
        .prop_filter("few enough to enumerate", |forest| oracle::most_at_once(forest) <= 1500.0)
}

/// With `chain`, edges add words after one tail, as in a phrase lattice.
fn build(source: usize, nodes: u8, edges: &[RawEdge], weights: &[i8], chain: bool) -> Forest {
    let words = ["ein", "zwei", "drei", "vier"];
    let mut builder = ForestBuilder::new(features(), &words[..source]).unwrap();
    let weights: Vec<f64> = weights.iter().map(|&weight| f64::from(weight) / 4.0).collect();
    builder.weights(weights.into()).unwrap();
    let label = builder.word("X").unwrap();
    for node in 0..u32::from(nodes) {
        if node % 2 == 0 {
            builder.span_node(0, source as u32, (node % 3 == 0).then_some(label)).unwrap();
        } else {
            let bits = vec![(1 << source) - 1; source.div_ceil(64)];
            builder.bits_node(&bits, None).unwrap();
        }
    }
    for edge in edges {
        add(&mut builder, source as u32, nodes, edge, chain);
    }
    builder.finish(NodeId(u32::from(nodes) - 1)).unwrap()
}

fn add(builder: &mut ForestBuilder, source: u32, nodes: u8, edge: &RawEdge, chain: bool) {
    let (head, tails, words, values, odd) = edge;
    // The last nodes more often, so that most forests have derivations.
    let head = u32::from(nodes - 1 - (head % 16) % nodes);
    let below = |&tail: &u8| (head > 0).then(|| NodeId(u32::from(tail) % head.max(1)));
    let tails: Vec<NodeId> =
        tails.iter().take(if chain { 1 } else { 9 }).filter_map(below).collect();
    let vocabulary = ["a", "b", "c", "ein"].map(|word| builder.word(word).unwrap());
    let mut symbols: Vec<Symbol> =
        words.iter().map(|&word| Symbol::Word(vocabulary[word as usize % 4])).collect();
    for slot in 0..tails.len() {
        let place = if chain { 0 } else { (*odd as usize >> slot) % (symbols.len() + 1) };
        if chain || odd % 7 != 6 {
            symbols.insert(place, Symbol::Slot(slot as u32));
        }
    }
    let places = symbols.iter().enumerate();
    let own = places.filter(|(_, symbol)| matches!(symbol, Symbol::Word(_)));
    let links = own
        .filter(|_| source > 0)
        .map(|(place, _)| (u32::from(*odd) % source.max(1), place as u32));
    let span = [Span { start: 0, end: source }];
    let heads: Vec<u16> = (0..symbols.len() as u16).collect();
    let [lm, length, first, second] = values.map(|value| f32::from(value) / 8.0);
    builder
        .edge(&EdgeParts {
            head: NodeId(head),
            tails: &tails,
            symbols: &symbols,
            spans: if source > 0 && odd % 2 == 0 { &span } else { &[] },
            links: &links.collect::<Vec<_>>(),
            dense: &[lm, length],
            sparse: &[(2, first), (3, second)][..*odd as usize % 3],
            flags: Flags(odd % 16),
            rule: (odd % 3 == 0).then_some(u32::from(*odd)),
            heads: if odd % 2 == 0 { &heads } else { &[] },
        })
        .unwrap();
}
