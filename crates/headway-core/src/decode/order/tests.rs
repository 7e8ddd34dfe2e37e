//! Against the definition, and against the example of the paper.

use proptest::prelude::*;
use smallvec::SmallVec;

use super::arcs::Item;
use super::*;
use crate::Vocabulary;
use crate::decode::feature::{SourceSpan, Step};
use crate::decode::source::WeightedTree;
use crate::decode::{Phrase, Unknown, UnknownWords};
use crate::deporder::{Options, Table};
use crate::random::Random;
use crate::table::{Header, Rule, RuleSink, Symbol, TableWriter};
use crate::tree::{DependencyTree, Heads, Licences, Topology, random_tree};

const LABELS: [&str; 3] = ["subj", "obj", "det"];

/// A table that has target words: one of them for each of its rules.
fn table(words: &[&str]) -> Arc<RuleTable> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("table");
    let monitor = crate::Monitor::default();
    let mut writer = TableWriter::create(&path, &monitor).unwrap();
    let mut target = Vocabulary::default();
    words.iter().for_each(|word| _ = target.add(word));
    let mut source = Vocabulary::default();
    source.add("a");
    writer.begin(&Header { source, target, ..Header::default() }).unwrap();
    for target in 0..words.len() as u32 {
        let [source, target] = [0, target].map(|word| vec![Symbol::Word(WordId(word))]);
        writer.rule(&Rule { source, target, ..Rule::default() }).unwrap();
    }
    writer.finish().unwrap();
    Arc::new(RuleTable::open(&path).unwrap())
}

/// A phrase of a derivation: its source words, its target words, its links.
#[derive(Debug, Clone)]
struct Given {
    start: u32,
    end: u32,
    words: Vec<String>,
    links: Vec<(u8, u8)>,
}

impl Given {
    fn new(start: u32, end: u32, words: &str, links: &[(u8, u8)]) -> Self {
        let words = words.split_whitespace().map(str::to_string).collect();
        Given { start, end, words, links: links.to_vec() }
    }

    /// As search has it; one word that the table does not know is an unknown word.
    fn phrase(&self, table: &RuleTable) -> Phrase {
        let mut phrase = Phrase::empty();
        let known: Option<SmallVec<[WordId; 6]>> =
            self.words.iter().map(|word| table.target().get(word)).collect();
        match known {
            Some(known) => phrase.target = known,
            None => {
                let unknown = Spelled::unknown(UnknownWords::Copy, &self.words[0]);
                phrase.spelled = Some(Box::new(unknown));
            }
        }
        phrase.links = self.links.iter().copied().collect();
        phrase
    }
}

fn source(words: &[String], trees: &[(Vec<u32>, Vec<String>, f64)]) -> Source {
    let weighted = |(heads, labels, weight): &(Vec<u32>, Vec<String>, f64)| {
        let tags = vec![String::new(); words.len()];
        let tree = DependencyTree::new(words.to_vec(), heads.clone(), tags, labels.clone());
        WeightedTree { tree: tree.unwrap(), weight: *weight }
    };
    let trees = trees.iter().map(weighted).collect();
    Source::new(words.to_vec()).with_trees(trees).unwrap()
}

/// Values of all steps, and the state behind each.
fn walk(
    scorer: &mut Linearising<'_>,
    table: &RuleTable,
    steps: &[Given],
    trees: u32,
) -> (Vec<[f32; 3]>, Vec<u32>) {
    let (mut state, mut done) = (0, Vec::new());
    let (mut found, mut states) = (Vec::new(), Vec::new());
    for given in steps {
        done.extend(given.start as i32..given.end as i32);
        let phrase = given.phrase(table);
        let span = SourceSpan { start: given.start as i32, end: given.end as i32 };
        let covered = |word: i32| done.contains(&word);
        let step = Step { span, phrase: &phrase, previous: None, covered: &covered, trees };
        let mut values = [f32::NAN; 3];
        state = scorer.extend(state, &step, &mut values);
        found.push(values);
        states.push(state);
    }
    (found, states)
}

/// Everything as it is defined, from a whole derivation.
struct Finished<'a> {
    model: &'a OrderModel,
    lexical: bool,
    words: &'a [String],
    steps: &'a [Given],
}

