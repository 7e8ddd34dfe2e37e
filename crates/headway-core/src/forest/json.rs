//! Forests as JSON objects: for other tools, and for people who build forests by hand.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::build::{EdgeParts, ForestBuilder};
use super::features::Features;
use super::graph::{Cover, Edge, Flags, Forest, Node, NodeId, Span, Symbol};
use crate::error::snippet;
use crate::{Error, Result};

const FORMAT: &str = "headway-forest-1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonForest {
    format: String,
    features: Vec<String>,
    /// How many features, from the first, are stored for every edge; all if not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dense: Option<usize>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    weights: BTreeMap<String, f64>,
    source: Vec<String>,
    goal: u32,
    nodes: Vec<JsonNode>,
    edges: Vec<JsonEdge>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonNode {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    span: Option<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    covered: Option<Vec<u32>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    label: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonEdge {
    head: u32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tails: Vec<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    target: Vec<JsonSymbol>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    spans: Vec<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    links: Vec<(u32, u32)>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    features: BTreeMap<String, f32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    flags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rule: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    heads: Vec<u16>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum JsonSymbol {
    Slot(u32),
    Word(String),
}

impl Forest {
    /// One line of JSON.
    pub fn to_json(&self) -> Result<String> {
        let names = self.features.names();
        let weights = names.iter().cloned().zip(self.weights.iter().copied());
        let all_dense = self.features.dense() == names.len();
        let json = JsonForest {
            format: FORMAT.into(),
            features: names.to_vec(),
            dense: (!all_dense).then_some(self.features.dense()),
            weights: weights.filter(|&(_, weight)| weight != 0.0).collect(),
            source: self.source.iter().map(|&word| self.word(word).to_string()).collect(),
            goal: self.goal.0,
            nodes: self.nodes().map(json_node).collect(),
            edges: self.edges().map(|edge| json_edge(self, edge)).collect(),
        };
        serde_json::to_string(&json).map_err(|error| Error::Setting(format!("forest: {error}")))
    }

    pub fn from_json(text: &str) -> Result<Forest> {
        Self::from_json_like(text, None)
    }

    /// The same, sharing another forest's features and weights where they are the same.
    pub(super) fn from_json_like(text: &str, other: Option<&Forest>) -> Result<Forest> {
        let json: JsonForest = serde_json::from_str(text)
            .map_err(|error| Error::Setting(format!("not a forest in JSON: {error}")))?;
        if json.format != FORMAT {
            let found = snippet(json.format.as_bytes());
            let message = format!("forest: expected the format \"{FORMAT}\", found {found}");
            return Err(Error::Setting(message));
        }
        json.build(other)
    }
}

impl JsonForest {
    fn build(self, other: Option<&Forest>) -> Result<Forest> {
        let dense = self.dense.unwrap_or(self.features.len());
        let mut features = Features::new(self.features, dense)?;
        let mut weights: Arc<[f64]> = values(&features, &self.weights)?.into();
        if let Some(other) = other {
            if *other.features == *features {
                features = other.features.clone();
            }
            if other.weights == weights {
                weights = other.weights.clone();
            }
        }
        let mut builder = ForestBuilder::new(features.clone(), &self.source)?;
        builder.weights(weights)?;
        for (number, node) in self.nodes.iter().enumerate() {
            node.add(&mut builder, self.source.len(), number)?;
        }
        for (number, edge) in self.edges.iter().enumerate() {
            edge.add(&mut builder, &features, number)?;
        }
        builder.finish(NodeId(self.goal))
    }
}

impl JsonNode {
    fn add(&self, builder: &mut ForestBuilder, length: usize, number: usize) -> Result<()> {
        let wrong = |message: &str| Error::Setting(format!("forest: node {number}: {message}"));
        let label = self.label.as_deref().map(|label| builder.word(label)).transpose()?;
        match (self.span, &self.covered) {
            (Some((start, end)), None) => builder.span_node(start, end, label)?,
            (None, Some(covered)) => {
                let mut bits = vec![0_u64; length.div_ceil(64)];
                for &place in covered {
                    if place as usize >= length {
                        let message = format!("covers word {place} of {length} source words");
                        return Err(wrong(&message));
                    }
                    bits[place as usize / 64] |= 1 << (place % 64);
                }
                builder.bits_node(&bits, label)?
            }
            _ => return Err(wrong("expected either \"span\" or \"covered\"")),
        };
        Ok(())
    }
}

impl JsonEdge {
    fn add(&self, builder: &mut ForestBuilder, features: &Features, number: usize) -> Result<()> {
        let wrong = |message: String| Error::Setting(format!("forest: edge {number}: {message}"));
        let symbol = |symbol: &JsonSymbol| match symbol {
            JsonSymbol::Slot(slot) => Ok(Symbol::Slot(*slot)),
            JsonSymbol::Word(word) => builder.word(word).map(Symbol::Word),
        };
        let symbols: Vec<Symbol> = self.target.iter().map(symbol).collect::<Result<_>>()?;
        let (dense, sparse) = split_values(features, &self.features).map_err(&wrong)?;
        let mut flags = Flags::default();
        for name in &self.flags {
            let known = Flags::NAMES.into_iter().find(|(known, _)| known == name);
            let known = known.ok_or_else(|| {
                wrong(format!(
                    "{} is no flag; there are {}",
                    snippet(name.as_bytes()),
                    flag_names()
                ))
            })?;
            flags = flags.and(known.1);
        }
        builder.edge(&EdgeParts {
            head: NodeId(self.head),
            tails: &self.tails.iter().map(|&tail| NodeId(tail)).collect::<Vec<_>>(),
            symbols: &symbols,
            spans: &self.spans.iter().map(|&(start, end)| Span { start, end }).collect::<Vec<_>>(),
            links: &self.links,
            dense: &dense,
            sparse: &sparse,
            flags,
            rule: self.rule,
            heads: &self.heads,
        })
    }
}

fn flag_names() -> String {
    Flags::NAMES.map(|(name, _)| name).join(", ")
}

fn unknown(name: &str) -> String {
    format!("{} is not one of its features", snippet(name.as_bytes()))
}

/// A value for each feature, 0 where none is given.
fn values(features: &Features, given: &BTreeMap<String, f64>) -> Result<Vec<f64>> {
    let mut values = vec![0.0; features.len()];
    for (name, &value) in given {
        let place = features.place(name);
        let place = place.ok_or_else(|| Error::Setting(format!("forest: {}", unknown(name))))?;
        values[place] = value;
    }
    Ok(values)
}

type SplitValues = (Vec<f32>, Vec<(u32, f32)>);

fn split_values(
    features: &Features,
    given: &BTreeMap<String, f32>,
) -> std::result::Result<SplitValues, String> {
    let (mut dense, mut sparse) = (vec![0.0; features.dense()], Vec::new());
    for (name, &value) in given {
        let place = features.place(name).ok_or_else(|| unknown(name))?;
        match dense.get_mut(place) {
            Some(dense) => *dense = value,
            None => sparse.push((place as u32, value)),
        }
    }
    sparse.sort_by_key(|&(place, _)| place);
    Ok((dense, sparse))
}

fn json_node(node: Node<'_>) -> JsonNode {
    let (span, covered) = match node.cover() {
        Cover::Span(Span { start, end }) => (Some((start, end)), None),
        Cover::Bits(_) => (None, Some(node.covered().collect())),
    };
    JsonNode { span, covered, label: node.label().map(str::to_string) }
}

fn json_edge(forest: &Forest, edge: Edge<'_>) -> JsonEdge {
    let names = forest.features.names();
    let dense = names.iter().cloned().zip(edge.dense().iter().copied());
    let sparse = edge.sparse().iter().map(|&(place, value)| (names[place as usize].clone(), value));
    let symbol = |symbol| match symbol {
        Symbol::Slot(slot) => JsonSymbol::Slot(slot),
        Symbol::Word(word) => JsonSymbol::Word(forest.word(word).to_string()),
    };
    JsonEdge {
        head: edge.head().0,
        tails: edge.tails().iter().map(|tail| tail.0).collect(),
        target: edge.symbols().map(symbol).collect(),
        spans: edge.spans().iter().map(|span| (span.start, span.end)).collect(),
        links: edge.links().to_vec(),
        features: dense.chain(sparse).filter(|&(_, value)| value != 0.0).collect(),
        flags: edge.flags().names().map(str::to_string).collect(),
        rule: edge.rule(),
        heads: edge.heads().to_vec(),
    }
}
