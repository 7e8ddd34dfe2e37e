//! Beginnings of translations, each with the best head so far of every word.
//!
//! A beginning is its words: hypotheses that differ in anything else share it. It knows its last
//! word and the beginning before that. The scores of best heads lie in blocks, which it shares
//! with the beginning before it where they are the same.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use super::heads::{Heads, Row};
use super::words::{Memory, NO_WORD};
use super::{BLOCK, Dependency, Recombining};
use crate::decode::feature::{Scorer, Step};
use crate::parse::graph::{ArcScores, LastTags, Place, Words, local_heads, spanning_tree};

/// A beginning of a translation. The last word of it has no head yet: the tag behind it is part
/// of what decides.
#[derive(Debug, Clone, Copy)]
struct Chain {
    /// The beginning without the last word.
    before: u32,
    /// Words since the last block began.
    words: u32,
    place: Place,
    last_words: [u32; 3],
    /// The last two tags, as the tagger numbers them.
    tags: [u16; 2],
    scored: Scored,
    /// What the end would add, and that with loops, once it was asked for.
    end: Option<f32>,
    end_with_loops: Option<f32>,
}

/// What the last word but one gained when it was scored, and the scores of the best heads of all
/// words up to it.
#[derive(Debug, Clone, Copy, Default)]
struct Scored {
    gain: f32,
    heads: Row,
}

/// All beginnings of a sentence.
#[derive(Default)]
pub struct Beginnings {
    chains: Vec<Chain>,
    steps: HashMap<(u32, u32), u32, FxBuildHasher>,
    /// What scoring the last word of a beginning gave, by what of the next word decides.
    scored: HashMap<(u32, u32), Scored, FxBuildHasher>,
    heads: Heads,
}

/// Room for more beginnings than this is not kept from sentence to sentence.
const MOST: usize = 1 << 12;

impl Beginnings {
    /// Forgets all, but keeps the room, which the next sentence would else ask the system for.
    fn clear(&mut self) {
        if self.chains.len() > MOST {
            *self = Beginnings::default();
        }
        let Beginnings { chains, steps, scored, heads } = self;
        chains.clear();
        steps.clear();
        scored.clear();
        heads.back_to([0, 0]);
    }
}

pub struct Chains<'f> {
    feature: &'f Dependency,
    memory: Memory,
    all: Beginnings,
    at: Desk,
    complete: u64,
    loops: u64,
}

/// One beginning, laid out.
struct Desk {
    words: Words,
    /// The beginnings that end at each place.
    path: Vec<u32>,
    /// The arcs between a word and those before it.
    arcs: Vec<[f32; 2]>,
}

const NONE: u32 = u32::MAX;

impl<'f> Chains<'f> {
    pub fn new(feature: &'f Dependency) -> Self {
        let mut memory = feature.memory();
        memory.begin(feature);
        let root = crate::parse::graph::Scorer::ROOT;
        let start = Chain {
            before: 0,
            words: 0,
            place: memory.scorer.place(feature.parser.model(), root, LastTags::start()),
            last_words: [NO_WORD; 3],
            tags: [u16::MAX; 2],
            scored: Scored::default(),
            end: None,
            end_with_loops: None,
        };
        let at = Desk { words: Words::start(start.place), path: vec![0], arcs: Vec::new() };
        let mut all = std::mem::take(&mut memory.beginnings);
        all.chains.push(start);
        Chains { feature, memory, all, at, complete: 0, loops: 0 }
    }

    /// Puts a word behind a beginning.
    fn push(&mut self, state: u32, word: u32) -> u32 {
        if let Some(&known) = self.all.steps.get(&(state, word)) {
            return known;
        }
        let chain = if self.all.chains[state as usize].words as usize == BLOCK {
            let ended = self.end(state);
            let first = self.push(0, word) as usize;
            let mut chain = self.all.chains[first];
            chain.scored.gain += ended;
            chain
        } else {
            self.grown(state, word)
        };
        let new = self.all.chains.len() as u32;
        self.all.chains.push(chain);
        self.all.steps.insert((state, word), new);
        new
    }

    /// The value of a whole translation.
    pub fn whole(&mut self, words: &[String]) -> f64 {
        let (mut at, mut total) = (0, 0.0);
        for form in words {
            let known = self.feature.table.target().get(form);
            let word = match known {
                Some(word) => word.0,
                None => self.memory.unknown(self.feature, form),
            };
            at = self.push(at, word);
            total += f64::from(self.all.chains[at as usize].scored.gain);
        }
        total + f64::from(self.end(at))
    }

    fn grown(&mut self, state: u32, word: u32) -> Chain {
        let before = self.all.chains[state as usize];
        let [third, second, last] = before.last_words;
        let (tag, item) = self.memory.tagged(self.feature, [third, second, last, word]);
        let tags = before.place.tags.then(self.memory.scorer.token(item).tag);
        let mut chain = Chain {
            before: state,
            words: before.words + 1,
            place: self.memory.scorer.place(self.feature.parser.model(), item, tags),
            last_words: [second, last, word],
            tags: [before.tags[1], tag],
            scored: Scored::default(),
            end: None,
            end_with_loops: None,
        };
        if before.words > 0 {
            // With the paper's templates only the tag of the next word matters.
            let next = if self.feature.of_tags { u32::from(tag) } else { item.0 };
            let known = self.all.scored.get(&(state, next)).copied();
            chain.scored = known.unwrap_or_else(|| self.score(state, chain.place, next));
        }
        chain
    }

    /// Scores the last word of a beginning, with what will stand behind it.
    fn score(&mut self, state: u32, behind: Place, next: u32) -> Scored {
        self.lay_out(state);
        let words = self.at.words.len();
        self.at.words.push(&self.memory.scorer, behind);
        let scored = self.score_last(state);
        self.at.words.truncate(words);
        self.all.scored.insert((state, next), scored);
        scored
    }

