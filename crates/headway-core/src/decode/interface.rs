//! The one interface of all decoders: sources in, translations out.

use std::any::Any;
use std::ops::Range;

use super::added::{Added, Listed};
use super::batch::translate_all;
use super::cut::{cuts, cuts_around};
use super::limits::MOST_VALUE;
use super::model::Model;
use super::settings::Search;
use super::source::{Source, Used};
use super::translation::{Request, Translation};
use crate::{Error, Monitor, Result};

/// A phrase of a derivation that a caller states: source words and what stands for them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Given {
    pub start: u32,
    pub end: u32,
    pub target: Vec<String>,
}

/// A search under one model. Bindings, tuning and servers know nothing else of a decoder.
pub trait Decode: Send + Sync {
    fn model(&self) -> &Model;

    fn search(&self) -> &Search;

    /// The parts of a source besides its words that it uses.
    fn uses(&self) -> Used {
        Used::default()
    }

    /// Where a sentence is cut if it is too long to be searched as a whole.
    fn pieces(&self, source: &Source) -> Vec<Range<usize>> {
        let (words, most) = (source.strs(), self.search().max_words);
        match source.constraints() {
            [] => cuts(&words, most),
            constraints => cuts_around(&words, most, constraints),
        }
    }

    /// Translates one sentence. `added` holds the values of features that a caller computed.
    fn translate(
        &self,
        source: &Source,
        request: Request,
        added: Option<&Added>,
        monitor: &Monitor,
    ) -> Result<Translation>;

    /// The spans of words that source trees license as phrases, from the first word to before the
    /// last; none of a search that has no use for them, or without a tree.
    fn licensed(&self, _source: &Source) -> Option<Vec<(u32, u32)>> {
        None
    }

    /// The rules that search would try for some sentence, each once, in the table's order.
    fn list(&self, sources: &[Source], monitor: &Monitor) -> Result<Vec<Listed>>;

    /// Where it keeps what it prepares of rules with added values; empty.
    fn options(&self) -> Box<dyn Any + Send + Sync>;

    /// All features of a derivation that the caller states, phrase by phrase in the order of the
    /// translation.
    fn score(&self, _source: &Source, _given: &[Given]) -> Result<Vec<f64>> {
        let message = "this search cannot score a derivation of phrases";
        Err(Error::setting(message))
    }

    /// What features with a state took so far, by name.
    fn counters(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

impl dyn Decode {
    /// Translates sentences, as many at a time as there are threads.
    pub fn translate_all(
        &self,
        sources: &[Source],
        request: Request,
        added: Option<&Added>,
        monitor: &Monitor,
    ) -> Result<Vec<Translation>> {
        translate_all(sources, request, monitor, |source| {
            let mut translation = self.translate(source, request, added, monitor)?;
            translation.ignored.extend(source.ignored(self.uses()));
            Ok(translation)
        })
    }

    /// Listed rules with values: one number for each added feature and rule.
    pub fn add(&self, listed: &[Listed], columns: &[Vec<f32>]) -> Result<Added> {
        let wanted = self.model().added_count();
        let fits = columns.len() == wanted && columns.iter().all(|it| it.len() == listed.len());
        if !fits {
            let rules = listed.len();
            let message = format!("expected {wanted} lists of {rules} values, one per rule");
            return Err(Error::setting(message));
        }
        if !columns.iter().flatten().all(|value| value.abs() <= MOST_VALUE) {
            let message = "a value of an added feature is out of range";
            return Err(Error::setting(format!("{message}; expected -1e9 to 1e9")));
        }
        Ok(Added::new(listed, columns, self.options()))
    }
}
