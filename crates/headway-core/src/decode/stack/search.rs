//! The search for one piece of a sentence.

use super::arena::{Hypothesis, Identity, NO_START, NONE, Stack};
use super::changes::{Change, Changes};
use super::edges::{Edge, Edges};
use super::extras::Extras;
use super::input::Input;
use super::literal::Manner;
use crate::decode::clock::Clock;
use crate::decode::coverage::{Coverage, Coverages};
use crate::decode::feature::{SourceSpan, Step};
use crate::decode::lm::{LmStates, Phrases};
use crate::decode::reordering::ORIENTATIONS;
use crate::decode::{Algorithm, Model, Phrase, Search};
use crate::lm::State;

/// How a piece begins: as the piece before it ended.
#[derive(Clone)]
pub struct Entry {
    pub lm: Vec<State>,
    /// The last phrase, counted from the first word of this piece.
    pub last: SourceSpan,
    pub phrase: Option<Phrase>,
    pub extra: u32,
    /// The source trees that the order so far agrees with.
    pub trees: u32,
}

/// Everything about the search of one piece, during and after it.
pub struct Searching<'s, 'f> {
    pub model: &'s Model,
    pub search: &'s Search,
    pub input: &'s Input,
    pub manner: Manner,
    pub entry: &'s Entry,
    /// Where the piece begins in the sentence.
    pub offset: u32,
    /// Words of the whole sentence.
    pub words: usize,
    pub extras: &'s mut Extras<'f>,
    pub changes: Changes,
    pub lm: LmStates<'s>,
    pub coverages: Coverages,
    pub arena: Vec<Hypothesis>,
    pub clock: Clock<'s>,
    /// Whether the time was up before the end.
    pub hurried: bool,
    /// Whether hypotheses that recombined are kept.
    pub keep: bool,
    /// Whether `</s>` follows.
    pub last: bool,
    /// The best total of a complete hypothesis so far.
    pub best_complete: f32,
    /// The most that further features have added to a hypothesis so far.
    pub most_added: f32,
    /// Whether some total was not a finite number.
    pub unsound: bool,
}

/// Stack and pop limit once the time is up.
const HURRY: usize = 10;

