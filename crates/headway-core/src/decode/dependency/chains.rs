//! Beginnings of translations, each with the best head so far of every word.
//!
//! A beginning is its words: hypotheses that differ in anything else share it. What it knows of
//! its words lies in chunks of sixteen, which it shares with the beginning it comes from unless
//! something in them changed.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::words::{Memory, NO_WORD};
use super::{BLOCK, Dependency, Recombining};
use crate::decode::feature::{Scorer, Step};
use crate::parse::graph::{ArcScores, Input, ItemId, spanning_tree};

const CHUNK: usize = 16;

/// The best head of a word so far.
#[derive(Debug, Clone, Copy)]
struct Best {
    score: f32,
    head: u32,
}

const NO_HEAD: Best = Best { score: f32::NEG_INFINITY, head: 0 };

/// A beginning of a translation. The last word of it has no head yet: the tag behind it is part
/// of what decides.
#[derive(Debug, Clone)]
struct Chain {
    /// Words since the last block began.
    words: u32,
    /// Numbers of chunks.
    items: SmallVec<[u32; 4]>,
    heads: SmallVec<[u32; 4]>,
    last: [u32; 3],
    /// The last two tags.
    tags: [u16; 2],
    /// What the last word added.
    gain: f32,
    /// What the end would add, once it was asked for.
    end: Option<f32>,
}

/// The heads of a beginning once its last word is scored.
#[derive(Debug, Clone)]
struct Scored {
    gain: f32,
    heads: SmallVec<[u32; 4]>,
}

pub struct Chains<'f> {
    feature: &'f Dependency,
    memory: Memory,
    chains: Vec<Chain>,
    steps: HashMap<(u32, u32), u32, FxBuildHasher>,
    /// What scoring the last word of a beginning gave, by what of the next word decides.
    scored: HashMap<(u32, u32), Scored, FxBuildHasher>,
    item_chunks: Vec<[ItemId; CHUNK]>,
    head_chunks: Vec<[Best; CHUNK]>,
    at: Desk,
    complete: u64,
    loops: u64,
}

/// One beginning, laid out flat; place 0 is the root.
struct Desk {
    /// Whose words these are.
    state: u32,
    input: Input,
    items: Vec<ItemId>,
    heads: Vec<Best>,
    /// The arcs between a word and those before it.
    arcs: Vec<[f32; 2]>,
}

impl Desk {
    fn words(&self) -> usize {
        self.items.len() - 1
    }
}

impl<'f> Chains<'f> {
    pub fn new(feature: &'f Dependency) -> Self {
        let mut memory = feature.memory();
        memory.begin(feature);
        let start = Chain {
            words: 0,
            items: SmallVec::new(),
            heads: SmallVec::new(),
            last: [NO_WORD; 3],
            tags: [u16::MAX; 2],
            gain: 0.0,
            end: None,
        };
        let root = crate::parse::graph::Scorer::ROOT;
        let at = Desk {
            state: 0,
            input: Input::start(),
            items: vec![root],
            heads: vec![NO_HEAD],
            arcs: Vec::new(),
        };
        Chains {
            feature,
            memory,
            chains: vec![start],
            steps: HashMap::default(),
            scored: HashMap::default(),
            item_chunks: Vec::new(),
            head_chunks: Vec::new(),
            at,
            complete: 0,
            loops: 0,
        }
    }

    /// Puts a word behind a beginning.
    fn push(&mut self, state: u32, word: u32) -> u32 {
        if let Some(&known) = self.steps.get(&(state, word)) {
            return known;
        }
        let chain = if self.chains[state as usize].words as usize == BLOCK {
            let ended = self.end(state);
            let first = self.push(0, word) as usize;
            let chain = self.chains[first].clone();
            Chain { gain: chain.gain + ended, ..chain }
        } else {
            self.grown(state, word)
        };
        let new = self.chains.len() as u32;
        self.chains.push(chain);
        self.steps.insert((state, word), new);
        new
    }

