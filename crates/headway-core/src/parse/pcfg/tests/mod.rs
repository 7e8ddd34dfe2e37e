//! The parser against slow, obvious versions: all trees, and all variants of their symbols.

mod charts;
mod files;
mod learning;
mod oracle;

use super::bank::BracketBank;
use super::binarise::Memory;
use super::decode::Objective;
use super::learn::Refinement;
use super::lexicon::WordSettings;
use super::train::{PcfgTraining, SearchSettings};
use crate::parse::tag::{TaggerKind, TaggerTraining};
use crate::tree::ConstituentTree;
use crate::tree::penn::HeadRules;

const TREES: [&str; 8] = [
    "( (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (DT a) (JJ small) (NN cat))) (. .)))",
    "( (S (NP (PRP it)) (VP (VBZ barks)) (. .)))",
    "( (S (NP (NP (DT the) (NN man)) (PP (IN with) (NP (NNS dogs)))) (VP (VBZ sleeps)) (. .)))",
    "( (S (NP-SBJ (PRP he)) (VP (VBZ sees) (S (VP (VBG barking)))) (. .)))",
    "( (NP (NP (DT a) (NN man)) (, ,) (NP (DT a) (NN dog)) (CC and) (NP (NNS cats))))",
    "( (S (NP (NNS cats)) (VP (VBP see) (NP (PRP it)) (PP (IN with) (NP (NNS dogs))))))",
    "( (S (NP (DT the) (JJ small) (JJ old) (NN cat)) (VP (VBZ sleeps) (NP (-NONE- *)))))",
    "( (FRAG (NP (NNP John)) (, ,) (NP (NNP Mary))))",
];

fn bank() -> BracketBank {
    let mut bank = BracketBank::default();
    for (at, text) in TREES.iter().enumerate() {
        bank.add(&ConstituentTree::parse(text).unwrap(), 1.0 + (at % 2) as f64);
    }
    bank
}

fn training(cycles: u64) -> PcfgTraining {
    PcfgTraining {
        tagger: TaggerTraining { kind: TaggerKind::Full, lowercase: false, rounds: 2, seed: 1 },
        memory: Memory { parent: false, sibling: false },
        refinement: Refinement {
            cycles,
            split_steps: 5,
            merged: 0.5,
            merge_steps: 3,
            smooth_steps: 3,
            smoothing: 0.01,
            seed: 1,
        },
        words: WordSettings {
            lowercase: false,
            rare: 5,
            class_weight: 1.0,
            back_off: 2.0,
            smoothing: 0.1,
        },
        search: SearchSettings {
            objective: Objective::MaxRule,
            threshold: 0.0,
            max_words: 50,
            heads: HeadRules::Collins,
        },
    }
}

fn strings(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * (1.0 + one.abs().max(other.abs()))
}