impl<'s> Searching<'s, '_> {
    /// Searches; answers the complete hypotheses, the best first.
    pub fn run(&mut self) -> Vec<u32> {
        let start = self.start();
        let mut edges = Edges::new(self.input.length);
        self.expand(&mut edges, 0, &mut [start]);
        let mut stack = Stack::default();
        for covered in 1..=self.input.length {
            let complete = covered == self.input.length;
            match self.search.algorithm {
                Algorithm::Cube => {
                    // One queue for all stacks of as many words, so that the pop limit means the
                    // same for however many dependencies there are.
                    let into: Vec<Edge> = edges.take_into(covered).flatten().collect();
                    stack.clear();
                    self.fill_by_cubes(&mut edges, into, complete, &mut stack);
                    self.go_on(&mut edges, covered, &mut stack);
                }
                Algorithm::Stack => {
                    for into in edges.take_into(covered) {
                        stack.clear();
                        self.fill_by_all(&mut edges, into, complete, &mut stack);
                        self.go_on(&mut edges, covered, &mut stack);
                    }
                }
            }
        }
        let total = |id: u32| self.arena[id as usize].total;
        stack.members.sort_by(|&a, &b| total(b).total_cmp(&total(a)).then(a.cmp(&b)));
        stack.members
    }

    /// Prunes a stack and adds what may follow; one that covers all words is done.
    fn go_on(&self, edges: &mut Edges, covered: u32, stack: &mut Stack) {
        if covered == self.input.length {
            return;
        }
        let (most, threshold) = (self.stack_limit(), self.search.threshold);
        match &self.input.guide {
            // Hypotheses that differ in the dependencies they cover do not compete (Hunter &
            // Resnik 2010, §4.3): some have paid for more of them.
            Some(guide) if guide.contiguous => {
                let dependencies = |coverage: u32| guide.covered(self.coverages.get(coverage));
                stack.prune_apart(&self.arena, most, threshold, dependencies);
            }
            _ => stack.prune(&self.arena, most, threshold),
        }
        self.expand(edges, covered, &mut stack.members);
    }

    fn start(&mut self) -> u32 {
        let empty = self.coverages.id(Coverage::of_trees(self.entry.trees));
        let lm = self.lm.id(&self.entry.lm);
        let last = self.entry.last;
        self.arena.push(Hypothesis {
            total: self.input.future(0, self.input.length) + self.outlook(self.entry.extra),
            previous: NONE,
            choice: NONE,
            lm,
            coverage: empty,
            extra: self.entry.extra,
            next: NONE,
            start: last.start,
            end: last.end,
        });
        0
    }

    pub fn stack_limit(&self) -> usize {
        if self.hurried { HURRY.min(self.search.stack) } else { self.search.stack }
    }

    pub fn pop_limit(&self) -> usize {
        if self.hurried { HURRY.min(self.search.pop_limit) } else { self.search.pop_limit }
    }

    /// Looks at the clock.
    pub fn check_time(&mut self) {
        self.hurried = self.hurried || self.clock.is_up();
    }

    /// Weighted forward scores of a hypothesis' last phrase.
    pub fn forward(&self, hypothesis: &Hypothesis) -> [f32; ORIENTATIONS] {
        match (hypothesis.choice, &self.entry.phrase) {
            (NONE, Some(phrase)) => phrase.forward,
            (NONE, None) => [0.0; ORIENTATIONS],
            (choice, _) => self.input.choices[choice as usize].forward,
        }
    }

    /// The last phrase and its span in the sentence.
    pub fn last_phrase(&self, hypothesis: &Hypothesis) -> Option<(SourceSpan, &'s Phrase)> {
        let (input, entry): (&'s Input, &'s Entry) = (self.input, self.entry);
        if hypothesis.choice != NONE {
            return Some((self.source_span(hypothesis.choice), input.phrase(hypothesis.choice)));
        }
        let (SourceSpan { start, end }, offset) = (entry.last, self.offset as i32);
        let span = SourceSpan { start: start + offset, end: end + offset };
        entry.phrase.as_ref().map(|phrase| (span, phrase))
    }

    /// Where a choice stands in the sentence.
    pub fn source_span(&self, choice: u32) -> SourceSpan {
        let (span, offset) = (self.input.span_of(choice), self.offset as i32);
        SourceSpan { start: span.start as i32 + offset, end: span.end as i32 + offset }
    }

    /// The weighted values of further features for a step, and the states behind it.
    pub fn extend_extras(&mut self, from: u32, choice: u32, to: u32) -> (f32, u32) {
        let hypothesis = self.arena[from as usize];
        let (offset, coverage) = (self.offset as i32, self.coverages.get(to));
        let covered = |word: i32| word < offset || coverage.contains((word - offset) as u32);
        let previous = self.last_phrase(&hypothesis);
        let (span, phrase) = (self.source_span(choice), self.input.phrase(choice));
        let step = Step { span, phrase, previous, covered: &covered, trees: coverage.trees() };
        let (mut score, weights) = (0.0, self.model.weights());
        let extra = self
            .extras
            .extend(hypothesis.extra, &step, |column, value| score += weights[column] * value);
        (score, extra)
    }

    /// What language models add when all is covered, weighted.
    pub fn end_score(&mut self, lm: u32) -> f32 {
        if self.last { self.lm.end(lm) } else { 0.0 }
    }

    /// What further features expect of the rest of the sentence, weighted.
    fn outlook(&self, extra: u32) -> f32 {
        if self.extras.look_ahead { self.extras.outlook(extra, self.model.weights()) } else { 0.0 }
    }

    /// Adds further features to a hypothesis that has all else.
    pub fn add_extras(&mut self, new: &mut Hypothesis, complete: bool) {
        if self.extras.is_empty() {
            return;
        }
        let before = new.total;
        let ends = complete && self.last;
        let change = self.change_of_extras(new, ends);
        new.extra = change.extra;
        new.total += change.score;
        new.total += change.expected;
        if ends {
            self.add_end(new);
        }
        self.most_added = self.most_added.max(new.total - before);
    }

    /// What a step changes in further features: made once for all hypotheses from which it is the
    /// same.
    fn change_of_extras(&mut self, new: &Hypothesis, ends: bool) -> Change {
        let from = self.arena[new.previous as usize].extra;
        let known =
            (!self.extras.look_back).then(|| self.changes.find((from, new.choice, new.coverage)));
        match known {
            None => self.find_change(new, from, ends),
            Some(Ok(change)) => change,
            Some(Err(place)) => {
                let change = self.find_change(new, from, ends);
                self.changes.keep(place, change)
            }
        }
    }

    fn find_change(&mut self, new: &Hypothesis, from: u32, ends: bool) -> Change {
        let (score, extra) = self.extend_extras(new.previous, new.choice, new.coverage);
        let score = score - self.input.choices[new.choice as usize].further;
        let mut expected = 0.0;
        if self.extras.look_ahead {
            let after = if ends { 0.0 } else { self.outlook(extra) };
            expected = after - self.outlook(from);
        }
        Change { score, expected, extra }
    }

    /// Adds what further features say to the end. Where only the best translation is wanted, one
    /// that cannot be it is left with the most that it could reach.
    fn add_end(&mut self, new: &mut Hypothesis) {
        let weights = self.model.weights();
        let (mut most, mut bounded) = (new.total, !self.keep);
        self.extras.finish_at_most(new.extra, |column, value| {
            most += weights[column] * value;
            bounded &= weights[column] >= 0.0;
        });
        if bounded && most < self.best_complete {
            new.total = most;
            return;
        }
        let mut score = 0.0;
        self.extras.finish(new.extra, |column, value| score += weights[column] * value);
        new.total += score;
        self.best_complete = self.best_complete.max(new.total);
    }

    /// The first word of a phrase, as far as recombination must know it: a later phrase can
    /// only swap with this one if the word before it is still free.
    pub fn start_key(&self, coverage: &Coverage, start: u32) -> i32 {
        if self.extras.look_at_source {
            return start as i32;
        }
        let swaps = !self.model.reordering().is_empty() && start > 0;
        if swaps && !coverage.contains(start - 1) { start as i32 } else { NO_START }
    }
}

