//! What was found as a forest: nodes are items, edges the ways in which they are made.

use std::sync::Arc;

use super::arcs;
use super::derive::{Translating, covered_bits};
use super::extract::{Extract, Way};
use super::item::{Item, Problem};
use crate::Result;
use crate::forest::{EdgeParts, Features, Flags, Forest, ForestBuilder, NodeId, Symbol};

/// An edge of the lattice and its parent, none for the root.
pub type Attachment = (u32, Option<u32>);

/// A forest, and for each of its edges the attachment that it makes.
pub struct Parses {
    pub forest: Forest,
    pub attachments: Vec<Option<Attachment>>,
}

impl Parses {
    pub fn new(
        problem: &Problem<'_>,
        extract: &Extract,
        translating: &mut Translating<'_>,
        features: &Arc<Features>,
        weights: &[f32],
        hurried: bool,
    ) -> Result<Self> {
        let words: Vec<&str> = translating.source().collect();
        let mut builder = ForestBuilder::new(features.clone(), &words)?;
        builder.weights(weights.iter().map(|&weight| f64::from(weight)).collect())?;
        let order = order(problem, extract);
        let mut places = vec![NodeId(0); order.len()];
        for &item in &order {
            let bits = covered(problem, translating.forest, extract.items[item as usize]);
            places[item as usize] = builder.bits_node(&bits, None)?;
        }
        let mut ways: Vec<&Way> = extract.ways.iter().collect();
        ways.sort_by_key(|way| (places[way.item as usize], way.at));
        let mut attachments = Vec::with_capacity(ways.len());
        let mut growing = Growing { problem, translating, builder, hurried };
        for way in ways {
            let place = |part: Item| extract.number(part).map(|number| places[number as usize]);
            let tails = extract.parts(problem, way).map(|part| part.and_then(place));
            let item = extract.items[way.item as usize];
            let attachment = attachment(item, way.at);
            growing.add(places[way.item as usize], tails, attachment)?;
            attachments.push(attachment);
        }
        let goal = extract.number(Item::Goal).map_or(NodeId(0), |goal| places[goal as usize]);
        Ok(Parses { forest: growing.builder.finish(goal)?, attachments })
    }
}

/// The items in topological order: the shortest first, and halves before what joins them.
fn order(problem: &Problem<'_>, extract: &Extract) -> Vec<u32> {
    let mut order: Vec<u32> = (0..extract.items.len() as u32).collect();
    order.sort_by_key(|&item| {
        let item = extract.items[item as usize];
        let (from, to) = problem.ends(item);
        (to - from, item)
    });
    order
}

/// The arc that a way of making an item draws.
fn attachment(item: Item, at: u32) -> Option<Attachment> {
    match item {
        Item::Right { head, .. } | Item::Left { head, .. } => Some((at, Some(head))),
        Item::Goal => Some((at, None)),
        Item::Joint { .. } => None,
    }
}

/// The source words between the ends of an item.
fn covered(problem: &Problem<'_>, forest: &Forest, item: Item) -> Vec<u64> {
    let (from, to) = problem.ends(item);
    let of_node =
        |node: usize| problem.lattice.origins[node].map(|node| covered_bits(forest, node));
    let mut bits = of_node(to).unwrap_or_else(|| vec![0; forest.source().len().div_ceil(64)]);
    for (bits, before) in bits.iter_mut().zip(of_node(from).into_iter().flatten()) {
        *bits &= !before;
    }
    bits
}

struct Growing<'p, 't, 'a> {
    problem: &'p Problem<'p>,
    translating: &'t mut Translating<'a>,
    builder: ForestBuilder,
    hurried: bool,
}

impl Growing<'_, '_, '_> {
    fn add(
        &mut self,
        head: NodeId,
        parts: [Option<NodeId>; 2],
        attachment: Option<Attachment>,
    ) -> Result<()> {
        let tails: Vec<NodeId> = parts.iter().flatten().copied().collect();
        let mut values = vec![0.0; self.translating.width];
        let (mut symbols, mut spans, mut links) = (Vec::new(), Vec::new(), Vec::new());
        let (mut flags, mut rule) = (Flags::default(), None);
        symbols.extend(parts[0].map(|_| Symbol::Slot(0)));
        if let Some((child, parent)) = attachment {
            self.translating.add_values(self.problem.lattice, child, &mut values);
            self.translating.scorers.add(arc(self.problem, child, parent), &mut values);
            for &part in &self.problem.lattice.edges[child as usize].parts {
                let part = self.translating.forest.edge(part);
                rule = rule.or(part.rule());
                flags = flags.and(part.flags());
                spans.extend(part.spans().iter().copied());
                for (at, symbol) in part.symbols().enumerate() {
                    let Symbol::Word(word) = symbol else { continue };
                    let own = part.links().iter().filter(|link| link.1 as usize == at);
                    links.extend(own.map(|link| (link.0, symbols.len() as u32)));
                    let word = self.builder.word(self.translating.forest.word(word))?;
                    symbols.push(Symbol::Word(word));
                }
            }
        }
        symbols.extend(parts[1].map(|_| Symbol::Slot(tails.len() as u32 - 1)));
        if self.hurried {
            flags = flags.and(Flags::FALLBACK);
        }
        let dense: Vec<f32> = values.into_iter().map(|value| value as f32).collect();
        self.builder.edge(&EdgeParts {
            head,
            tails: &tails,
            symbols: &symbols,
            spans: &spans,
            links: &links,
            dense: &dense,
            flags,
            rule,
            ..EdgeParts::default()
        })
    }
}

/// The arc of an attachment.
pub fn arc(problem: &Problem<'_>, child: u32, parent: Option<u32>) -> arcs::Arc {
    let unit = |edge: u32| problem.lattice.edges[edge as usize].unit;
    let left = parent.is_some_and(|parent| child < parent);
    arcs::Arc { parent: parent.map(unit), child: unit(child), left }
}
