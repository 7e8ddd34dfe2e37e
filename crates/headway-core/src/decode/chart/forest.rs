//! What search kept, as a forest.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::arena::{BEGIN, GLUE, Item, NONE};
use super::rule::{ChartRule, RuleSet};
use super::search::Searching;
use crate::Result;
use crate::decode::UnknownWords;
use crate::forest::{EdgeParts, Flags, Forest, ForestBuilder, NodeId, Span, Symbol};
use crate::lm::Piece;
use crate::table;

type Nodes = HashMap<u32, NodeId, FxBuildHasher>;

/// What an edge is made of, apart from its nodes.
#[derive(Default)]
struct Made {
    values: Vec<f64>,
    symbols: Vec<Symbol>,
    spans: Vec<Span>,
    links: Vec<(u32, u32)>,
    flags: Flags,
    place: Option<u32>,
}

impl Searching<'_> {
    fn builder(&self) -> Result<ForestBuilder> {
        let mut builder = ForestBuilder::new(self.model.features().clone(), self.words)?;
        builder.weights(self.model.weights().iter().map(|&w| f64::from(w)).collect())?;
        Ok(builder)
    }

    /// Everything that leads to `finals`, and a node for the whole above them.
    pub fn forest(&self, finals: &[u32]) -> Result<Forest> {
        let mut builder = self.builder()?;
        let (rules, glue) = (builder.word("X")?, builder.word("S")?);
        let mut nodes = Nodes::default();
        for id in self.reachable(finals) {
            let item = &self.arena.items[id as usize];
            let label = if item.set == GLUE { glue } else { rules };
            let node = builder.span_node(item.start, item.end, Some(label))?;
            nodes.insert(id, node);
            let mut at = id;
            while at != NONE {
                let item = self.arena.items[at as usize];
                self.add_edge(&mut builder, &item, node, &nodes)?;
                at = item.next;
            }
        }
        let goal = builder.span_node(0, self.words.len() as u32, Some(glue))?;
        for final_item in finals {
            let tails: Vec<NodeId> = nodes.get(final_item).copied().into_iter().collect();
            self.add_end(&mut builder, *final_item, goal, &tails)?;
        }
        builder.finish(goal)
    }

    /// The forest of no words: nothing, in one way.
    pub fn empty_forest(&self) -> Result<Forest> {
        let mut builder = self.builder()?;
        let goal = builder.span_node(0, 0, None)?;
        let dense = vec![0.0; self.model.names().len()];
        builder.edge(&EdgeParts { head: goal, dense: &dense, ..EdgeParts::default() })?;
        builder.finish(goal)
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
        nodes: &Nodes,
    ) -> Result<()> {
        // The beginning of the sentence is no node: the first part is joined to nothing.
        let tails: Vec<NodeId> =
            item.tails.iter().filter_map(|tail| nodes.get(tail).copied()).collect();
        let mut made = Made::default();
        made.values.resize(self.model.names().len(), 0.0);
        match self.rule(item) {
            Some((set, rule)) => self.make(builder, item, set, rule, &mut made)?,
            None => {
                made.values[self.model.columns().joining] += 1.0;
                made.symbols.extend((0..tails.len() as u32).map(Symbol::Slot));
            }
        }
        self.add_lms(item, &mut made.values);
        let dense: Vec<f32> = made.values.iter().map(|&value| value as f32).collect();
        let hurried = if self.hurried { Flags::FALLBACK } else { Flags::default() };
        builder.edge(&EdgeParts {
            head,
            tails: &tails,
            symbols: &made.symbols,
            spans: &made.spans,
            links: &made.links,
            dense: &dense,
            flags: made.flags.and(hurried),
            rule: made.place,
            ..EdgeParts::default()
        })
    }

    /// Takes down what an item's rule says in its own words.
    fn make(
        &self,
        builder: &mut ForestBuilder,
        item: &Item,
        set: &RuleSet,
        rule: &ChartRule,
        made: &mut Made,
    ) -> Result<()> {
        set.add_local(self.model, rule, &mut made.values);
        for symbol in set.target(rule) {
            made.symbols.push(match symbol {
                table::Symbol::Slot(slot) => Symbol::Slot(u32::from(*slot)),
                table::Symbol::Word(word) => {
                    let text = self.model.table().target().word(*word);
                    Symbol::Word(builder.word(text.unwrap_or_default())?)
                }
            });
        }
        if let Some(unknown) = &set.unknown {
            if let Some(word) = &unknown.word {
                made.symbols.push(Symbol::Word(builder.word(word)?));
            }
            made.flags = flag(unknown.treatment);
        }
        let sources = self.source_spans(item);
        let own = set.source.iter().zip(&sources);
        for (_, &(start, end)) in own.filter(|(s, _)| matches!(s, table::Symbol::Word(_))) {
            push_span(&mut made.spans, Span { start, end });
        }
        let link = |&(s, t): &(u8, u8)| Some((sources.get(usize::from(s))?.0, u32::from(t)));
        made.links.extend(set.links(rule).iter().filter_map(link));
        made.place = (rule.place != u32::MAX).then_some(rule.place);
        Ok(())
    }

    /// What language models say of an item beyond what they said of its tails.
    fn add_lms(&self, item: &Item, values: &mut [f64]) {
        let state = |tail: u32| self.states.get(self.arena.items[tail as usize].state);
        for (index, (_, lm)) in self.model.lms().iter().enumerate() {
            let part = |tail: u32| Piece::Part(&state(tail)[index]);
            let piece = |symbol: &table::Symbol| match symbol {
                table::Symbol::Word(word) => Piece::Word(self.model.lm_word(index, *word)),
                table::Symbol::Slot(slot) => part(item.tails[usize::from(*slot)]),
            };
            let mut pieces: SmallVec<[Piece<'_>; 8]> = SmallVec::new();
            match self.rule(item) {
                None => pieces.extend(item.tails.iter().map(|&tail| part(tail))),
                Some((set, rule)) => {
                    let unknown = set.unknown.as_ref().and_then(|unknown| unknown.word.as_ref());
                    pieces.extend(set.target(rule).iter().map(piece));
                    pieces.extend(unknown.map(|word| Piece::Word(lm.word_id(word))));
                }
            }
            values[self.model.columns().lms + index] += lm.join(pieces).1;
        }
    }

    /// The edge of the end of the sentence.
    fn add_end(
        &self,
        builder: &mut ForestBuilder,
        last: u32,
        head: NodeId,
        tails: &[NodeId],
    ) -> Result<()> {
        let mut dense = vec![0.0; self.model.names().len()];
        let states = self.states.get(self.arena.items[last as usize].state);
        for (index, (_, lm)) in self.model.lms().iter().enumerate() {
            let mut state = *states[index].right();
            let score = lm.score(&mut state, lm.end()).log_prob();
            dense[self.model.columns().lms + index] = score as f32;
        }
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
