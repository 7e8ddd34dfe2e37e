//! One sentence, searched piece by piece.

use super::arena::Hypothesis;
use super::changes::Changes;
use super::decoder::Decoder;
use super::derive::Taken;
use super::extras::Extras;
use super::input::Input;
use super::literal::{self, Manner, Walk};
use super::search::{Entry, Searching};
use crate::decode::clock::Clock;
use crate::decode::feature::{self, SourceSpan};
use crate::decode::interface::Decode;
use crate::decode::limits::unsound;
use crate::decode::lm::{LmStates, Phrases};
use crate::decode::translation::{Request, Translation};
use crate::decode::{Model, Phrase};
use crate::forest::{EdgeParts, Flags, Forest, ForestBuilder, NodeId, Symbol};
use crate::{Error, Result};

/// A phrase that was taken: its place, itself, and the source trees that agree behind it.
struct Step(SourceSpan, Phrase, u32);

/// A sentence on its way, piece by piece.
pub struct Found<'d> {
    decoder: &'d Decoder,
    steps: Vec<Step>,
    manner: Manner,
    entry: Entry,
    hurried: bool,
    builder: Option<ForestBuilder>,
    /// The node behind the pieces so far.
    node: NodeId,
    words: usize,
}

impl<'d> Found<'d> {
    /// `trees` are the source trees that it may agree with.
    pub fn new(
        decoder: &'d Decoder,
        words: &[&str],
        manner: Manner,
        trees: u32,
        request: Request,
    ) -> Result<Self> {
        let lm = LmStates::begin(decoder.model()).to_vec();
        let last = SourceSpan { start: -1, end: 0 };
        let entry = Entry { lm, last, phrase: None, extra: 0, trees };
        let (mut builder, mut node) = (None, NodeId(0));
        if request.forest || request.n_best > 0 {
            let model = decoder.model();
            let mut new = ForestBuilder::new(model.features().clone(), words)?;
            new.weights(model.weights().iter().map(|&weight| f64::from(weight)).collect())?;
            node = new.bits_node(&vec![0; words.len().div_ceil(64)], None)?;
            let dense = vec![0.0; model.names().len()];
            new.edge(&EdgeParts { head: node, dense: &dense, ..EdgeParts::default() })?;
            builder = Some(new);
        }
        let words = words.len();
        let steps = Vec::new();
        Ok(Found { decoder, steps, manner, entry, hurried: false, builder, node, words })
    }

    pub fn piece(
        &mut self,
        input: &Input,
        offset: u32,
        last: bool,
        extras: &mut Extras<'_>,
        clock: Clock<'_>,
    ) -> Result<()> {
        if input.length == 0 {
            return Ok(());
        }
        let (model, search) = (self.decoder.model(), self.decoder.search());
        let bits = 9 + (input.length * 2).ilog2().min(8);
        let entry = self.entry.clone();
        let mut searching = Searching {
            model,
            search,
            input,
            manner: self.manner,
            entry: &entry,
            offset,
            words: self.words,
            changes: Changes::new(if extras.is_empty() || extras.look_back { 0 } else { 14 }),
            extras,
            lm: LmStates::new(model, input.choices.len(), bits),
            coverages: Default::default(),
            arena: Vec::new(),
            clock,
            hurried: self.hurried,
            keep: self.builder.is_some(),
            last,
            best_complete: f32::NEG_INFINITY,
            most_added: 0.0,
            unsound: false,
        };
        let finals = searching.run();
        if searching.unsound {
            return Err(unsound());
        }
        let Some(&best) = finals.first() else {
            return Err(Error::internal("search found no translation"));
        };
        self.hurried = searching.hurried;
        let path = searching.path(best);
        if let Some(builder) = &mut self.builder {
            let wanted = if last { &finals[..] } else { &finals[..1] };
            let nodes = searching.add_to(builder, self.node, wanted)?;
            self.node = if last { goal(builder, &nodes, model, self.words)? } else { nodes[0] };
        }
        for id in path {
            let Hypothesis { choice, coverage, .. } = searching.arena[id as usize];
            let trees = searching.coverages.get(coverage).trees();
            let phrase = input.phrase(choice).clone();
            self.steps.push(Step(searching.source_span(choice), phrase, trees));
        }
        self.enter_next(offset + input.length, extras);
        Ok(())
    }

    /// Walks through all that was found, to where the next piece begins.
    fn enter_next(&mut self, offset: u32, extras: &mut Extras<'_>) {
        if offset as usize == self.words {
            return;
        }
        let model = self.decoder.model();
        let mut walk = Walk::new(model, self.manner);
        let mut values = vec![0.0; model.names().len()];
        let (mut extra, mut last_trees) = (0, self.entry.trees);
        let mut done = vec![false; self.words];
        for &Step(span, ref phrase, trees) in &self.steps {
            let previous = walk.phrase.map(|phrase| (walk.last, phrase));
            walk.step(span, phrase, &mut values);
            last_trees = trees;
            if !extras.is_empty() {
                done[span.start as usize..span.end as usize].fill(true);
                let covered = |word: i32| done.get(word as usize) == Some(&true);
                let step = feature::Step { span, phrase, previous, covered: &covered, trees };
                extra = extras.extend(extra, &step, |_, _| ());
            }
        }
        self.entry = literal::entry_behind(&walk, extra, last_trees, offset);
    }

    pub fn finish(self, extras: &mut Extras<'_>) -> Result<Translation> {
        let model = self.decoder.model();
        let steps = self.steps.iter();
        let steps: Vec<Taken<'_>> =
            steps.map(|&Step(span, ref phrase, trees)| Taken { span, phrase, trees }).collect();
        let mut translation = Translation::of_steps(model, &steps);
        translation.features = literal::features(model, self.manner, extras, &steps);
        translation.score = model.score(&translation.features);
        translation.hurried = self.hurried;
        let node = self.node;
        let forest: Option<Result<Forest>> = self.builder.map(|builder| builder.finish(node));
        translation.forest = forest.transpose()?;
        Ok(translation)
    }
}

/// One node behind all complete hypotheses.
fn goal(
    builder: &mut ForestBuilder,
    nodes: &[NodeId],
    model: &Model,
    words: usize,
) -> Result<NodeId> {
    let mut bits = vec![0; words.div_ceil(64)];
    (0..words).for_each(|word| bits[word / 64] |= 1 << (word % 64));
    let goal = builder.bits_node(&bits, None)?;
    let dense = vec![0.0; model.names().len()];
    for &node in nodes {
        builder.edge(&EdgeParts {
            head: goal,
            tails: &[node],
            symbols: &[Symbol::Slot(0)],
            dense: &dense,
            flags: Flags::default(),
            ..EdgeParts::default()
        })?;
    }
    Ok(goal)
}
