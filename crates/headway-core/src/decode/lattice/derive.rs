//! From a path and its tree to a translation.

use super::arcs::Scorers;
use super::forest::{Attachment, arc};
use super::graph::Lattice;
use super::item::Problem;
use crate::Result;
use crate::decode::Model;
use crate::decode::nbest::treatment;
use crate::decode::translation::{Head, Segment, Translation};
use crate::forest::{EdgeId, EdgeParts, Flags, Forest, ForestBuilder, NodeId, Symbol};
use crate::tree::DependencyTree;

/// What the edges of a lattice stand for.
pub struct Translating<'a> {
    /// The coarse forest.
    pub forest: &'a Forest,
    /// For each of its features the column of the fine model.
    pub columns: &'a [usize],
    /// Features of the fine model.
    pub width: usize,
    pub scorers: Scorers<'a>,
}

impl Translating<'_> {
    /// Adds the phrase features of an edge.
    pub fn add_values(&self, lattice: &Lattice, edge: u32, values: &mut [f64]) {
        self.add_parts(&lattice.edges[edge as usize].parts, values);
    }

    fn add_parts(&self, parts: &[EdgeId], values: &mut [f64]) {
        for &part in parts {
            for (&column, &value) in self.columns.iter().zip(self.forest.edge(part).dense()) {
                values[column] += f64::from(value);
            }
        }
    }

    /// A translation with its tree, from its attachments in any order.
    pub fn parsed(
        &mut self,
        problem: &Problem<'_>,
        mut attachments: Vec<Attachment>,
    ) -> Translation {
        attachments.sort_unstable();
        let mut translation = Translation::default();
        let (mut values, mut numbers) = (vec![0.0; self.width], Vec::new());
        for &(child, parent) in &attachments {
            self.add_values(problem.lattice, child, &mut values);
            self.scorers.add(arc(problem, child, parent), &mut values);
            numbers.push(self.say(&problem.lattice.edges[child as usize].parts, &mut translation));
        }
        let mut heads = vec![Head::Null; translation.segments.len()];
        for (&(_, parent), &number) in attachments.iter().zip(&numbers) {
            let place = |parent| attachments.binary_search_by_key(&parent, |it| it.0).ok();
            let head = parent.and_then(place).map(|place| Head::Word(numbers[place]));
            heads[number as usize] = head.unwrap_or(Head::Root);
        }
        translation.phrase_heads = Some(heads);
        translation.features = values;
        translation
    }

    /// A translation without a tree, from a path through the coarse forest.
    pub fn flat(&self, parts: &[EdgeId]) -> Translation {
        let mut translation = Translation { features: vec![0.0; self.width], ..Default::default() };
        self.add_parts(parts, &mut translation.features);
        self.say(parts, &mut translation);
        translation
    }

    /// The same path as a forest.
    pub fn flat_forest(&self, parts: &[EdgeId], model: &Model) -> Result<Forest> {
        let source: Vec<&str> = self.source().collect();
        let mut builder = ForestBuilder::new(model.features().clone(), &source)?;
        builder.weights(model.weights().iter().map(|&weight| f64::from(weight)).collect())?;
        let mut last = None;
        for &part in parts {
            let edge = self.forest.edge(part);
            let node = builder.bits_node(&covered_bits(self.forest, edge.head()), None)?;
            let mut symbols = Vec::new();
            for symbol in edge.symbols() {
                symbols.push(match symbol {
                    Symbol::Word(word) => Symbol::Word(builder.word(self.forest.word(word))?),
                    slot @ Symbol::Slot(_) => slot,
                });
            }
            let mut values = vec![0.0; self.width];
            self.add_parts(&[part], &mut values);
            let dense: Vec<f32> = values.into_iter().map(|value| value as f32).collect();
            builder.edge(&EdgeParts {
                head: node,
                tails: last.as_slice(),
                symbols: &symbols,
                spans: edge.spans(),
                links: edge.links(),
                dense: &dense,
                flags: edge.flags().and(Flags::FALLBACK),
                rule: edge.rule(),
                ..EdgeParts::default()
            })?;
            last = Some(node);
        }
        builder.finish(last.unwrap_or_default())
    }

    /// The words of the source.
    pub fn source(&self) -> impl Iterator<Item = &str> {
        self.forest.source().iter().map(|&word| self.forest.word(word))
    }

    /// Adds what an edge says; answers the number of its segment.
    fn say(&self, parts: &[EdgeId], translation: &mut Translation) -> u32 {
        let mut number = 0;
        for &part in parts {
            let part = self.forest.edge(part);
            let first = translation.words.len() as u32;
            for (at, symbol) in part.symbols().enumerate() {
                let Symbol::Word(word) = symbol else { continue };
                let place = translation.words.len() as u32;
                let own = part.links().iter().filter(|link| link.1 as usize == at);
                translation.links.extend(own.map(|link| (link.0, place)));
                translation.words.push(self.forest.word(word).to_string());
            }
            if let (Some(start), Some(end)) = (part.spans().first(), part.spans().last()) {
                let target = (first, translation.words.len() as u32);
                if target.0 < target.1 {
                    number = translation.segments.len() as u32;
                }
                let (source, unknown) = ((start.start, end.end), treatment(part.flags()));
                translation.segments.push(Segment { source, target, unknown, rule: None });
            }
        }
        number
    }
}

/// The source words of a node, one bit each.
pub fn covered_bits(forest: &Forest, node: NodeId) -> Vec<u64> {
    let mut bits = vec![0; forest.source().len().div_ceil(64)];
    forest.node(node).covered().for_each(|word| bits[word as usize / 64] |= 1 << (word % 64));
    bits
}

/// The tree over words of a translation with a tree over phrases: in each phrase its head word,
/// or the last one where it is not known, hangs from the head word of the phrase above, and the
/// others hang from it.
pub fn word_tree(
    translation: &Translation,
    head_word: impl Fn(&[&str]) -> Option<usize>,
) -> Option<Result<DependencyTree>> {
    let phrase_heads = translation.phrase_heads.as_ref()?;
    let words: Vec<&str> = translation.words.iter().map(String::as_str).collect();
    let head = |segment: &Segment| {
        let (start, end) = (segment.target.0 as usize, segment.target.1 as usize);
        let own = &words[start..end];
        let place = head_word(own).unwrap_or(own.len().saturating_sub(1));
        (start + place) as u32 + 1
    };
    let mut heads = vec![0; words.len()];
    for (segment, above) in translation.segments.iter().zip(phrase_heads) {
        if segment.target.0 == segment.target.1 {
            continue;
        }
        let own = head(segment);
        heads[segment.target.0 as usize..segment.target.1 as usize].fill(own);
        heads[own as usize - 1] = match above {
            Head::Word(phrase) => head(&translation.segments[*phrase as usize]),
            Head::Root | Head::Null => 0,
        };
    }
    let none = vec!["_".to_string(); words.len()];
    Some(DependencyTree::new(translation.words.clone(), heads, none.clone(), none))
}
