//! The best derivations in their order, found lazily (Huang and Chiang 2005, algorithm 3), and
//! the best with different words.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::graph::{EdgeId, NONE, NodeId};
use super::path::{Derivation, check_length};
use super::spelling::{Spelling, Spellings};
use super::weighted::Weighted;
use crate::Result;

/// Which derivation of each tail.
type Ranks = SmallVec<[u32; 4]>;

impl Weighted<'_> {
    /// The `k` best derivations, best first; fewer if there are fewer.
    pub fn k_best(&self, k: usize) -> Result<Vec<Derivation>> {
        self.k_best_while(k, None, |_| true)
    }

    /// The best derivations of the `k` best different target sides, best first.
    ///
    /// Exact if `effort` does not bind: of each node at most `effort` · `k` derivations are
    /// looked at. Different sides are told by 61-bit hashes.
    pub fn distinct_k_best(&self, k: usize, effort: usize) -> Result<Vec<Derivation>> {
        self.k_best_while(k, Some(effort), |_| true)
    }

    /// Either of both, without or with an effort, as long as `go_on` says so of the number found.
    pub fn k_best_while(
        &self,
        k: usize,
        effort: Option<usize>,
        go_on: impl Fn(usize) -> bool,
    ) -> Result<Vec<Derivation>> {
        let most = effort.map(|effort| effort.max(1).saturating_mul(k));
        KBest::new(self, most).take(k, go_on)
    }
}

/// A derivation of a node, by the rank of what it takes from each tail.
#[derive(Debug, Clone, PartialEq)]
struct Candidate {
    score: f64,
    edge: u32,
    ranks: Ranks,
}

impl Eq for Candidate {}

/// The higher score first, then the lower edge, then the lower ranks: the same in every run.
impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        let score = self.score.total_cmp(&other.score);
        score.then(other.edge.cmp(&self.edge)).then_with(|| other.ranks.cmp(&self.ranks))
    }
}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What is known of a node's derivations.
#[derive(Default)]
struct State {
    found: Vec<Candidate>,
    candidates: BinaryHeap<Candidate>,
    /// Taken from the heap, its successors not in it yet.
    pending: Option<Candidate>,
    finished: bool,
    spellings: Vec<Spelling>,
    seen: FxHashSet<u64>,
    looked_at: usize,
}

struct KBest<'a> {
    weighted: &'a Weighted<'a>,
    best: Vec<f64>,
    choices: Vec<Option<EdgeId>>,
    /// By node, `NONE` where nobody has asked yet.
    places: Vec<u32>,
    states: Vec<State>,
    /// If target sides have to differ: their hashes, and how many a node may look at.
    distinct: Option<(Spellings, usize)>,
}

impl<'a> KBest<'a> {
    fn new(weighted: &'a Weighted<'a>, most: Option<usize>) -> Self {
        let best = weighted.best_scores();
        let choices = weighted.best_edges(&best);
        let distinct = most.map(|most| (Spellings::new(weighted.forest, &choices), most));
        let places = vec![NONE; best.len()];
        KBest { weighted, best, choices, places, states: Vec::new(), distinct }
    }

    fn take(mut self, k: usize, go_on: impl Fn(usize) -> bool) -> Result<Vec<Derivation>> {
        let mut derivations = Vec::new();
        let goal = self.weighted.forest.goal;
        for rank in (0..k).take_while(|&rank| go_on(rank)) {
            let place = self.place(goal);
            self.find(place, rank);
            let Some(found) = self.states[place].found.get(rank) else { break };
            let score = found.score;
            derivations.push(Derivation { score, edges: self.edges(goal, rank)? });
        }
        Ok(derivations)
    }

    /// Looks until the node at `place` has its derivation of this rank, or has no more. Depth
    /// is bounded by memory, not by the stack: a lattice is as deep as its sentence is long.
    fn find(&mut self, place: usize, rank: usize) {
        let mut wanted = vec![(place, rank)];
        while let Some(&(place, rank)) = wanted.last() {
            let state = &self.states[place];
            if state.finished || state.found.len() > rank {
                wanted.pop();
            } else if let Some(first) = self.push_successors(place) {
                wanted.push(first);
            } else {
                self.pop(place);
            }
        }
    }

