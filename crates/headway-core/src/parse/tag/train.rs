//! Training taggers.

use crate::parse::multiclass::Learner;
use crate::parse::treebank::Treebank;
use crate::{Error, Monitor, Result, Vocabulary};

use super::features::{Word, word_features};
use super::lexicon::Lexicon;
use super::sequence::sequence_features;
use super::tagger::{Tagger, TaggerKind, tag_with};

/// How taggers are trained.
#[derive(Debug, Clone, Copy)]
pub struct TaggerTraining {
    pub kind: TaggerKind,
    pub lowercase: bool,
    /// Rounds over the treebank.
    pub rounds: u64,
    pub seed: u64,
}

/// More tags than this are no tags.
const MOST_TAGS: usize = u16::MAX as usize;

impl TaggerTraining {
    /// Learns from all examples.
    pub fn train(&self, treebank: &Treebank, monitor: &Monitor) -> Result<Tagger> {
        let all: Vec<u32> = (0..treebank.examples.len() as u32).collect();
        self.train_on(treebank, &all, monitor)
    }

    /// Learns from some examples, whose numbers are given in order.
    pub fn train_on(&self, treebank: &Treebank, some: &[u32], monitor: &Monitor) -> Result<Tagger> {
        let tags = tags_of(treebank)?;
        let lexicon = Lexicon::count(treebank, some, &tags);
        let prepared = self.prepare(treebank, some, &tags, &lexicon);
        let mut used = vec![false; treebank.examples.len()];
        some.iter().for_each(|&at| used[at as usize] = true);
        let mut learner = Learner::new();
        let rounds: Vec<Vec<u32>> = (0..self.rounds)
            .map(|round| {
                let mut order = treebank.round(self.seed, round);
                order.retain(|&at| used[at as usize]);
                order
            })
            .collect();
        let total: usize = rounds.iter().map(Vec::len).sum();
        for (step, &at) in rounds.iter().flatten().enumerate() {
            learner.at(step as u64, total as u64);
            if let Some(sentence) = &prepared[at as usize] {
                self.learn(&mut learner, &lexicon, sentence, tags.len());
            }
            monitor.advance(1)?;
        }
        let model = learner.finish();
        Ok(Tagger { kind: self.kind, lowercase: self.lowercase, tags, lexicon, model })
    }

    fn prepare(
        &self,
        treebank: &Treebank,
        some: &[u32],
        tags: &Vocabulary,
        lexicon: &Lexicon,
    ) -> Vec<Option<Sentence>> {
        let mut prepared: Vec<Option<Sentence>> = treebank.examples.iter().map(|_| None).collect();
        for &at in some {
            let tree = &treebank.examples[at as usize].tree;
            let word = |form: &String| Word::new(form, self.lowercase, lexicon);
            let number = |tag: &String| tags.get(tag).map_or(0, |tag| tag.0 as u16);
            prepared[at as usize] = Some(Sentence {
                words: tree.forms().iter().map(word).collect(),
                tags: tree.tags().iter().map(number).collect(),
            });
        }
        prepared
    }

    fn learn(&self, learner: &mut Learner, lexicon: &Lexicon, sentence: &Sentence, tags: usize) {
        let found = tag_with(learner, lexicon, self.kind, tags, &sentence.words);
        if found == sentence.tags {
            return;
        }
        let mut keys = Vec::new();
        for at in 0..found.len() {
            self.change(learner, sentence, &sentence.tags, &found, at, 1.0, &mut keys);
            self.change(learner, sentence, &found, &sentence.tags, at, -1.0, &mut keys);
        }
    }

    /// Moves the weights of one tag by `change`, for the features that speak for it in `tags`
    /// and not, in the same way, in `other`.
    #[allow(clippy::too_many_arguments)]
    fn change(
        &self,
        learner: &mut Learner,
        sentence: &Sentence,
        tags: &[u16],
        other: &[u16],
        at: usize,
        change: f32,
        keys: &mut Vec<u64>,
    ) {
        keys.clear();
        if tags[at] != other[at] {
            word_features(self.kind, &sentence.words, at, keys);
        }
        let from = at.saturating_sub(2);
        if self.kind == TaggerKind::Full && tags[from..=at] != other[from..=at] {
            sequence_features(&sentence.words, tags, at, keys);
        }
        keys.iter().for_each(|&key| learner.update(key, tags[at], change));
    }
}

struct Sentence {
    words: Vec<Word>,
    tags: Vec<u16>,
}

fn tags_of(treebank: &Treebank) -> Result<Vocabulary> {
    let mut tags = Vocabulary::default();
    for tag in treebank.examples.iter().flat_map(|example| example.tree.tags()) {
        tags.add(tag);
    }
    if tags.len() > MOST_TAGS {
        let found = tags.len();
        return Err(Error::setting(format!(
            "{found} different tags: is this the column of tags? use --tags upos or --tags xpos"
        )));
    }
    Ok(tags)
}
