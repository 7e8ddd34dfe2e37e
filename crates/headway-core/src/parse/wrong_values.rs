//! Numbers that no parser, tagger or grammar should hold, in files whose checksums are right: an
//! error when they are opened, or trees with finite scores.

use std::path::{Path, PathBuf};

use super::dmv::{DmvParser, DmvTraining, Em};
use super::graph::{Between, FeatureSet, GraphTraining, Search, Templates, Update};
use super::pcfg::{
    BracketBank, Memory, Objective, PcfgParser, PcfgTraining, Refinement, SearchSettings,
    WordSettings,
};
use super::tag::{TaggerKind, TaggerTraining};
use super::transition::{System, TransitionParser, TransitionSetup, TransitionTraining};
use super::{Example, Parser, ParserKind, Training, TreeParser, Treebank};
use crate::container::sign;
use crate::random::Random;
use crate::tree::conllu::Tags;
use crate::tree::penn::HeadRules;
use crate::tree::{ConstituentTree, DependencyTree};
use crate::{Monitor, Result};

const WRONG: [f64; 7] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 3e38, -3e38, 1e30, -1e12];

const TAGGER: TaggerTraining =
    TaggerTraining { kind: TaggerKind::Full, lowercase: true, rounds: 3, seed: 1 };

fn strings(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_string).collect()
}

/// A word with two tags among them, as else a tagger needs no weights.
fn treebank() -> Treebank {
    let sentence = |words: &str, tags: &str, heads: &[u32]| {
        let labels = heads.iter().map(|&head| if head == 0 { "root" } else { "dep" }.to_string());
        let labels = labels.collect();
        let tree = DependencyTree::new(strings(words), heads.to_vec(), strings(tags), labels);
        Example { tree: tree.unwrap(), weight: 1.0 }
    };
    let examples = vec![
        sentence("the dog sees a cat .", "D N V D N .", &[2, 3, 0, 5, 3, 3]),
        sentence("dogs bark", "N V", &[2, 0]),
        sentence("the bark hurts", "D N V", &[2, 3, 0]),
        sentence("cats bark and dogs see the bark .", "N V C N V D N .", &[2, 0, 5, 5, 2, 7, 5, 2]),
    ];
    Treebank { examples, ..Treebank::default() }
}

fn graph() -> Result<Parser> {
    let graph = GraphTraining {
        search: Search::Mst,
        update: Update::Heads,
        features: FeatureSet { templates: Templates::Paper, between: Between::Window },
        lowercase: true,
        single_root: true,
        rounds: 4,
        k: 1,
        step: 1.0,
        batch: 2,
        bits: 18,
        blanking: 0.0,
        seed: 1,
    };
    let how = Training { tagger: TAGGER, folds: 0, graph, label_rounds: 2, tags: Tags::Xpos };
    Parser::train(&treebank(), &how, &Monitor::default())
}

fn transition() -> Result<TransitionParser> {
    let transition = TransitionTraining {
        system: System::Eager,
        single_root: true,
        lowercase: true,
        beam: 2,
        rounds: 3,
        exploration: 0.0,
        batch: 2,
        seed: 1,
    };
    let how = TransitionSetup { tagger: TAGGER, folds: 0, transition, tags: Tags::Xpos };
    TransitionParser::train(&treebank(), &how, &Monitor::default())
}

fn dmv() -> Result<DmvParser> {
    let how = DmvTraining {
        tagger: TAGGER,
        em: Em { iterations: 5, tolerance: 0.0, harmonic: true, restarts: 0, seed: 1 },
        max_words: 10,
        punctuation: strings("."),
        single_root: true,
        tags: Tags::Xpos,
    };
    Ok(DmvParser::train(&treebank(), &how, &Monitor::default())?.0)
}

fn pcfg() -> Result<PcfgParser> {
    let how = PcfgTraining {
        tagger: TAGGER,
        memory: Memory { parent: false, sibling: false },
        refinement: Refinement {
            cycles: 1,
            split_steps: 2,
            merged: 0.5,
            merge_steps: 1,
            smooth_steps: 1,
            smoothing: 0.1,
            seed: 1,
        },
        words: WordSettings {
            lowercase: true,
            rare: 5,
            class_weight: 1.0,
            back_off: 1.0,
            smoothing: 0.1,
        },
        search: SearchSettings {
            objective: Objective::MaxRule,
            threshold: 1e-4,
            max_words: 100,
            heads: HeadRules::Collins,
        },
    };
    let mut bank = BracketBank::default();
    for text in [
        "( (S (NP (D the) (N dog)) (VP (V sees) (NP (D a) (N cat))) (. .)))",
        "( (S (NP (N dogs)) (VP (V bark))))",
        "( (S (S (NP (N cats)) (VP (V bark))) (C and) (S (NP (N dogs)) (VP (V see) (NP (D the) \
         (N bark)))) (. .)))",
    ] {
        bank.add(&ConstituentTree::parse(text)?, 1.0);
    }
    PcfgParser::train(&bank, &how, &Monitor::default())
}

