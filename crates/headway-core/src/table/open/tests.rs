use std::collections::BTreeMap;
use std::path::PathBuf;

use proptest::prelude::*;

use super::super::{Counts, Structure, StructureKind, TableWriter};
use super::*;
use crate::WordId;

const FEATURES: [&str; 6] =
    ["p(f|e)", "lex(f|e)", "p(e|f)", "lex(e|f)", "reordering.a", "reordering.b"];
const WORDS: u32 = 7;

fn header() -> Header {
    let features = FEATURES.map(Feature::probability).to_vec();
    let mut header = Header { features, ..Header::default() };
    for word in 0..WORDS {
        header.source.add(&format!("s{}", WORDS - word));
        header.target.add(&format!("t{word}"));
        header.labels.add(&format!("l{word}"));
    }
    header
}

fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        4 => (0_u32..8).prop_map(|n| n as f32 / 8.0),
        4 => (1_u32..2000).prop_map(|n| format!("{n}e-6").parse().unwrap()),
        1 => 0.0_f32..1.0,
        1 => any::<f32>().prop_filter("a number", |n| !n.is_nan()),
    ]
}

fn word() -> impl Strategy<Value = Symbol> {
    (0..WORDS - 1).prop_map(|word| Symbol::Word(WordId(word)))
}

/// A side with its slots put where `places` says.
fn with_slots(mut words: Vec<Symbol>, places: &[usize], numbers: &[u8]) -> Vec<Symbol> {
    for (&place, &number) in places.iter().zip(numbers) {
        words.insert(place % (words.len() + 1), Symbol::Slot(number));
    }
    words
}

fn in_order(side: &mut [Symbol]) {
    let slots = side.iter_mut().filter(|symbol| matches!(symbol, Symbol::Slot(_)));
    slots.zip(0..).for_each(|(symbol, number)| *symbol = Symbol::Slot(number));
}

prop_compose! {
    fn rule()(
        source in prop::collection::vec(word(), 1..4),
        target in prop::collection::vec(word(), 0..5),
        places in prop::collection::vec(0_usize..5, 0..3),
        target_places in prop::collection::vec(0_usize..5, 2),
        swap: bool,
        links in prop::collection::btree_set((0_u8..6, 0_u8..7), 0..6),
        counts in prop::option::of((number(), number(), number())),
        kind in prop::option::of(0_u8..3),
        heads in prop::collection::vec(0_u8..7, 7),
        labels in prop::collection::vec(0..WORDS, 3),
        features in prop::collection::vec(number(), FEATURES.len()),
    ) -> Rule {
        let slots = places.len();
        let numbers: &[u8] = if swap { &[1, 0] } else { &[0, 1] };
        let mut source = with_slots(source, &places, &[0, 1]);
        in_order(&mut source);
        let mut target = with_slots(target, &target_places[..slots], numbers);
        if slots == 1 {
            in_order(&mut target);
        }
        let is_word = |side: &[Symbol], place: u8| {
            matches!(side.get(usize::from(place)), Some(Symbol::Word(_)))
        };
        let links = links.into_iter()
            .filter(|&(from, to)| is_word(&source, from) && is_word(&target, to)).collect();
        let structure = kind.map(|kind| Structure {
            kind: match kind {
                0 => StructureKind::Fixed(0),
                1 => StructureKind::FloatingLeft,
                _ => StructureKind::FloatingRight,
            },
            heads: heads[..target.len()].iter()
                .map(|&head| head % (target.len() as u8 + 1)).collect(),
            label: WordId(labels[0]),
            slot_labels: labels[1..=slots].iter().map(|&label| WordId(label)).collect(),
        });
        let counts = counts.map(|(target, source, joint)| Counts { target, source, joint });
        Rule { source, target, structure, links, counts, features }
    }
}

fn rules() -> impl Strategy<Value = Vec<Rule>> {
    prop::collection::vec(rule(), 0..40).prop_map(|mut rules| {
        rules.sort_by(|a, b| a.source.cmp(&b.source));
        rules
    })
}

