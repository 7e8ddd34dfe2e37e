//! Models against their formulas, and as files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::*;
use crate::random::Random;
use crate::tree::{Heads, random_tree};
use crate::{Monitor, container, monitor};

/// Random trees over few words and labels, as CoNLL-U.
fn treebank(trees: usize, words: usize, seed: u64) -> String {
    let mut random = Random::new(seed, 51);
    let mut text = String::new();
    for _ in 0..trees {
        let length = 1 + random.below(words);
        let heads = random_tree(length, &mut random, true);
        for (word, head) in (1..).zip(heads) {
            let form = ["a", "b", "c", "d", ",", "e"][random.below(6)];
            let label = ["subj", "obj", "det"][random.below(3)];
            text += &format!("{word}\t{form}\t_\t_\t_\t_\t{head}\t{label}\t_\t_\n");
        }
        text += "\n";
    }
    text
}

fn trained(text: &str, options: Options) -> OrderModel {
    let directory = tempfile::tempdir().unwrap();
    let [trees, path] = ["trees", "model"].map(|name| directory.path().join(name));
    fs::write(&trees, text).unwrap();
    train(&[trees], None, options, &path, &Monitor::default()).unwrap();
    OrderModel::open(&path).unwrap()
}

fn all_options() -> impl Iterator<Item = Options> {
    (0..8).map(|bits| Options {
        lexical: bits & 1 != 0,
        sizes: bits & 2 != 0,
        punctuation_apart: bits & 4 != 0,
        longest: 4,
    })
}

fn offsets(longest: u32) -> impl Iterator<Item = i32> {
    Options { longest, ..Options::default() }.offsets()
}

/// Dependencies of a treebank: label, governor, dependent, size and offset.
type Seen = (String, String, String, u32, i32);

fn seen(text: &str, options: Options) -> Vec<Seen> {
    let mut found = Vec::new();
    for block in text.split("\n\n").filter(|block| !block.is_empty()) {
        let rows: Vec<Vec<&str>> = block.lines().map(|row| row.split('\t').collect()).collect();
        let heads = rows.iter().map(|row| row[6].parse().unwrap()).collect();
        let form = |word: u32| rows[word as usize - 1][1].to_string();
        let passed = |word| options.punctuation_apart && is_punctuation(&form(word));
        for found_one in dependencies(&Heads::new(heads).unwrap(), passed).unwrap() {
            let label = rows[found_one.dependent as usize - 1][7].to_string();
            let (governor, dependent) = (form(found_one.governor), form(found_one.dependent));
            let longest = options.longest as i32;
            let offset = found_one.offset.clamp(-longest, longest);
            found.push((label, governor, dependent, found_one.size, offset));
        }
    }
    found
}

/// The formula of smoothing.rs, level by level, from a list of what was seen.
fn literally(seen: &[Seen], asked: &Seen, options: Options) -> f64 {
    let class = |size| if options.sizes { options.class(size) } else { 0 };
    let label = |e: &Seen| e.0 == asked.0;
    let size = |e: &Seen| label(e) && class(e.3) == class(asked.3);
    let dependent = |e: &Seen| size(e) && e.2 == asked.2;
    let governor = |e: &Seen| dependent(e) && e.1 == asked.1;
    let everything = |_: &Seen| true;
    let mut levels: Vec<&dyn Fn(&Seen) -> bool> = vec![&everything, &label];
    if options.sizes {
        levels.push(&size);
    }
    if options.lexical {
        levels.extend([&dependent as &dyn Fn(&Seen) -> bool, &governor]);
    }
    let mut probability = 1.0 / f64::from(2 * options.longest);
    for level in levels {
        let here: Vec<i32> = seen.iter().filter(|e| level(e)).map(|e| e.4).collect();
        let types = here.iter().collect::<BTreeSet<_>>().len() as f64;
        let count = here.iter().filter(|&&offset| offset == asked.4).count() as f64;
        if !here.is_empty() {
            let total = here.len() as f64;
            probability = (count + 5.0 * types * probability) / (total + 5.0 * types);
        }
    }
    probability
}

