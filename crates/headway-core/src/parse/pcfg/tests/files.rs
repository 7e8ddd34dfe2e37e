use super::super::bank::BracketBank;
use super::super::parser::PcfgParser;
use super::{TREES, bank, strings, training};
use crate::parse::TreeParser;
use crate::tree::ConstituentTree;
use crate::{Monitor, Result};

fn trained() -> PcfgParser {
    PcfgParser::train(&bank(), &training(2), &Monitor::default()).unwrap()
}

#[test]
fn parsers_are_the_same_once_saved() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("parser.bin");
    let parser = trained();
    parser.save(&path).unwrap();
    let again = PcfgParser::load(&path).unwrap();
    for text in ["the dog sees a small cat .", "unheard words", "( \" ) \"", "x"] {
        let forms = strings(text);
        assert_eq!(again.brackets(&forms, None).unwrap(), parser.brackets(&forms, None).unwrap());
    }
    let twice = directory.path().join("again.bin");
    again.save(&twice).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&twice).unwrap());
}

#[test]
fn trees_of_training_are_found_again() {
    let parser = trained();
    for text in TREES.iter().take(3) {
        let tree = ConstituentTree::parse(text).unwrap();
        let found = parser.brackets(&tree.words(), None).unwrap();
        assert_eq!(found.to_string(), *text);
    }
    assert_eq!(parser.brackets(&[], None).unwrap().to_string(), "()");
}

#[test]
fn tags_that_are_given_are_kept_where_the_grammar_has_them() {
    let parser = trained();
    let (forms, tags) = (strings("the dog sees cats"), strings("DT NN VBZ NNP"));
    let found = parser.brackets(&forms, Some(&tags)).unwrap();
    assert_eq!(found.tags().collect::<Vec<_>>(), tags);
    let found = parser.brackets(&forms, Some(&strings("DT NN VBZ NONE"))).unwrap();
    assert_eq!(found.leaves(), forms);
    assert!(parser.brackets(&forms, Some(&tags[1..])).is_err());
}

#[test]
fn heads_make_dependency_trees_of_brackets() {
    let parser = trained();
    let forms = strings("the dog sees it .");
    let tree = parser.parse(&forms, None).unwrap();
    assert_eq!(tree.heads()[..], [2, 3, 0, 3, 3]);
    assert_eq!(tree.tags(), strings("DT NN VBZ PRP ."));
    assert_eq!(tree.labels(), strings("dep dep root dep dep"));
    let odd = vec!["(".to_string(), "no such".to_string(), "f(x)/2".to_string()];
    for tags in [None, Some(strings("-NONE- -NONE- -NONE-")), Some(strings("NN NN NN"))] {
        let tree = parser.parse(&odd, tags.as_deref()).unwrap();
        assert_eq!(tree.forms(), odd);
        assert!(tree.topology().is_tree());
    }
    assert!(parser.parse(&[], None).unwrap().is_empty());
    let ranked = parser.kbest(&forms, None, 3, 1.0, &Monitor::default()).unwrap();
    assert_eq!((ranked.len(), ranked[0].probability), (1, 1.0));
}

#[test]
fn long_sentences_are_parsed_in_pieces() {
    let parser = trained();
    let forms: Vec<String> =
        std::iter::repeat_n(strings("the dog sees a cat ."), 30).flatten().collect();
    let found = parser.brackets(&forms, None).unwrap();
    assert_eq!(found.leaves().len(), 180);
    assert!(found.children(0).count() >= 4);
}

#[test]
fn treebanks_of_one_tree_and_of_one_word_teach_something() -> Result<()> {
    for text in ["( (S (NP (NN dogs)) (VP (VBP bark))))", "( (NN dogs))"] {
        let mut bank = BracketBank::default();
        bank.add(&ConstituentTree::parse(text)?, 1.0);
        let parser = PcfgParser::train(&bank, &training(1), &Monitor::default())?;
        let forms = bank.trees[0].0.words();
        assert_eq!(parser.brackets(&forms, None)?.to_string(), text);
        let more = strings("cats bark at dogs");
        assert_eq!(parser.brackets(&more, None)?.leaves(), more);
    }
    Ok(())
}