/// What recombination looks at, apart from the arena itself.
pub struct Equality<'a, 'f> {
    pub model: &'a Model,
    pub input: &'a Input,
    pub extras: &'a Extras<'f>,
}

impl Identity for Equality<'_, '_> {
    #[inline]
    fn hash(&self, hypothesis: &Hypothesis) -> u64 {
        let mix = |hash: u64, value: u64| {
            (hash.rotate_left(23) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        };
        let states = u64::from(hypothesis.coverage) << 32 | u64::from(hypothesis.lm);
        let last = (hypothesis.start as u32 as u64) << 32 | u64::from(hypothesis.end as u32);
        let mut hash = mix(mix(0, states), last);
        if self.model.reordering().forward.is_some() {
            hash = mix(hash, self.input.choices[hypothesis.choice as usize].forward_key);
        }
        if !self.extras.is_empty() {
            hash = self.extras.keys(hypothesis.extra).fold(hash, mix);
        }
        hash ^ hash >> 29
    }

    #[inline]
    fn same(&self, one: &Hypothesis, other: &Hypothesis) -> bool {
        let forward = self.model.reordering().forward;
        let equal = one.coverage == other.coverage
            && one.lm == other.lm
            && one.end == other.end
            && one.start == other.start;
        let phrase = |hypothesis: &Hypothesis| self.input.phrase(hypothesis.choice);
        equal
            && (forward.is_none()
                || one.choice == other.choice
                || phrase(one).same_forward(phrase(other), forward))
            && (self.extras.is_empty()
                || self.extras.keys(one.extra).eq(self.extras.keys(other.extra)))
    }
}
