//! Forests for Graphviz and as Moses' search graphs.

use std::fmt::Write;

use super::graph::{Cover, Edge, Forest, Node, Span, Symbol};
use super::weighted::Weighted;
use crate::{Error, Result};

impl Weighted<'_> {
    /// A drawing for Graphviz: `dot -Tsvg`. An edge with one tail is an arrow, one with several
    /// a point where arrows meet; the best derivation is drawn bold.
    pub fn to_dot(&self) -> Result<String> {
        let forest = self.forest;
        let best = self.viterbi()?.map(|best| best.edges).unwrap_or_default();
        let mut text = String::from("digraph forest {\n  rankdir=LR;\n  node [shape=box];\n");
        for node in forest.nodes() {
            let goal = if node.id() == forest.goal() { ", peripheries=2" } else { "" };
            let label = quoted(&node_label(node));
            // Writing to a string does not fail, here and below.
            let _ = writeln!(text, "  n{} [label={label}{goal}];", node.id().0);
        }
        for edge in forest.edges() {
            let bold = if best.contains(&edge.id()) { ", style=bold" } else { "" };
            let (id, head) = (edge.id().0, edge.head().0);
            let score = self.scores[edge.id().index()];
            let label = quoted(&format!("{} {score:.3}", side(forest, edge)));
            if let [tail] = edge.tails() {
                let _ = writeln!(text, "  n{} -> n{head} [label={label}{bold}];", tail.0);
                continue;
            }
            let _ = writeln!(text, "  e{id} [shape=point];");
            let _ = writeln!(text, "  e{id} -> n{head} [label={label}{bold}];");
            for (slot, tail) in edge.tails().iter().enumerate() {
                let _ =
                    writeln!(text, "  n{} -> e{id} [label=\"{slot}\", dir=none{bold}];", tail.0);
            }
        }
        text.push_str("}\n");
        Ok(text)
    }

    /// Lines as Moses writes with `-output-search-graph`, for forests with at most one tail per
    /// edge: each edge is a hypothesis, the best of each node the one others are joined to.
    /// `score` is that of the best way to it, `fscore` that of the best derivation through it.
    pub fn to_search_graph(&self, sentence: usize) -> Result<String> {
        let forest = self.forest;
        let best = self.best_scores();
        let winners = self.best_edges(&best);
        let marginals = self.max_marginals();
        let mut text = String::new();
        for edge in forest.edges() {
            let place = edge.id().index();
            if marginals[place] == f64::NEG_INFINITY {
                continue;
            }
            let hypothesis = |node: super::NodeId| winners[node.index()].map_or(0, |it| it.0);
            let covered = forest.node(edge.head()).covered().count();
            let _ = write!(text, "{sentence} hyp={} stack={covered}", edge.id().0);
            let before = match edge.tails() {
                [] => 0.0,
                [tail] => {
                    let _ = write!(text, " back={}", hypothesis(*tail));
                    best[tail.index()]
                }
                _ => {
                    return Err(Error::setting(
                        "forest: edges with several tails: no search graph",
                    ));
                }
            };
            let transition = self.scores[place];
            let _ = write!(text, " score={} transition={transition}", before + transition);
            if winners[edge.head().index()] != Some(edge.id()) {
                let _ = write!(text, " recombined={}", hypothesis(edge.head()));
            }
            let _ = write!(text, " fscore={}", marginals[place]);
            if let [Span { start, end }] = edge.spans() {
                let _ = write!(text, " covered={start}-{}", end - 1);
            }
            let _ = writeln!(text, " out={}", own_words(forest, edge));
        }
        Ok(text)
    }
}

fn own_words(forest: &Forest, edge: Edge<'_>) -> String {
    let words = edge.symbols().filter_map(|symbol| match symbol {
        Symbol::Word(word) => Some(forest.word(word)),
        Symbol::Slot(_) => None,
    });
    words.collect::<Vec<_>>().join(" ")
}

fn side(forest: &Forest, edge: Edge<'_>) -> String {
    let parts = edge.symbols().map(|symbol| match symbol {
        Symbol::Word(word) => forest.word(word).to_string(),
        Symbol::Slot(slot) => format!("[{slot}]"),
    });
    parts.collect::<Vec<_>>().join(" ")
}

fn node_label(node: Node<'_>) -> String {
    let cover = match node.cover() {
        Cover::Span(Span { start, end }) => format!("{start}–{end}"),
        Cover::Bits(_) => covered_ranges(node),
    };
    match node.label() {
        Some(label) => format!("{label} {cover}"),
        None => cover,
    }
}

/// `0–3 5–6`: the words whose bits are set, as spans.
fn covered_ranges(node: Node<'_>) -> String {
    let mut spans: Vec<Span> = Vec::new();
    for place in node.covered() {
        match spans.last_mut() {
            Some(span) if span.end == place => span.end += 1,
            _ => spans.push(Span { start: place, end: place + 1 }),
        }
    }
    spans.iter().map(|span| format!("{}–{}", span.start, span.end)).collect::<Vec<_>>().join(" ")
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', " "))
}
