//! The second stage: labels of arcs that are found already.

use crate::container::{Container, ContainerWriter};
use crate::{Error, Monitor, Result, Vocabulary, WordId};

use super::hash::{key, of_text};
use super::multiclass::{Learner, Multiclass, Scores};
use super::treebank::Treebank;

/// Gives each arc its most likely label, one by one.
#[derive(Debug, Clone)]
pub struct Labeller {
    labels: Vocabulary,
    lowercase: bool,
    model: Multiclass,
}

/// Words and tags of a sentence as numbers, with the root at place 0.
struct Input {
    words: Vec<u64>,
    endings: Vec<u64>,
    tags: Vec<u64>,
}

impl Input {
    fn new<S: AsRef<str>, T: AsRef<str>>(forms: &[S], tags: &[T], lowercase: bool) -> Self {
        let mut input = Input { words: vec![1], endings: vec![1], tags: vec![1] };
        for (form, tag) in forms.iter().zip(tags) {
            let form = form.as_ref();
            let lower = form.to_lowercase();
            let ending = lower.char_indices().rev().nth(2).map_or(0, |(at, _)| at);
            input.words.push(of_text(if lowercase { &lower } else { form }));
            input.endings.push(of_text(&lower[ending..]));
            input.tags.push(of_text(tag.as_ref()));
        }
        input
    }

    /// The keys of the features of one arc.
    fn keys(&self, head: usize, word: usize) -> [u64; 16] {
        let tag = |at: Option<usize>| at.and_then(|at| self.tags.get(at)).copied().unwrap_or(2);
        let (hp, mp) = (tag(Some(head)), tag(Some(word)));
        let (h, m) = (self.words[head], self.words[word]);
        let side = u64::from(head < word);
        let distance = (head.abs_diff(word) as u64).min(6);
        let (before, after) = (tag(word.checked_sub(1)), tag(Some(word + 1)));
        [
            key(0, [hp, mp, side]),
            key(1, [hp, mp, side, distance]),
            key(2, [h, mp, side]),
            key(3, [hp, m, side]),
            key(4, [h, m, side]),
            key(5, [m, side]),
            key(6, [h, side]),
            key(7, [mp, side]),
            key(8, [hp, side]),
            key(9, [before, mp, side]),
            key(10, [mp, after, side]),
            key(11, [hp, before, mp, after, side]),
            key(12, [hp, tag(Some(head + 1)), mp, side]),
            key(13, [tag(head.checked_sub(1)), hp, mp, side]),
            key(14, [self.endings[word], hp, mp, side]),
            key(15, [self.endings[head], mp, side]),
        ]
    }
}

impl Labeller {
    /// Learns from the gold heads and labels, with `tags` for each sentence.
    pub fn train(
        treebank: &Treebank,
        tags: &[Vec<String>],
        lowercase: bool,
        rounds: u64,
        seed: u64,
        monitor: &Monitor,
    ) -> Result<Self> {
        let mut labels = Vocabulary::default();
        for label in treebank.examples.iter().flat_map(|example| example.tree.labels()) {
            labels.add(label);
        }
        if labels.len() > usize::from(u16::MAX) {
            let found = labels.len();
            return Err(Error::setting(format!(
                "{found} different labels: is column 8 of labels?"
            )));
        }
        let order: Vec<u32> = (0..rounds).flat_map(|round| treebank.round(seed, round)).collect();
        let mut learner = Learner::new();
        let mut scores = Vec::new();
        for (step, &at) in order.iter().enumerate() {
            learner.at(step as u64, order.len() as u64);
            let tree = &treebank.examples[at as usize].tree;
            let input = Input::new(tree.forms(), &tags[at as usize], lowercase);
            for (word, head) in tree.heads().arcs() {
                let keys = input.keys(head as usize, word as usize);
                let gold =
                    labels.get(&tree.labels()[word as usize - 1]).map_or(0, |id| id.0 as u16);
                let found = best(&learner, &keys, labels.len(), &mut scores);
                if found != gold {
                    keys.iter().for_each(|&key| {
                        learner.update(key, gold, 1.0);
                        learner.update(key, found, -1.0);
                    });
                }
            }
            monitor.advance(1)?;
        }
        Ok(Labeller { labels, lowercase, model: learner.finish() })
    }

    /// The labels of the arcs of a sentence.
    pub fn label<S: AsRef<str>, T: AsRef<str>>(
        &self,
        forms: &[S],
        tags: &[T],
        heads: &[u32],
    ) -> Vec<String> {
        let input = Input::new(forms, tags, self.lowercase);
        let mut scores = Vec::new();
        let arcs = heads.iter().zip(1..).map(|(&head, word)| {
            let keys = input.keys(head as usize, word);
            best(&self.model, &keys, self.labels.len(), &mut scores)
        });
        arcs.map(|label| self.labels.word(WordId(u32::from(label))).to_string()).collect()
    }

    pub const SECTIONS: usize = 7;

    pub fn write_sections(&self, writer: &mut ContainerWriter) -> Result<()> {
        writer.section("labeller")?;
        writer.write(&[u8::from(self.lowercase)])?;
        self.labels.write_sections(writer, "labels")?;
        self.model.write_sections(writer, "label")
    }

    pub fn read_sections(container: &Container) -> Result<Self> {
        let damaged = || Error::model(container.path(), "the labeller in it is damaged");
        let &[lowercase] = container.section("labeller")? else { return Err(damaged()) };
        let labels = Vocabulary::read_sections(container, "labels")?;
        if labels.is_empty() {
            return Err(damaged());
        }
        let model = Multiclass::read_sections(container, "label", labels.len())?;
        Ok(Labeller { labels, lowercase: lowercase == 1, model })
    }
}

fn best(model: &impl Scores, keys: &[u64], labels: usize, scores: &mut Vec<f32>) -> u16 {
    scores.clear();
    scores.resize(labels, 0.0);
    keys.iter().for_each(|&key| model.add(key, scores));
    let mut best = 0;
    for (label, &score) in scores.iter().enumerate() {
        if score > scores[best] {
            best = label;
        }
    }
    best as u16
}
