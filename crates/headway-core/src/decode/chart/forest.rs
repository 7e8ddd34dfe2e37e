//! What search kept, as a forest.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::arena::{BEGIN, GLUE, Item, NONE, START};
use super::search::Searching;
use crate::Result;
use crate::decode::{Model, UnknownWords};
use crate::forest::{EdgeParts, Flags, Forest, ForestBuilder, NodeId, Span, Symbol};
use crate::lm::Piece;
use crate::table;

type Nodes = HashMap<u32, NodeId, FxBuildHasher>;

/// A forest of a sentence under way, piece by piece.
pub struct Growing {
    builder: ForestBuilder,
    /// Source words before the first of the forest.
    offset: u32,
    /// The node of all pieces so far.
    node: Option<NodeId>,
}

impl Growing {
    /// For words of which so many stand before the first.
    pub fn new(model: &Model, words: &[&str], offset: u32) -> Result<Self> {
        let mut builder = ForestBuilder::new(model.features().clone(), words)?;
        builder.weights(model.weights().iter().map(|&w| f64::from(w)).collect())?;
        Ok(Growing { builder, offset, node: None })
    }

    /// Adds everything that leads to `finals`, and a node for the whole above them. Answers the
    /// item of each edge; the last ones, of the whole, have none.
    pub fn add(&mut self, searching: &Searching<'_>, finals: &[u32]) -> Result<Vec<u32>> {
        let Growing { builder, offset, node: before } = self;
        let labels = ["X", "S"].map(|label| builder.word(label));
        let [rules, glue] = labels;
        let (rules, glue) = (rules?, glue?);
        let shift = searching.entry.offset - *offset;
        let (mut nodes, mut items) = (Nodes::default(), Vec::new());
        for id in searching.reachable(finals) {
            let item = &searching.arena.items[id as usize];
            let whole = matches!(item.set, GLUE | START);
            let start = if whole { 0 } else { shift + item.start };
            let label = if whole { glue } else { rules };
            let node = builder.span_node(start, shift + item.end, Some(label))?;
            nodes.insert(id, node);
            let mut at = id;
            while at != NONE {
                let item = searching.arena.items[at as usize];
                let tails = searching.tails(&item, &nodes, *before);
                searching.add_edge(builder, &item, node, &tails, shift)?;
                items.push(at);
                at = item.next;
            }
        }
        let goal = builder.span_node(0, shift + searching.words.len() as u32, Some(glue))?;
        for final_item in finals {
            let tails: Vec<NodeId> = nodes.get(final_item).copied().into_iter().collect();
            searching.add_end(builder, *final_item, goal, &tails)?;
        }
        self.node = Some(goal);
        Ok(items)
    }

    /// The forest of all pieces; of no words, nothing in one way.
    pub fn finish(mut self, model: &Model) -> Result<Forest> {
        if let Some(goal) = self.node {
            return self.builder.finish(goal);
        }
        let goal = self.builder.span_node(0, 0, None)?;
        let dense = vec![0.0; model.names().len()];
        self.builder.edge(&EdgeParts { head: goal, dense: &dense, ..EdgeParts::default() })?;
        self.builder.finish(goal)
    }
}

