//! What one piece of a sentence offers to search: options, their order, future costs.

use smallvec::SmallVec;

use super::guide::{Guide, NO_HEAD, UNLICENSED};
use super::spans::AllowedSpans;
use crate::Result;
use crate::decode::cache::Options;
use crate::decode::constraint::Restrictions;
use crate::decode::lm::Phrases;
use crate::decode::reordering::ORIENTATIONS;
use crate::decode::{Phrase, Search};
use crate::table::{NodeId, RuleTable, Symbol};

/// One option of one span, with what search reads of it most.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    pub span: u32,
    pub estimate: f32,
    /// The part of the estimate that further features give it.
    pub further: f32,
    pub backward: [f32; ORIENTATIONS],
    pub forward: [f32; ORIENTATIONS],
    pub forward_key: u64,
    pub slack: f32,
}

/// The options of some words.
#[derive(Debug, Clone)]
pub struct Span {
    pub start: u32,
    pub end: u32,
    /// The number of its first choice.
    pub first: u32,
    /// Where its rankings begin: as many entries for each orientation as it has choices.
    pub ranks: u32,
    pub options: Options,
}

impl Span {
    pub fn count(&self) -> usize {
        self.options.phrases.len()
    }
}

/// A choice and what it is expected to add in one orientation, all but future cost.
#[derive(Debug, Clone, Copy)]
pub struct Ranked {
    pub key: f32,
    /// What language models are hoped to add.
    pub hope: f32,
    pub choice: u32,
}

/// A piece of a sentence, prepared.
pub struct Input {
    pub length: u32,
    pub spans: Vec<Span>,
    /// Where the spans of each first word begin in `spans`; one more at the end.
    pub starts: Vec<u32>,
    pub choices: Vec<Choice>,
    ranks: Vec<Ranked>,
    future: Future,
    /// Farthest jump; none is no limit.
    pub limit: Option<u32>,
    pub guide: Option<Guide>,
    /// What constraints leave to do.
    pub restrictions: Option<Restrictions>,
    /// For each span the head of its words in each tree of the guide.
    heads: Vec<u32>,
}

impl Input {
    /// `spans` are all that have options, in order: first word, word after the last, options.
    pub fn new(
        length: usize,
        spans: Vec<(u32, u32, Options)>,
        guide: Option<Guide>,
        restrictions: Option<Restrictions>,
        search: &Search,
        estimate: &mut dyn FnMut(u32, u32, &Phrase) -> f32,
    ) -> Self {
        // With a limit, contiguous subtrees could leave no way to the end.
        let free = guide.as_ref().is_some_and(|guide| guide.contiguous);
        let mut input = Input {
            length: length as u32,
            spans: Vec::with_capacity(spans.len()),
            starts: vec![0; length + 1],
            choices: Vec::new(),
            ranks: Vec::new(),
            future: Future::default(),
            limit: search.distortion_limit.filter(|_| !free),
            guide,
            restrictions,
            heads: Vec::new(),
        };
        for (start, end, options) in spans {
            input.push(start, end, options, search, estimate);
        }
        for start in 0..=length {
            let spans = &input.spans;
            input.starts[start] =
                spans.partition_point(|span| (span.start as usize) < start) as u32;
        }
        input.future = Future::new(&input, search);
        input
    }

    fn push(
        &mut self,
        start: u32,
        end: u32,
        options: Options,
        search: &Search,
        estimate: &mut dyn FnMut(u32, u32, &Phrase) -> f32,
    ) {
        let (span, first) = (self.spans.len() as u32, self.choices.len() as u32);
        for phrase in &options.phrases {
            let further = estimate(start, end, phrase);
            self.choices.push(Choice {
                span,
                estimate: phrase.estimate + further,
                further,
                backward: phrase.backward,
                forward: phrase.forward,
                forward_key: phrase.forward_key,
                slack: phrase.slack,
            });
        }
        let ranks = self.ranks.len() as u32;
        for (orientation, order) in options.orders.iter().enumerate() {
            for &place in order {
                let choice = first + u32::from(place);
                let Choice { estimate, backward, .. } = self.choices[choice as usize];
                let hope = search.hope * options.phrases[usize::from(place)].slack;
                self.ranks.push(Ranked { key: estimate + backward[orientation], hope, choice });
            }
        }
        self.spans.push(Span { start, end, first, ranks, options });
        if let Some(guide) = &self.guide {
            let first = self.heads.len();
            self.heads.extend((0..guide.trees()).map(|tree| guide.head(tree, start, end)));
            // Only a constraint offers words that no tree licenses: they may come at any time.
            if self.heads[first..].iter().all(|&head| head == UNLICENSED) {
                self.heads[first..].fill(NO_HEAD);
            }
        }
    }

    /// The heads of a span's words in the trees of the guide.
    #[inline]
    pub fn heads(&self, span: u32) -> &[u32] {
        let trees = self.guide.as_ref().map_or(0, Guide::trees);
        &self.heads[span as usize * trees..][..trees]
    }

    #[inline]
    pub fn span_of(&self, choice: u32) -> &Span {
        &self.spans[self.choices[choice as usize].span as usize]
    }

    /// The spans that begin with a word, shortest first.
    pub fn spans_at(&self, start: u32) -> std::ops::Range<u32> {
        self.starts[start as usize]..self.starts[start as usize + 1]
    }