    fn grown(&mut self, state: u32, word: u32) -> Chain {
        let feature = self.feature;
        let Chain { last, tags, words, .. } = self.chains[state as usize];
        let tag = self.memory.tag(feature, [last[0], last[1], last[2], word]);
        let item = self.memory.item(feature, word, tag);
        let mut chain = Chain {
            words: words + 1,
            last: [last[1], last[2], word],
            tags: [tags[1], tag],
            gain: 0.0,
            end: None,
            ..self.chains[state as usize].clone()
        };
        self.keep_item(&mut chain, item);
        if words > 0 {
            // With the paper's templates only the tag of the next word matters.
            let next = if feature.of_tags { u32::from(tag) } else { item.0 };
            let known = self.scored.get(&(state, next)).cloned();
            let scored = known.unwrap_or_else(|| self.score(state, item, next));
            (chain.gain, chain.heads) = (scored.gain, scored.heads);
        }
        chain
    }

    /// Scores the last word of a beginning, behind which `item` will stand.
    fn score(&mut self, state: u32, item: ItemId, next: u32) -> Scored {
        self.lay_out(state);
        let words = self.at.words();
        self.at.input.push(self.memory.scorer.token(item));
        let gain = self.score_last(words);
        let heads = self.kept_heads(state);
        self.at.input.truncate(words);
        let scored = Scored { gain, heads };
        self.scored.insert((state, next), scored.clone());
        scored
    }

    /// Scores all arcs between word `new` and those before it; answers what heads gain by them.
    fn score_last(&mut self, new: usize) -> f32 {
        let (model, scorer) = (self.feature.parser.model(), &mut self.memory.scorer);
        let Desk { input, items, heads, arcs, .. } = &mut self.at;
        let (mut best, mut gain) = (NO_HEAD, 0.0);
        scorer.arcs_before(model, input, items, new, arcs);
        for (old, &[onward, back]) in arcs.iter().enumerate() {
            if onward > best.score {
                best = Best { score: onward, head: old as u32 };
            }
            if old > 0 && back > heads[old].score {
                gain += f64::from(back - heads[old].score);
                heads[old] = Best { score: back, head: new as u32 };
            }
        }
        heads.push(best);
        (gain + f64::from(best.score)) as f32
    }

    /// Lays a beginning out, from the first chunk that is not there already.
    fn lay_out(&mut self, state: u32) {
        let Chains { chains, item_chunks, head_chunks, memory, at, .. } = self;
        let (chain, other) = (&chains[state as usize], &chains[at.state as usize]);
        let words = chain.words as usize;
        if at.state != state {
            let full = (chain.words.min(other.words) as usize).saturating_sub(1) / CHUNK;
            let shared = (0..full).take_while(|&c| chain.items[c] == other.items[c]).count();
            let from = shared * CHUNK;
            at.input.truncate(from);
            at.items.truncate(from + 1);
            for place in from..words {
                let item = item_chunks[chain.items[place / CHUNK] as usize][place % CHUNK];
                at.input.push(memory.scorer.token(item));
                at.items.push(item);
            }
        }
        at.heads.truncate(1);
        for place in 0..words.saturating_sub(1) {
            at.heads.push(head_chunks[chain.heads[place / CHUNK] as usize][place % CHUNK]);
        }
        at.state = state;
    }

    /// Puts the last item into the chain's chunks.
    fn keep_item(&mut self, chain: &mut Chain, item: ItemId) {
        let place = chain.words as usize - 1;
        let mut chunk = match place % CHUNK {
            0 => [ItemId(0); CHUNK],
            _ => self.item_chunks[chain.items[place / CHUNK] as usize],
        };
        chunk[place % CHUNK] = item;
        chain.items.truncate(place / CHUNK);
        chain.items.push(self.item_chunks.len() as u32);
        self.item_chunks.push(chunk);
    }

