//! A small stateful feature for both searches: the example that CONTRIBUTING.md walks through.
//!
//! `stutter` counts words that follow themselves ("the the"). In stack search its state is the
//! last word; in charts it is the first and the last word of a span.

use std::any::Any;
use std::sync::Arc;

use super::chart::{
    Applied, ChartFeature, ChartScorer, Meeting, Outcome, Outcomes, OwnWorth, RuleParts, own_kind,
};
use super::feature::{Feature, Scorer, StackFeature, Step};
use super::interned::Interned;
use super::phrase::Phrase;
use super::registry::Registered;
use super::source::Source;
use crate::WordId;
use crate::table::{Rule, RuleTable, Symbol};

/// The one line of the registry names this.
pub const REGISTERED: Registered = Registered {
    model: "rules",
    searches: &["stack", "chart"],
    families: &["stutter"],
    settings: &[],
    joining: None,
    trees: false,
    exact: true,
    make: |_, _| Ok(Some(Box::new(Stutter))),
};

struct Stutter;

impl Feature for Stutter {
    fn names(&self) -> Vec<String> {
        vec!["stutter".to_string()]
    }

    fn stack(&self) -> Option<&dyn StackFeature> {
        Some(self)
    }

    fn chart(&self) -> Option<&dyn ChartFeature> {
        Some(self)
    }
}

/// Before the first word.
const NO_WORD: u32 = 0;
/// A word that the table does not have: it repeats nothing.
const UNKNOWN: u32 = u32::MAX;

const NOT_IN_TABLE: WordId = WordId(UNKNOWN - 1);

fn number(word: WordId) -> u32 {
    word.0 + 1
}

fn is_repeat(last: u32, word: u32) -> bool {
    word == last && word != NO_WORD && word != UNKNOWN
}

/// How often a word follows itself, and the last word.
fn repeats(before: u32, words: impl Iterator<Item = u32>) -> (u32, u32) {
    words.fold((0, before), |(count, last), word| (count + u32::from(is_repeat(last, word)), word))
}

impl StackFeature for Stutter {
    fn begin<'a>(&'a self, _source: &'a Source) -> Box<dyn Scorer + 'a> {
        Box::new(LastWord)
    }

    fn looks_at_source(&self) -> bool {
        false
    }
}

/// States are the last word.
struct LastWord;

impl Scorer for LastWord {
    fn extend(&mut self, state: u32, step: &Step<'_>, values: &mut [f32]) -> u32 {
        let (count, last) = repeats(state, target(step.phrase));
        values[0] = count as f32;
        last
    }
}

fn target(phrase: &Phrase) -> impl Iterator<Item = u32> + '_ {
    let spelled = phrase.spelled().iter().map(|_| UNKNOWN);
    phrase.target.iter().map(|&word| number(word)).chain(spelled)
}

impl ChartFeature for Stutter {
    fn rule_parts(&self) -> Arc<dyn RuleParts> {
        Arc::new(Targets::default())
    }

    fn prepare(
        &self,
        _table: &RuleTable,
        rule: &Rule,
        _weights: &[f32],
        parts: &mut dyn RuleParts,
    ) -> OwnWorth {
        targets_mut(parts).0.push(rule.target.clone());
        OwnWorth::default() // all is said when the slots are filled
    }

    fn prepare_spelled(
        &self,
        words: &[String],
        _weights: &[f32],
        parts: &mut dyn RuleParts,
    ) -> OwnWorth {
        targets_mut(parts).0.push(vec![Symbol::Word(NOT_IN_TABLE); words.len()]);
        OwnWorth::default()
    }

    fn begin<'a>(&'a self, _source: &'a Source, weights: &'a [f32]) -> Box<dyn ChartScorer + 'a> {
        let mut edges = Interned::new(2);
        edges.id(&[NO_WORD, NO_WORD]);
        Box::new(Edges { weight: weights[0], edges, sets: Vec::new() })
    }
}

/// The target sides of rules.
#[derive(Default)]
struct Targets(Vec<Vec<Symbol>>);

fn targets_mut(parts: &mut dyn RuleParts) -> &mut Targets {
    let parts: &mut dyn Any = parts;
    parts.downcast_mut().expect("parts of this feature")
}

impl RuleParts for Targets {
    fn clear(&mut self) {
        self.0.clear();
    }

    fn picked(&self, rules: &[u32]) -> Arc<dyn RuleParts> {
        Arc::new(Targets(rules.iter().map(|&rule| self.0[rule as usize].clone()).collect()))
    }

    fn bytes(&self) -> usize {
        self.0.iter().map(|target| target.len() * size_of::<Symbol>()).sum()
    }

    fn any(self: Arc<Self>) -> Arc<dyn Any + Send + Sync> {
        self
    }
}

/// States are the first and the last word of a span; 0 is that of no words.
struct Edges {
    weight: f32,
    edges: Interned<u32>,
    sets: Vec<Arc<Targets>>,
}

impl Edges {
    /// How often a word follows itself where spans meet, and the edges of the whole.
    fn walk(&self, spans: impl Iterator<Item = (u32, u32)>) -> (u32, [u32; 2]) {
        let (mut count, mut whole) = (0, [NO_WORD; 2]);
        for (first, last) in spans.filter(|&span| span != (NO_WORD, NO_WORD)) {
            count += u32::from(is_repeat(whole[1], first));
            whole = [if whole[0] == NO_WORD { first } else { whole[0] }, last];
        }
        (count, whole)
    }

    fn span(&self, state: u32) -> (u32, u32) {
        let edges = self.edges.get(state);
        (edges[0], edges[1])
    }