impl Searching<'_> {
    /// The nodes of an item's tails. The beginning of the sentence is none: its first part is
    /// joined to nothing; that of a later piece is `before`.
    fn tails(&self, item: &Item, nodes: &Nodes, before: Option<NodeId>) -> Vec<NodeId> {
        let node = |&tail: &u32| match self.arena.items.get(tail as usize) {
            Some(item) if item.set == BEGIN => before,
            _ => nodes.get(&tail).copied(),
        };
        item.tails.iter().filter_map(node).collect()
    }

    /// Items that some final one comes from, tails before heads: items are made in that order.
    fn reachable(&self, finals: &[u32]) -> Vec<u32> {
        let mut seen = vec![false; self.arena.items.len()];
        let (mut open, mut found) = (finals.to_vec(), Vec::new());
        while let Some(id) = open.pop() {
            if self.arena.items[id as usize].set == BEGIN
                || std::mem::replace(&mut seen[id as usize], true)
            {
                continue;
            }
            found.push(id);
            let mut at = id;
            while at != NONE {
                let item = &self.arena.items[at as usize];
                open.extend(item.tails.iter().filter(|tail| **tail != NONE));
                at = item.next;
            }
        }
        found.sort_unstable();
        found
    }

    fn add_edge(
        &self,
        builder: &mut ForestBuilder,
        item: &Item,
        head: NodeId,
        tails: &[NodeId],
        shift: u32,
    ) -> Result<()> {
        let mut values = vec![0.0; self.model.names().len()];
        let (mut symbols, mut spans, mut links) = (Vec::new(), Vec::new(), Vec::new());
        let (mut flags, mut place) = (Flags::default(), None);
        if let Some((set, rule)) = self.rule(item) {
            set.add_local(self.model, rule, &mut values);
            for symbol in set.target(rule) {
                symbols.push(match symbol {
                    table::Symbol::Slot(slot) => Symbol::Slot(u32::from(slot)),
                    table::Symbol::Word(word) => {
                        let text = self.model.table().target().word(word);
                        Symbol::Word(builder.word(text.unwrap_or_default())?)
                    }
                });
            }
            if let Some(spelled) = &set.spelled {
                for word in &spelled.words {
                    symbols.push(Symbol::Word(builder.word(word)?));
                }
                flags = spelled.unknown.map(flag).unwrap_or_default();
            }
            let sources = self.source_spans(item);
            let own = set.source().zip(&sources);
            for (_, &(start, end)) in own.filter(|(s, _)| matches!(s, table::Symbol::Word(_))) {
                push_span(&mut spans, Span { start: shift + start, end: shift + end });
            }
            let link =
                |(s, t): (u8, u8)| Some((shift + sources.get(usize::from(s))?.0, u32::from(t)));
            links.extend(set.links(rule).filter_map(link));
            place = Some(set.rule(rule).place).filter(|&place| place != u32::MAX);
        } else {
            if item.set != START {
                values[self.model.columns().joining] += 1.0;
            }
            symbols.extend((0..tails.len() as u32).map(Symbol::Slot));
        }
        self.add_lms(item, &mut values);
        self.add_scored(item, &mut values);
        let dense: Vec<f32> = values.iter().map(|&value| value as f32).collect();
        if self.hurried {
            flags = flags.and(Flags::FALLBACK);
        }
        builder.edge(&EdgeParts {
            head,
            tails,
            symbols: &symbols,
            spans: &spans,
            links: &links,
            dense: &dense,
            flags,
            rule: place,
            ..EdgeParts::default()
        })
    }

    /// What language models say of an item beyond what they said of its tails.
    fn add_lms(&self, item: &Item, values: &mut [f64]) {
        let state =
            |tail: u32| self.states.get(self.lm_state(self.arena.items[tail as usize].state));
        for (index, (_, lm)) in self.model.lms().iter().enumerate() {
            let part = |tail: u32| Piece::Part(&state(tail)[index]);
            let pieces: Vec<Piece<'_>> = match self.rule(item) {
                None => item.tails.iter().map(|&tail| part(tail)).collect(),
                Some((set, rule)) => match &set.spelled {
                    Some(spelled) => {
                        spelled.words.iter().map(|word| Piece::Word(lm.word_id(word))).collect()
                    }
                    None => {
                        let piece = |symbol: table::Symbol| match symbol {
                            table::Symbol::Word(word) => {
                                Piece::Word(self.model.lm_word(index, word))
                            }
                            table::Symbol::Slot(slot) => part(item.tails[usize::from(slot)]),
                        };
                        set.target(rule).map(piece).collect()
                    }
                },
            };
            values[self.model.columns().lms + index] += lm.join(pieces).1;
        }
    }

    /// The edge of the end of the sentence, or of a piece.
    fn add_end(
        &self,
        builder: &mut ForestBuilder,
        last: u32,
        head: NodeId,
        tails: &[NodeId],
    ) -> Result<()> {
        let mut values = vec![0.0; self.model.names().len()];
        let states = self.states.get(self.lm_state(self.arena.items[last as usize].state));
        if self.entry.last {
            for (index, (_, lm)) in self.model.lms().iter().enumerate() {
                let mut state = *states[index].right();
                let score = lm.score(&mut state, lm.end()).log_prob();
                values[self.model.columns().lms + index] = score;
            }
            self.scorers.add_finish(self.arena.items[last as usize].state, &mut values);
        }
        let dense: Vec<f32> = values.iter().map(|&value| value as f32).collect();
        let symbols: Vec<Symbol> = (0..tails.len() as u32).map(Symbol::Slot).collect();
        builder.edge(&EdgeParts {
            head,
            tails,
            symbols: &symbols,
            dense: &dense,
            ..EdgeParts::default()
        })
    }
}

/// Adds a span, as part of the one before if it follows it.
fn push_span(spans: &mut Vec<Span>, new: Span) {
    match spans.last_mut() {
        Some(last) if last.end == new.start => last.end = new.end,
        _ => spans.push(new),
    }
}

fn flag(treatment: UnknownWords) -> Flags {
    match treatment {
        UnknownWords::Copy => Flags::COPIED,
        UnknownWords::Drop => Flags::DROPPED,
        UnknownWords::Mark => Flags::MARKED,
    }
}
