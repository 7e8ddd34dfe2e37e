//! Votes of several members.

use crate::consensus::{Ballot, Gain, Options, Vote, feature_names};

type List = Vec<(Vec<String>, f64)>;

fn list(texts: &[(&str, f64)]) -> List {
    let words = |text: &str| text.split(' ').map(ToString::to_string).collect();
    texts.iter().map(|&(text, score)| (words(text), score)).collect()
}

fn ballot(list: &List, scale: f64) -> Option<Ballot<'_>> {
    let list = list.iter().map(|(words, score)| (words.as_slice(), *score)).collect();
    Some(Ballot { forest: None, list, scale })
}

fn vote(ballots: &[Option<Ballot<'_>>], gain: Gain) -> Vote {
    Vote::new(ballots, Options { gain, edges: 1000, negligible: 0.0 }).unwrap()
}

/// The best candidate where the gain of the union is all that counts.
fn best(ballots: &[Option<Ballot<'_>>], gain: Gain) -> String {
    let vote = vote(ballots, gain);
    let names: Vec<String> = (0..ballots.len()).map(|it| format!("m{it}")).collect();
    let names = feature_names(&names);
    let weights: Vec<f64> =
        names.iter().map(|name| f64::from(u8::from(name == "union.gain"))).collect();
    vote.entries[vote.ranked(&weights)[0].0].words.join(" ")
}

#[test]
fn what_most_agree_on_wins() {
    let texts = [("x y z w", 0.0), ("a b c d", -0.1), ("a b c e", -0.1), ("a b c d e", -0.1)];
    // chrF counts what is left out more than what is too much.
    for (gain, expected) in [(Gain::Bleu, "a b c d"), (Gain::Chrf, "a b c d e")] {
        assert_eq!(best(&[ballot(&list(&texts), 1.0)], gain), expected);
        // With a large scale only the best counts.
        assert_eq!(best(&[ballot(&list(&texts), 1e4)], gain), "x y z w");
    }
}

#[test]
fn derivations_of_the_same_words_count_together() {
    let texts = [("x y z w", 0.0), ("a b c d", -0.5), ("a b c d", -0.5), ("a b c d", -0.5)];
    assert_eq!(best(&[ballot(&list(&texts), 1.0)], Gain::Bleu), "a b c d");
    assert_eq!(best(&[ballot(&list(&texts[..2]), 1.0)], Gain::Bleu), "x y z w");
}

#[test]
fn members_that_agree_outvote_one_that_is_sure() {
    let one = list(&[("x y z w", 0.0), ("a b c d", -9.0)]);
    let two = list(&[("a b c d", 0.0), ("a b c e", -1.0)]);
    let three = list(&[("a b c e", 0.0), ("a b c d", -0.1)]);
    let all = [ballot(&one, 1.0), ballot(&two, 1.0), ballot(&three, 1.0)];
    assert_eq!(best(&all, Gain::Bleu), "a b c d");
    // One that has no say changes nothing.
    assert_eq!(best(&[all[0].clone(), None], Gain::Bleu), "x y z w");
    let turned = [all[2].clone(), all[0].clone(), all[1].clone()];
    assert_eq!(best(&turned, Gain::Bleu), "a b c d");
}

#[test]
fn entries_tell_who_said_them_and_what_others_think() {
    let one = list(&[("a b", 0.0), ("a c", -1.0)]);
    let two = list(&[("a c", 0.0)]);
    let vote = vote(&[ballot(&one, 1.0), ballot(&two, 1.0), None], Gain::Bleu);
    let said: Vec<_> =
        vote.entries.iter().map(|it| (it.words.join(" "), it.member, it.place)).collect();
    assert_eq!(said, [("a b".to_string(), 0, 0), ("a c".to_string(), 1, 0)]);
    let names = feature_names(&["m".into(), "n".into(), "o".into()]);
    let value = |entry: usize, name: &str| {
        vote.entries[entry].features[names.iter().position(|own| own == name).unwrap()]
    };
    let chance = 1.0 / (1.0 + (-1.0_f64).exp());
    assert!((value(0, "m.2") - chance).abs() < 1e-9 && value(0, "n.2") == 0.0);
    assert!((value(0, "m.1") - 1.0 - chance).abs() < 1e-9 && value(0, "n.1") == 1.0);
    assert!((value(0, "union.1") - (2.0 + chance) / 2.0).abs() < 1e-9);
    assert!((value(0, "m.score") - chance.ln()).abs() < 1e-9 && value(0, "n.score") == -1.0);
    assert_eq!((value(0, "n.said"), value(1, "n.said"), value(1, "m.said")), (0.0, 1.0, 1.0));
    assert_eq!((value(0, "o.1"), value(0, "o.score"), value(1, "word-penalty")), (0.0, 0.0, -2.0));
    let words: Vec<String> = ["a", "b", "a"].map(String::from).to_vec();
    let sure = vote.sure(&words);
    assert!((sure[0] - 1.0).abs() < 1e-9 && (sure[1] - chance / 2.0).abs() < 1e-9);
    assert_eq!(sure[2], 0.0);
    let support = vote.support(&words, 2);
    assert!((support[0].as_ref().unwrap()[1] - chance).abs() < 1e-9 && support[2].is_none());
}

#[test]
fn a_sentence_that_nobody_translates_has_no_entries() {
    assert!(vote(&[None, ballot(&list(&[]), 1.0)], Gain::Chrf).entries.is_empty());
}
