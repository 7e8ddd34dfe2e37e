//! The forest: one hypergraph per sentence, which every decoder returns.
//!
//! Nodes stand for a span or a set of source words, in topological order; an edge makes its head
//! from its tails by one rule. A phrase lattice is the case with at most one tail per edge: the
//! target side of an edge is then slot 0 and the words of the phrase.
//!
//! ```
//! use headway_core::forest::{EdgeParts, Features, Flags, ForestBuilder, Span, Symbol};
//!
//! let features = Features::dense_only(["lm", "words"])?;      // shared by all sentences
//! let mut builder = ForestBuilder::new(features, &["ein", "Haus"])?;
//! builder.weights([1.0, -0.5].into())?;                       // what the decoder used
//! let start = builder.bits_node(&[0b00], None)?;              // or span_node(start, end, label)
//! let goal = builder.bits_node(&[0b11], None)?;
//! builder.edge(&EdgeParts { head: start, dense: &[0.0, 0.0], ..Default::default() })?;
//! let (a, house) = (builder.word("a")?, builder.word("house")?);
//! builder.edge(&EdgeParts {
//!     head: goal,
//!     tails: &[start],
//!     symbols: &[Symbol::Slot(0), Symbol::Word(a), Symbol::Word(house)],
//!     spans: &[Span { start: 0, end: 2 }],
//!     links: &[(0, 1), (1, 2)],                               // source place, index in symbols
//!     dense: &[-4.2, 2.0],
//!     flags: Flags::default(),
//!     ..Default::default()
//! })?;
//! let forest = builder.finish(goal)?;
//! assert_eq!((forest.node_count(), forest.edge_count()), (2, 2));
//! # Ok::<(), headway_core::Error>(())
//! ```
//!
//! What a decoder has to do: add nodes so that tails come before heads (`NodeId`s are handed out
//! in order), add every edge once its nodes are there (grouped by head is fastest, any order is
//! right), and name the goal. A node without edges has no derivation, so the start of a lattice
//! needs an edge without tails. The edge of an empty sentence is such an edge, with no symbols.
//! The score of an edge is the sum of its features times the weights; nothing else is added.
//!
//! What others do with it:
//!
//! | | |
//! |---|---|
//! | `forest.weighted()?`, `forest.weighted_with(&weights)?` | a `Weighted`: a score on every edge |
//! | `forest.set_weights(weights)?` | reweights |
//! | `weighted.viterbi()?`, `k_best(k)?`, `distinct_k_best(k, effort)?` | `Derivation { score, edges }` |
//! | `forest.text(&edges)?`, `target`, `alignment`, `segments`, `feature_totals` | what a derivation says |
//! | `weighted.best_scores()`, `inside()`, `outside(&inside)` | per node |
//! | `weighted.posteriors()`, `max_marginals()` | per edge |
//! | `weighted.expected_features()` | per feature |
//! | `weighted.prune(threshold)?`, `prune_to(edges)?`, `forest.trimmed()?` | a smaller `Forest` |
//! | `forest.inside_over::<S>(value)`, `outside_over::<S>(value, &inside)` | any `Semiring` |
//! | `forest.log_derivations()`, `is_barren()` | how many derivations |
//! | `weighted.lattice()?`, `to_dot()?`, `to_search_graph(n)?` | as lattice, drawing, Moses text |
//! | `load(path)?`, `save(path, &forests)?`, `ForestFile`, `ForestWriter`, `to_json`, `from_json` | files |

mod build;
mod check;
mod code;
mod dot;
mod features;
mod file;
mod graph;
mod json;
mod kbest;
mod lattice;
mod path;
mod prune;
mod semiring;
mod spelling;
#[cfg(test)]
pub(crate) mod tests;
mod weighted;
mod words;

pub use build::{EdgeParts, ForestBuilder};
pub use features::Features;
pub use file::{ForestFile, ForestWriter, load, save};
pub use graph::{Cover, Edge, EdgeId, Flags, Forest, Node, NodeId, Span, Symbol};
pub use lattice::{Arc as LatticeArc, Lattice};
pub use path::{Derivation, Segment};
pub use semiring::{Best, Exists, Log, Semiring};
pub use weighted::Weighted;
pub use words::WordList;