    /// The heads laid out as chunks: those of the beginning, new ones where something changed.
    fn kept_heads(&mut self, state: u32) -> SmallVec<[u32; 4]> {
        let Chains { head_chunks, at, chains, .. } = self;
        let mut kept_heads = chains[state as usize].heads.clone();
        for (place, heads) in at.heads[1..].chunks(CHUNK).enumerate() {
            let same = |&chunk: &u32| {
                let old = &head_chunks[chunk as usize];
                old.iter().zip(heads).all(|(a, b)| a.score.to_bits() == b.score.to_bits())
            };
            let kept = kept_heads.get(place).is_some_and(same);
            if !kept {
                let mut chunk = [NO_HEAD; CHUNK];
                chunk[..heads.len()].copy_from_slice(heads);
                let number = head_chunks.len() as u32;
                head_chunks.push(chunk);
                match kept_heads.get_mut(place) {
                    Some(old) => *old = number,
                    None => kept_heads.push(number),
                }
            }
        }
        kept_heads
    }

    /// What the end of the translation adds: the last word's arcs, and what it costs that there
    /// be no loops.
    fn end(&mut self, state: u32) -> f32 {
        if let Some(known) = self.chains[state as usize].end {
            return known;
        }
        self.lay_out(state);
        let words = self.at.words();
        let mut added = 0.0;
        if words > 0 {
            self.complete += 1;
            added = self.score_last(words);
            if !self.feature.how.loops && !self.is_tree() {
                self.loops += 1;
                added += self.adjustment();
            }
        }
        self.chains[state as usize].end = Some(added);
        added
    }

    /// Whether the best heads are a tree, with one root if the parser wants that.
    fn is_tree(&self) -> bool {
        let heads = &self.at.heads;
        let roots = heads[1..].iter().filter(|best| best.head == 0).count();
        if roots != 1 && (roots == 0 || self.feature.parser.single_root()) {
            return false;
        }
        // For each word the walk that found its way to the root.
        let mut walk_of = vec![0; heads.len()];
        for start in 1..heads.len() {
            let mut at = start;
            while at != 0 && walk_of[at] == 0 {
                walk_of[at] = start;
                at = heads[at].head as usize;
            }
            if at != 0 && walk_of[at] == start {
                return false;
            }
        }
        true
    }

    /// The maximum spanning tree's score minus that of the best heads.
    fn adjustment(&mut self) -> f32 {
        let (model, scorer) = (self.feature.parser.model(), &mut self.memory.scorer);
        let Desk { input, items, heads, arcs, .. } = &mut self.at;
        let words = items.len() - 1;
        let mut scores = ArcScores::new(words);
        for right in 1..=words {
            scorer.arcs_before(model, input, items, right, arcs);
            for (left, &[onward, back]) in arcs.iter().enumerate() {
                scores.set(left, right, f64::from(onward));
                if left > 0 {
                    scores.set(right, left, f64::from(back));
                }
            }
        }
        let tree = spanning_tree(&scores, self.feature.parser.single_root());
        let best: f64 = heads[1..].iter().map(|best| f64::from(best.score)).sum();
        (scores.sum(&tree) - best) as f32
    }
}

impl Scorer for Chains<'_> {
    fn extend(&mut self, state: u32, step: &Step<'_>, values: &mut [f32]) -> u32 {
        let (mut at, mut gain) = (state, 0.0);
        for word in &step.phrase.target {
            at = self.push(at, word.0);
            gain += self.chains[at as usize].gain;
        }
        let unknown = step.phrase.unknown.as_ref().and_then(|unknown| unknown.word.as_deref());
        if let Some(form) = unknown {
            let word = self.memory.unknown(self.feature, form);
            at = self.push(at, word);
            gain += self.chains[at as usize].gain;
        }
        values[0] = gain;
        at
    }

    fn finish(&mut self, state: u32, values: &mut [f32]) {
        values[0] = self.end(state);
    }

    fn key(&self, state: u32) -> u64 {
        match self.feature.how.recombining {
            Recombining::Words => u64::from(state),
            Recombining::Tags => {
                let [one, other] = self.chains[state as usize].tags;
                u64::from(one) << 16 | u64::from(other)
            }
        }
    }
}

impl Drop for Chains<'_> {
    fn drop(&mut self) {
        let memory = std::mem::take(&mut self.memory);
        let states = self.chains.len() as u64 - 1;
        self.feature.give_back(memory, states, self.complete, self.loops);
    }
}