    /// A ranked choice, by its place among those of all spans and orientations.
    #[inline]
    pub fn ranked(&self, place: u32) -> Ranked {
        self.ranks[place as usize]
    }

    /// The best that the free words from `start` to before `end` can still score.
    #[inline]
    pub fn future(&self, start: u32, end: u32) -> f32 {
        self.future.get(start, end)
    }
}

impl Phrases for Input {
    #[inline]
    fn phrase(&self, choice: u32) -> &Phrase {
        let span = self.span_of(choice);
        &span.options.phrases[(choice - span.first) as usize]
    }
}

/// Best scores of gaps. Gaps end where something covered begins, which a distortion limit
/// keeps near, or with the sentence: so a band of the matrix and the suffixes are enough.
#[derive(Debug, Default)]
struct Future {
    length: u32,
    width: u32,
    band: Vec<f32>,
    suffixes: Vec<f32>,
}

impl Future {
    fn new(input: &Input, search: &Search) -> Self {
        let longest = search.max_phrase.min(input.length as usize) as u32;
        let reach = input.limit.map_or(input.length, |limit| limit.saturating_add(longest));
        let width = reach.min(input.length).max(1);
        let best: Vec<(u32, f32)> =
            input.spans.iter().map(|span| (span.end, best(input, span))).collect();
        let mut future = Future {
            length: input.length,
            width,
            band: vec![f32::NEG_INFINITY; (input.length * width) as usize],
            suffixes: vec![f32::NEG_INFINITY; input.length as usize + 1],
        };
        future.suffixes[input.length as usize] = 0.0;
        for start in (0..input.length).rev() {
            for &(middle, score) in &best[range(input, start)] {
                let rest = future.suffixes[middle as usize];
                let suffix = &mut future.suffixes[start as usize];
                *suffix = suffix.max(score + rest);
                for end in middle..=(start + width).min(input.length) {
                    let rest = if end == middle { 0.0 } else { future.get(middle, end) };
                    let place = future.place(start, end);
                    future.band[place] = future.band[place].max(score + rest);
                }
            }
        }
        future
    }

    fn place(&self, start: u32, end: u32) -> usize {
        (start * self.width + end - start - 1) as usize
    }

    #[inline]
    fn get(&self, start: u32, end: u32) -> f32 {
        if start >= end {
            0.0
        } else if end == self.length {
            self.suffixes[start as usize]
        } else if end - start <= self.width {
            self.band[self.place(start, end)]
        } else {
            self.suffixes[start as usize] - self.suffixes[end as usize]
        }
    }
}

fn range(input: &Input, start: u32) -> std::ops::Range<usize> {
    let spans = input.spans_at(start);
    spans.start as usize..spans.end as usize
}

/// How much of their slack phrases use on average. Without it a gap looks worse than what will
/// fill it, so that hypotheses put off the words that are hard to translate.
const SLACK_USED: f32 = 0.15;

/// The best that a span can score: with part of the slack, and in whichever orientation is best.
fn best(input: &Input, span: &Span) -> f32 {
    let highest = |scores: &[f32]| scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let choices = &input.choices[span.first as usize..span.first as usize + span.count()];
    let scores = choices.iter().map(|choice| {
        let reordering = highest(&choice.backward) + highest(&choice.forward);
        choice.estimate + SLACK_USED * choice.slack + reordering
    });
    scores.fold(f32::NEG_INFINITY, f32::max)
}

/// Where the options of spans come from.
pub trait Offers {
    /// Those of a source phrase in the table.
    fn known(&mut self, node: NodeId, path: &[Symbol]) -> Result<Options>;

    /// The fallback for a word that has none of its own.
    fn unknown(&mut self, word: &str) -> Options;
}

/// The options of all spans of a piece, in order.
pub fn spans(
    table: &RuleTable,
    longest: usize,
    words: &[&str],
    allowed: &AllowedSpans,
    source: &mut impl Offers,
) -> Result<Vec<(u32, u32, Options)>> {
    let symbol = |word: &&str| table.source().get(word).map(Symbol::Word);
    let ids: Vec<Option<Symbol>> = words.iter().map(symbol).collect();
    let mut spans = Vec::new();
    for (start, word) in words.iter().enumerate() {
        let first = spans.len();
        spans_at(table, longest, &ids, start, allowed, source, &mut spans)?;
        let lone = spans.get(first).is_some_and(|span| span.1 as usize == start + 1);
        if !lone {
            spans.insert(first, (start as u32, start as u32 + 1, source.unknown(word)));
        }
    }
    Ok(spans)
}

/// Adds the spans that begin with a word, shortest first.
fn spans_at(
    table: &RuleTable,
    longest: usize,
    ids: &[Option<Symbol>],
    start: usize,
    allowed: &AllowedSpans,
    source: &mut impl Offers,
    spans: &mut Vec<(u32, u32, Options)>,
) -> Result<()> {
    let (mut node, mut path) = (table.root(), SmallVec::<[Symbol; 8]>::new());
    for (end, id) in ids.iter().enumerate().skip(start).take(longest) {
        let next = id.and_then(|id| Some((id, table.child(node, id)?)));
        let Some((id, next)) = next else { break };
        node = next;
        path.push(id);
        if table.has_rules(node) && allowed.contains(start as u32, end as u32 + 1) {
            let found = source.known(node, &path)?;
            if !found.phrases.is_empty() {
                spans.push((start as u32, end as u32 + 1, found));
            }
        }
    }
    Ok(())
}