#[test]
fn probabilities_follow_the_formula() {
    for (seed, options) in (0..).zip(all_options()) {
        let text = treebank(12, 9, seed);
        let (model, seen) = (trained(&text, options), seen(&text, options));
        let mut asked: Vec<Seen> = seen.clone();
        // Words in new places, and one that was never seen.
        let again = seen.iter().map(|e| (e.0.clone(), e.2.clone(), e.1.clone(), 6, -e.4));
        asked.extend(again.chain([("obj".into(), "a".into(), "z".into(), 1, 2)]));
        for event in &asked {
            let (label, governor, dependent, size, offset) = event;
            let [governor, dependent] = [governor, dependent].map(|word| model.word(word));
            let number = model.target_label(label).unwrap();
            let found = model.probability(number, governor, dependent, *size, *offset);
            let expected = literally(&seen, event, options);
            assert!((found - expected).abs() < 1e-6, "{event:?} {found} {expected} {options:?}");
            // Without pairs every label stands for itself.
            let score = model.score(model.label(label), governor, dependent, *size, *offset);
            assert!((f64::from(score) - expected.ln()).abs() < 1e-4, "{event:?}");
        }
    }
}

#[test]
fn probabilities_of_all_offsets_sum_to_one() {
    for (seed, options) in (0..).zip(all_options()) {
        let model = trained(&treebank(20, 9, seed), options);
        let words = || ["a", "b", ",", "z"].map(|word| model.word(word)).into_iter().chain([None]);
        let labels = ["subj", "obj", "det", "other"].map(|label| model.label(label));
        for (governor, dependent) in words().flat_map(|word| words().map(move |w| (word, w))) {
            for (&label, size) in
                labels.iter().flat_map(|label| [1, 2, 4, 7, 9].map(|s| (label, s)))
            {
                let sum: f64 = offsets(4)
                    .map(|n| f64::from(model.score(label, governor, dependent, size, n)).exp())
                    .sum();
                assert!((sum - 1.0).abs() < 1e-5, "{sum} {options:?}");
            }
        }
    }
}

#[test]
fn words_that_were_not_seen_leave_the_label() {
    let text = treebank(30, 8, 7);
    let plain = trained(&text, Options { lexical: false, longest: 4, ..Options::default() });
    let lexical = trained(&text, Options { longest: 4, ..Options::default() });
    assert_eq!((plain.word("a"), lexical.word("z")), (None, None));
    let (governor, label) = (lexical.word("a"), plain.label("obj"));
    assert_eq!(label, lexical.label("obj"));
    for offset in offsets(5) {
        let expected = plain.score(label, None, None, 1, offset);
        assert_eq!(lexical.score(label, governor, None, 1, offset), expected);
        assert_eq!(plain.score(label, Some(0), Some(0), 1, offset), expected);
    }
}

#[test]
fn best_scores_are_those_of_the_offsets_that_remain() {
    for (seed, options) in (0..).zip(all_options()) {
        let model = trained(&treebank(20, 9, seed), options);
        for (label, size) in
            ["subj", "det", "?"].into_iter().flat_map(|l| [1, 3, 9].map(|s| (l, s)))
        {
            let label = model.label(label);
            let best = |from: i32, to: i32| {
                let scores = (from..=to).filter(|&offset| offset != 0);
                scores.map(|n| model.score(label, None, None, size, n)).fold(f32::MIN, f32::max)
            };
            for distance in 1..7 {
                let (before, after) = (best(-9, -distance), best(distance, 9));
                assert_eq!(model.best_before(label, size, distance as u32), before);
                assert_eq!(model.best_after(label, size, distance as u32), after);
            }
            assert_eq!(model.best(label, size), best(-9, 9));
        }
    }
}

/// A label with the probabilities of some offsets.
fn table<'a>(label: &'a str, offsets: &'a [(i32, f64)]) -> Table<'a> {
    Table { label, offsets, ..Table::default() }
}