impl Finished<'_> {
    fn counts(&self, word: &str) -> bool {
        !(self.model.punctuation_apart() && is_punctuation(word))
    }

    fn source_counts(&self, word: u32) -> bool {
        self.counts(&self.words[word as usize - 1])
    }

    /// Target words that count before a step.
    fn place(&self, step: usize) -> i32 {
        self.steps[..step].iter().map(|given| self.length(given)).sum()
    }

    fn length(&self, given: &Given) -> i32 {
        given.words.iter().filter(|word| self.counts(word)).count() as i32
    }

    fn step_of(&self, word: u32) -> usize {
        let has = |given: &Given| (given.start..given.end).contains(&(word - 1));
        self.steps.iter().position(has).unwrap()
    }

    /// The last target word aligned to a source word: its place in its phrase, and itself.
    fn aligned(&self, word: u32) -> Option<(i32, &str)> {
        let given = &self.steps[self.step_of(word)];
        let own = given.links.iter().filter(|link| u32::from(link.0) == word - 1 - given.start);
        let target = own.map(|link| usize::from(link.1));
        let last = target.filter(|&at| self.counts(&given.words[at])).max()?;
        let before = given.words[..last].iter().filter(|word| self.counts(word)).count();
        Some((before as i32, &given.words[last]))
    }

    /// The offset of a dependency; none if it is inside one phrase.
    fn offset(&self, topology: &Topology, governor: u32, dependent: u32) -> Option<i32> {
        let home = self.step_of(governor);
        let under =
            topology.subtree(dependent).into_iter().filter(|&word| self.source_counts(word));
        let touching: Vec<usize> = under.map(|word| self.step_of(word)).collect();
        if touching.contains(&home) {
            return None;
        }
        let aligned = self.aligned(governor).map(|(place, _)| place);
        if let Some(&last) = touching.iter().filter(|&&step| step < home).max() {
            let end = self.place(last) + self.length(&self.steps[last]) - 1;
            return Some(end - (self.place(home) + aligned.unwrap_or(0)));
        }
        let first = *touching.iter().min().unwrap();
        let edge = self.length(&self.steps[home]) - 1;
        Some(self.place(first) - (self.place(home) + aligned.unwrap_or(edge)))
    }

    fn order(&self, heads: &Heads, labels: &[String]) -> f64 {
        let topology = Topology::new(heads);
        let mut sum = 0.0;
        for (dependent, governor) in heads.arcs() {
            let scored =
                governor != 0 && self.source_counts(dependent) && self.source_counts(governor);
            let offset = scored.then(|| self.offset(&topology, governor, dependent)).flatten();
            let Some(offset) = offset else { continue };
            assert_ne!(offset, 0);
            let word = |word: u32| {
                let text = self.aligned(word).filter(|_| self.lexical)?.1;
                self.model.word(text)
            };
            let counted = |word: &u32| self.source_counts(*word);
            let size = topology.subtree(dependent).into_iter().filter(counted).count();
            let label = self.model.label(&labels[dependent as usize - 1]);
            let score =
                self.model.score(label, word(governor), word(dependent), size as u32, offset);
            sum += f64::from(score);
        }
        sum
    }

    /// The words of a step that count.
    fn counted(&self, step: usize) -> Vec<u32> {
        let words = self.steps[step].start + 1..=self.steps[step].end;
        words.filter(|&word| self.source_counts(word)).collect()
    }

    /// Steps that leave a subtree: it has a word of the step before, none of this one, and not
    /// all of its words are covered.
    fn cohesion(&self, heads: &Heads) -> f64 {
        let topology = Topology::new(heads);
        let steps: Vec<Vec<u32>> = (0..self.steps.len()).map(|step| self.counted(step)).collect();
        let steps: Vec<Vec<u32>> = steps.into_iter().filter(|words| !words.is_empty()).collect();
        let leaves = |at: usize| {
            let tops = (1..=heads.len() as u32).filter(|&top| self.source_counts(top));
            let mut subtrees = tops.map(|top| topology.subtree(top));
            subtrees.any(|mut subtree| {
                subtree.retain(|&word| self.source_counts(word));
                let meets = |words: &[u32]| words.iter().any(|word| subtree.contains(word));
                let done = |word: &u32| steps[..=at].iter().any(|step| step.contains(word));
                meets(&steps[at - 1]) && !meets(&steps[at]) && !subtree.iter().all(done)
            })
        };
        (1..steps.len()).filter(|&at| leaves(at)).count() as f64
    }

    /// Steps whose words that count are no licensed span among all that count.
    fn unlicensed(&self, heads: &Heads) -> f64 {
        let numbers: Vec<u32> =
            (1..=heads.len() as u32).filter(|&word| self.source_counts(word)).collect();
        let number = |word: u32| numbers.iter().position(|&it| it == word).map(|at| at as u32 + 1);
        let above = |&word: &u32| {
            let mut head = heads.of(word);
            while head != 0 && !self.source_counts(head) {
                head = heads.of(head);
            }
            if head == 0 { 0 } else { number(head).unwrap() }
        };
        let heads = Heads::new(numbers.iter().map(above).collect()).unwrap();
        let licences = Licences::new(&heads).unwrap();
        let unlicensed = |step: &usize| {
            let words = self.counted(*step);
            words.first().is_some_and(|&first| {
                let last = words[words.len() - 1];
                !licences.is_licensed(number(first).unwrap(), number(last).unwrap())
            })
        };
        (0..self.steps.len()).filter(unlicensed).count() as f64
    }
}

