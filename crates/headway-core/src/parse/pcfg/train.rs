//! From brackets to a grammar.

use crate::parse::tag::TaggerTraining;
use crate::tree::penn::HeadRules;
use crate::{Error, Monitor, Result};

use super::bank::BracketBank;
use super::binarise::{Binariser, Memory};
use super::binary::{BinaryTree, Step};
use super::chains::Chains;
use super::decode::Objective;
use super::expect::Model;
use super::grammar::Grammar;
use super::learn::{Learnt, Refinement};
use super::lexicon::{Lexicon, Token, WordSettings};
use super::sample::Sample;
use super::symbols::Symbols;

/// How a parser is learnt from brackets.
#[derive(Debug, Clone)]
pub struct PcfgTraining {
    pub tagger: TaggerTraining,
    pub memory: Memory,
    pub refinement: Refinement,
    pub words: WordSettings,
    pub search: SearchSettings,
}

/// How trees are searched for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SearchSettings {
    pub objective: Objective,
    /// Parts of a tree that are less probable than this under a coarser grammar are left out.
    pub threshold: f64,
    /// Longer sentences are parsed in pieces.
    pub max_words: usize,
    /// What makes dependency trees of brackets.
    pub heads: HeadRules,
}

impl SearchSettings {
    pub fn check(&self) -> Result<()> {
        let SearchSettings { threshold, max_words, .. } = *self;
        if !(0.0..1.0).contains(&threshold) {
            return Err(Error::setting(format!(
                "parse.pcfg.threshold: {threshold} is not from 0 up to, not with, 1"
            )));
        }
        if max_words == 0 {
            return Err(Error::setting("parse.pcfg.max_words: 0 words are no sentence"));
        }
        Ok(())
    }
}

/// The coarsest grammar is parsed without pruning, in the square of these.
const MOST_LABELS: usize = 500;

/// A grammar, and what is needed to read its trees.
pub struct Grown {
    pub learnt: Learnt,
    pub symbols: Symbols,
    pub chains: Chains,
}

impl PcfgTraining {
    pub fn check(&self) -> Result<()> {
        self.search.check()?;
        self.refinement.check()?;
        self.words.check()
    }

    /// A grammar of these trees.
    pub fn grow(&self, bank: &BracketBank, monitor: &Monitor) -> Result<Grown> {
        let (mut symbols, mut chains) = (Symbols::default(), Chains::default());
        let mut binariser =
            Binariser { memory: self.memory, symbols: &mut symbols, chains: &mut chains };
        let mut trees = Vec::with_capacity(bank.trees.len());
        let mut forms = Vec::with_capacity(bank.trees.len());
        for (tree, weight) in &bank.trees {
            monitor.check()?;
            trees.push((binariser.binarise(tree)?, *weight));
            forms.push(tree.words());
        }
        let (bare, _) = symbols.bare();
        if bare > MOST_LABELS {
            return Err(Error::setting(format!(
                "{bare} different tags and labels of phrases, more than {MOST_LABELS}: does the \
                 treebank keep functions or features in its labels? strip them first"
            )));
        }
        let (model, sample) = start(&trees, &forms, symbols.len(), self.words);
        let learnt = self.refinement.learn(model, &sample, monitor)?;
        Ok(Grown { learnt, symbols, chains })
    }
}

/// A model of unsplit symbols, whose rules are not estimated yet, and what it sees of trees with
/// their weights and words.
pub fn start(
    trees: &[(BinaryTree, f64)],
    forms: &[Vec<String>],
    symbols: usize,
    words: WordSettings,
) -> (Model, Sample) {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    for ((tree, weight), forms) in trees.iter().zip(forms) {
        let first = tokens.len();
        let token = |(at, word)| Token { word, first: at == 0, tag: 0, weight: *weight };
        tokens.extend(forms.iter().map(String::as_str).enumerate().map(token));
        for node in &tree.nodes {
            if let Step::Word(word) = node.step {
                tokens[first + word as usize].tag = node.symbol;
            }
        }
    }
    let (mut lexicon, items) = Lexicon::new(&tokens, symbols, words);
    for (token, item) in tokens.iter().zip(&items) {
        let state = token.tag as usize;
        lexicon.count(item, state..state + 1, &[token.weight]);
    }
    let (sample, rules) = Sample::new(trees, &items);
    (Model { grammar: Grammar::new(rules, vec![1; symbols]), lexicon }, sample)
}