fn load(path: &Path) -> Result<Box<dyn TreeParser>> {
    Ok(match ParserKind::of_file(path)? {
        ParserKind::Graph => Box::new(Parser::load(path)?),
        ParserKind::Transition => Box::new(TransitionParser::load(path)?),
        ParserKind::Dmv => Box::new(DmvParser::load(path)?),
        ParserKind::Pcfg => Box::new(PcfgParser::load(path)?),
    })
}

/// Whether a file could be opened; if so, it parses, and all scores are finite.
fn parses(path: &Path) -> bool {
    let Ok(parser) = load(path) else { return false };
    for text in ["the dog sees the bark .", "unheard words", "and and bark a . bark dogs see a cat"]
    {
        let words = strings(text);
        assert!(parser.parse(&words, None).unwrap().topology().is_tree());
        for (score, _) in parser.best_trees(&words, None, 3, &Monitor::default()).unwrap() {
            assert!(score.is_finite());
        }
    }
    true
}

/// A parser's file, and one that is written over.
struct Files {
    sound: Vec<u8>,
    spoilt: PathBuf,
    _directory: tempfile::TempDir,
}

impl Files {
    fn new(parser: &dyn TreeParser) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let spoilt = directory.path().join("parser.bin");
        parser.save(&spoilt).unwrap();
        assert!(parses(&spoilt));
        Files { sound: std::fs::read(&spoilt).unwrap(), spoilt, _directory: directory }
    }

    fn all() -> [Self; 4] {
        [
            Files::new(&graph().unwrap()),
            Files::new(&transition().unwrap()),
            Files::new(&dmv().unwrap()),
            Files::new(&pcfg().unwrap()),
        ]
    }

    /// Where a section's bytes lie.
    fn section(&self, name: &str) -> std::ops::Range<usize> {
        let number =
            |at: usize| u64::from_le_bytes(self.sound[at..at + 8].try_into().unwrap()) as usize;
        let many = u32::from_le_bytes(self.sound[20..24].try_into().unwrap()) as usize;
        let mut entries = (0..many).map(|entry| 64 + entry * 40);
        let named = |&at: &usize| self.sound[at..at + 16].strip_prefix(name.as_bytes());
        let entry = entries
            .find(|at| named(at).is_some_and(|rest| rest.iter().all(|&byte| byte == 0)))
            .unwrap();
        number(entry + 16)..number(entry + 16) + number(entry + 24)
    }

    /// Whether the file still parses with other bytes at some places.
    fn parses_with(&self, changes: &[(usize, Vec<u8>)]) -> bool {
        let mut content = self.sound.clone();
        for (at, bytes) in changes {
            content[*at..*at + bytes.len()].copy_from_slice(bytes);
        }
        sign(&mut content);
        std::fs::write(&self.spoilt, content).unwrap();
        parses(&self.spoilt)
    }
}

#[test]
fn a_wrong_weight_is_found_when_a_parser_is_opened() {
    let [graph, transition, dmv, pcfg] = Files::all();
    let mut random = Random::new(7, 1);
    for (files, name) in [
        (&graph, "tagger-weight"),
        (&graph, "label-weight"),
        (&graph, "scale"),
        (&transition, "tagger-weight"),
        (&transition, "step-weight"),
        (&dmv, "tagger-weight"),
        (&pcfg, "tagger-weight"),
        (&pcfg, "binary-p"),
        (&pcfg, "unary-p"),
        (&pcfg, "root-p"),
        (&pcfg, "word-counts"),
        (&pcfg, "class-counts"),
    ] {
        let place = files.section(name);
        assert!(!place.is_empty(), "{name}");
        for value in WRONG {
            let at = place.start + 4 * random.below(place.len() / 4);
            let change = (at, (value as f32).to_le_bytes().to_vec());
            assert!(!files.parses_with(&[change]), "{name} {value}");
        }
    }
}

#[test]
fn a_grammar_holds_logarithms_of_probabilities() {
    let [_, _, dmv, _] = Files::all();
    let mut random = Random::new(8, 1);
    for name in ["root", "stop", "go", "choose"] {
        let place = dmv.section(name);
        for value in WRONG {
            let at = place.start + 8 * random.below(place.len() / 8);
            let change = (at, value.to_le_bytes().to_vec());
            // What is hardly possible or not at all is as likely as unknown tags are.
            assert_eq!(dmv.parses_with(&[change]), value < 0.0, "{name} {value}");
        }
    }
}

#[test]
fn many_wrong_numbers_lead_to_an_error_or_to_trees() {
    let all = Files::all();
    let names: [&[&str]; 4] = [
        &["tagger-weight", "scale", "weights", "label-weight"],
        &["tagger-weight", "step-weight"],
        &["tagger-weight", "root", "stop", "go", "choose", "learnt"],
        &["search", "symbols", "sizes", "binary", "origins", "states", "totals", "word-settings"],
    ];
    for seed in 0..60 {
        let mut random = Random::new(seed, 2);
        for (files, names) in all.iter().zip(names) {
            let place = files.section(names[random.below(names.len())]);
            let changes: Vec<(usize, Vec<u8>)> = (0..1 + random.below(50))
                .map(|_| {
                    let value = WRONG[random.below(WRONG.len())];
                    let at = place.start + 4 * random.below(place.len() / 4);
                    (at, (value as f32).to_le_bytes().to_vec())
                })
                .collect();
            files.parses_with(&changes);
        }
    }
}
