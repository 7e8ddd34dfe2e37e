//! What one thread does with its sentence pairs: every rule becomes a key with a weight.

use super::buffer::Buffer;
use super::lexicon::LinkCounts;
use super::options::{Kind, Options, Phrasal, PhraseLimits};
use super::orientation::{ORIENTATIONS, Orientations};
use super::pair::{Aligned, Pair, Phrase};
use super::phrases::phrases;
use super::rules::{Candidate, Choice, RuleCoder, choices};
use super::runs::Runs;
use super::shape::Shapes;
use crate::Result;
use crate::tree::Heads;

/// Fractions of a count are multiples of this: sums of integers do not depend on their order,
/// hence not on the number of threads.
const FRACTION: u64 = 1 << 32;

/// What a count of 1 is in keys' weights.
pub fn unit(options: &Options) -> u64 {
    let fractional = options.kind != Kind::Phrase && options.rules.fractional_counts;
    if fractional { FRACTION } else { 1 }
}

pub struct Worker<'a> {
    options: &'a Options,
    runs: &'a Runs,
    /// The buffer becomes a run when it is as large as this.
    run_size: usize,
    buffer: Buffer,
    pub links: LinkCounts,
    /// Pairs passed over for their length.
    pub skipped: u64,
    aligned: Aligned,
    orientations: Orientations,
    phrases: Vec<Phrase>,
    candidates: Vec<Candidate>,
    inside: Vec<u32>,
    choices: Vec<Choice>,
    coder: RuleCoder,
    key: Vec<u8>,
}

impl<'a> Worker<'a> {
    pub fn new(options: &'a Options, runs: &'a Runs, run_size: usize) -> Self {
        Worker {
            options,
            runs,
            run_size,
            buffer: Buffer::default(),
            links: LinkCounts::default(),
            skipped: 0,
            aligned: Aligned::default(),
            orientations: Orientations::default(),
            phrases: Vec::new(),
            candidates: Vec::new(),
            inside: Vec::new(),
            choices: Vec::new(),
            coder: RuleCoder::default(),
            key: Vec::new(),
        }
    }

    pub fn add(&mut self, pair: &Pair) -> Result<()> {
        if self.options.is_too_long(pair) {
            self.skipped += 1;
            return Ok(());
        }
        self.links.add(pair);
        self.aligned.set(pair);
        match self.options.kind {
            Kind::Phrase => self.phrase_pairs(pair)?,
            Kind::Hiero => self.rules(pair, None, None)?,
            Kind::Filtered => {
                if let Some(tree) = &pair.tree {
                    self.rules(pair, Some(&Shapes::new(tree)), None)?;
                }
            }
            Kind::StringToDependency => self.dependency_rules(pair)?,
        }
        Ok(())
    }

    /// Hands over what is left in the buffer.
    pub fn flush(&mut self) -> Result<()> {
        self.runs.push(&mut self.buffer)
    }

    fn phrase_pairs(&mut self, pair: &Pair) -> Result<()> {
        let limits = self.options.initial();
        let reordering = self.options.reordering.as_ref();
        if let Some(model) = reordering {
            self.orientations.set(pair, &self.aligned, model, limits.length);
        }
        self.find_phrases(limits);
        for number in 0..self.phrases.len() {
            let phrase = self.phrases[number];
            self.code(pair, None, &Candidate { phrase, shape: None, links: 0 }, Choice::NONE);
            if let Some(model) = reordering {
                let backward = self.orientations.backward(&phrase, model) as u8;
                let forward = self.orientations.forward(&phrase, model) as u8;
                self.key.push(backward * ORIENTATIONS as u8 + forward);
            }
            self.emit(1)?;
        }
        Ok(())
    }

    fn find_phrases(&mut self, limits: PhraseLimits) {
        self.phrases.clear();
        phrases(&self.aligned, limits, &mut self.phrases);
    }

    fn dependency_rules(&mut self, pair: &Pair) -> Result<()> {
        let shapes = pair.tree.as_ref().map(Shapes::new);
        if let (Some(tree), Some(shapes)) = (&pair.tree, &shapes) {
            self.rules(pair, Some(shapes), Some(&tree.heads))?;
        }
        let wanted = match self.options.trees.phrasal {
            Phrasal::None => false,
            Phrasal::Treeless => shapes.is_none(),
            Phrasal::IllFormed => true,
        };
        if wanted { self.phrasal_rules(pair, shapes.as_ref()) } else { Ok(()) }
    }

    /// Short phrase pairs as rules without a structure, where they have none.
    fn phrasal_rules(&mut self, pair: &Pair, shapes: Option<&Shapes<'_>>) -> Result<()> {
        let edges = self.options.rules.initial.edges;
        self.find_phrases(PhraseLimits { length: self.options.trees.phrasal_length, edges });
        for number in 0..self.phrases.len() {
            let phrase = self.phrases[number];
            if shapes.is_none_or(|shapes| shapes.shape(phrase.target).is_none()) {
                self.code(pair, None, &Candidate { phrase, shape: None, links: 0 }, Choice::NONE);
                self.emit(unit(self.options))?;
            }
        }
        Ok(())
    }

    /// Rules with slots; with `shapes`, only those made of well-formed structures alone.
    fn rules(
        &mut self,
        pair: &Pair,
        shapes: Option<&Shapes<'_>>,
        heads: Option<&Heads>,
    ) -> Result<()> {
        let limits = &self.options.rules;
        self.find_phrases(limits.initial);
        self.find_candidates(shapes);
        for number in 0..self.candidates.len() {
            let whole = self.candidates[number];
            self.choices.clear();
            choices(&whole, &self.candidates, limits, &mut self.inside, &mut self.choices);
            let unit = unit(self.options);
            let share = if limits.fractional_counts {
                unit / (self.choices.len() as u64).max(1)
            } else {
                unit
            };
            for number in 0..self.choices.len() {
                self.code(pair, heads, &whole, self.choices[number]);
                self.emit(share)?;
            }
        }
        Ok(())
    }

    fn find_candidates(&mut self, shapes: Option<&Shapes<'_>>) {
        self.phrases.sort_unstable();
        self.candidates.clear();
        for &phrase in &self.phrases {
            let shape = shapes.map(|shapes| shapes.shape(phrase.target));
            if shape != Some(None) {
                let links = self.aligned.link_count(phrase.source_range());
                self.candidates.push(Candidate { phrase, shape: shape.flatten(), links });
            }
        }
    }

    fn code(&mut self, pair: &Pair, heads: Option<&Heads>, whole: &Candidate, choice: Choice) {
        self.key.clear();
        let slots = choice.slots(&self.candidates).copied();
        self.coder.push(&mut self.key, pair, &self.aligned, heads, whole, slots);
    }

    fn emit(&mut self, weight: u64) -> Result<()> {
        self.buffer.push(&self.key, weight);
        if self.buffer.size() >= self.run_size { self.flush() } else { Ok(()) }
    }
}
