//! What grows left to right is what parsing the whole from scratch gives.

use super::*;
use crate::decode::feature::{SourceSpan, Step};
use crate::decode::phrase::{Phrase, Spelled};
use crate::decode::settings::UnknownWords;
use crate::parse::graph::{
    Between, FeatureSet, GraphTraining, Search, Templates, Update, local_heads, spanning_tree,
};
use crate::parse::tag::TaggerTraining;
use crate::parse::{Example, Training, Treebank};
use crate::random::Random;
use crate::table::{Header, Rule, RuleSink, Symbol, TableWriter};
use crate::tree::conllu::Tags;
use crate::{Monitor, Vocabulary, WordId};

const WORDS: [&str; 9] = ["the", "dog", "cat", "sees", "barks", "and", "old", ".", "Unseen"];

/// Sentences of random words with heads as random, so that weights are of all signs. With more
/// `tags` than the words have, those are random as well.
fn treebank(tags: usize) -> Treebank {
    let own = ["D", "N", "N", "V", "V", "C", "A", "P"];
    let mut random = Random::new(5, 1);
    let example = |_| {
        let words = 3 + random.below(12);
        let chosen: Vec<usize> = (0..words).map(|_| random.below(8)).collect();
        // Words find their heads in an order drawn by lot, so that arcs go both ways.
        let mut order: Vec<usize> = (0..words).collect();
        (1..words).for_each(|at| order.swap(at, random.below(at + 1)));
        let mut heads = vec![0; words];
        for at in 1..words {
            heads[order[at]] = order[random.below(at)] as u32 + 1;
        }
        let forms = chosen.iter().map(|&word| WORDS[word].to_string()).collect();
        let mut tag = |word: usize| match tags {
            0 => own[word].to_string(),
            _ => format!("T{}", random.below(tags)),
        };
        let tags = chosen.iter().map(|&word| tag(word)).collect();
        let tree = DependencyTree::new(forms, heads, tags, vec!["_".to_string(); words]);
        Example { tree: tree.unwrap(), weight: 1.0 }
    };
    Treebank { examples: (0..30 + tags).map(example).collect(), ..Treebank::default() }
}

/// The feature's value for a whole translation, parsed from scratch.
fn value(feature: &Dependency, words: &[String]) -> f64 {
    let block_value = |words: &[String]| {
        let (tagger, model) = (feature.parser.tagger(), feature.parser.model());
        let tags = tagger.tag(words);
        let names: Vec<&str> = tags.iter().map(|&tag| tagger.name(tag)).collect();
        let scores = model.scores(&model.numbering().input(words, &names));
        let heads = match feature.how.loops {
            true => local_heads(&scores),
            false => spanning_tree(&scores, feature.parser.single_root()),
        };
        let of = |(word, head): (usize, u32)| {
            feature.how.worth.of_head(scores.into_word(word), word, head as usize)
        };
        (1..).zip(heads).map(of).sum::<f64>()
    };
    words.chunks(BLOCK).map(block_value).sum()
}

fn parser(templates: Templates, between: Between, kind: TaggerKind, single_root: bool) -> Parser {
    parser_of(&treebank(0), templates, between, kind, single_root)
}

fn parser_of(
    treebank: &Treebank,
    templates: Templates,
    between: Between,
    kind: TaggerKind,
    single_root: bool,
) -> Parser {
    let tagger = TaggerTraining { kind, lowercase: true, rounds: 3, seed: 1 };
    let graph = GraphTraining {
        search: Search::Mst,
        update: Update::Heads,
        features: FeatureSet { templates, between },
        lowercase: true,
        single_root,
        rounds: 4,
        k: 1,
        step: 1.0,
        batch: 2,
        bits: 18,
        blanking: 0.0,
        seed: 1,
    };
    let how = Training { tagger, folds: 0, graph, label_rounds: 1, tags: Tags::Xpos };
    Parser::train(treebank, &how, &Monitor::default()).unwrap()
}

fn table() -> Arc<RuleTable> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    let monitor = Monitor::default();
    let mut writer = TableWriter::create(&path, &monitor).unwrap();
    let mut target = Vocabulary::default();
    WORDS[..7].iter().for_each(|word| {
        target.add(word);
    });
    let mut source = Vocabulary::default();
    source.add("x");
    writer.begin(&Header { source, target, ..Header::default() }).unwrap();
    for word in 0..7 {
        let (source, target) = (vec![Symbol::Word(WordId(0))], vec![Symbol::Word(WordId(word))]);
        writer.rule(&Rule { source, target, ..Rule::default() }).unwrap();
    }
    writer.finish().unwrap();
    let table = RuleTable::open(&path).unwrap();
    for (word, number) in WORDS[..7].iter().zip(0..) {
        assert_eq!(table.target().get(word), Some(WordId(number)));
    }
    Arc::new(table)
}

