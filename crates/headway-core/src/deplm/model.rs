//! A dependency language model at hand.

use std::path::{Path, PathBuf};

use rayon::prelude::*;

use crate::lm::{LanguageModel, State};
use crate::tree::DependencyTree;
use crate::tree::conllu::{Format, Reader, Tags};
use crate::{Error, Monitor, Result, Vocabulary, WordId};

use super::train::{HEAD, head_token, token};

/// The three models of a directory, without their suffixes.
pub const FILES: [&str; 3] = ["roots", "left", "right"];

/// Sentences read before they are scored together.
const BATCH: usize = 4096;

/// On which side of its head a child stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    Left,
    Right,
}

/// P_T, P_L and P_R. Words have numbers of their own, because the three models number them
/// differently; all unknown words share one.
pub struct DependencyModel {
    roots: LanguageModel,
    children: [LanguageModel; 2],
    vocabulary: Vocabulary,
    /// For each word, and last for unknown words, its numbers in the models.
    numbers: Vec<Numbers>,
    lowercase: bool,
    stop: bool,
}

#[derive(Clone, Copy)]
struct Numbers {
    root: WordId,
    child: [WordId; 2],
    head: [WordId; 2],
}

impl DependencyModel {
    /// Opens the three models of a directory. With `stop`, that a head has no further children
    /// counts too; `lowercase` must be as in training.
    pub fn load(directory: &Path, lowercase: bool, stop: bool, monitor: &Monitor) -> Result<Self> {
        let open = |name: &str| LanguageModel::load(&find(directory, name)?, monitor);
        let [roots, left, right] = FILES;
        let (roots, children) = (open(roots)?, [open(left)?, open(right)?]);
        if children[0].order() != children[1].order() || !(2..=4).contains(&children[0].order()) {
            let message = "left and right models do not belong together; train them again";
            return Err(Error::model(directory, message));
        }
        let mut vocabulary = Vocabulary::default();
        for model in [&roots, &children[0], &children[1]] {
            for word in model.vocabulary().words() {
                // Marks of the models are no words of trees.
                if ["<s>", "</s>", "<unk>"].contains(&word) {
                    continue;
                }
                vocabulary.add(word.strip_prefix(HEAD).unwrap_or(word));
            }
        }
        let numbers = vocabulary.words().map(Some).chain([None]);
        let numbers = numbers.map(|word| numbers_of(word, &roots, &children)).collect();
        Ok(DependencyModel { roots, children, vocabulary, numbers, lowercase, stop })
    }

    pub fn order(&self) -> usize {
        self.children[0].order()
    }

    /// The longest context in words.
    pub(super) fn context(&self) -> usize {
        self.order() - 1
    }

    pub fn stop(&self) -> bool {
        self.stop
    }

    pub fn lowercase(&self) -> bool {
        self.lowercase
    }

    /// The word's number in this model.
    pub fn word(&self, form: &str) -> WordId {
        self.vocabulary
            .get(&token(form, self.lowercase))
            .unwrap_or(WordId(self.vocabulary.len() as u32))
    }

    fn numbers(&self, word: WordId) -> Numbers {
        self.numbers[word.index().min(self.numbers.len() - 1)]
    }

    /// The context of the first child on a side.
    pub(super) fn after_head(&self, side: Side, head: WordId) -> State {
        let mut state = State::default();
        self.children[side as usize].score(&mut state, self.numbers(head).head[side as usize]);
        state
    }

    /// ln P(child | context), which moves on over it.
    pub(super) fn child(&self, side: Side, context: &mut State, child: WordId) -> f64 {
        let number = self.numbers(child).child[side as usize];
        self.children[side as usize].score(context, number).log_prob()
    }

    /// ln P(STOP | context)
    pub(super) fn end(&self, side: Side, context: &State) -> f64 {
        let model = &self.children[side as usize];
        model.score(&mut context.clone(), model.end()).log_prob()
    }

    /// ln P_T(word)
    pub fn root(&self, word: WordId) -> f64 {
        self.roots.score(&mut State::default(), self.numbers(word).root).log_prob()
    }

    /// ln P of a whole tree: its roots, and each word's children from near to far. Defined for
    /// every head array, also cyclic and non-projective ones.
    pub fn score(&self, tree: &DependencyTree) -> f64 {
        let words: Vec<WordId> = tree.forms().iter().map(|form| self.word(form)).collect();
        let word = |place: u32| words[place as usize - 1];
        let topology = tree.topology();
        let roots = topology.roots().iter().map(|&root| self.root(word(root)));
        let mut total: f64 = roots.sum();
        for head in 1..=tree.len() as u32 {
            let children = topology.children(head);
            let right = children.partition_point(|&child| child < head);
            let left = children[..right].iter().rev().map(|&child| word(child));
            total += self.score_side(Side::Left, word(head), left);
            let right = children[right..].iter().map(|&child| word(child));
            total += self.score_side(Side::Right, word(head), right);
        }
        total
    }

    /// ln P and number of words of each tree of a CoNLL-U file.
    pub fn score_file(&self, path: &Path, monitor: &Monitor) -> Result<Vec<(f64, usize)>> {
        let mut reader = Reader::open(path, Format::ConllU)?;
        let mut scores = Vec::new();
        loop {
            let batch = reader.read(BATCH)?;
            if batch.is_empty() {
                return Ok(scores);
            }
            let scored = batch.par_iter().map(|sentence| {
                let tree = sentence.tree(Tags::Upos)?;
                Ok((self.score(&tree), tree.len()))
            });
            scores.extend(scored.collect::<Result<Vec<_>>>()?);
            monitor.advance(batch.len() as u64)?;
        }
    }

    fn score_side(&self, side: Side, head: WordId, children: impl Iterator<Item = WordId>) -> f64 {
        let mut state = self.after_head(side, head);
        let mut total = 0.0;
        for child in children {
            total += self.child(side, &mut state, child);
        }
        if self.stop { total + self.end(side, &state) } else { total }
    }
}

/// `NAME.bin`, or else `NAME.arpa`, of a directory.
fn find(directory: &Path, name: &str) -> Result<PathBuf> {
    let paths = ["bin", "arpa", "arpa.gz"].map(|suffix| directory.join(format!("{name}.{suffix}")));
    let found = paths.iter().find(|path| path.is_file());
    found.cloned().ok_or_else(|| {
        let message = format!(
            "no {name}.bin in it; expected a directory that `headway lm train --dependency` made"
        );
        Error::model(directory, message)
    })
}

fn numbers_of(word: Option<&str>, roots: &LanguageModel, children: &[LanguageModel; 2]) -> Numbers {
    let number = |model: &LanguageModel, form: Option<&str>| match form {
        Some(form) => model.word_id(form),
        None => model.unknown(),
    };
    let head = word.map(head_token);
    Numbers {
        root: number(roots, word),
        child: [0, 1].map(|side| number(&children[side], word)),
        head: [0, 1].map(|side| number(&children[side], head.as_deref())),
    }
}
