//! The operation sequence model in phrase-based search (Durrani et al. 2013): how likely the
//! operations are that make source and translation together, whatever the phrases.
//!
//! `osm` is the log probability of the operations of the whole derivation, `class-osm` that of
//! the same operations over word classes. Four counts of the paper go with them, as negative
//! numbers: gaps left, gaps still open at each word, the distance to the first word left out, and
//! source words dropped.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::feature::{Feature, Scorer, SourceSpan, StackFeature, Step};
use super::interned::Interned;
use super::phrase::Phrase;
use super::registry::Registered;
use super::source::Source;
use crate::WordId;
use crate::lm::{LanguageModel, State};
use crate::osm::{
    Act, CONTINUE, Cept, IDENTICAL, Move, OperationModel, Place, Spelling, Story, class_of, gaps,
};
use crate::table::RuleTable;

/// The feature of models of operations.
pub const REGISTERED: Registered = Registered {
    model: "osm",
    searches: &["stack", "lattice"],
    families: &["osm", "class-osm", "osm-counts"],
    settings: &["operation_counts"],
    joining: None,
    trees: false,
    exact: true,
    make: |models, search| {
        let model = models.get::<OperationModel>("osm", "a model of operations")?;
        let (table, counts) = (Arc::clone(&models.table), search.operation_counts);
        Ok(model.map(|model| Box::new(Operations { model, table, counts }) as Box<_>))
    },
};

const COUNTS: [&str; 4] = ["gaps", "open-gaps", "distance", "deletions"];

/// Models of words and of classes.
const MODELS: usize = 2;

struct Operations {
    model: Arc<OperationModel>,
    table: Arc<RuleTable>,
    /// Whether the counts are features too; else they are 0.
    counts: bool,
}

impl Operations {
    /// The models there are, in the order of their features.
    fn models(&self) -> SmallVec<[&LanguageModel; MODELS]> {
        let classes = self.model.classes.iter().map(|classes| &*classes.lm);
        std::iter::once(&*self.model.words).chain(classes).collect()
    }
}

impl Feature for Operations {
    fn names(&self) -> Vec<String> {
        // Counts always, so that the weights of a bundle go with all settings.
        let models = ["osm", "class-osm"].into_iter().take(self.models().len());
        let counts = COUNTS.iter().map(|name| format!("osm-counts.{name}"));
        models.map(str::to_string).chain(counts).collect()
    }

    fn stack(&self) -> Option<&dyn StackFeature> {
        Some(self)
    }
}

impl StackFeature for Operations {
    fn begin<'a>(&'a self, source: &'a Source) -> Box<dyn Scorer + 'a> {
        Box::new(Telling::new(self, source))
    }

    fn looks_at_source(&self) -> bool {
        false // its own state knows where the last word was
    }

    fn looks_back(&self) -> bool {
        false
    }
}

type Ids = [WordId; MODELS];

/// What is generated, with the operation's number in each model.
#[derive(Clone, Copy)]
struct Operation {
    act: Act,
    ids: Ids,
}

/// Where a derivation stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Node {
    states: [State; MODELS],
    place: Place,
}

/// What a phrase adds.
#[derive(Clone, Copy, Default)]
struct Sums {
    log_probs: [f64; MODELS],
    /// In the order of `COUNTS`.
    counts: [u32; COUNTS.len()],
}

/// Moves back to gaps farther away are looked up when they are needed.
const NEAR: usize = 8;

/// The operations of phrases by first word, word after the last, and place in the table.
type Known = HashMap<(i32, i32, u32), Rc<[Operation]>, FxBuildHasher>;

/// One sentence. States are nodes.
struct Telling<'a> {
    feature: &'a Operations,
    models: SmallVec<[&'a LanguageModel; MODELS]>,
    words: Vec<&'a str>,
    phrases: RefCell<Known>,
    nodes: Interned<Node>,
    gap: Ids,
    forward: Ids,
    back: Vec<Ids>,
}