/// Words of the table as a phrase; a single word that it does not have as an unknown one.
fn phrase(words: &[&str]) -> Phrase {
    let mut phrase = Phrase::empty();
    let known = |word: &&str| WORDS[..7].iter().position(|known| known == word);
    if let ([word], None) = (words, known(&words[0])) {
        phrase.spelled = Some(Box::new(Spelled::unknown(UnknownWords::Copy, word)));
    } else {
        phrase.target = words.iter().filter_map(known).map(|at| WordId(at as u32)).collect();
    }
    phrase
}

/// Random words, cut into phrases.
fn random_phrases(random: &mut Random, words: usize) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    let mut left = words;
    while left > 0 {
        let length = (1 + random.below(4)).min(left);
        let known: Vec<&str> = (0..length).map(|_| WORDS[random.below(7)]).collect();
        let unknown = [WORDS[7 + random.below(2)]];
        phrases.push(if length == 1 { phrase(&unknown) } else { phrase(&known) });
        left -= length;
    }
    phrases
}

fn words_of(phrases: &[Phrase]) -> Vec<String> {
    let words = phrases.iter().flat_map(|phrase| {
        let known = phrase.target.iter().map(|word| WORDS[word.index()].to_string());
        known.chain(phrase.spelled().iter().cloned())
    });
    words.collect()
}

/// Each step's value and the end's.
fn grown(scorer: &mut dyn Scorer, phrases: &[Phrase]) -> Vec<f32> {
    let (mut state, mut value, mut values) = (0, [0.0], Vec::new());
    let span = SourceSpan { start: 0, end: 1 };
    for phrase in phrases {
        let step = Step { span, phrase, previous: None, covered: &|_| false, trees: 0 };
        state = scorer.extend(state, &step, &mut value);
        values.push(value[0]);
    }
    scorer.finish(state, &mut value);
    values.push(value[0]);
    values
}

fn total(values: &[f32]) -> f64 {
    values.iter().map(|&value| f64::from(value)).sum()
}

#[test]
fn a_grown_translation_scores_as_one_parsed_from_scratch() {
    let (table, mut random) = (table(), Random::new(3, 9));
    for (templates, between, single_root) in [
        (Templates::Paper, Between::Window, true),
        (Templates::Paper, Between::PlainWindow, false),
        (Templates::Paper, Between::All, true),
        (Templates::Rich, Between::Window, false),
    ] {
        let parser = Arc::new(parser(templates, between, TaggerKind::Streaming, single_root));
        let all = [HeadScore::Raw, HeadScore::LogProbability, HeadScore::Margin];
        for (loops, score) in all.into_iter().flat_map(|score| [(false, score), (true, score)]) {
            let worth = Worth { score, scale: 0.6, clip: 2.0 };
            let how = DependencySettings { loops, worth, ..DependencySettings::default() };
            let feature = Dependency::new(Arc::clone(&parser), Arc::clone(&table), how).unwrap();
            for round in 0..3 {
                // Hypotheses of a sentence share what they have in common.
                let nothing = Source::default();
                let mut scorer = feature.begin(&nothing);
                let mut restate = feature.restate().unwrap();
                for words in [0, 1, 2, 3 + round, 9, 17, 33] {
                    let phrases = random_phrases(&mut random, words);
                    let found = total(&grown(scorer.as_mut(), &phrases));
                    let expected = value(&feature, &words_of(&phrases));
                    assert!((found - expected).abs() < 1e-3, "{found} {expected} {words}");
                    let restated = restate(&words_of(&phrases))[0];
                    assert!((restated - expected).abs() < 1e-3, "{restated} {expected} {words}");
                }
            }
        }
    }
}

/// Hypotheses part from each other anywhere, so that what is kept for one serves others as far as
/// they agree, and no farther.
#[test]
fn hypotheses_with_shared_beginnings_score_as_from_scratch() {
    let parser = Arc::new(parser(Templates::Paper, Between::Window, TaggerKind::Streaming, true));
    let mut random = Random::new(8, 3);
    let (raw, compared) = (HeadScore::Raw, [HeadScore::LogProbability, HeadScore::Margin]);
    for score in [raw, raw, compared[0], compared[1]] {
        let worth = Worth { score, ..Worth::default() };
        let how = DependencySettings { loops: true, worth, ..DependencySettings::default() };
        let feature = Dependency::new(Arc::clone(&parser), table(), how).unwrap();
        let nothing = Source::default();
        let mut scorer = feature.begin(&nothing);
        let mut hypotheses = vec![random_phrases(&mut random, 30)];
        for _ in 0..60 {
            let mut phrases = hypotheses[random.below(hypotheses.len())].clone();
            phrases.truncate(random.below(phrases.len()) + 1);
            let words = words_of(&phrases).len();
            phrases.extend(random_phrases(&mut random, 32 - words.min(31)));
            let found = total(&grown(scorer.as_mut(), &phrases));
            let expected = value(&feature, &words_of(&phrases));
            assert!((found - expected).abs() < 1e-3, "{found} {expected}");
            hypotheses.push(phrases);
        }
    }
}

