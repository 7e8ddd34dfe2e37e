//! Which phrases may follow which hypotheses.
//!
//! Hypotheses with the same coverage and last phrase share all moves: jump and orientation are
//! then the same. Such a group and a span make an edge, a grid of hypotheses and options.

use super::arena::{Hypothesis, NONE};
use super::guide::Guide;
use super::search::Searching;
use crate::decode::Algorithm;
use crate::decode::reordering::{ORIENTATIONS, Orientation};

/// A span put behind a coverage.
#[derive(Debug, Clone, Copy)]
pub struct Move {
    pub from: u32,
    pub span: u32,
    /// The coverage behind it, once it was needed.
    pub to: u32,
    /// The source trees that still agree behind it.
    pub trees: u32,
    /// First word, as far as it matters, and word after the last.
    pub start_key: i32,
    pub end: i32,
}

/// A hypothesis of a group, and its total with the forward score for one orientation.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    pub key: f32,
    pub hypothesis: u32,
    /// Its states of language models.
    pub lm: u32,
}

/// A group of hypotheses and a span.
#[derive(Debug, Clone, Copy)]
pub struct Edge {
    /// What is added whichever hypothesis and option: distortion, change of future cost.
    pub base: f32,
    /// Where its rows begin, and how many there are.
    pub rows: u32,
    pub count: u32,
    /// Where its columns, ranked choices, begin in the input, and how many there are.
    pub columns: u32,
    pub choices: u32,
    pub step: u32,
}

/// All edges found so far.
#[derive(Debug, Default)]
pub struct Edges {
    pub moves: Vec<Move>,
    pub rows: Vec<Row>,
    /// By the number of words covered behind them, then by stack.
    by_covered: Vec<Vec<Into>>,
}

/// The edges into one stack.
#[derive(Debug, Clone)]
struct Into {
    /// The number of dependencies covered, if stacks that are filled on their own differ in it.
    dependencies: u32,
    edges: Vec<Edge>,
}

impl Edges {
    pub fn new(length: u32) -> Self {
        Edges { by_covered: vec![Vec::new(); length as usize + 1], ..Edges::default() }
    }

    /// Takes out the edges into each stack of a number of words.
    pub fn take_into(&mut self, covered: u32) -> impl Iterator<Item = Vec<Edge>> + use<> {
        let mut stacks = std::mem::take(&mut self.by_covered[covered as usize]);
        stacks.sort_by_key(|into| into.dependencies);
        stacks.into_iter().map(|into| into.edges)
    }

    /// The edges into a stack.
    fn stack(&mut self, covered: u32, dependencies: u32) -> &mut Vec<Edge> {
        let stacks = &mut self.by_covered[covered as usize];
        let place = stacks.iter().position(|into| into.dependencies == dependencies);
        let place = place.unwrap_or_else(|| {
            stacks.push(Into { dependencies, edges: Vec::new() });
            stacks.len() - 1
        });
        &mut stacks[place].edges
    }
}

/// Hypotheses with the same coverage and last phrase, as a range, with their rows for each
/// orientation once they were needed.
struct Group {
    start: i32,
    end: i32,
    members: std::ops::Range<usize>,
    rows: [u32; ORIENTATIONS],
}

/// A gap in a coverage, and a span in it.
#[derive(Clone, Copy)]
struct Place {
    gap: (u32, u32),
    span: u32,
    /// The source trees that agree with it.
    trees: u32,
    /// Words and dependencies covered behind it.
    covered: u32,
    dependencies: u32,
}

impl Searching<'_, '_> {
    /// Adds the edges of a stack's hypotheses, which are put in order.
    pub fn expand(&self, edges: &mut Edges, covered: u32, members: &mut [u32]) {
        let arena = &self.arena;
        let key = |hypothesis: &Hypothesis| (hypothesis.coverage, hypothesis.start, hypothesis.end);
        members.sort_unstable_by(|&a, &b| {
            let (one, other) = (&arena[a as usize], &arena[b as usize]);
            key(one).cmp(&key(other)).then(other.total.total_cmp(&one.total)).then(a.cmp(&b))
        });
        let coverage = |id: &u32| arena[*id as usize].coverage;
        for same in members.chunk_by(|a, b| coverage(a) == coverage(b)) {
            self.expand_coverage(edges, covered, same);
        }
    }

    fn expand_coverage(&self, edges: &mut Edges, covered: u32, members: &[u32]) {
        let before = edges.moves.len();
        self.expand_guided(edges, covered, members, self.input.guide.as_ref());
        // What constraints ask for goes before what trees do: where both leave nothing to do,
        // trees are not asked.
        let stuck = edges.moves.len() == before && self.input.restrictions.is_some();
        if stuck && self.input.guide.is_some() {
            self.expand_guided(edges, covered, members, None);
        }
    }

