//! A sentence pair: words, trees and alignment.

use super::align::align;
use super::english::English;
use super::german::German;
use super::meaning::Utterance;
use super::observe::observe;
use super::phenomena::Phenomena;
use super::plan::Planner;
use super::rng::Rng;
use super::words::{Text, Token};

/// Fewest words of a sentence, marks not counted.
pub const SHORTEST: usize = 3;
/// Most words of a sentence, marks counted.
pub const LONGEST: usize = 40;

/// A word in its tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    pub form: Text,
    pub lemma: Text,
    pub upos: &'static str,
    pub xpos: &'static str,
    pub feats: Text,
    /// From 1; 0 is the root.
    pub head: u32,
    pub label: &'static str,
    /// No space follows.
    pub glued: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    pub german: Vec<Word>,
    pub english: Vec<Word>,
    /// Places of German and English words, from 0, in order.
    pub alignment: Vec<(u32, u32)>,
    pub phenomena: Phenomena,
}

impl Pair {
    /// The pair that `seed` and `index` stand for, at a difficulty from 0 to 1.
    pub fn generate(seed: u64, index: u64, difficulty: f64) -> Pair {
        let mut rng = Rng::new(seed, index);
        loop {
            let mut planner = Planner::new(&mut rng, difficulty);
            let utterance = planner.utterance();
            if planner.is_stuck() {
                continue;
            }
            let pair = Pair::of(&utterance);
            if fits(&pair.german) && fits(&pair.english) {
                return pair;
            }
        }
    }

    pub(super) fn of(utterance: &Utterance) -> Pair {
        let german = German::sentence(utterance);
        let english = English::sentence(utterance);
        let alignment = align(&german, &english);
        let phenomena = observe(&german, &english);
        Pair { german: words(german), english: words(english), alignment, phenomena }
    }
}

fn fits(words: &[Word]) -> bool {
    let marks = words.iter().filter(|word| word.upos == "PUNCT").count();
    words.len() - marks >= SHORTEST && words.len() <= LONGEST
}

fn words(tokens: Vec<Token>) -> Vec<Word> {
    let glued: Vec<bool> = tokens.iter().skip(1).map(|token| token.glued).chain([true]).collect();
    let words = tokens.into_iter().zip(glued).map(|(token, glued)| Word {
        form: token.form,
        lemma: token.lemma,
        upos: token.tag.0,
        xpos: token.tag.1,
        feats: token.feats,
        head: token.head.unwrap_or(0) as u32,
        label: token.label,
        glued,
    });
    words.collect()
}