impl<'a> Telling<'a> {
    fn new(feature: &'a Operations, source: &'a Source) -> Self {
        let (models, mut spelling) = (feature.models(), Spelling::default());
        let mut of = |moved: Move| ids(&models, spelling.moved(moved));
        let (gap, forward) = (of(Move::Gap), of(Move::Forward));
        let back = (0..NEAR as u32).map(|gap| of(Move::Back(gap))).collect();
        let mut nodes = Interned::new(1);
        let mut states = [State::default(); MODELS];
        for (state, lm) in states.iter_mut().zip(&models) {
            *state = lm.begin_state();
        }
        nodes.id(&[Node { states, place: Place::default() }]);
        let (words, phrases) = (source.strs(), RefCell::default());
        Telling { feature, models, words, phrases, nodes, gap, forward, back }
    }

    fn moved(&self, moved: Move) -> Ids {
        match moved {
            Move::Gap => self.gap,
            Move::Forward => self.forward,
            Move::Back(gap) => {
                let far = || ids(&self.models, Spelling::default().moved(moved));
                self.back.get(gap as usize).copied().unwrap_or_else(far)
            }
        }
    }

    /// The operations of a phrase without the moves between them.
    fn operations(&self, span: SourceSpan, phrase: &Phrase) -> Rc<[Operation]> {
        let key = (span.start, span.end, phrase.place);
        if let Some(known) = self.phrases.borrow().get(&key) {
            return Rc::clone(known);
        }
        let words = &self.words[span.start as usize..span.end as usize];
        let new: Rc<[Operation]> = Phrases { telling: self, words, phrase }.operations().into();
        self.phrases.borrow_mut().insert(key, Rc::clone(&new));
        new
    }

    /// Scores the operations of a phrase; `done` knows the words that were generated before it.
    fn tell(
        &self,
        node: &mut Node,
        span: SourceSpan,
        operations: &[Operation],
        counted: bool,
        done: impl Fn(u32) -> bool,
    ) -> Sums {
        let mut sums = Sums::default();
        let (start, end) = (span.start as u32, span.end as u32);
        let mut inside: SmallVec<[bool; 16]> = SmallVec::from_elem(false, (end - start) as usize);
        for operation in operations {
            if let Some(word) = operation.act.source() {
                let word = start + u32::from(word);
                let is_done = |other: u32| match (start..end).contains(&other) {
                    true => inside[(other - start) as usize],
                    false => done(other),
                };
                let (mut place, mut gap) = (node.place, false);
                place.go(word, is_done, |moved| {
                    gap |= moved == Move::Gap;
                    self.score(node, self.moved(moved), &mut sums);
                });
                node.place = place;
                if counted {
                    sums.count(operation.act, word, place, gap, is_done);
                }
                inside[(word - start) as usize] = true;
            }
            self.score(node, operation.ids, &mut sums);
        }
        sums
    }

    fn score(&self, node: &mut Node, ids: Ids, sums: &mut Sums) {
        for (model, lm) in self.models.iter().enumerate() {
            let score = lm.score(&mut node.states[model], ids[model]);
            sums.log_probs[model] += score.log_prob();
        }
    }

    fn write(&self, sums: Sums, values: &mut [f32]) {
        let models = self.models.len();
        for (value, log_prob) in values.iter_mut().zip(&sums.log_probs[..models]) {
            *value = *log_prob as f32;
        }
        for (value, count) in values[models..].iter_mut().zip(sums.counts) {
            *value = -(count as f32);
        }
    }
}

impl Sums {
    /// Counts what generating a word takes; it is not done as yet.
    fn count(&mut self, act: Act, word: u32, place: Place, gap: bool, done: impl Fn(u32) -> bool) {
        let [gaps_left, open_gaps, distance, deletions] = &mut self.counts;
        *gaps_left += u32::from(gap);
        let first = (0..word).find(|&other| !done(other)).unwrap_or(word);
        *open_gaps += gaps(first, place.end, |other| other == word || done(other));
        if !matches!(act, Act::Continue { .. }) {
            *distance += word - first;
        }
        *deletions += u32::from(matches!(act, Act::Delete { .. }));
    }
}

/// The number of an operation in each model.
fn ids(models: &[&LanguageModel], operation: &str) -> Ids {
    let mut found = [WordId(0); MODELS];
    for (id, lm) in found.iter_mut().zip(models) {
        *id = lm.word_id(operation);
    }
    found
}