    /// Scores all arcs between the last word of a beginning, which is laid out, and those before.
    fn score_last(&mut self, state: u32) -> Scored {
        let Chains { feature, memory, all: Beginnings { heads, chains, .. }, at, .. } = self;
        let Chain { words, scored, .. } = chains[state as usize];
        memory.scorer.arcs_before(feature.parser.model(), &at.words, words as usize, &mut at.arcs);
        let (gain, heads) = heads.then(scored.heads, &at.arcs, feature.how.worth);
        Scored { gain, heads }
    }

    /// Lays a beginning out, from where it parts from the one that is there.
    fn lay_out(&mut self, state: u32) {
        let Chains { all: Beginnings { chains, .. }, memory, at, .. } = self;
        let (mut place, mut from) = (chains[state as usize].words as usize, state);
        at.path.resize(place + 1, NONE);
        while at.path[place] != from {
            at.path[place] = from;
            from = chains[from as usize].before;
            place -= 1;
        }
        at.words.truncate(place);
        for &state in &at.path[place + 1..] {
            at.words.push(&memory.scorer, chains[state as usize].place);
        }
    }

    /// What the end of the translation adds: the last word's arcs, and what it costs that there
    /// be no loops.
    fn end(&mut self, state: u32) -> f32 {
        if let Some(known) = self.all.chains[state as usize].end {
            return known;
        }
        let mut added = self.end_with_loops(state);
        if !self.feature.how.loops && self.all.chains[state as usize].words > 0 {
            self.lay_out(state);
            added += self.adjustment();
        }
        self.all.chains[state as usize].end = Some(added);
        added
    }

    /// What the end adds if loops may stay: never less.
    fn end_with_loops(&mut self, state: u32) -> f32 {
        if let Some(known) = self.all.chains[state as usize].end_with_loops {
            return known;
        }
        let mut added = 0.0;
        if self.all.chains[state as usize].words > 0 {
            self.lay_out(state);
            let before = self.all.heads.mark();
            added = self.score_last(state).gain;
            self.all.heads.back_to(before);
            self.complete += 1;
        }
        self.all.chains[state as usize].end_with_loops = Some(added);
        added
    }

    /// What the maximum spanning tree's heads are worth minus that of the best heads.
    fn adjustment(&mut self) -> f32 {
        let (scores, single_root) = (self.all_arcs(), self.feature.parser.single_root());
        let best = local_heads(&scores);
        if is_tree(&best, single_root) {
            return 0.0;
        }
        self.loops += 1;
        let tree = spanning_tree(&scores, single_root);
        let worth = self.feature.how.worth;
        let change = |(word, (&taken, &best)): (usize, (&u32, &u32))| match taken == best {
            true => 0.0,
            false => {
                let row = scores.into_word(word);
                let of = |head: u32| worth.of_head(row, word, head as usize);
                of(taken) - of(best)
            }
        };
        (1..).zip(tree.iter().zip(&best)).map(change).sum::<f64>() as f32
    }

    fn all_arcs(&mut self) -> ArcScores {
        let (model, scorer) = (self.feature.parser.model(), &mut self.memory.scorer);
        let Desk { words, arcs, .. } = &mut self.at;
        let mut scores = ArcScores::new(words.len());
        for right in 1..=words.len() {
            scorer.arcs_before(model, words, right, arcs);
            for (left, &[onward, back]) in arcs.iter().enumerate() {
                scores.set(left, right, f64::from(onward));
                if left > 0 {
                    scores.set(right, left, f64::from(back));
                }
            }
        }
        scores
    }
}

/// Whether heads are a tree, with one root if that is wanted.
fn is_tree(heads: &[u32], single_root: bool) -> bool {
    let roots = heads.iter().filter(|&&head| head == 0).count();
    if roots != 1 && (roots == 0 || single_root) {
        return false;
    }
    // For each word the walk that found its way to the root.
    let mut walk_of = vec![0; heads.len() + 1];
    for start in 1..=heads.len() {
        let mut at = start;
        while at != 0 && walk_of[at] == 0 {
            walk_of[at] = start;
            at = heads[at - 1] as usize;
        }
        if at != 0 && walk_of[at] == start {
            return false;
        }
    }
    true
}

impl Scorer for Chains<'_> {
    fn extend(&mut self, state: u32, step: &Step<'_>, values: &mut [f32]) -> u32 {
        let (mut at, mut gain) = (state, 0.0);
        for word in &step.phrase.target {
            at = self.push(at, word.0);
            gain += self.all.chains[at as usize].scored.gain;
        }
        for form in step.phrase.spelled() {
            let word = self.memory.unknown(self.feature, form);
            at = self.push(at, word);
            gain += self.all.chains[at as usize].scored.gain;
        }
        values[0] = gain;
        at
    }

    fn finish(&mut self, state: u32, values: &mut [f32]) {
        values[0] = self.end(state);
    }

    fn finish_at_most(&mut self, state: u32, values: &mut [f32]) {
        values[0] = self.end_with_loops(state);
    }

    fn key(&self, state: u32) -> u64 {
        match self.feature.how.recombining {
            Recombining::Words => u64::from(state),
            Recombining::Tags => {
                let [one, other] = self.all.chains[state as usize].tags;
                u64::from(one) << 16 | u64::from(other)
            }
        }
    }
}

impl Drop for Chains<'_> {
    fn drop(&mut self) {
        let mut memory = std::mem::take(&mut self.memory);
        let states = self.all.chains.len() as u64 - 1;
        self.all.clear();
        memory.beginnings = std::mem::take(&mut self.all);
        self.feature.give_back(memory, states, self.complete, self.loops);
    }
}
