//! What search kept, as a forest in which every edge has one tail.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::arena::NONE;
use super::literal::Walk;
use super::search::Searching;
use crate::Result;
use crate::decode::feature::Step;
use crate::decode::lm::Phrases;
use crate::decode::{Phrase, UnknownWords};
use crate::forest::{EdgeParts, Flags, ForestBuilder, NodeId, Span, Symbol};

/// Forest nodes of a piece's hypotheses.
type Nodes = HashMap<u32, NodeId, FxBuildHasher>;

impl Searching<'_, '_> {
    /// Adds everything that leads to `finals`; the piece begins in `start`. Answers the node of
    /// each final.
    pub fn add_to(
        &mut self,
        builder: &mut ForestBuilder,
        start: NodeId,
        finals: &[u32],
    ) -> Result<Vec<NodeId>> {
        let mut nodes = Nodes::default();
        nodes.insert(0, start);
        for id in self.reachable(finals) {
            let node = self.add_node(builder, id)?;
            nodes.insert(id, node);
            let mut at = id;
            while at != NONE {
                let (previous, next) =
                    (self.arena[at as usize].previous, self.arena[at as usize].next);
                if let Some(&tail) = nodes.get(&previous) {
                    self.add_edge(builder, at, tail, node)?;
                }
                at = next;
            }
        }
        Ok(finals.iter().filter_map(|id| nodes.get(id).copied()).collect())
    }

    /// Hypotheses from which a final one comes, by words covered; equal ones once.
    fn reachable(&self, finals: &[u32]) -> Vec<u32> {
        let mut seen = vec![false; self.arena.len()];
        let (mut open, mut found) = (finals.to_vec(), Vec::new());
        while let Some(id) = open.pop() {
            if id == 0 || std::mem::replace(&mut seen[id as usize], true) {
                continue;
            }
            found.push(id);
            let mut at = id;
            while at != NONE {
                open.push(self.arena[at as usize].previous);
                at = self.arena[at as usize].next;
            }
        }
        // Stacks are filled one after the other, but better ones may come later than others.
        found.sort_by_key(|&id| (self.words_covered(id), id));
        found
    }

    fn words_covered(&self, id: u32) -> u32 {
        let set = self.coverages.get(self.arena[id as usize].coverage);
        let beyond = (set.first_free()..set.end()).filter(|&word| set.contains(word)).count();
        set.first_free() + beyond as u32
    }

    fn add_node(&self, builder: &mut ForestBuilder, id: u32) -> Result<NodeId> {
        let mut bits = vec![0; self.words.div_ceil(64)];
        for word in 0..self.offset as usize {
            bits[word / 64] |= 1 << (word % 64);
        }
        let coverage = self.arena[id as usize].coverage;
        self.coverages.get(coverage).set_in(&mut bits, self.offset as usize);
        builder.bits_node(&bits, None)
    }

    fn add_edge(
        &mut self,
        builder: &mut ForestBuilder,
        id: u32,
        tail: NodeId,
        head: NodeId,
    ) -> Result<()> {
        let hypothesis = self.arena[id as usize];
        let dense = self.edge_values(id);
        let (span, phrase) =
            (self.source_span(hypothesis.choice), self.input.phrase(hypothesis.choice));
        let mut symbols = vec![Symbol::Slot(0)];
        for word in phrase.words(self.model) {
            symbols.push(Symbol::Word(builder.word(word)?));
        }
        let links: Vec<(u32, u32)> = phrase
            .links
            .iter()
            .map(|&(s, t)| (span.start as u32 + u32::from(s), u32::from(t) + 1))
            .collect();
        builder.edge(&EdgeParts {
            head,
            tails: &[tail],
            symbols: &symbols,
            spans: &[Span { start: span.start as u32, end: span.end as u32 }],
            links: &links,
            dense: &dense,
            flags: flags(phrase, self.hurried),
            rule: (phrase.place != u32::MAX).then_some(phrase.place),
            ..EdgeParts::default()
        })
    }

    /// All features of a hypothesis' last step, and of the end of the sentence if it is complete.
    fn edge_values(&mut self, id: u32) -> Vec<f32> {
        let hypothesis = self.arena[id as usize];
        let previous = self.arena[hypothesis.previous as usize];
        let Some((span, phrase)) = self.last_phrase(&hypothesis) else { return Vec::new() };
        let mut walk = Walk::new(self.model, self.manner);
        walk.lm = self.lm.get(previous.lm).to_vec();
        if let Some((span, phrase)) = self.last_phrase(&previous) {
            (walk.last, walk.phrase) = (span, Some(phrase));
        }
        let before = walk.phrase.map(|phrase| (walk.last, phrase));
        let mut values = vec![0.0; self.model.names().len()];
        walk.step(span, phrase, &mut values);
        let (coverage, offset) = (self.coverages.get(hypothesis.coverage), self.offset as i32);
        let complete = self.last && coverage.first_free() == self.input.length;
        if complete {
            walk.finish(&mut values);
        }
        if !self.extras.is_empty() {
            let covered = |word: i32| word < offset || coverage.contains((word - offset) as u32);
            let step =
                Step { span, phrase, previous: before, covered: &covered, trees: coverage.trees() };
            let mut add = |column: usize, value: f32| values[column] += f64::from(value);
            let extra = self.extras.extend(previous.extra, &step, &mut add);
            if complete {
                self.extras.finish(extra, &mut add);
            }
        }
        values.into_iter().map(|value| value as f32).collect()
    }
}

fn flags(phrase: &Phrase, hurried: bool) -> Flags {
    let unknown = match phrase.spelled.as_ref().and_then(|spelled| spelled.unknown) {
        None => Flags::default(),
        Some(UnknownWords::Copy) => Flags::COPIED,
        Some(UnknownWords::Drop) => Flags::DROPPED,
        Some(UnknownWords::Mark) => Flags::MARKED,
    };
    if hurried { unknown.and(Flags::FALLBACK) } else { unknown }
}