/// A phrase that is made into operations.
struct Phrases<'t, 'a> {
    telling: &'t Telling<'a>,
    /// Its source words.
    words: &'t [&'a str],
    phrase: &'t Phrase,
}

impl Phrases<'_, '_> {
    fn operations(&self) -> Vec<Operation> {
        let links = self.phrase.links.iter().map(|&(from, to)| (u16::from(from), u16::from(to)));
        let story = Story::of(self.words.len(), self.phrase.len(), links);
        let operation = |&act: &Act| Operation { act, ids: self.ids(act, &story.cepts) };
        story.acts.iter().map(operation).collect()
    }

    fn ids(&self, act: Act, cepts: &[Cept]) -> Ids {
        match act {
            Act::Insert { target } => self.cept(&[], &[target]),
            Act::Delete { source } => self.cept(&[source], &[]),
            Act::Continue { .. } => ids(&self.telling.models, CONTINUE),
            Act::Translate { cept, .. } => {
                let Cept { source, target } = &cepts[usize::from(cept)];
                let found = self.cept(source, target);
                let unknown = found[0] == self.telling.models[0].unknown();
                match unknown && self.is_identical(source, target) {
                    true => ids(&self.telling.models, IDENTICAL),
                    false => found,
                }
            }
        }
    }

    /// Whether one word stands for itself, or for a word that nobody knows.
    fn is_identical(&self, source: &[u16], target: &[u16]) -> bool {
        let (&[from], &[to]) = (source, target) else { return false };
        self.phrase.is_unknown() || self.words[usize::from(from)] == self.target(to)
    }

    fn target(&self, place: u16) -> &str {
        match self.phrase.target.get(usize::from(place)) {
            Some(&word) => self.telling.feature.table.target().word(word).unwrap_or_default(),
            None => self.phrase.spelled().get(usize::from(place)).map_or("", String::as_str),
        }
    }

    fn cept(&self, source: &[u16], target: &[u16]) -> Ids {
        let (mut spelling, mut found) = (Spelling::default(), [WordId(0); MODELS]);
        let from = source.iter().map(|&place| self.words[usize::from(place)]);
        let to = target.iter().map(|&place| self.target(place));
        found[0] = self.telling.models[0].word_id(spelling.cept(from.clone(), to.clone()));
        if let Some(classes) = &self.telling.feature.model.classes {
            let from: Vec<String> = from.map(|word| class_of(&classes.source, word)).collect();
            let to: Vec<String> = to.map(|word| class_of(&classes.target, word)).collect();
            let [from, to] = [&from, &to].map(|side| side.iter().map(String::as_str));
            found[1] = classes.lm.word_id(spelling.cept(from, to));
        }
        found
    }
}

impl Scorer for Telling<'_> {
    fn extend(&mut self, state: u32, step: &Step<'_>, values: &mut [f32]) -> u32 {
        let (span, mut node) = (step.span, self.nodes.get(state)[0]);
        let operations = self.operations(span, step.phrase);
        let done = |word: u32| (step.covered)(word as i32);
        let sums = self.tell(&mut node, span, &operations, self.feature.counts, done);
        self.write(sums, values);
        self.nodes.id(&[node]).0
    }

    fn finish(&mut self, state: u32, values: &mut [f32]) {
        let (mut node, mut sums) = (self.nodes.get(state)[0], Sums::default());
        for (model, lm) in self.models.iter().enumerate() {
            let score = lm.score(&mut node.states[model], lm.end());
            sums.log_probs[model] += score.log_prob();
        }
        self.write(sums, values);
    }

    /// The operations of the phrase without what stands before it.
    fn estimate(&self, span: SourceSpan, phrase: &Phrase, values: &mut [f32]) {
        let start = span.start as u32;
        let place = Place { at: start, end: start };
        let mut node = Node { states: [State::default(); MODELS], place };
        let operations = self.operations(span, phrase);
        let sums = self.tell(&mut node, span, &operations, false, |_| false);
        self.write(sums, values);
    }
}
