//! Features that look beyond one rule.
//!
//! n-gram models, distortion and phrase-based orientation are part of the search itself, where
//! they are fast. Everything else that depends on what came before implements `Feature`, with
//! one side for each search that can use it, and gets one line in `registry`; from then on it is
//! known by its names.

use super::chart::ChartFeature;
use super::lattice::ArcFeature;
use super::model::Model;
use super::phrase::Phrase;
use super::source::{Source, Used};
use crate::tree::DependencyTree;
use crate::{Error, Result};

/// Source words from `start` to before `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SourceSpan {
    pub start: i32,
    pub end: i32,
}

/// One phrase put after what there is.
#[derive(Clone, Copy)]
pub struct Step<'a> {
    pub span: SourceSpan,
    pub phrase: &'a Phrase,
    /// The phrase before and its span; none at the start.
    pub previous: Option<(SourceSpan, &'a Phrase)>,
    /// Whether a source word is covered once this step is made.
    pub covered: &'a dyn Fn(i32) -> bool,
    /// The source trees that the order agrees with once this step is made, as bits.
    pub trees: u32,
}

/// The values of a whole translation, one for each name.
pub type Restate<'a> = dyn FnMut(&[String]) -> Vec<f64> + 'a;

/// A feature with a state, for all sentences.
pub trait Feature: Send + Sync {
    /// The model's features that it computes.
    fn names(&self) -> Vec<String>;

    /// As phrase-based search uses it; none if it cannot.
    fn stack(&self) -> Option<&dyn StackFeature> {
        None
    }

    /// As charts use it; none if they cannot.
    fn chart(&self) -> Option<&dyn ChartFeature> {
        None
    }

    /// As lattice parsing uses it; none if it cannot.
    fn arcs(&self) -> Option<&dyn ArcFeature> {
        None
    }

    /// The parts of a source besides its words that it looks at.
    fn uses(&self) -> Used {
        Used::default()
    }

    /// The tree of a translation, if it is made of one.
    fn tree(&self, _words: &[String]) -> Option<Result<DependencyTree>> {
        None
    }

    /// What its work took so far, by name.
    fn counters(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

/// A feature of phrase-based search.
pub trait StackFeature: Send + Sync {
    /// Starts a sentence.
    fn begin<'a>(&'a self, source: &'a Source) -> Box<dyn Scorer + 'a>;

    /// Whether it matters to it where the last phrase's source words begin, which then have to
    /// agree where hypotheses recombine.
    fn looks_at_source(&self) -> bool {
        true
    }

    /// Whether it takes so long that cube pruning asks for it only once a hypothesis is taken,
    /// not to find out which to take.
    fn is_slow(&self) -> bool {
        false
    }

    /// Whether it expects something of what is still to come, as `Scorer::outlook` tells.
    fn looks_ahead(&self) -> bool {
        false
    }

    /// Whether it looks at the phrase before. What a step does from a state is found once for all
    /// hypotheses if no feature does.
    fn looks_back(&self) -> bool {
        true
    }

    /// Finds the values of whole translations, where recombination is approximate and the sums
    /// along a derivation may be of another history.
    fn restate(&self) -> Option<Box<Restate<'_>>> {
        None
    }
}

/// A feature at work on one sentence. States are numbers of its own choice, such as places in
/// an arena that it keeps; 0 is the state before the first phrase.
pub trait Scorer {
    /// Writes the values of a step, one for each name, and answers the state behind it. Called
    /// again for the same step, it must write and answer the same.
    fn extend(&mut self, state: u32, step: &Step<'_>, values: &mut [f32]) -> u32;

    /// Writes what is added when all words are covered.
    fn finish(&mut self, _state: u32, values: &mut [f32]) {
        values.fill(0.0);
    }

    /// Writes no less than `finish` would, and sooner if it can.
    fn finish_at_most(&mut self, state: u32, values: &mut [f32]) {
        self.finish(state, values);
    }

    /// States with the same key count as one: the better hypothesis stands for both.
    fn key(&self, state: u32) -> u64 {
        u64::from(state)
    }

    /// Writes what is expected of the rest of the sentence, given a state. Search compares
    /// hypotheses with it; it is no part of their values.
    fn outlook(&self, _state: u32, values: &mut [f32]) {
        values.fill(0.0);
    }

    /// What a phrase for these source words is expected to score, for options and future costs.
    fn estimate(&self, _span: SourceSpan, _phrase: &Phrase, values: &mut [f32]) {
        values.fill(0.0);
    }
}

/// A feature with its places and weights in a model.
pub struct Placed {
    pub feature: Box<dyn Feature>,
    pub columns: Vec<usize>,
    pub weights: Vec<f32>,
}

impl Placed {
    /// Refuses a feature that the search cannot use, or whose names the model does not have.
    pub fn new(
        feature: Box<dyn Feature>,
        model: &Model,
        fits: fn(&dyn Feature) -> bool,
        search: &str,
    ) -> Result<Self> {
        if !fits(feature.as_ref()) {
            let names = feature.names().join(", ");
            return Err(Error::setting(format!("{search} have no use for the feature {names}")));
        }
        let column = |name: &String| {
            let missing = || Error::setting(format!("the model has no feature {name}"));
            model.column(name).ok_or_else(missing)
        };
        let columns: Result<Vec<usize>> = feature.names().iter().map(column).collect();
        let columns = columns?;
        let weights = columns.iter().map(|&column| model.weights()[column]).collect();
        Ok(Placed { feature, columns, weights })
    }

    /// As phrase-based search uses it.
    pub fn stack(&self) -> &dyn StackFeature {
        self.feature.stack().expect("checked when it was placed")
    }

    /// As lattice parsing uses it.
    pub fn arcs(&self) -> &dyn ArcFeature {
        self.feature.arcs().expect("checked when it was placed")
    }

    /// As charts use it.
    pub fn chart(&self) -> &dyn ChartFeature {
        self.feature.chart().expect("checked when it was placed")
    }
}