#[test]
fn the_scores_of_the_paper() {
    // (3a) to (3c): [saw][the tall lady][the][guy] and two other orders.
    let model = OrderModel::from_tables(
        Options::default(),
        &[
            table("subj", &[(-1, 0.5), (-2, 0.2), (1, 0.1), (4, 0.2)]),
            table("obj", &[(1, 0.7), (2, 0.2), (-1, 0.1)]),
            table("det", &[(-1, 0.6), (-2, 0.4)]),
        ],
        &[],
    )
    .unwrap();
    let total = |offsets: [(&str, i32); 3]| -> f64 {
        let scores = offsets.map(|(l, n)| f64::from(model.score(model.label(l), None, None, 1, n)));
        scores.iter().sum::<f64>().exp()
    };
    let worth = [
        (total([("subj", 4), ("obj", 1), ("det", -1)]), 0.2 * 0.7 * 0.6),
        (total([("subj", 1), ("obj", -1), ("det", -1)]), 0.1 * 0.1 * 0.6),
        (total([("subj", -1), ("obj", 1), ("det", -1)]), 0.5 * 0.7 * 0.6),
    ];
    for (found, expected) in worth {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    // §4.2: the best that is left for "tall lady the the guy" before its verb.
    let before = |label: &str, distance| model.best_before(model.label(label), 1, distance).exp();
    assert!((before("subj", 1) - 0.5).abs() < 1e-6 && before("obj", 3) < 1e-9);
    assert!((before("subj", 2) - 0.2).abs() < 1e-6);
}

#[test]
fn given_tables_back_off_with_what_they_leave() {
    let lexical =
        |governor, offsets| Table { governor, dependent: Some("dog"), ..table("obj", offsets) };
    let tables = [
        table("obj", &[(1, 0.8)]),
        table("subj", &[(-1, 1.0)]),
        lexical(None, &[(2, 0.5)]),
        lexical(Some("saw"), &[(1, 0.25)]),
        Table { size: Some(9), ..table("obj", &[(3, 0.5)]) },
    ];
    let options = Options { sizes: true, longest: 5, ..Options::default() };
    let mapping = [("Obj", "obj", 0.75), ("Obj", "subj", 0.25)];
    let model = OrderModel::from_tables(options, &tables, &mapping).unwrap();
    let [dog, saw] = ["dog", "saw"].map(|word| model.word(word));
    let probability = |label: &str, governor, dependent, size, n| {
        f64::from(model.score(model.label(label), governor, dependent, size, n)).exp()
    };
    let plain = |n: i32| if n == 1 { 0.8 + 0.02 } else { 0.02 };
    let with_dog = |n: i32| 0.5 * plain(n) + if n == 2 { 0.5 } else { 0.0 };
    let with_saw = |n: i32| 0.75 * with_dog(n) + if n == 1 { 0.25 } else { 0.0 };
    for n in offsets(5) {
        let subject = if n == -1 { 1.0 } else { 0.0 };
        let heavy = 0.5 * plain(n) + if n == 3 { 0.5 } else { 0.0 };
        for (found, expected) in [
            (probability("obj", None, None, 1, n), plain(n)),
            (probability("obj", saw, None, 1, n), plain(n)),
            (probability("obj", None, dog, 1, n), with_dog(n)),
            (probability("obj", dog, dog, 1, n), with_dog(n)),
            (probability("obj", saw, dog, 1, n), with_saw(n)),
            (probability("obj", None, None, 9, n), heavy),
            (probability("Obj", None, None, 1, n), 0.75 * plain(n) + 0.25 * subject),
            (probability("Obj", saw, dog, 1, n), 0.75 * with_saw(n) + 0.25 * subject),
            (probability("obj:x", None, None, 1, n), plain(n)),
            (probability("new", None, None, 1, n), 0.5 * plain(n) + 0.5 * subject),
        ] {
            assert!((found - expected).abs() < 1e-6, "{n}: {found} {expected}");
        }
    }
    let wrong = OrderModel::from_tables(options, &[table("x", &[(1, 1.5)])], &[]).unwrap_err();
    assert!(wrong.to_string().contains("sum to 1.5"));
    let wrong = OrderModel::from_tables(options, &tables, &[("a", "b", 1.0)]).unwrap_err();
    assert!(wrong.to_string().contains("b: no table"));
}

/// A treebank, its pairs with itself, and a model of both in a directory.
fn files(directory: &Path, text: &str) -> (PathBuf, Pairs) {
    let [trees, alignment] = ["trees", "links"].map(|name| directory.join(name));
    fs::write(&trees, text).unwrap();
    let line = |block: &str| {
        let links = (0..block.lines().count()).map(|word| format!("{word}-{word}"));
        links.collect::<Vec<_>>().join(" ") + "\n"
    };
    fs::write(&alignment, text.trim_end().split("\n\n").map(line).collect::<String>()).unwrap();
    let pairs = Pairs { source: trees.clone(), target: trees.clone(), alignment };
    (trees, pairs)
}

#[test]
fn threads_do_not_change_the_file() {
    let directory = tempfile::tempdir().unwrap();
    let (trees, pairs) = files(directory.path(), &treebank(9000, 9, 3));
    let options = Options { sizes: true, ..Options::default() };
    let written = [1, 2, 5].map(|threads| {
        let path = directory.path().join(format!("model.{threads}"));
        let inputs = [trees.clone(), trees.clone()];
        let pool = monitor::pool(threads).unwrap();
        let summary = pool
            .install(|| train(&inputs, Some(&pairs), options, &path, &Monitor::default()))
            .unwrap();
        (summary, fs::read(&path).unwrap())
    });
    assert_eq!((written[0].0.trees, written[0].0.linked.pairs), (18000, 9000));
    assert_eq!(written[0].0.linked.linked, written[0].0.linked.dependencies);
    assert_eq!(written[0].0.dependencies, 2 * written[0].0.linked.dependencies);
    assert!(written.windows(2).all(|two| two[0] == two[1]));
}

#[test]
fn labels_of_pairs_are_mixed() {
    let directory = tempfile::tempdir().unwrap();
    let (trees, mut pairs) = files(directory.path(), &treebank(50, 9, 5));
    let renamed = fs::read_to_string(&trees).unwrap().replace("\tsubj\t", "\tX\t");
    pairs.source = directory.path().join("source");
    fs::write(&pairs.source, renamed.replace("\tobj\t", "\tX\t")).unwrap();
    let path = directory.path().join("model");
    let options = Options { longest: 4, ..Options::default() };
    train(&[trees], Some(&pairs), options, &path, &Monitor::default()).unwrap();
    let model = OrderModel::open(&path).unwrap();
    let seen: BTreeMap<&str, u64> = model.labels().collect();
    assert_eq!(model.source_labels().count(), 4);
    let mapping = |label: &str| {
        let rows = model.labels().zip(model.mapping(model.label(label)));
        rows.map(|((label, _), &p)| (label.to_string(), p)).collect::<BTreeMap<_, _>>()
    };
    // Witten–Bell with the labels of all trees.
    let total = (seen["subj"] + seen["obj"]) as f64;
    let all = seen.values().sum::<u64>() as f64;
    let any = |label: &str| (seen[label] as f64 + 15.0 / 3.0) / (all + 15.0);
    let expected = (seen["subj"] as f64 + 10.0 * any("subj")) / (total + 10.0);
    assert!((mapping("X")["subj"] - expected).abs() < 1e-12);
    assert!((mapping("X").values().sum::<f64>() - 1.0).abs() < 1e-12);
    assert_eq!((mapping("subj")["subj"], mapping("subj")["obj"]), (1.0, 0.0));
    assert!((mapping("new")["det"] - any("det")).abs() < 1e-12);
    let [a, b] = ["a", "b"].map(|word| model.word(word));
    for offset in offsets(4) {
        let found = f64::from(model.score(model.label("X"), a, b, 1, offset)).exp();
        let each = model.labels().map(|(label, _)| {
            let number = model.target_label(label).unwrap();
            mapping("X")[label] * model.probability(number, a, b, 1, offset)
        });
        assert!((found - each.sum::<f64>()).abs() < 1e-6);
    }
}

#[test]
fn trees_that_cannot_be_counted() {
    let directory = tempfile::tempdir().unwrap();
    let run = |text: &str| {
        let (trees, path) = (directory.path().join("t"), directory.path().join("m"));
        fs::write(&trees, text).unwrap();
        train(&[trees], None, Options::default(), &path, &Monitor::default())
    };
    let row = |word: u32, head: &str, label: &str| {
        format!("{word}\tw\t_\t_\t_\t_\t{head}\t{label}\t_\t_\n")
    };
    let good = row(1, "2", "a") + &row(2, "0", "root") + "\n";
    let cycle = row(1, "2", "a") + &row(2, "1", "b") + "\n";
    let unparsed = row(1, "_", "_") + "\n# nothing\n\n";
    let summary = run(&(good.clone() + &cycle + &unparsed)).unwrap();
    assert_eq!((summary.trees, summary.cyclic, summary.dependencies), (2, 1, 1));
    for empty in ["", &cycle, &unparsed] {
        assert!(run(empty).unwrap_err().to_string().contains("no dependencies"));
    }
    let half = row(1, "2", "a") + &row(2, "_", "root");
    let error = run(&(good + &half)).unwrap_err().to_string();
    assert!(error.contains("t:4: some words have a head"), "{error}");
    let many: String = (0..1001).map(|n| row(1, "0", &format!("l{n}")) + "\n").collect();
    let error = run(&many).unwrap_err().to_string();
    assert!(error.contains("more than 1000 different labels, such as \"l1000\""), "{error}");
}

#[test]
fn interrupted_training_writes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let (trees, _) = files(directory.path(), &treebank(5, 5, 1));
    let path = directory.path().join("model");
    let monitor = Monitor::default();
    monitor.stop();
    let error = train(&[trees], None, Options::default(), &path, &monitor).unwrap_err();
    assert!(matches!(error, crate::Error::Interrupted) && !path.exists());
}