    fn expand_guided(
        &self,
        edges: &mut Edges,
        covered: u32,
        members: &[u32],
        guide: Option<&Guide>,
    ) {
        let mut groups = self.groups(members);
        let coverage = self.arena[members[0] as usize].coverage;
        let limit = self.input.limit;
        let (set, length) = (self.coverages.get(coverage), self.input.length);
        let guided = guide.map(|guide| (guide, guide.standing(set)));
        let restricted = self.input.restrictions.as_ref().map(|it| (it, it.open(set, length)));
        let first = set.first_free();
        let mut last =
            limit.map_or(length, |limit| length.min(first.saturating_add(limit).max(first + 1)));
        let (mut start, mut gap) = (first, (0, 0));
        if let Some((_, standing)) = &guided {
            (start, last) = (start.max(standing.window.0), last.min(standing.window.1));
        }
        while start < last {
            if set.contains(start) {
                start += 1;
                continue;
            }
            if start >= gap.1 {
                gap = (start, self.gap_end(set, start));
            }
            for span in self.input.spans_at(start) {
                let end = self.input.spans[span as usize].end;
                // The first free word must stay within reach.
                let mut reachable =
                    start == first || limit.is_none_or(|limit| end - first <= limit);
                if let Some((restrictions, open)) = &restricted {
                    let reach = restrictions.reach(start, end, first);
                    reachable &= start == first || limit.is_none_or(|most| reach - first <= most);
                    reachable &= open.admits(start, end);
                }
                if end > gap.1 || !reachable {
                    continue;
                }
                let covered = covered + end - start;
                let mut place = Place { gap, span, trees: set.trees(), covered, dependencies: 0 };
                if let Some((guide, standing)) = &guided {
                    let heads = self.input.heads(span);
                    place.trees = guide.allowing(set.trees(), standing, heads);
                    if place.trees == 0 {
                        continue;
                    }
                    if covered < length && self.search.algorithm == Algorithm::Stack {
                        let span = (start, end);
                        place.dependencies =
                            guide.dependencies(set, standing, place.trees, span, heads);
                    }
                }
                self.add_move(edges, coverage, place, &mut groups, members);
            }
            start += 1;
        }
    }

    fn gap_end(&self, set: &crate::decode::coverage::Coverage, start: u32) -> u32 {
        if start >= set.end() {
            return self.input.length;
        }
        (start..set.end()).find(|&word| set.contains(word)).unwrap_or(self.input.length)
    }

    fn groups(&self, members: &[u32]) -> Vec<Group> {
        let last = |id: &u32| {
            let hypothesis = &self.arena[*id as usize];
            (hypothesis.start, hypothesis.end)
        };
        let mut begin = 0;
        let same = members.chunk_by(|a, b| last(a) == last(b));
        same.map(|group| {
            let members = begin..begin + group.len();
            begin = members.end;
            let (start, end) = last(&group[0]);
            Group { start, end, members, rows: [NONE; ORIENTATIONS] }
        })
        .collect()
    }

    fn add_move(
        &self,
        edges: &mut Edges,
        coverage: u32,
        Place { gap, span, trees, covered, dependencies }: Place,
        groups: &mut [Group],
        members: &[u32],
    ) {
        let (start, end, columns, choices) = {
            let span = &self.input.spans[span as usize];
            (span.start, span.end, span.ranks, span.count() as u32)
        };
        let input = self.input;
        let future =
            input.future(gap.0, start) + input.future(end, gap.1) - input.future(gap.0, gap.1);
        let weight = match self.manner.linear {
            true => self.model.weights()[self.model.columns().joining],
            false => 0.0,
        };
        let step = edges.moves.len() as u32;
        let before = edges.stack(covered, dependencies).len();
        for group in groups {
            let jump = (start as i32 - group.end).unsigned_abs();
            if self.input.limit.is_some_and(|limit| jump > limit) {
                continue;
            }
            let orientation =
                Orientation::between((group.start, group.end), (start as i32, end as i32)) as usize;
            let rows = self.rows(edges, group, orientation, members);
            edges.stack(covered, dependencies).push(Edge {
                base: future - weight * jump as f32,
                rows,
                count: group.members.len() as u32,
                columns: columns + orientation as u32 * choices,
                choices,
                step,
            });
        }
        if edges.stack(covered, dependencies).len() > before {
            let start_key = self.start_key(self.coverages.get(coverage), start);
            let end = end as i32;
            edges.moves.push(Move { from: coverage, span, to: NONE, trees, start_key, end });
        }
    }

    /// The rows of a group for an orientation.
    fn rows(
        &self,
        edges: &mut Edges,
        group: &mut Group,
        orientation: usize,
        members: &[u32],
    ) -> u32 {
        if group.rows[orientation] == NONE {
            let begin = edges.rows.len();
            group.rows[orientation] = begin as u32;
            edges.rows.extend(members[group.members.clone()].iter().map(|&id| {
                let hypothesis = &self.arena[id as usize];
                let key = hypothesis.total + self.forward(hypothesis)[orientation];
                Row { key, hypothesis: id, lm: hypothesis.lm }
            }));
            edges.rows[begin..].sort_by(|a, b| b.key.total_cmp(&a.key));
        }
        group.rows[orientation]
    }

    /// The coverage behind a move.
    pub fn coverage_behind(&mut self, edges: &mut Edges, step: u32) -> u32 {
        let Move { from, span, to, trees, .. } = edges.moves[step as usize];
        if to != NONE {
            return to;
        }
        let span = &self.input.spans[span as usize];
        let set = self.coverages.get(from).with(span.start, span.end, trees);
        let to = self.coverages.id(set);
        edges.moves[step as usize].to = to;
        to
    }
}