fn written(directory: &Path, rules: &[Rule]) -> PathBuf {
    let path = directory.join("t");
    let monitor = Monitor::default();
    let mut writer = TableWriter::create(&path, &monitor).unwrap();
    writer.begin(&header()).unwrap();
    rules.iter().for_each(|rule| writer.rule(rule).unwrap());
    writer.finish().unwrap();
    path
}

/// Collects what a table hands over, words spelt out.
#[derive(Default)]
struct Collected {
    header: Header,
    rules: Vec<String>,
}

fn spelt(rule: &Rule, header: &Header) -> String {
    let side = |side: &[Symbol], words: &Vocabulary| -> Vec<String> {
        let spell = |symbol: &Symbol| match symbol {
            Symbol::Word(word) => words.word(*word).to_string(),
            Symbol::Slot(slot) => format!("[{slot}]"),
        };
        side.iter().map(spell).collect()
    };
    let structure = rule.structure.as_ref().map(|structure| {
        let label = |label: &WordId| header.labels.word(*label).to_string();
        let slots: Vec<String> = structure.slot_labels.iter().map(label).collect();
        format!("{:?} {:?} {} {slots:?}", structure.kind, structure.heads, label(&structure.label))
    });
    let bits: Vec<u32> = rule.features.iter().map(|value| value.to_bits()).collect();
    let (source, target) = (side(&rule.source, &header.source), side(&rule.target, &header.target));
    format!("{source:?} {target:?} {structure:?} {:?} {:?} {bits:?}", rule.links, rule.counts)
}

impl RuleSink for Collected {
    fn begin(&mut self, header: &Header) -> Result<()> {
        self.header = header.clone();
        Ok(())
    }

