//! What holds of every pair.

use super::lexicon::{Classes, EnglishSlot, GermanSlot, lexicon};
use super::pair::{LONGEST, SHORTEST};
use super::time::DAYS;
use super::{Pair, Phenomenon, Word};
use crate::features::Case;
use headway_core::tree::DependencyTree;

fn sample(difficulty: f64, pairs: u64) -> Vec<Pair> {
    (0..pairs).map(|index| Pair::generate(17, index, difficulty)).collect()
}

fn everything() -> impl Iterator<Item = Pair> {
    [0.0, 0.5, 1.0].into_iter().flat_map(|difficulty| sample(difficulty, 700))
}

fn tree(words: &[Word]) -> DependencyTree {
    let column = |cell: fn(&Word) -> String| words.iter().map(cell).collect::<Vec<_>>();
    DependencyTree::new(
        column(|word| word.form.to_string()),
        words.iter().map(|word| word.head).collect(),
        column(|word| word.upos.to_string()),
        column(|word| word.label.to_string()),
    )
    .unwrap()
}

fn text(words: &[Word]) -> String {
    super::render::raw(words)
}

#[test]
fn trees_are_trees_with_one_root_and_of_the_promised_size() {
    for pair in everything() {
        for words in [&pair.german, &pair.english] {
            let topology = tree(words).topology();
            assert!(topology.is_tree() && topology.roots().len() == 1, "{}", text(words));
            let marks = words.iter().filter(|word| word.upos == "PUNCT").count();
            assert!(words.len() <= LONGEST && words.len() - marks >= SHORTEST, "{}", text(words));
        }
    }
}

#[test]
fn only_the_intended_constructions_are_non_projective() {
    for pair in everything() {
        let german = tree(&pair.german).topology().is_projective();
        let has = |phenomenon| pair.phenomena.has(phenomenon);
        assert_eq!(german, !has(Phenomenon::NonProjectiveGerman));
        assert!(german || has(Phenomenon::Extraposition), "{}", text(&pair.german));
        let english = tree(&pair.english).topology().is_projective();
        let moved = pair.english.iter().any(|word| word.xpos.starts_with('W'));
        let bare = has(Phenomenon::RelativeClause) && has(Phenomenon::Modal);
        assert!(english || moved || bare, "{}", text(&pair.english));
    }
}

#[test]
fn alignments_are_in_range_and_leave_no_content_word_out() {
    const CONTENT: [&str; 7] = ["NOUN", "VERB", "ADJ", "PROPN", "NUM", "PRON", "ADV"];
    for pair in everything() {
        let (german, english) = (&pair.german, &pair.english);
        assert!(pair.alignment.is_sorted());
        for &(source, target) in &pair.alignment {
            assert!((source as usize) < german.len() && (target as usize) < english.len());
        }
        for (place, word) in (0u32..).zip(german) {
            let aligned = pair.alignment.iter().any(|link| link.0 == place);
            // English may do without the relative pronoun.
            let free = word.xpos == "PRELS" || !CONTENT.contains(&word.upos);
            assert!(aligned || free, "{} in {}", word.form, text(german));
        }
        for (place, word) in (0u32..).zip(english) {
            let aligned = pair.alignment.iter().any(|link| link.1 == place);
            assert!(aligned || !CONTENT.contains(&word.upos), "{} in {}", word.form, text(english));
        }
    }
}

fn feature<'a>(word: &'a Word, name: &str) -> Option<&'a str> {
    let mut pairs = word.feats.split('|').filter_map(|pair| pair.split_once('='));
    pairs.find(|(key, _)| *key == name).map(|(_, value)| value)
}

#[test]
fn determiners_and_adjectives_agree_with_their_noun() {
    for pair in everything() {
        for word in &pair.german {
            if !matches!(word.label, "det" | "det:poss" | "amod") {
                continue;
            }
            let noun = &pair.german[word.head as usize - 1];
            for name in ["Case", "Gender", "Number"] {
                assert_eq!(feature(word, name), feature(noun, name), "{}", text(&pair.german));
            }
        }
    }
}

#[test]
fn finite_verbs_agree_with_their_subject() {
    for pair in everything() {
        for (place, word) in (1u32..).zip(&pair.german) {
            let subject = pair
                .german
                .iter()
                .find(|other| other.head == place && matches!(other.label, "nsubj" | "nsubj:pass"));
            let (Some(subject), Some(finite)) = (subject, finite_of(&pair.german, place)) else {
                continue;
            };
            let finite = &pair.german[finite];
            let joined = pair.german.iter().any(|other| {
                other.label == "conj"
                    && std::ptr::eq(&pair.german[other.head as usize - 1], subject)
            });
            if !joined && feature(subject, "Polite").is_none() && subject.xpos != "NE" {
                let number = feature(subject, "Number");
                assert_eq!(
                    number,
                    feature(finite, "Number"),
                    "{} {}",
                    word.form,
                    text(&pair.german)
                );
            }
        }
    }
}