/// Tables by tags have their limits: 61 for near arcs, a byte for all.
#[test]
fn many_tags_change_no_score() {
    let (table, mut random) = (table(), Random::new(4, 9));
    for tags in [70, 400] {
        let (paper, window) = (Templates::Paper, Between::Window);
        let parser = parser_of(&treebank(tags), paper, window, TaggerKind::Streaming, true);
        assert!(parser.tagger().tags().len() > tags - 20);
        let feature =
            Dependency::new(Arc::new(parser), Arc::clone(&table), Default::default()).unwrap();
        let nothing = Source::default();
        let mut scorer = feature.begin(&nothing);
        for words in [2, 9, 17, 33, 12] {
            let phrases = random_phrases(&mut random, words);
            let found = total(&grown(scorer.as_mut(), &phrases));
            let expected = value(&feature, &words_of(&phrases));
            assert!((found - expected).abs() < 1e-3, "{found} {expected} {words}");
        }
    }
}

#[test]
fn words_beyond_a_block_begin_a_tree_of_their_own() {
    let parser = parser(Templates::Paper, Between::Window, TaggerKind::Streaming, true);
    let feature = Dependency::new(Arc::new(parser), table(), Default::default()).unwrap();
    let phrases = random_phrases(&mut Random::new(1, 1), 2 * BLOCK + 7);
    let words = words_of(&phrases);
    let found = total(&grown(feature.begin(&Source::default()).as_mut(), &phrases));
    assert!((found - value(&feature, &words)).abs() < 0.05);
    let tree = feature.whole_tree(&words).unwrap();
    assert_eq!(tree.heads().iter().filter(|&&head| head == 0).count(), 1);
    assert_eq!(feature.whole_tree(&[]).unwrap().len(), 0);
}

#[test]
fn loops_change_nothing_but_the_end() {
    let parser = Arc::new(parser(Templates::Paper, Between::Window, TaggerKind::Streaming, true));
    let feature = |loops| {
        let how = DependencySettings { loops, ..DependencySettings::default() };
        Dependency::new(Arc::clone(&parser), table(), how).unwrap()
    };
    let (with, without) = (feature(true), feature(false));
    let (mut random, mut lower) = (Random::new(7, 2), 0);
    for _ in 0..100 {
        let phrases = random_phrases(&mut random, 12);
        let one = grown(with.begin(&Source::default()).as_mut(), &phrases);
        let other = grown(without.begin(&Source::default()).as_mut(), &phrases);
        assert_eq!(one[..one.len() - 1], other[..other.len() - 1]);
        assert!(other.last() <= one.last());
        lower += usize::from(other.last() < one.last());
    }
    assert_eq!(lower as u64, without.counters.loops.load(Relaxed));
    assert!(lower > 0, "no loops in random sentences");
}

#[test]
fn arcs_grow_with_the_square_of_the_words() {
    let parser = parser(Templates::Paper, Between::Window, TaggerKind::Streaming, true);
    let how = DependencySettings { loops: true, ..DependencySettings::default() };
    let feature = Dependency::new(Arc::new(parser), table(), how).unwrap();
    let mut random = Random::new(2, 2);
    for words in [1_u64, 5, 10, 50, 200] {
        let before = feature.counters.arcs.load(Relaxed);
        grown(
            feature.begin(&Source::default()).as_mut(),
            &random_phrases(&mut random, words as usize),
        );
        assert_eq!(feature.counters.arcs.load(Relaxed) - before, words * words);
    }
}

#[test]
fn states_are_told_apart_by_tags_or_by_words() {
    let parser = Arc::new(parser(Templates::Paper, Between::Window, TaggerKind::Streaming, true));
    let keys = |recombining| {
        let how = DependencySettings { recombining, ..DependencySettings::default() };
        let feature = Dependency::new(Arc::clone(&parser), table(), how).unwrap();
        let nothing = Source::default();
        let mut scorer = feature.begin(&nothing);
        let mut key = |words: &[&str]| {
            let (span, phrase) = (SourceSpan { start: 0, end: 1 }, phrase(words));
            let step =
                Step { span, phrase: &phrase, previous: None, covered: &|_| false, trees: 0 };
            let state = scorer.extend(0, &step, &mut [0.0]);
            scorer.key(state)
        };
        [key(&["sees", "the", "dog"]), key(&["barks", "the", "cat"]), key(&["sees", "the", "dog"])]
    };
    let [one, other, again] = keys(Recombining::Tags);
    assert_eq!((one, one), (other, again));
    let [one, other, again] = keys(Recombining::Words);
    assert_ne!(one, other);
    assert_eq!(one, again);
}

#[test]
fn a_tagger_that_looks_ahead_is_refused() {
    let parser = parser(Templates::Paper, Between::Window, TaggerKind::Full, true);
    let refused = Dependency::new(Arc::new(parser), table(), Default::default());
    assert!(refused.err().unwrap().to_string().contains("--tagger streaming"));
}