    fn rule(&mut self, rule: &Rule) -> Result<()> {
        self.rules.push(spelt(rule, &self.header));
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

fn all(table: &RuleTable) -> Result<Vec<String>> {
    let mut collected = Collected::default();
    table.copy(&mut collected, |_| true, None, &Monitor::default())?;
    Ok(collected.rules)
}

/// The number a word of the test's header has in the table.
fn renumbered(table: &RuleTable, source: &[Symbol]) -> Option<Vec<Symbol>> {
    let header = header();
    let renumber = |symbol: &Symbol| match symbol {
        Symbol::Word(word) => table.source().get(header.source.word(*word)).map(Symbol::Word),
        slot => Some(*slot),
    };
    source.iter().map(renumber).collect()
}

proptest! {
    #[test]
    fn what_is_written_is_read(rules in rules()) {
        let directory = tempfile::tempdir().unwrap();
        let table = RuleTable::open(&written(directory.path(), &rules)).unwrap();
        table.verify().unwrap();
        let expected: Vec<String> = rules.iter().map(|rule| spelt(rule, &header())).collect();
        prop_assert_eq!(all(&table).unwrap(), expected);
        prop_assert_eq!(table.facts().rules, rules.len() as u64);
    }

    #[test]
    fn look_up_equals_a_scan(
        rules in rules(), asked in prop::collection::vec(rule().prop_map(|rule| rule.source), 0..20),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let table = RuleTable::open(&written(directory.path(), &rules)).unwrap();
        let mut by_source: BTreeMap<&[Symbol], Vec<String>> = BTreeMap::new();
        for rule in &rules {
            by_source.entry(&rule.source).or_default().push(spelt(rule, &header()));
        }
        let asked = asked.iter().map(Vec::as_slice).chain(rules.iter().map(|rule| &rule.source[..]));
        let table_header = table.header().unwrap();
        for source in asked {
            let node = renumbered(&table, source).and_then(|source| table.find(&source));
            let found = node.map_or(Vec::new(), |node| table.rules(node).unwrap());
            let found: Vec<String> = found.iter().map(|rule| spelt(rule, &table_header)).collect();
            prop_assert_eq!(found, by_source.get(source).cloned().unwrap_or_default());
        }
    }

    #[test]
    fn the_best_come_first(
        rules in rules(), weights in prop::collection::vec(-1.0_f32..1.0, FEATURES.len()),
        top in prop::option::of(0_usize..4),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let table = RuleTable::open(&written(directory.path(), &rules)).unwrap();
        let mut sources = table.sources();
        while let Some((node, _)) = sources.next(&table) {
            let mut expected = table.rules(node).unwrap();
            expected.sort_by(|a, b| table.score(b, &weights).total_cmp(&table.score(a, &weights)));
            expected.truncate(top.unwrap_or(expected.len()));
            let found = table.best(node, &weights, top).unwrap();
            let found: Vec<Rule> = found.into_iter().map(|scored| scored.rule).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn damage_is_found_or_harmless(
        rules in rules(), cut in 0.0_f64..1.0, flips in prop::collection::vec((0.0_f64..1.0, 0_u8..8), 1..4),
    ) {
        let directory = tempfile::tempdir().unwrap();
        let path = written(directory.path(), &rules);
        let whole = std::fs::read(&path).unwrap();
        let place = |share: f64| (share * whole.len() as f64) as usize;
        std::fs::write(&path, &whole[..place(cut)]).unwrap();
        prop_assert!(RuleTable::open(&path).is_err());
        let mut flipped = whole.clone();
        for (share, bit) in flips {
            flipped[place(share)] ^= 1 << bit;
        }
        std::fs::write(&path, &flipped).unwrap();
        if let Ok(table) = RuleTable::open(&path) {
            let read = all(&table);
            if table.verify().is_ok() {
                let expected: Vec<String> = rules.iter().map(|rule| spelt(rule, &header())).collect();
                prop_assert_eq!(read.unwrap(), expected);
            }
        }
    }
}

#[test]
fn rules_that_make_no_sense_are_refused() {
    let directory = tempfile::tempdir().unwrap();
    let monitor = Monitor::default();
    let word = |id| Symbol::Word(WordId(id));
    let good = Rule {
        source: vec![Symbol::Slot(0), word(1)],
        target: vec![word(1), Symbol::Slot(0)],
        structure: None,
        links: vec![(1, 0)],
        counts: None,
        features: vec![0.5; FEATURES.len()],
    };
    let mut writer = TableWriter::create(&directory.path().join("t"), &monitor).unwrap();
    writer.begin(&header()).unwrap();
    writer.rule(&good).unwrap();
    let structure = Structure {
        kind: StructureKind::FloatingLeft,
        heads: vec![0],
        label: WordId(0),
        slot_labels: vec![],
    };
    for (bad, what) in [
        (Rule { source: vec![], ..good.clone() }, "empty"),
        (Rule { source: vec![word(9)], ..good.clone() }, "not in the vocabulary"),
        (Rule { target: vec![word(9), Symbol::Slot(0)], ..good.clone() }, "not in the vocabulary"),
        (Rule { target: vec![word(1)], ..good.clone() }, "slots"),
        (Rule { target: vec![word(1); 256], ..good.clone() }, "255"),
        (Rule { source: vec![Symbol::Slot(1), word(1)], ..good.clone() }, "numbered"),
        (Rule { links: vec![(0, 0)], ..good.clone() }, "link"),
        (Rule { features: vec![], ..good.clone() }, "feature"),
        (Rule { structure: Some(structure), ..good.clone() }, "structure"),
        (Rule { source: vec![Symbol::Slot(0), word(0)], ..good.clone() }, "sorted"),
    ] {
        let message = writer.rule(&bad).unwrap_err().to_string();
        assert!(message.contains(what), "{message}");
    }
}

#[test]
fn words_no_rule_uses_are_left_out() {
    let directory = tempfile::tempdir().unwrap();
    let table = RuleTable::open(&written(directory.path(), &[])).unwrap();
    assert!(table.source().is_empty() && table.target().is_empty() && table.labels().is_empty());
    assert_eq!(all(&table).unwrap(), [""; 0]);
}