/// What a test draws.
#[derive(Debug, Clone, Copy)]
struct Drawn {
    seed: u64,
    words: usize,
    trees: usize,
    lexical: bool,
    sizes: bool,
    apart: bool,
}

const TARGET: [&str; 5] = ["v", "w", "x", ",", "y"];

fn random_model(random: &mut Random, drawn: Drawn) -> OrderModel {
    let Drawn { lexical, sizes, apart: punctuation_apart, .. } = drawn;
    let options = Options { lexical, sizes, punctuation_apart, longest: 4 };
    let mut offsets = Vec::new();
    for _ in 0..40 {
        let whole = random.next_f64();
        let near = random.below(4) as i32 + 1;
        let side = if random.below(2) == 0 { near } else { -near };
        offsets.push(vec![(side, 0.7 * whole), (-side, 0.2 * whole)]);
    }
    let mut tables: Vec<Table<'_>> = Vec::new();
    for (at, row) in offsets.iter().enumerate() {
        let label = LABELS[at % 3];
        let (governor, dependent) = (random.below(3), random.below(2));
        let any = at < 3 || !lexical || (at < 9 && sizes);
        tables.push(Table {
            label,
            dependent: (!any).then_some(TARGET[dependent]),
            governor: (!any && governor > 0).then_some(TARGET[governor]),
            size: ((3..9).contains(&at) && sizes).then_some(1 + random.below(3) as u32),
            offsets: row,
        });
    }
    let keep = if lexical || sizes { tables.len() } else { 3 };
    OrderModel::from_tables(options, &tables[..keep], &[]).unwrap()
}

/// Phrases over spans of any kind, in any order.
fn random_steps(random: &mut Random, words: usize) -> Vec<Given> {
    let (mut steps, mut start) = (Vec::new(), 0);
    while start < words {
        let end = words.min(start + 1 + random.below(3));
        let target: Vec<&str> = (0..random.below(4)).map(|_| TARGET[random.below(5)]).collect();
        let links = (0..random.below(4)).filter(|_| !target.is_empty());
        let links: Vec<(u8, u8)> = links
            .map(|_| (random.below(end - start) as u8, random.below(target.len()) as u8))
            .collect();
        let given = match random.below(6) {
            0 => Given::new(start as u32, end as u32, "unheard", &[(0, 0)]),
            _ => Given::new(start as u32, end as u32, &target.join(" "), &links),
        };
        steps.push(given);
        start = end;
    }
    for at in (1..steps.len()).rev() {
        let other = random.below(at + 1);
        steps.swap(at, other);
    }
    steps
}

fn check_finished(drawn: Drawn) {
    let random = &mut Random::new(drawn.seed, 3);
    let model = Arc::new(random_model(random, drawn));
    let table = table(&TARGET);
    let how =
        OrderSettings { trees: drawn.trees, soft_constraints: true, ..OrderSettings::default() };
    let feature = DependencyOrder::new(Arc::clone(&model), Arc::clone(&table), how);
    let form = |random: &mut Random| if random.below(4) == 0 { "," } else { "a" };
    let words: Vec<String> = (0..drawn.words).map(|_| form(random).to_string()).collect();
    let mut trees = Vec::new();
    for _ in 0..drawn.trees {
        let mut heads = random_tree(drawn.words, random, random.clone().below(2) == 0);
        let other = random.below(drawn.words);
        heads[other] = if random.below(3) == 0 { 0 } else { heads[other] };
        let labels = (0..drawn.words).map(|_| LABELS[random.below(3)].to_string()).collect();
        trees.push((heads, labels, 0.1 + random.next_f64()));
    }
    let steps = random_steps(random, drawn.words);
    let source = source(&words, &trees);
    let mut scorer = Linearising::new(&feature, &source);
    let (values, states) = walk(&mut scorer, &table, &steps, u32::MAX);
    let lexical = feature.lexical;
    let finished = Finished { model: &model, lexical, words: &words, steps: &steps };
    let sum: f64 = trees.iter().map(|tree| tree.2).sum();
    let mut expected = [f64::NEG_INFINITY, 0.0, 0.0];
    for (heads, labels, weight) in &trees {
        let heads = Heads::new(heads.clone()).unwrap();
        let order = (weight / sum).ln() + finished.order(&heads, labels);
        expected[0] = expected[0].max(order);
        expected[1] += weight / sum * finished.unlicensed(&heads);
        expected[2] += weight / sum * finished.cohesion(&heads);
    }
    for (at, expected) in expected.iter().enumerate() {
        let found: f64 = values.iter().map(|it| f64::from(it[at])).sum();
        assert!((found - expected).abs() < 1e-3, "{at}: {found} {expected} {drawn:?} {steps:#?}");
    }
    // Nothing is expected of what is complete.
    let mut outlook = [f32::NAN; 3];
    scorer.outlook(states[states.len() - 1], &mut outlook);
    assert!(outlook.iter().all(|value| value.abs() < 1e-2), "{outlook:?}");
}