/// Every change of a byte is found, by a checksum or by what is checked besides.
#[test]
fn damaged_files_are_refused_and_never_crash() {
    let directory = tempfile::tempdir().unwrap();
    let (trees, _) = files(directory.path(), &treebank(20, 7, 9));
    let path = directory.path().join("model");
    let options = Options { sizes: true, longest: 3, ..Options::default() };
    train(&[trees], None, options, &path, &Monitor::default()).unwrap();
    let whole = fs::read(&path).unwrap();
    for cut in (0..whole.len()).step_by(97) {
        fs::write(&path, &whole[..cut]).unwrap();
        assert!(OrderModel::open(&path).is_err(), "{cut}");
    }
    let mut random = Random::new(1, 61);
    for _ in 0..400 {
        let mut changed = whole.clone();
        let place = random.below(whole.len());
        changed[place] ^= 1 << random.below(8);
        fs::write(&path, &changed).unwrap();
        let _ = OrderModel::open(&path);
        // The same with checksums that fit: whatever opens answers.
        if place >= 1024 {
            container::sign(&mut changed);
            fs::write(&path, &changed).unwrap();
            if let Ok(model) = OrderModel::open(&path) {
                ask_everything(&model);
            }
        }
    }
}

fn ask_everything(model: &OrderModel) {
    let words = || (0..model.words().len() as u32).map(Some).chain([None]);
    for label in 0..=model.source_labels().count() as u32 {
        for (governor, dependent) in words().flat_map(|word| words().map(move |w| (word, w))) {
            for (size, offset) in [(1, -1), (9, 2)] {
                assert!(model.score(label, governor, dependent, size, offset).is_finite());
            }
        }
        assert!(model.best(label, 1).is_finite());
    }
}
