use std::path::{Path, PathBuf};

use super::*;

fn write(directory: &Path, name: &str, forests: &[Forest]) -> PathBuf {
    let path = directory.join(name);
    assert_eq!(save(&path, forests).unwrap(), forests.len() as u64);
    path
}

proptest! {
    #[test]
    fn files_give_back_what_was_saved(all in prop::collection::vec(forests(3), 0..4)) {
        let directory = tempfile::tempdir().unwrap();
        let path = write(directory.path(), "f.forest", &all);
        prop_assert_eq!(&load(&path).unwrap(), &all);
        for name in ["f.json", "f.jsonl.gz"] {
            let read = load(&write(directory.path(), name, &all)).unwrap();
            let json = |forests: &[Forest]| {
                forests.iter().map(|forest| forest.to_json().unwrap()).collect::<Vec<_>>()
            };
            prop_assert_eq!(json(&read), json(&all));
            for (read, forest) in read.iter().zip(&all) {
                let said = |forest: &Forest| {
                    let best = forest.weighted().unwrap().viterbi().unwrap()?;
                    let segments = forest.segments(&best.edges).unwrap();
                    Some((best.score, forest.text(&best.edges).unwrap(), segments))
                };
                prop_assert_eq!(said(read), said(forest));
            }
        }
    }

    #[test]
    fn damage_is_refused(forest in forests(3), place in any::<u16>(), bit in 0_u8..8) {
        let directory = tempfile::tempdir().unwrap();
        let path = write(directory.path(), "f.forest", std::slice::from_ref(&forest));
        let whole = std::fs::read(&path).unwrap();
        let place = place as usize % whole.len();
        // No byte, or not that of any file of ours: taken for JSON, and refused as that.
        if place > 0 {
            std::fs::write(&path, &whole[..place]).unwrap();
            prop_assert!(load(&path).is_err());
        }
        let mut flipped = whole.clone();
        flipped[place] ^= 1 << bit;
        std::fs::write(&path, &flipped).unwrap();
        if let Ok(read) = load(&path) {
            prop_assert_eq!(read, vec![forest.clone()]);
        }
        let json = forest.to_json().unwrap();
        let cut = (0..=place % json.len()).rev().find(|&cut| json.is_char_boundary(cut)).unwrap();
        prop_assert!(Forest::from_json(&json[..cut]).is_err());
    }

    #[test]
    fn false_bytes_never_panic(forest in forests(3), changes in prop::collection::vec(any::<(u16, u8)>(), 1..4)) {
        // As if checksums were right: what the reader itself makes of them.
        let mut bytes = code::Bytes::default();
        bytes.forest(&forest);
        let mut bytes = bytes.0;
        for (place, byte) in changes {
            let place = place as usize % bytes.len();
            bytes[place] = byte;
        }
        let mut reader = code::Reader(&bytes);
        if let Ok(read) = reader.forest(&features()).and_then(|read| read.builder.finish(read.goal)) {
            let _ = read.weighted().unwrap().k_best(3);
        }
    }
}

#[test]
fn json_that_is_no_forest_is_refused_with_the_reason() {
    let reason = |text: &str| Forest::from_json(text).unwrap_err().to_string();
    let with = |nodes: &str, edges: &str| {
        let rest = format!("\"source\":[\"x\"],\"goal\":0,\"nodes\":[{nodes}],\"edges\":[{edges}]");
        reason(&format!("{{\"format\":\"headway-forest-1\",\"features\":[\"lm\"],{rest}}}"))
    };
    let node = "{\"span\":[0,1]}";
    assert!(reason("").contains("not a forest"));
    assert!(reason("[1]").contains("not a forest"));
    assert!(with("", "").contains("the goal is node 0 of 0"));
    assert!(with("{}", "").contains("either \"span\" or \"covered\""));
    assert!(with("{\"span\":[1,0]}", "").contains("span 1–0"));
    assert!(with("{\"covered\":[1]}", "").contains("word 1 of 1"));
    assert!(with(node, "{\"head\":1}").contains("edge 0: its head is node 1"));
    assert!(with(node, "{\"head\":0,\"tails\":[0]}").contains("tail 0 does not stand before"));
    assert!(with(node, "{\"head\":0,\"target\":[0]}").contains("slot 0 with 0 tails"));
    assert!(with(node, "{\"head\":0,\"target\":[\"a b\"]}").contains("not a word"));
    assert!(with(node, "{\"head\":0,\"features\":{\"tm\":1}}").contains("\"tm\" is not one"));
    assert!(with(node, "{\"head\":0,\"features\":{\"lm\":1e39}}").contains("out of range"));
    assert!(with(node, "{\"head\":0,\"flags\":[\"odd\"]}").contains("\"odd\" is no flag"));
    assert!(with(node, "{\"head\":0,\"links\":[[0,0]]}").contains("link 0-0"));
    assert!(with(node, "{\"head\":0,\"spans\":[[0,2]]}").contains("span 0–2"));
    assert!(with(node, "{\"head\":0,\"colour\":1}").contains("unknown field"));
    assert!(with(node, "{\"head\":0,\"heads\":[0]}").contains("1 heads for 0 symbols"));
    assert!(with(node, "{\"head\":0,\"rule\":4294967295}").contains("rule"));
}

#[test]
fn other_features_need_another_file() {
    let directory = tempfile::tempdir().unwrap();
    let forest = |name: &str| {
        let features = Features::dense_only([name]).unwrap();
        let mut builder = ForestBuilder::new(features, &["x"]).unwrap();
        let goal = builder.span_node(0, 1, None).unwrap();
        builder.finish(goal).unwrap()
    };
    let (one, two) = (forest("a"), forest("b"));
    let path = directory.path().join("f");
    assert!(save(&path, [&one, &two]).unwrap_err().to_string().contains("same features"));
    assert!(!path.exists());
    assert_eq!(save(&directory.path().join("f.jsonl"), [&one, &two]).unwrap(), 2);
}