proptest! {
    #[test]
    fn steps_add_up_to_the_finished_order(
        seed in any::<u64>(), words in 1_usize..9, trees in 1_usize..4,
        (lexical, sizes, apart) in any::<(bool, bool, bool)>(),
    ) {
        check_finished(Drawn { seed, words, trees, lexical, sizes, apart });
    }
}

/// MAN THE WOMAN TALL THE SAW, with probabilities that tell all factors apart.
struct Example {
    model: Arc<OrderModel>,
    table: Arc<RuleTable>,
    source: Source,
}

const P: [(&str, [(i32, f64); 5]); 4] = [
    ("subj", [(-1, 0.5), (-2, 0.05), (1, 0.03), (4, 0.02), (-3, 0.07)]),
    ("obj", [(1, 0.4), (-1, 0.06), (2, 0.2), (-3, 0.01), (-4, 0.015)]),
    ("det", [(-1, 0.7), (1, 0.04), (-2, 0.1), (2, 0.02), (3, 0.01)]),
    ("amod", [(-1, 0.6), (1, 0.08), (-2, 0.09), (2, 0.02), (3, 0.01)]),
];

/// P(offset | label): what the row leaves is shared by all forty offsets.
fn p(offset: i32, label: &str) -> f64 {
    let row = P.iter().find(|(known, _)| *known == label).unwrap().1;
    let rest = 1.0 - row.iter().map(|(_, p)| p).sum::<f64>();
    row.iter().find(|(known, _)| *known == offset).unwrap().1 + rest / 40.0
}

impl Example {
    fn new() -> Self {
        let options = Options { lexical: false, longest: 20, ..Options::default() };
        let given = |(label, offsets): &'static (&str, [(i32, f64); 5])| Table {
            label,
            offsets,
            ..Table::default()
        };
        let tables: Vec<Table<'_>> = P.iter().map(given).collect();
        let model = OrderModel::from_tables(options, &tables, &[]).unwrap();
        let words = "he the guy lady tall saw woman man";
        let table = table(&words.split(' ').collect::<Vec<_>>());
        let words: Vec<String> =
            "MAN THE WOMAN TALL THE SAW".split(' ').map(str::to_string).collect();
        let labels = ["subj", "det", "obj", "amod", "det", "root"].map(str::to_string).to_vec();
        let source = source(&words, &[(vec![6, 1, 6, 3, 3, 0], labels, 1.0)]);
        Example { model: Arc::new(model), table, source }
    }

    fn feature(&self) -> DependencyOrder {
        let how = OrderSettings {
            spans: PhraseSpans::Licensed,
            contiguous: true,
            ..OrderSettings::default()
        };
        DependencyOrder::new(Arc::clone(&self.model), Arc::clone(&self.table), how)
    }

    /// ln P_d as the model has it.
    fn score(&self, offset: i32, label: &str) -> f32 {
        self.model.score(self.model.label(label), None, None, 1, offset)
    }
}

fn the() -> Given {
    Given::new(1, 2, "the", &[(0, 0)])
}

fn guy() -> Given {
    Given::new(0, 1, "guy", &[(0, 0)])
}

fn saw() -> Given {
    Given::new(5, 6, "saw", &[(0, 0)])
}

fn the_tall_lady() -> Given {
    Given::new(2, 5, "the tall lady", &[(0, 2), (1, 1), (2, 0)])
}