    /// Puts what follows the pending derivation into the heap. A derivation follows exactly one
    /// other, that with one less at its last rank above 0, so none comes twice. Answers what has
    /// to be found first, if anything.
    fn push_successors(&mut self, place: usize) -> Option<(usize, usize)> {
        let pending = self.states[place].pending.take()?;
        let forest = self.weighted.forest;
        let tails = forest.tails_of(pending.edge as usize);
        let from = pending.ranks.iter().rposition(|&rank| rank > 0).unwrap_or(0);
        for (tail, &rank) in tails.iter().zip(&pending.ranks).skip(from) {
            let below = self.place(*tail);
            let state = &self.states[below];
            if !state.finished && state.found.len() <= rank as usize + 1 {
                self.states[place].pending = Some(pending);
                return Some((below, rank as usize + 1));
            }
        }
        for position in from..tails.len() {
            let below = self.place(tails[position]);
            if self.states[below].found.len() > pending.ranks[position] as usize + 1 {
                let mut ranks = pending.ranks.clone();
                ranks[position] += 1;
                let candidate = self.candidate(pending.edge, ranks);
                self.states[place].candidates.push(candidate);
            }
        }
        None
    }

    /// Moves the best candidate to what is found, unless its words were found before.
    fn pop(&mut self, place: usize) {
        let Some(candidate) = self.states[place].candidates.pop() else {
            self.states[place].finished = true;
            return;
        };
        let spelling = self.distinct.as_ref().map(|(spellings, most)| {
            let forest = self.weighted.forest;
            let ranked = |tail: usize| {
                let node = forest.tails_of(candidate.edge as usize)[tail];
                match candidate.ranks[tail] {
                    0 => spellings.best(node),
                    rank => {
                        self.states[self.places[node.index()] as usize].spellings[rank as usize]
                    }
                }
            };
            (spellings.of_edge(forest, candidate.edge as usize, ranked), *most)
        });
        let state = &mut self.states[place];
        state.pending = Some(candidate.clone());
        if let Some((spelling, most)) = spelling {
            state.looked_at += 1;
            state.finished = state.looked_at >= most;
            if !state.seen.insert(spelling.hash()) {
                return;
            }
            state.spellings.push(spelling);
        }
        state.found.push(candidate);
    }

    /// Where the state of a node is; made when first asked for.
    fn place(&mut self, node: NodeId) -> usize {
        if self.places[node.index()] == NONE {
            self.places[node.index()] = self.states.len() as u32;
            let edges = self.weighted.forest.incoming(node.index());
            let ranked = |edge: usize| {
                let tails = self.weighted.forest.tails_of(edge).len();
                self.candidate(edge as u32, SmallVec::from_elem(0, tails))
            };
            let candidates = edges.map(ranked).filter(|it| it.score > f64::NEG_INFINITY);
            let candidates: Vec<Candidate> = candidates.collect();
            self.states.push(State { candidates: candidates.into(), ..Default::default() });
        }
        self.places[node.index()] as usize
    }

    fn candidate(&self, edge: u32, ranks: Ranks) -> Candidate {
        let tails = self.weighted.forest.tails_of(edge as usize).iter().zip(&ranks);
        // The order of additions is that of `best_scores`, so equal derivations score the same.
        let score = tails.fold(self.weighted.scores[edge as usize], |sum, (tail, &rank)| {
            sum + match rank {
                0 => self.best[tail.index()],
                _ => self.states[self.places[tail.index()] as usize].found[rank as usize].score,
            }
        });
        Candidate { score, edge, ranks }
    }

    /// The edges of a derivation that was found.
    fn edges(&self, goal: NodeId, rank: usize) -> Result<Vec<EdgeId>> {
        let (mut edges, mut open) = (Vec::new(), vec![(goal, rank as u32)]);
        let none = Ranks::new();
        while let Some((node, rank)) = open.pop() {
            check_length(edges.len())?;
            let (edge, ranks) = match (rank, self.choices[node.index()]) {
                (0, Some(edge)) => (edge, &none),
                _ => {
                    let state = &self.states[self.places[node.index()] as usize];
                    let found = &state.found[rank as usize];
                    (EdgeId(found.edge), &found.ranks)
                }
            };
            edges.push(edge);
            let tails = self.weighted.forest.tails_of(edge.index()).iter().enumerate().rev();
            open.extend(tails.map(|(at, &tail)| (tail, ranks.get(at).copied().unwrap_or(0))));
        }
        Ok(edges)
    }
}