    fn applied(&self, rule: Applied, slots: [u32; 2]) -> (u32, [u32; 2]) {
        let target = self.sets[rule.set as usize].0[rule.rule as usize].iter();
        self.walk(target.map(|symbol| match *symbol {
            Symbol::Word(word) => (number(word), number(word)),
            Symbol::Slot(slot) => self.span(slots[usize::from(slot)]),
        }))
    }

    fn outcome(&mut self, (count, whole): (u32, [u32; 2])) -> Outcome {
        let (change, state) = (self.weight * count as f32, self.edges.id(&whole).0);
        Outcome { way: 0, change, state, outlook: 0.0 }
    }

    fn joined(&self, left: u32, right: u32) -> (u32, [u32; 2]) {
        self.walk([self.span(left), self.span(right)].into_iter())
    }
}

impl ChartScorer for Edges {
    fn enter(&mut self, parts: &Arc<dyn RuleParts>) {
        self.sets.push(own_kind(parts));
    }

    fn apply(&mut self, rule: Applied, slots: [u32; 2]) -> Outcome {
        let found = self.applied(rule, slots);
        self.outcome(found)
    }

    fn join(&mut self, left: u32, right: u32, _at: Meeting) -> Outcomes {
        let found = self.joined(left, right);
        Outcomes::from_slice(&[self.outcome(found)])
    }

    fn finish(&mut self, _state: u32) -> f32 {
        0.0
    }

    fn carry(&self, state: u32) -> Box<dyn Any> {
        Box::new(self.span(state))
    }

    fn resume(&mut self, carried: &dyn Any) -> u32 {
        let (first, last) = carried.downcast_ref().copied().unwrap_or((NO_WORD, NO_WORD));
        self.edges.id(&[first, last]).0
    }

    fn rule_values(&self, rule: Applied, slots: [u32; 2], values: &mut [f64]) {
        values[0] = f64::from(self.applied(rule, slots).0);
    }

    fn join_values(&self, _way: u32, left: u32, right: u32, _at: Meeting, values: &mut [f64]) {
        values[0] = f64::from(self.joined(left, right).0);
    }

    fn finish_values(&self, _state: u32, values: &mut [f64]) {
        values[0] = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::*;
    use crate::decode::registry::FEATURES;
    use crate::decode::{Models, Request, Search, SearchKind, Translation};
    use crate::table::{Header, RuleSink, TableWriter};
    use crate::{Monitor, Vocabulary};

    const SOURCE: [&str; 3] = ["a", "b", "c"];
    const TARGET: [&str; 3] = ["x", "y", "z"];

    /// Every source word may become every target word; with `slots`, also around the rest.
    fn table(slots: bool) -> Arc<RuleTable> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("table");
        let monitor = Monitor::default();
        let mut writer = TableWriter::create(&path, &monitor).unwrap();
        let vocabulary = |words: [&str; 3]| {
            let mut vocabulary = Vocabulary::default();
            words.iter().for_each(|word| {
                vocabulary.add(word);
            });
            vocabulary
        };
        let (source, target) = (vocabulary(SOURCE), vocabulary(TARGET));
        writer.begin(&Header { source, target, ..Header::default() }).unwrap();
        for source in 0..3 {
            let word = |word| Symbol::Word(WordId(word));
            let around = |target: u32| vec![word(target), Symbol::Slot(0), word(target)];
            for target in 0..3 {
                let rule = Rule {
                    source: vec![word(source)],
                    target: vec![word(target)],
                    ..Rule::default()
                };
                writer.rule(&rule).unwrap();
            }
            for target in (0..3).filter(|_| slots) {
                let source = vec![word(source), Symbol::Slot(0)];
                writer.rule(&Rule { source, target: around(target), ..Rule::default() }).unwrap();
            }
        }
        writer.finish().unwrap();
        Arc::new(RuleTable::open(&path).unwrap())
    }

    fn found(kind: &str, slots: bool, weight: f64, max_words: usize) -> Translation {
        let models = Models { table: table(slots), lms: Vec::new(), others: BTreeMap::new() };
        let registered = [FEATURES, &[REGISTERED]].concat();
        let kind = SearchKind::find(kind).unwrap();
        let search = Search { pop_limit: 100_000, stack: 10_000, max_words, ..Search::default() };
        let names = kind.names(&models, &search, &registered).unwrap();
        assert_eq!(names.last().map(String::as_str), Some("stutter"));
        let weight_of = |name: &String| if name == "stutter" { weight } else { 0.1 };
        let weights: Vec<_> = names.iter().map(|name| (name.clone(), weight_of(name))).collect();
        let decoder = kind.decoder(models, search, &[], &weights, &registered).unwrap();
        let source = Source::new(["a", "b", "c", "?", "?", "a"].map(str::to_string).to_vec());
        let request = Request { n_best: 50, ..Request::default() };
        let monitor = Monitor::default();
        decoder.translate_all(&[source], request, None, &monitor).unwrap().remove(0)
    }

    fn stutters(words: &[String]) -> f64 {
        let repeats = words.windows(2).filter(|pair| pair[0] == pair[1] && pair[0] != "?");
        repeats.count() as f64
    }

    #[test]
    fn a_feature_of_one_file_and_one_line_is_known_to_both_searches() {
        for (kind, slots) in [("stack", false), ("chart", false), ("chart", true)] {
            for max_words in [250, 2] {
                let shy = found(kind, slots, -2.0, max_words);
                assert_eq!(stutters(&shy.words), 0.0, "{kind}");
                let bold = found(kind, slots, 2.0, max_words);
                assert!(stutters(&bold.words) >= 2.0, "{kind}: {:?}", bold.words);
                for entry in shy.n_best.iter().chain(&bold.n_best) {
                    let value = entry.features.last().copied();
                    assert_eq!(value, Some(stutters(&entry.words)), "{kind}: {:?}", entry.words);
                }
            }
        }
    }
}