#[test]
fn the_scores_of_the_paper() {
    let example = Example::new();
    let feature = example.feature();
    let orders = [
        // (3a)
        (vec![saw(), the_tall_lady(), the(), guy()], [(4, "subj"), (1, "obj"), (-1, "det")]),
        // (3b)
        (vec![the_tall_lady(), saw(), the(), guy()], [(1, "subj"), (-1, "obj"), (-1, "det")]),
        // (3c)
        (vec![the(), guy(), saw(), the_tall_lady()], [(-1, "subj"), (1, "obj"), (-1, "det")]),
    ];
    for (steps, factors) in orders {
        let mut scorer = Linearising::new(&feature, &example.source);
        let (values, _) = walk(&mut scorer, &example.table, &steps, 1);
        let found: f32 = values.iter().map(|it| it[0]).sum();
        let expected: f32 =
            factors.iter().map(|&(offset, label)| example.score(offset, label)).sum();
        assert!((found - expected).abs() < 1e-5, "{found} {expected}");
        let printed: f64 = factors.iter().map(|&(offset, label)| p(offset, label).ln()).sum();
        assert!((f64::from(found) - printed).abs() < 1e-4, "{found} {printed}");
        assert!(values.iter().all(|it| it[1..] == [0.0, 0.0]));
    }
}

#[test]
fn a_governor_in_a_longer_phrase_keeps_its_place() {
    // §3.4.1: [saw the tall lady][the guy] scores as [saw][the tall lady][the guy] does.
    let example = Example::new();
    let feature = example.feature();
    let links = [(3, 0), (0, 3), (1, 2), (2, 1)];
    let long = Given::new(2, 6, "saw the tall lady", &links);
    let guy = Given::new(0, 2, "the guy", &[(0, 1), (1, 0)]);
    let mut scorer = Linearising::new(&feature, &example.source);
    let (values, _) = walk(&mut scorer, &example.table, &[long, guy.clone()], 1);
    assert_eq!(values[1][0], example.score(4, "subj"));
    let (values, _) = walk(&mut scorer, &example.table, &[saw(), the_tall_lady(), guy], 1);
    assert_eq!((values[1][0], values[2][0]), (example.score(1, "obj"), example.score(4, "subj")));
}

#[test]
fn the_hypotheses_of_figure_6() {
    let example = Example::new();
    let feature = example.feature();
    let mut scorer = Linearising::new(&feature, &example.source);
    let he = Given::new(0, 2, "he", &[(0, 0)]);
    let rest = Given::new(2, 6, "saw the tall woman", &[(3, 0), (0, 3), (1, 2), (2, 1)]);
    let (values, states) = walk(&mut scorer, &example.table, &[he, rest], 1);
    let half = |state: u32| scorer.items(state)[1..].to_vec();
    // h0: nothing is half-translated. h1: {((subj, 6, 1), 1)}. h2: nothing again.
    assert_eq!(half(0), []);
    assert_eq!(half(states[0]), [Item::Dependent { arc: 1, distance: 1, word: NO_WORD }]);
    assert_eq!(half(states[1]), []);
    assert_eq!((values[0][0], values[1][0]), (0.0, example.score(-1, "subj")));
}

#[test]
fn the_future_cost_of_section_4_2() {
    let example = Example::new();
    let feature = example.feature();
    let mut scorer = Linearising::new(&feature, &example.source);
    let steps = [
        Given::new(2, 4, "tall lady", &[(0, 1), (1, 0)]),
        Given::new(4, 5, "the", &[(0, 0)]),
        Given::new(0, 2, "the guy", &[(0, 1), (1, 0)]),
    ];
    let (_, states) = walk(&mut scorer, &example.table, &steps, 1);
    // {((obj, 6, 3), 3), ((subj, 6, 1), 1)}
    let subject = Item::Dependent { arc: 1, distance: 1, word: NO_WORD };
    let object = Item::Dependent { arc: 3, distance: 3, word: NO_WORD };
    assert_eq!(scorer.items(states[2])[1..], [subject, object]);
    let best = |label: &str, most: i32| {
        let scores = (-20..=most).map(|offset| example.score(offset, label));
        scores.fold(f32::NEG_INFINITY, f32::max)
    };
    let mut outlook = [0.0; 3];
    scorer.outlook(states[2], &mut outlook);
    let expected = best("obj", -3) + best("subj", -1);
    assert!((outlook[0] - expected).abs() < 1e-5, "{outlook:?} {expected}");
    assert_eq!(best("obj", -3), example.score(-4, "obj"));
    // Before the first phrase all offsets are possible.
    scorer.outlook(0, &mut outlook);
    let labels = ["subj", "det", "obj", "amod", "det"];
    let whole: f32 = labels.iter().map(|label| best(label, 20)).sum();
    assert!((outlook[0] - whole).abs() < 0.01);
}