/// The finite verb of the clause headed by word `head` (from 1), counted from 0.
fn finite_of(words: &[Word], head: u32) -> Option<usize> {
    let finite = |word: &Word| word.feats.contains("VerbForm=Fin");
    if finite(&words[head as usize - 1]) {
        return Some(head as usize - 1);
    }
    words.iter().position(|word| {
        word.head == head && matches!(word.label, "aux" | "aux:pass" | "cop") && finite(word)
    })
}

/// The child of `head` that the word at `place` belongs to.
fn branch(words: &[Word], mut place: usize, head: u32) -> usize {
    while words[place].head != head && words[place].head != 0 {
        place = words[place].head as usize - 1;
    }
    place
}

#[test]
fn main_clauses_have_their_finite_verb_second_and_questions_first() {
    for pair in everything() {
        let words = &pair.german;
        let root = words.iter().position(|word| word.head == 0).unwrap() as u32 + 1;
        let finite = finite_of(words, root).unwrap();
        let mut before: Vec<usize> = (0..finite).map(|place| branch(words, place, root)).collect();
        before.dedup();
        let yes_no = pair.phenomena.has(Phenomenon::YesNoQuestion);
        assert_eq!(before.len(), usize::from(!yes_no), "{}", text(words));
    }
}

#[test]
fn subordinate_clauses_end_in_their_finite_verb() {
    for pair in everything() {
        let words = &pair.german;
        for (head, word) in (1u32..).zip(words) {
            if !matches!(word.label, "advcl" | "ccomp" | "acl:relcl") {
                continue;
            }
            let Some(finite) = finite_of(words, head) else { continue };
            for (place, other) in words.iter().enumerate().skip(finite + 1) {
                let clause = matches!(other.label, "punct" | "conj" | "advcl" | "ccomp" | "xcomp");
                let cluster = other.xpos.ends_with("INF") || place + 1 == head as usize;
                assert!(other.head != head || clause || cluster, "{}", text(words));
            }
        }
    }
}

#[test]
fn two_thousand_pairs_show_everything() {
    let pairs = sample(0.5, 2000);
    for &phenomenon in Phenomenon::ALL {
        let count = pairs.iter().filter(|pair| pair.phenomena.has(phenomenon)).count();
        assert!(count >= 5, "{}: {count}", phenomenon.name());
    }
}

#[test]
fn difficulty_brings_what_stands_far_apart() {
    let [easy, middle, hard] = [0.0, 0.5, 1.0].map(|difficulty| sample(difficulty, 1500));
    let count = |pairs: &[Pair], phenomenon| {
        pairs.iter().filter(|pair| pair.phenomena.has(phenomenon)).count()
    };
    use Phenomenon::{Extraposition, FrontedAdverbial, NonProjectiveGerman, VerbCluster};
    for phenomenon in [NonProjectiveGerman, Extraposition, VerbCluster, FrontedAdverbial] {
        let counts = [&easy, &middle, &hard].map(|pairs| count(pairs, phenomenon));
        assert!(counts.is_sorted() && counts[2] > counts[0], "{} {counts:?}", phenomenon.name());
    }
}

/// One sentence type alone: a weekday, the past of a verb, and `der|ein|dieser [Adjektiv] Nomen`
/// as subject and as object, each in singular or plural, with nothing else in the sentence.
/// Different choices are different words, so different sentences.
#[test]
fn there_are_more_than_a_billion_pairs() {
    let left_out = lexicon().classes("kin pair");
    let phrases = |classes: Classes| -> u64 {
        let nouns = lexicon().nouns.iter().filter(|noun| noun.classes.meets(classes));
        let fitting = nouns.filter(|noun| noun.plural.is_some() && !noun.classes.meets(left_out));
        let counted = fitting.map(|noun| {
            let adjectives = lexicon().adjectives.iter();
            let count = adjectives.filter(|one| one.attributive && one.classes.meets(noun.classes));
            3 * 2 * (1 + count.count() as u64)
        });
        counted.sum()
    };
    let verbs = lexicon().verbs.iter().filter(|verb| {
        let others = verb.slots.iter().skip(1).all(|slot| slot.optional);
        verb.clausal.is_empty() && !verb.expletive && !verb.has("stative") && others
    });
    let sentences = verbs.filter_map(|verb| {
        let slot = verb.slots.first()?;
        let object = slot.german == GermanSlot::Bare(Case::Accusative);
        (object && slot.english == EnglishSlot::Object)
            .then(|| phrases(verb.subject) * phrases(slot.classes))
    });
    let total = DAYS.len() as u64 * sentences.sum::<u64>();
    assert!(total > 1_000_000_000, "{total}");
}
